/* SPDX-License-Identifier: MIT */
#include "shader.h"

#include "device.h"

#define SHADER_MAX_TOKENS 65536		/* where the search for an end token gives up */
#define TOKEN_END 0x0000ffffu
#define OPCODE(token) ((token) & 0xffffu)
#define OPCODE_COMMENT 0xfffeu
#define COMMENT_LENGTH(token) ((token) >> 16 & 0x7fffu)

static struct d3d9_shader *shader_from(IDirect3DVertexShader9 *iface)
{
	return (struct d3d9_shader *)iface;
}

static HRESULT STDMETHODCALLTYPE shader_QueryInterface(IDirect3DVertexShader9 *iface, REFIID iid, void **out)
{
	struct d3d9_shader *shader = shader_from(iface);
	const GUID *interfaces[] = {shader->pixel ? &IID_IDirect3DPixelShader9 : &IID_IDirect3DVertexShader9};

	return object_query(&shader->object, iid, out, interfaces, 1);
}

static ULONG STDMETHODCALLTYPE shader_AddRef(IDirect3DVertexShader9 *iface)
{
	return object_addref(&shader_from(iface)->object);
}

static ULONG STDMETHODCALLTYPE shader_Release(IDirect3DVertexShader9 *iface)
{
	return object_release(&shader_from(iface)->object);
}

static HRESULT STDMETHODCALLTYPE shader_GetDevice(IDirect3DVertexShader9 *iface, IDirect3DDevice9 **out)
{
	return device_get(shader_from(iface)->object.device, out);
}

static HRESULT STDMETHODCALLTYPE shader_GetFunction(IDirect3DVertexShader9 *iface, void *data, UINT *size)
{
	const struct d3d9_shader *shader = shader_from(iface);

	if (!size)
		return D3DERR_INVALIDCALL;
	if (!data) {
		*size = shader->size;
		return D3D_OK;
	}
	if (*size < shader->size)
		return D3DERR_INVALIDCALL;
	memcpy(data, shader->code, shader->size);
	return D3D_OK;
}

/* The two interfaces have the same table. */
static const IDirect3DVertexShader9Vtbl shader_vtbl = {
	.QueryInterface = shader_QueryInterface,
	.AddRef = shader_AddRef,
	.Release = shader_Release,
	.GetDevice = shader_GetDevice,
	.GetFunction = shader_GetFunction,
};
_Static_assert(sizeof(IDirect3DVertexShader9Vtbl) == sizeof(IDirect3DPixelShader9Vtbl), "one table for both");

static void shader_destroy(struct d3d9_object *object)
{
	struct d3d9_shader *shader = (struct d3d9_shader *)object;
	struct d3d9_device *device = object->device;

	if (shader->pixel)
		device->ddi.pfnDeletePixelShader(device->driver, shader->handle);
	else
		device->ddi.pfnDeleteVertexShaderFunc(device->driver, shader->handle);
	free(shader);
}

/* Tokens up to and with the end, 0 when there is none. The end's value inside a comment is not one. */
static UINT count_tokens(const DWORD *code)
{
	UINT at = 1;

	while (at < SHADER_MAX_TOKENS) {
		if (code[at] == TOKEN_END)
			return at + 1;
		at += OPCODE(code[at]) == OPCODE_COMMENT ? 1 + COMMENT_LENGTH(code[at]) : 1;
	}
	return 0;
}

/* Version token: kind, and a model that this adapter has. */
static bool version_good(const struct d3d9_device *device, bool pixel, DWORD version)
{
	DWORD highest = pixel ? device->adapter->caps.PixelShaderVersion : device->adapter->caps.VertexShaderVersion;
	DWORD model = version & 0xffff;

	if (version >> 16 != (pixel ? 0xffffu : 0xfffeu))
		return false;
	if ((model & 0xff) == 0xff)	/* software versions */
		return false;
	/* 2_x is 2.1 in its token, and within every 2.0 here. */
	return model <= (highest & 0xffff) || model >> 8 == (highest >> 8 & 0xff);
}

static HRESULT create_in_driver(struct d3d9_device *device, struct d3d9_shader *shader)
{
	D3DDDIARG_CREATEVERTEXSHADERFUNC vertex = {.Size = shader->size};
	D3DDDIARG_CREATEPIXELSHADER pixel = {.CodeSize = shader->size};
	HRESULT hr;

	if (shader->pixel)
		hr = device->ddi.pfnCreatePixelShader(device->driver, &pixel, (const UINT *)shader->code);
	else
		hr = device->ddi.pfnCreateVertexShaderFunc(device->driver, &vertex, (const UINT *)shader->code);
	shader->handle = shader->pixel ? pixel.ShaderHandle : vertex.ShaderHandle;
	return device_result(device, hr);
}

HRESULT shader_create(struct d3d9_device *device, bool pixel, const DWORD *code, struct d3d9_shader **out)
{
	struct d3d9_shader *shader;
	UINT tokens;
	HRESULT hr;

	if (!code || !out || !version_good(device, pixel, code[0])) {
		runtime_refused(__func__, "version token %#x", code ? code[0] : 0);
		return D3DERR_INVALIDCALL;
	}
	tokens = count_tokens(code);
	if (!tokens) {
		runtime_refused(__func__, "no end token");
		return D3DERR_INVALIDCALL;
	}
	shader = malloc(sizeof(*shader) + tokens * sizeof(*code));
	if (!shader)
		return E_OUTOFMEMORY;
	memset(shader, 0, sizeof(*shader));
	shader->pixel = pixel;
	shader->size = tokens * (UINT)sizeof(*code);
	memcpy(shader->code, code, shader->size);
	hr = create_in_driver(device, shader);
	if (FAILED(hr)) {
		free(shader);
		return hr;
	}
	object_init(&shader->object, &shader_vtbl, device, shader_destroy, true);
	*out = shader;
	return D3D_OK;
}
