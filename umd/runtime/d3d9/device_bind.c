/* SPDX-License-Identifier: MIT */
/* Textures, streams, indices, declarations and targets. What is bound is held without a reference of the program. */
#include "buffer.h"
#include "declaration.h"
#include "device.h"
#include "swapchain.h"
#include "texture.h"

/* Puts an object into a slot of a state, with its bind. */
static void replace(struct d3d9_object **slot, struct d3d9_object *object)
{
	struct d3d9_object *old = *slot;

	object_bind(object);
	*slot = object;
	object_unbind(old);
}

/* ---- textures ---- */

static int sampler_slot(DWORD sampler)
{
	if (sampler < 16)
		return (int)sampler;
	if (sampler >= D3DVERTEXTEXTURESAMPLER0 && sampler <= D3DVERTEXTEXTURESAMPLER3)
		return (int)(16 + sampler - D3DVERTEXTEXTURESAMPLER0);
	return -1;
}

static HRESULT STDMETHODCALLTYPE device_SetTexture(IDirect3DDevice9Ex *iface, DWORD sampler,
						   IDirect3DBaseTexture9 *base)
{
	struct d3d9_device *device = device_from(iface);
	struct device_guard guard DEVICE_GUARD = device_guard_begin(device);
	struct d3d9_texture *texture = (struct d3d9_texture *)base;
	int slot = sampler_slot(sampler);
	struct d3d9_state *state;

	if (sampler == D3DDMAPSAMPLER)
		return D3D_OK;
	if (slot < 0 || (texture && texture->storage->pool == D3DPOOL_SCRATCH))
		return D3DERR_INVALIDCALL;
	state = device->recording ? state_block_state(device->recording) : &device->state;
	if (device->recording) {
		state_block_marks(device->recording)->textures |= 1u << slot;
	} else {
		if (state->textures[slot] == texture)
			return D3D_OK;
		/* A texture in system memory is nothing that a GPU samples. */
		device->ddi.pfnSetTexture(
			device->driver, sampler,
			texture && texture->storage->pool != D3DPOOL_SYSTEMMEM ? texture->storage->handle : NULL);
	}
	replace((struct d3d9_object **)&state->textures[slot], (struct d3d9_object *)texture);
	return D3D_OK;
}

static HRESULT STDMETHODCALLTYPE device_GetTexture(IDirect3DDevice9Ex *iface, DWORD sampler,
						   IDirect3DBaseTexture9 **out)
{
	struct d3d9_device *device = device_from(iface);
	struct device_guard guard DEVICE_GUARD = device_guard_begin(device);
	int slot = sampler_slot(sampler);

	if (!out)
		return D3DERR_INVALIDCALL;
	*out = NULL;
	if (slot < 0)
		return sampler == D3DDMAPSAMPLER ? D3D_OK : D3DERR_INVALIDCALL;
	*out = (IDirect3DBaseTexture9 *)device->state.textures[slot];
	if (*out)
		IDirect3DBaseTexture9_AddRef(*out);
	return D3D_OK;
}

/* ---- streams and indices ---- */

static void send_stream(struct d3d9_device *device, UINT index)
{
	const struct state_stream *stream = &device->state.streams[index];
	D3DDDIARG_SETSTREAMSOURCE args = {
		.Stream = index,
		.hVertexBuffer = stream->buffer ? stream->buffer->storage->handle : NULL,
		.Offset = stream->offset,
		.Stride = stream->stride,
	};

	device->ddi.pfnSetStreamSource(device->driver, &args);
}

