/* SPDX-License-Identifier: MIT */
/* Interface ids, defined once per program, as dxguid.lib does on Windows. */
#define INITGUID
#include <windows.h>
#include <d3d11.h>
#include <dxgi.h>
