/* SPDX-License-Identifier: MIT */
/* Scenes, clears and draws. */
#include "buffer.h"
#include "declaration.h"
#include "device.h"

#include <limits.h>

#define UP_VERTEX_BYTES (1u << 20)	/* of the dynamic buffers for DrawPrimitiveUP; larger draws get larger ones */
#define UP_INDEX_BYTES (256u << 10)

static HRESULT send_scene(struct d3d9_device *device, bool begin)
{
	D3DDDIARG_RENDERSTATE args = {D3DDDIRS_SCENECAPTURE, begin};

	if (device->in_scene == begin)
		return D3DERR_INVALIDCALL;
	device->in_scene = begin;
	return device_result(device, device->ddi.pfnSetRenderState(device->driver, &args));
}

static HRESULT STDMETHODCALLTYPE device_BeginScene(IDirect3DDevice9Ex *iface)
{
	struct device_guard guard DEVICE_GUARD = device_guard_begin(device_from(iface));

	return send_scene(device_from(iface), true);
}

static HRESULT STDMETHODCALLTYPE device_EndScene(IDirect3DDevice9Ex *iface)
{
	struct device_guard guard DEVICE_GUARD = device_guard_begin(device_from(iface));

	return send_scene(device_from(iface), false);
}

/* ---- clear ---- */

/* Depth without a depth-stencil surface, stencil without stencil bits: refused. */
static bool clear_flags_good(const struct d3d9_device *device, DWORD flags)
{
	const struct d3d9_surface *surface = device->depth_stencil;

	if (!flags || (flags & ~(DWORD)(D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER | D3DCLEAR_STENCIL)))
		return false;
	if ((flags & (D3DCLEAR_ZBUFFER | D3DCLEAR_STENCIL)) && !surface)
		return false;
	return !(flags & D3DCLEAR_STENCIL) || surface->storage->info->stencil;
}

static HRESULT STDMETHODCALLTYPE device_Clear(IDirect3DDevice9Ex *iface, DWORD count, const D3DRECT *rects, DWORD flags,
					      D3DCOLOR color, float z, DWORD stencil)
{
	struct d3d9_device *device = device_from(iface);
	struct device_guard guard DEVICE_GUARD = device_guard_begin(device);
	D3DDDIARG_CLEAR args = {flags | D3DCLEAR_COMPUTERECTS, color, z, stencil};

	if (!clear_flags_good(device, flags) || (count && !rects)) {
		runtime_refused(__func__, "flags %#x, %u rectangles", flags, count);
		return D3DERR_INVALIDCALL;
	}
	/* A list without rectangles clears nothing. */
	if (rects && !count)
		return D3D_OK;
	/* D3DRECT and RECT have the same layout. */
	return device_result(device, device->ddi.pfnClear(device->driver, &args, count, (const RECT *)rects));
}

/* ---- what a draw needs ---- */

static const struct d3d9_surface *first_target(const struct d3d9_device *device)
{
	for (DWORD i = 0; i < DEVICE_TARGETS; i++)
		if (device->targets[i])
			return device->targets[i];
	return NULL;
}

/* The depth-stencil surface must fit its target: sample type and quality, not smaller, and a cube's face only where the
 * adapter has that. */
static bool targets_match(const struct d3d9_device *device)
{
	const struct d3d9_surface *target = first_target(device), *depth = device->depth_stencil;

	if (!target || !depth)
		return true;
	if (target->storage->multisample != depth->storage->multisample ||
	    target->storage->quality != depth->storage->quality) {
		runtime_refused(__func__, "sample types of target and depth-stencil surface differ");
		return false;
	}
	if (surface_width(depth) < surface_width(target) || surface_height(depth) < surface_height(target)) {
		runtime_refused(__func__, "the depth-stencil surface is smaller than the target");
		return false;
	}
	if (target->storage->flags.CubeMap && !device->adapter->info.cube_face_with_2d_depth) {
		runtime_refused(__func__, "this adapter has no cube faces with a 2D depth-stencil surface");
		return false;
	}
	return true;
}

static HRESULT check_draw(const struct d3d9_device *device)
{
	if (!device->state.declaration || !device->state.vs || !device->state.ps) {
		runtime_refused(__func__, "no vertex declaration or shaders: fixed-function processing is not built");
		return D3DERR_INVALIDCALL;
	}
	return targets_match(device) ? D3D_OK : D3DERR_INVALIDCALL;
}

/* In 64 bits: three times what a program passes need not fit into 32. */
static uint64_t vertex_count(D3DPRIMITIVETYPE type, uint64_t primitives)
{
	switch (type) {
	case D3DPT_POINTLIST:
		return primitives;
	case D3DPT_LINELIST:
		return primitives * 2;
	case D3DPT_LINESTRIP:
		return primitives + 1;
	case D3DPT_TRIANGLELIST:
		return primitives * 3;
	case D3DPT_TRIANGLESTRIP:
	case D3DPT_TRIANGLEFAN:
		return primitives + 2;
	default:
		return 0;
	}
}