static HRESULT STDMETHODCALLTYPE device_SetStreamSource(IDirect3DDevice9Ex *iface, UINT index,
							IDirect3DVertexBuffer9 *buffer, UINT offset, UINT stride)
{
	struct d3d9_device *device = device_from(iface);
	struct device_guard guard DEVICE_GUARD = device_guard_begin(device);
	struct state_stream *stream;

	if (index >= STATE_STREAMS || offset % 4 || (buffer && stride > device->adapter->caps.MaxStreamStride))
		return D3DERR_INVALIDCALL;
	stream = &(device->recording ? state_block_state(device->recording) : &device->state)->streams[index];
	/* Unbinding keeps offset and stride, as Windows does. */
	if (buffer) {
		stream->offset = offset;
		stream->stride = stride;
	}
	replace((struct d3d9_object **)&stream->buffer, (struct d3d9_object *)buffer);
	if (device->recording)
		state_block_marks(device->recording)->streams |= 1u << index;
	else
		send_stream(device, index);
	return D3D_OK;
}

static HRESULT STDMETHODCALLTYPE device_GetStreamSource(IDirect3DDevice9Ex *iface, UINT index,
							IDirect3DVertexBuffer9 **buffer, UINT *offset, UINT *stride)
{
	struct d3d9_device *device = device_from(iface);
	struct device_guard guard DEVICE_GUARD = device_guard_begin(device);
	const struct state_stream *stream;

	if (index >= STATE_STREAMS || !buffer)
		return D3DERR_INVALIDCALL;
	stream = &device->state.streams[index];
	*buffer = (IDirect3DVertexBuffer9 *)stream->buffer;
	if (*buffer)
		IDirect3DVertexBuffer9_AddRef(*buffer);
	if (offset)
		*offset = stream->offset;
	if (stride)
		*stride = stream->stride;
	return D3D_OK;
}

/* Instances come from stream 0's count and the other streams' steps; without the capability only "no instancing" is
 * accepted. */
static bool frequency_good(const struct d3d9_device *device, UINT index, UINT frequency)
{
	UINT kind = frequency & (D3DSTREAMSOURCE_INDEXEDDATA | D3DSTREAMSOURCE_INSTANCEDATA);

	if (kind == (D3DSTREAMSOURCE_INDEXEDDATA | D3DSTREAMSOURCE_INSTANCEDATA) || !frequency)
		return false;
	if (kind == D3DSTREAMSOURCE_INSTANCEDATA && !index)
		return false;
	return frequency == 1 || device->adapter->instancing;
}

static void send_frequency(struct d3d9_device *device, UINT index)
{
	D3DDDIARG_SETSTREAMSOURCEFREQ args = {index, device->state.streams[index].frequency};

	device->ddi.pfnSetStreamSourceFreq(device->driver, &args);
}

static HRESULT STDMETHODCALLTYPE device_SetStreamSourceFreq(IDirect3DDevice9Ex *iface, UINT index, UINT frequency)
{
	struct d3d9_device *device = device_from(iface);
	struct device_guard guard DEVICE_GUARD = device_guard_begin(device);

	if (index >= STATE_STREAMS || !frequency_good(device, index, frequency)) {
		runtime_refused(__func__, "stream %u, frequency %#x, instancing %d", index, frequency,
				device->adapter->instancing);
		return D3DERR_INVALIDCALL;
	}
	if (device->recording) {
		state_block_state(device->recording)->streams[index].frequency = frequency;
		state_block_marks(device->recording)->frequencies |= 1u << index;
		return D3D_OK;
	}
	device->state.streams[index].frequency = frequency;
	send_frequency(device, index);
	return D3D_OK;
}

static HRESULT STDMETHODCALLTYPE device_GetStreamSourceFreq(IDirect3DDevice9Ex *iface, UINT index, UINT *frequency)
{
	if (index >= STATE_STREAMS || !frequency)
		return D3DERR_INVALIDCALL;
	*frequency = device_from(iface)->state.streams[index].frequency;
	return D3D_OK;
}

