/* SPDX-License-Identifier: MIT */
#include "test9.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

IDirect3DDevice9Ex *test9_device(IDirect3D9Ex *d3d, UINT width, UINT height, DWORD flags)
{
	D3DPRESENT_PARAMETERS params = {
		.BackBufferWidth = width,
		.BackBufferHeight = height,
		.BackBufferFormat = D3DFMT_X8R8G8B8,
		.BackBufferCount = 1,
		.SwapEffect = D3DSWAPEFFECT_DISCARD,
		.Windowed = TRUE,
	};
	IDirect3DDevice9Ex *device = NULL;
	HRESULT hr = IDirect3D9Ex_CreateDeviceEx(d3d, 0, D3DDEVTYPE_HAL, NULL,
						 D3DCREATE_HARDWARE_VERTEXPROCESSING | flags, &params, NULL, &device);

	if (FAILED(hr))
		tap_diag("CreateDeviceEx: %#x", (unsigned)hr);
	return device;
}

void test9_open(struct test9 *t, UINT width, UINT height)
{
	HRESULT hr;

	memset(t, 0, sizeof(*t));
	hr = Direct3DCreate9Ex(D3D_SDK_VERSION, &t->d3d);
	if (FAILED(hr))
		tap_bail("Direct3DCreate9Ex: %#x", (unsigned)hr);
	t->width = width;
	t->height = height;
	t->device = test9_device(t->d3d, width, height, 0);
	if (!t->device)
		tap_bail("no device");
	IDirect3DDevice9Ex_GetDeviceCaps(t->device, &t->caps);
}

void test9_close(struct test9 *t)
{
	tap_eq(IDirect3DDevice9Ex_Release(t->device), 0, "the device's last reference is released");
	tap_eq(IDirect3D9Ex_Release(t->d3d), 0, "IDirect3D9Ex's last reference is released");
}

void test9_finish(IDirect3DDevice9Ex *device)
{
	IDirect3DQuery9 *query;
	HRESULT hr;

	if (FAILED(IDirect3DDevice9Ex_CreateQuery(device, D3DQUERYTYPE_EVENT, &query)))
		return;
	IDirect3DQuery9_Issue(query, D3DISSUE_END);
	while ((hr = IDirect3DQuery9_GetData(query, NULL, 0, D3DGETDATA_FLUSH)) == S_FALSE)
		usleep(100);
	if (FAILED(hr))
		tap_diag("waiting for the device: %#x", (unsigned)hr);
	IDirect3DQuery9_Release(query);
}

/* ---- pixels ---- */

bool test9_target_create(IDirect3DDevice9Ex *device, UINT width, UINT height, struct test9_target *out)
{
	HRESULT hr;

	memset(out, 0, sizeof(*out));
	out->width = width;
	out->height = height;
	out->pixels = calloc((size_t)width * height, sizeof(*out->pixels));
	hr = IDirect3DDevice9Ex_CreateRenderTarget(device, width, height, D3DFMT_A8R8G8B8, D3DMULTISAMPLE_NONE, 0,
						   FALSE, &out->surface, NULL);
	if (SUCCEEDED(hr))
		hr = IDirect3DDevice9Ex_CreateOffscreenPlainSurface(device, width, height, D3DFMT_A8R8G8B8,
								    D3DPOOL_SYSTEMMEM, &out->copy, NULL);
	return tap_eq(hr, D3D_OK, "a %ux%u target and its copy in system memory", width, height);
}

void test9_target_destroy(struct test9_target *target)
{
	if (target->copy)
		IDirect3DSurface9_Release(target->copy);
	if (target->surface)
		IDirect3DSurface9_Release(target->surface);
	free(target->pixels);
}

bool test9_read(IDirect3DDevice9Ex *device, struct test9_target *target)
{
	D3DLOCKED_RECT locked;
	HRESULT hr = IDirect3DDevice9Ex_GetRenderTargetData(device, target->surface, target->copy);

	if (SUCCEEDED(hr))
		hr = IDirect3DSurface9_LockRect(target->copy, &locked, NULL, D3DLOCK_READONLY);
	if (FAILED(hr)) {
		tap_eq(hr, D3D_OK, "read-back of the target");
		return false;
	}
	for (UINT y = 0; y < target->height; y++)
		memcpy(target->pixels + (size_t)y * target->width,
		       (const uint8_t *)locked.pBits + (size_t)y * locked.Pitch, target->width * sizeof(DWORD));
	IDirect3DSurface9_UnlockRect(target->copy);
	return true;
}

DWORD test9_pixel(const struct test9_target *target, UINT x, UINT y)
{
	return target->pixels[(size_t)y * target->width + x];
}

bool test9_check_pixel(const struct test9_target *target, UINT x, UINT y, DWORD want, unsigned tolerance,
		       const char *name)
{
	DWORD got = test9_pixel(target, x, y);

	for (unsigned shift = 0; shift < 32; shift += 8) {
		int difference = (int)(got >> shift & 0xff) - (int)(want >> shift & 0xff);

		if (abs(difference) > (int)tolerance) {
			tap_diag("pixel %u,%u is %08x, not %08x", x, y, (unsigned)got, (unsigned)want);
			return tap_ok(false, "%s", name);
		}
	}
	return tap_ok(true, "%s", name);
}

/* ---- shaders ---- */

IDirect3DVertexShader9 *test9_vs(IDirect3DDevice9Ex *device, const uint32_t *code)
{
	IDirect3DVertexShader9 *shader = NULL;
	HRESULT hr = IDirect3DDevice9Ex_CreateVertexShader(device, (const DWORD *)code, &shader);

	if (FAILED(hr))
		tap_bail("CreateVertexShader: %#x", (unsigned)hr);
	return shader;
}

IDirect3DPixelShader9 *test9_ps(IDirect3DDevice9Ex *device, const uint32_t *code)
{
	IDirect3DPixelShader9 *shader = NULL;
	HRESULT hr = IDirect3DDevice9Ex_CreatePixelShader(device, (const DWORD *)code, &shader);

	if (FAILED(hr))
		tap_bail("CreatePixelShader: %#x", (unsigned)hr);
	return shader;
}