static bool primitives_good(D3DPRIMITIVETYPE type, UINT count)
{
	return type >= D3DPT_POINTLIST && type <= D3DPT_TRIANGLEFAN && vertex_count(type, count) <= UINT_MAX;
}

/* ---- draws ---- */

static HRESULT STDMETHODCALLTYPE device_DrawPrimitive(IDirect3DDevice9Ex *iface, D3DPRIMITIVETYPE type, UINT start,
						      UINT count)
{
	struct d3d9_device *device = device_from(iface);
	struct device_guard guard DEVICE_GUARD = device_guard_begin(device);
	D3DDDIARG_DRAWPRIMITIVE args = {type, start, count};
	HRESULT hr = check_draw(device);

	if (FAILED(hr) || !primitives_good(type, count))
		return D3DERR_INVALIDCALL;
	if (!count)
		return D3D_OK;
	return device_result(device, device->ddi.pfnDrawPrimitive(device->driver, &args, NULL));
}

static HRESULT STDMETHODCALLTYPE device_DrawIndexedPrimitive(IDirect3DDevice9Ex *iface, D3DPRIMITIVETYPE type, INT base,
							     UINT min_index, UINT vertices, UINT start, UINT count)
{
	struct d3d9_device *device = device_from(iface);
	struct device_guard guard DEVICE_GUARD = device_guard_begin(device);
	D3DDDIARG_DRAWINDEXEDPRIMITIVE args = {type, base, min_index, vertices, start, count};
	HRESULT hr = check_draw(device);

	if (FAILED(hr) || !primitives_good(type, count) || !device->state.indices)
		return D3DERR_INVALIDCALL;
	if (!count || !vertices)
		return D3D_OK;
	return device_result(device, device->ddi.pfnDrawIndexedPrimitive(device->driver, &args));
}

/* ---- draws from user memory ---- */

/* The device's own buffer: a new one when there is none, or it is too small. */
static HRESULT ensure_up_buffer(struct d3d9_device *device, struct device_up_buffer *up, D3DRESOURCETYPE type,
				UINT size)
{
	D3DFORMAT format = type == D3DRTYPE_INDEXBUFFER ? D3DFMT_INDEX16 : D3DFMT_VERTEXDATA;
	UINT usual = type == D3DRTYPE_INDEXBUFFER ? UP_INDEX_BYTES : UP_VERTEX_BYTES;
	struct d3d9_buffer *buffer;
	HRESULT hr;

	if (up->buffer && buffer_size(up->buffer) >= size)
		return D3D_OK;
	hr = buffer_create(device, type, size > usual ? size : usual, D3DUSAGE_DYNAMIC | D3DUSAGE_WRITEONLY, format, 0,
			   D3DPOOL_DEFAULT, NULL, &buffer);
	if (FAILED(hr))
		return hr;
	/* The reference becomes a bind. */
	object_bind(&buffer->object);
	object_release(&buffer->object);
	object_unbind((struct d3d9_object *)up->buffer);
	up->buffer = buffer;
	up->used = 0;
	return D3D_OK;
}

/* Copies the program's data behind what earlier draws use. *offset: where it is, in bytes. */
static HRESULT fill_up_buffer(struct d3d9_device *device, struct device_up_buffer *up, D3DRESOURCETYPE type,
			      const void *data, uint64_t size, UINT *offset)
{
	DWORD flags = D3DLOCK_NOOVERWRITE;
	D3DLOCKED_BOX locked;
	D3DBOX box;
	HRESULT hr = size > INT_MAX ? E_OUTOFMEMORY : ensure_up_buffer(device, up, type, (UINT)size);

	if (FAILED(hr))
		return hr;
	*offset = (up->used + 3) & ~3u;
	if (*offset > buffer_size(up->buffer) - size) {
		*offset = 0;
		flags = D3DLOCK_DISCARD;
	}
	box = (D3DBOX){*offset, 0, *offset + (UINT)size, 1, 0, 1};
	hr = storage_lock(up->buffer->storage, 0, &box, flags, &locked);
	if (FAILED(hr))
		return hr;
	memcpy(locked.pBits, data, size);
	up->used = box.Right;
	return storage_unlock(up->buffer->storage, 0);
}

/* Stream 0 for the draw; the API says that it is unbound afterwards. */
static void set_up_stream(struct d3d9_device *device, UINT offset, UINT stride)
{
	struct state_stream *stream = &device->state.streams[0];
	D3DDDIARG_SETSTREAMSOURCE args = {0, device->up_vertices.buffer->storage->handle, offset, stride};

	device->ddi.pfnSetStreamSource(device->driver, &args);
	object_unbind((struct d3d9_object *)stream->buffer);
	*stream = (struct state_stream){.frequency = stream->frequency};
}