static HRESULT STDMETHODCALLTYPE device_SetIndices(IDirect3DDevice9Ex *iface, IDirect3DIndexBuffer9 *indices)
{
	struct d3d9_device *device = device_from(iface);
	struct device_guard guard DEVICE_GUARD = device_guard_begin(device);
	struct d3d9_buffer *buffer = (struct d3d9_buffer *)indices;
	struct d3d9_state *state = device->recording ? state_block_state(device->recording) : &device->state;
	D3DDDIARG_SETINDICES args = {0};

	replace((struct d3d9_object **)&state->indices, (struct d3d9_object *)buffer);
	if (device->recording) {
		state_block_marks(device->recording)->indices = true;
		return D3D_OK;
	}
	if (buffer) {
		args.hIndexBuffer = buffer->storage->handle;
		args.Stride = buffer->format == D3DFMT_INDEX32 ? 4 : 2;
	}
	device->ddi.pfnSetIndices(device->driver, &args);
	return D3D_OK;
}

static HRESULT STDMETHODCALLTYPE device_GetIndices(IDirect3DDevice9Ex *iface, IDirect3DIndexBuffer9 **out)
{
	struct d3d9_device *device = device_from(iface);
	struct device_guard guard DEVICE_GUARD = device_guard_begin(device);

	if (!out)
		return D3DERR_INVALIDCALL;
	*out = (IDirect3DIndexBuffer9 *)device->state.indices;
	if (*out)
		IDirect3DIndexBuffer9_AddRef(*out);
	return D3D_OK;
}

/* ---- declarations ---- */

static HRESULT STDMETHODCALLTYPE device_CreateVertexDeclaration(IDirect3DDevice9Ex *iface,
								const D3DVERTEXELEMENT9 *elements,
								IDirect3DVertexDeclaration9 **out)
{
	struct d3d9_device *device = device_from(iface);
	struct device_guard guard DEVICE_GUARD = device_guard_begin(device);

	return declaration_create(device, elements, 0, true, (struct d3d9_declaration **)out);
}

static HRESULT set_declaration(struct d3d9_device *device, struct d3d9_declaration *declaration)
{
	struct d3d9_state *state = device->recording ? state_block_state(device->recording) : &device->state;

	replace((struct d3d9_object **)&state->declaration, (struct d3d9_object *)declaration);
	if (device->recording)
		state_block_marks(device->recording)->declaration = true;
	else
		device->ddi.pfnSetVertexShaderDecl(device->driver, declaration ? declaration->handle : NULL);
	return D3D_OK;
}

static HRESULT STDMETHODCALLTYPE device_SetVertexDeclaration(IDirect3DDevice9Ex *iface,
							     IDirect3DVertexDeclaration9 *declaration)
{
	struct d3d9_device *device = device_from(iface);
	struct device_guard guard DEVICE_GUARD = device_guard_begin(device);

	return set_declaration(device, (struct d3d9_declaration *)declaration);
}

static HRESULT STDMETHODCALLTYPE device_GetVertexDeclaration(IDirect3DDevice9Ex *iface,
							     IDirect3DVertexDeclaration9 **out)
{
	struct d3d9_device *device = device_from(iface);
	struct device_guard guard DEVICE_GUARD = device_guard_begin(device);

	if (!out)
		return D3DERR_INVALIDCALL;
	*out = (IDirect3DVertexDeclaration9 *)device->state.declaration;
	if (*out)
		IDirect3DVertexDeclaration9_AddRef(*out);
	return D3D_OK;
}

static HRESULT fvf_declaration(struct d3d9_device *device, DWORD fvf, struct d3d9_declaration **out)
{
	HRESULT hr;

	for (UINT i = 0; i < device->fvf_count; i++) {
		*out = device->fvf_declarations[i];
		if ((*out)->fvf == fvf)
			return D3D_OK;
	}
	if (device->fvf_count == device->fvf_capacity) {
		UINT capacity = device->fvf_capacity ? device->fvf_capacity * 2 : 8;
		struct d3d9_declaration **grown =
			realloc(device->fvf_declarations, capacity * sizeof(struct d3d9_declaration *));

		if (!grown)
			return E_OUTOFMEMORY;
		device->fvf_declarations = grown;
		device->fvf_capacity = capacity;
	}
	hr = declaration_create_fvf(device, fvf, out);
	if (FAILED(hr))
		return hr;
	object_bind(&(*out)->object);
	device->fvf_declarations[device->fvf_count++] = *out;
	return D3D_OK;
}

