/* SPDX-License-Identifier: MIT */
/* The interface identifiers that the Direct3D headers only declare. */
#define INITGUID
#include <windows.h>
#include <d3d9.h>
