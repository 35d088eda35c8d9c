/* SPDX-License-Identifier: MIT */
/* Interface ids of the headers are defined here, once per library. */
#define INITGUID
#include <windows.h>
#include <dxgi1_3.h>
#include <dxgi1_4.h>
#include <d3d10.h>
#include <d3d11_1.h>