static HRESULT STDMETHODCALLTYPE device_SetFVF(IDirect3DDevice9Ex *iface, DWORD fvf)
{
	struct d3d9_device *device = device_from(iface);
	struct device_guard guard DEVICE_GUARD = device_guard_begin(device);
	struct d3d9_declaration *declaration;
	HRESULT hr;

	if (!fvf)
		return D3D_OK;
	hr = fvf_declaration(device, fvf, &declaration);
	return FAILED(hr) ? hr : set_declaration(device, declaration);
}

static HRESULT STDMETHODCALLTYPE device_GetFVF(IDirect3DDevice9Ex *iface, DWORD *fvf)
{
	struct d3d9_device *device = device_from(iface);

	if (!fvf)
		return D3DERR_INVALIDCALL;
	*fvf = device->state.declaration ? device->state.declaration->fvf : 0;
	return D3D_OK;
}

/* ---- targets ---- */

void device_bind_target(struct d3d9_device *device, DWORD index, struct d3d9_surface *surface)
{
	struct d3d9_surface *old = device->targets[index];
	D3DDDIARG_SETRENDERTARGET args = {.RenderTargetIndex = index};

	if (surface) {
		args.hRenderTarget = surface->storage->handle;
		args.SubResourceIndex = surface->subresource;
	}
	surface_bind(surface);
	device->targets[index] = surface;
	device->ddi.pfnSetRenderTarget(device->driver, &args);
	surface_unbind(old);
}

void device_bind_depth_stencil(struct d3d9_device *device, struct d3d9_surface *surface)
{
	struct d3d9_surface *old = device->depth_stencil;
	D3DDDIARG_SETDEPTHSTENCIL args = {.hZBuffer = surface ? surface->storage->handle : NULL};

	/* A discardable surface loses its content when another takes its place. */
	if (old && old != surface && old->storage->discard)
		storage_discard(old->storage);
	surface_bind(surface);
	device->depth_stencil = surface;
	device->ddi.pfnSetDepthStencil(device->driver, &args);
	surface_unbind(old);
}

void device_rebind_surface(struct d3d9_device *device, const struct d3d9_surface *surface)
{
	for (DWORD i = 0; i < DEVICE_TARGETS; i++)
		if (device->targets[i] == surface)
			device_bind_target(device, i, device->targets[i]);
}

static bool target_good(const struct d3d9_device *device, const struct d3d9_surface *surface)
{
	return surface->object.device == device && (surface->storage->usage & D3DUSAGE_RENDERTARGET);
}

static HRESULT STDMETHODCALLTYPE device_SetRenderTarget(IDirect3DDevice9Ex *iface, DWORD index,
							IDirect3DSurface9 *target)
{
	struct d3d9_device *device = device_from(iface);
	struct device_guard guard DEVICE_GUARD = device_guard_begin(device);
	struct d3d9_surface *surface = surface_from(target);

	if (index >= device->adapter->caps.NumSimultaneousRTs || (!surface && !index) ||
	    (surface && !target_good(device, surface))) {
		runtime_refused(__func__, "target %u, surface %p", index, (void *)surface);
		return D3DERR_INVALIDCALL;
	}
	if (device->targets[index] != surface)
		device_bind_target(device, index, surface);
	if (!index)
		device_reset_viewport(device, surface_width(surface), surface_height(surface));
	return D3D_OK;
}