static void unset_up_stream(struct d3d9_device *device)
{
	D3DDDIARG_SETSTREAMSOURCE args = {0};

	device->ddi.pfnSetStreamSource(device->driver, &args);
}

static bool up_args_good(const struct d3d9_device *device, D3DPRIMITIVETYPE type, UINT count, const void *data,
			 UINT stride)
{
	return primitives_good(type, count) && data && stride && stride <= device->adapter->caps.MaxStreamStride &&
	       count <= device->adapter->caps.MaxPrimitiveCount;
}

static HRESULT STDMETHODCALLTYPE device_DrawPrimitiveUP(IDirect3DDevice9Ex *iface, D3DPRIMITIVETYPE type, UINT count,
							const void *data, UINT stride)
{
	struct d3d9_device *device = device_from(iface);
	struct device_guard guard DEVICE_GUARD = device_guard_begin(device);
	D3DDDIARG_DRAWPRIMITIVE args = {type, 0, count};
	UINT offset;
	HRESULT hr = check_draw(device);

	if (FAILED(hr) || !up_args_good(device, type, count, data, stride))
		return D3DERR_INVALIDCALL;
	if (!count)
		return D3D_OK;
	hr = fill_up_buffer(device, &device->up_vertices, D3DRTYPE_VERTEXBUFFER, data,
			    vertex_count(type, count) * stride, &offset);
	if (FAILED(hr))
		return hr;
	set_up_stream(device, offset, stride);
	hr = device_result(device, device->ddi.pfnDrawPrimitive(device->driver, &args, NULL));
	unset_up_stream(device);
	return hr;
}

static HRESULT STDMETHODCALLTYPE device_DrawIndexedPrimitiveUP(IDirect3DDevice9Ex *iface, D3DPRIMITIVETYPE type,
							       UINT min_index, UINT vertices, UINT count,
							       const void *indices, D3DFORMAT format, const void *data,
							       UINT stride)
{
	struct d3d9_device *device = device_from(iface);
	struct device_guard guard DEVICE_GUARD = device_guard_begin(device);
	UINT index_bytes = format == D3DFMT_INDEX32 ? 4 : 2, offset, index_offset;
	D3DDDIARG_DRAWINDEXEDPRIMITIVE args = {type, (INT)-min_index, min_index, vertices, 0, count};
	D3DDDIARG_SETINDICES bind = {.Stride = index_bytes};
	HRESULT hr = check_draw(device);

	if (FAILED(hr) || !up_args_good(device, type, count, data, stride) || !indices ||
	    (format != D3DFMT_INDEX16 && format != D3DFMT_INDEX32) || vertices > device->adapter->caps.MaxVertexIndex)
		return D3DERR_INVALIDCALL;
	if (!count || !vertices)
		return D3D_OK;
	/* Only the vertices that the indices name are taken. */
	hr = fill_up_buffer(device, &device->up_vertices, D3DRTYPE_VERTEXBUFFER,
			    (const uint8_t *)data + (size_t)min_index * stride, (uint64_t)vertices * stride, &offset);
	if (SUCCEEDED(hr))
		hr = fill_up_buffer(device, &device->up_indices, D3DRTYPE_INDEXBUFFER, indices,
				    vertex_count(type, count) * index_bytes, &index_offset);
	if (FAILED(hr))
		return hr;
	args.StartIndex = index_offset / index_bytes;
	bind.hIndexBuffer = device->up_indices.buffer->storage->handle;
	set_up_stream(device, offset, stride);
	device->ddi.pfnSetIndices(device->driver, &bind);
	hr = device_result(device, device->ddi.pfnDrawIndexedPrimitive(device->driver, &args));
	unset_up_stream(device);
	bind.hIndexBuffer = NULL;
	device->ddi.pfnSetIndices(device->driver, &bind);
	object_unbind((struct d3d9_object *)device->state.indices);
	device->state.indices = NULL;
	return hr;
}

/* Software vertex processing into a buffer. */
static HRESULT STDMETHODCALLTYPE device_ProcessVertices(IDirect3DDevice9Ex *iface, UINT src, UINT dst, UINT count,
							IDirect3DVertexBuffer9 *buffer,
							IDirect3DVertexDeclaration9 *declaration, DWORD flags)
{
	return D3DERR_INVALIDCALL;
}

void device_draw_methods(IDirect3DDevice9ExVtbl *vtbl)
{
	vtbl->BeginScene = device_BeginScene;
	vtbl->EndScene = device_EndScene;
	vtbl->Clear = device_Clear;
	vtbl->DrawPrimitive = device_DrawPrimitive;
	vtbl->DrawIndexedPrimitive = device_DrawIndexedPrimitive;
	vtbl->DrawPrimitiveUP = device_DrawPrimitiveUP;
	vtbl->DrawIndexedPrimitiveUP = device_DrawIndexedPrimitiveUP;
	vtbl->ProcessVertices = device_ProcessVertices;
}