static HRESULT STDMETHODCALLTYPE device_GetRenderTarget(IDirect3DDevice9Ex *iface, DWORD index, IDirect3DSurface9 **out)
{
	struct d3d9_device *device = device_from(iface);
	struct device_guard guard DEVICE_GUARD = device_guard_begin(device);

	if (!out || index >= device->adapter->caps.NumSimultaneousRTs)
		return D3DERR_INVALIDCALL;
	*out = surface_iface(device->targets[index]);
	if (!*out)
		return D3DERR_NOTFOUND;
	IDirect3DSurface9_AddRef(*out);
	return D3D_OK;
}

static HRESULT STDMETHODCALLTYPE device_SetDepthStencilSurface(IDirect3DDevice9Ex *iface,
							       IDirect3DSurface9 *depth_stencil)
{
	struct d3d9_device *device = device_from(iface);
	struct device_guard guard DEVICE_GUARD = device_guard_begin(device);
	struct d3d9_surface *surface = surface_from(depth_stencil);

	/* The driver interface names a depth-stencil surface without a level. */
	if (surface && (surface->object.device != device || !(surface->storage->usage & D3DUSAGE_DEPTHSTENCIL) ||
			surface->subresource)) {
		runtime_refused(__func__, "no depth-stencil surface of this device");
		return D3DERR_INVALIDCALL;
	}
	if (device->depth_stencil != surface)
		device_bind_depth_stencil(device, surface);
	return D3D_OK;
}

static HRESULT STDMETHODCALLTYPE device_GetDepthStencilSurface(IDirect3DDevice9Ex *iface, IDirect3DSurface9 **out)
{
	struct d3d9_device *device = device_from(iface);
	struct device_guard guard DEVICE_GUARD = device_guard_begin(device);

	if (!out)
		return D3DERR_INVALIDCALL;
	*out = surface_iface(device->depth_stencil);
	if (!*out)
		return D3DERR_NOTFOUND;
	IDirect3DSurface9_AddRef(*out);
	return D3D_OK;
}

void device_unset_all(struct d3d9_device *device)
{
	IDirect3DDevice9Ex *iface = (IDirect3DDevice9Ex *)device;

	for (DWORD i = 0; i < STATE_SAMPLERS; i++)
		device_SetTexture(iface, i < 16 ? i : D3DVERTEXTEXTURESAMPLER0 + i - 16, NULL);
	for (UINT i = 0; i < STATE_STREAMS; i++) {
		device_SetStreamSource(iface, i, NULL, 0, 0);
		device_SetStreamSourceFreq(iface, i, 1);
	}
	device_SetIndices(iface, NULL);
	set_declaration(device, NULL);
	IDirect3DDevice9Ex_SetVertexShader(iface, NULL);
	IDirect3DDevice9Ex_SetPixelShader(iface, NULL);
}

void device_bind_methods(IDirect3DDevice9ExVtbl *vtbl)
{
	vtbl->SetTexture = device_SetTexture;
	vtbl->GetTexture = device_GetTexture;
	vtbl->SetStreamSource = device_SetStreamSource;
	vtbl->GetStreamSource = device_GetStreamSource;
	vtbl->SetStreamSourceFreq = device_SetStreamSourceFreq;
	vtbl->GetStreamSourceFreq = device_GetStreamSourceFreq;
	vtbl->SetIndices = device_SetIndices;
	vtbl->GetIndices = device_GetIndices;
	vtbl->CreateVertexDeclaration = device_CreateVertexDeclaration;
	vtbl->SetVertexDeclaration = device_SetVertexDeclaration;
	vtbl->GetVertexDeclaration = device_GetVertexDeclaration;
	vtbl->SetFVF = device_SetFVF;
	vtbl->GetFVF = device_GetFVF;
	vtbl->SetRenderTarget = device_SetRenderTarget;
	vtbl->GetRenderTarget = device_GetRenderTarget;
	vtbl->SetDepthStencilSurface = device_SetDepthStencilSurface;
	vtbl->GetDepthStencilSurface = device_GetDepthStencilSurface;
}
