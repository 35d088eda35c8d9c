/* SPDX-License-Identifier: MIT */
/*
 * IDirect3DDevice9Ex. The methods are in several files by their nouns: device.c (life, errors, small things),
 * device_state.c, device_bind.c, device_draw.c, device_resources.c, device_copy.c, device_present.c. Each adds its
 * methods to the one table.
 *
 * With D3DCREATE_MULTITHREADED a recursive lock serialises all calls that touch the device; the driver is never entered
 * by two threads at a time.
 */
#ifndef D3DGPU_D3D9_DEVICE_H
#define D3DGPU_D3D9_DEVICE_H

#include "adapter_caps.h"

#include <pthread.h>

#include "object.h"
#include "state.h"
#include "surface.h"

#define DEVICE_TARGETS 4
#define DEVICE_MAX_SWAPCHAINS 16
#define DEVICE_DEFAULT_LATENCY 3
#define DEVICE_MAX_LATENCY 30

struct d3d9_swapchain;
struct d3d9_state_block;

/* A dynamic buffer for DrawPrimitiveUP: filled from the start on, discarded when it is full. */
struct device_up_buffer {
	struct d3d9_buffer *buffer;
	UINT used;			/* bytes */
};

struct d3d9_device {
	const IDirect3DDevice9ExVtbl *vtbl; /* first, as COM wants it */
	LONG refs;
	bool is_ex, multithreaded;
	pthread_mutex_t lock;
	IDirect3D9Ex *parent;		/* referenced */
	struct d3d9_adapter_caps *adapter;
	D3DDEVICE_CREATION_PARAMETERS creation;
	HANDLE driver;			/* the driver's device */
	D3DDDI_DEVICEFUNCS ddi;
	HRESULT lost;			/* D3D_OK, or D3DERR_DEVICEHUNG or DEVICEREMOVED once the GPU context is lost */

	struct d3d9_swapchain *swapchains[DEVICE_MAX_SWAPCHAINS]; /* 0 = the implicit one; others register themselves */
	struct d3d9_swapchain *presenting; /* between pfnPresent1 and its pfnPresentCb */
	struct d3d9_surface *auto_depth_stencil; /* bind; NULL without EnableAutoDepthStencil */

	struct d3d9_state state;
	struct d3d9_surface *targets[DEVICE_TARGETS]; /* bound */
	struct d3d9_surface *depth_stencil; /* bound */
	struct d3d9_state_block *recording; /* between BeginStateBlock and EndStateBlock */
	bool in_scene, software_vertex_processing, dialog_box_mode;
	UINT max_latency;
	INT gpu_priority;
	D3DCLIPSTATUS9 clip_status;
	D3DGAMMARAMP gamma;
	struct d3d9_declaration **fvf_declarations; /* bound, one per code that was set */
	UINT fvf_count, fvf_capacity;
	struct device_up_buffer up_vertices, up_indices;
};

HRESULT device_create(IDirect3D9Ex *parent, struct d3d9_adapter_caps *adapter, bool is_ex,
		      const D3DDEVICE_CREATION_PARAMETERS *creation, D3DPRESENT_PARAMETERS *params,
		      const D3DDISPLAYMODEEX *mode, struct d3d9_device **out);

static inline struct d3d9_device *device_from(IDirect3DDevice9Ex *iface)
{
	return (struct d3d9_device *)iface;
}

ULONG device_addref(struct d3d9_device *device);
ULONG device_release(struct d3d9_device *device);
/* GetDevice of the children. */
HRESULT device_get(struct d3d9_device *device, IDirect3DDevice9 **out);

/* ---- the lock ---- */

static inline void device_lock(struct d3d9_device *device)
{
	if (device->multithreaded)
		pthread_mutex_lock(&device->lock);
}

static inline void device_unlock(struct d3d9_device *device)
{
	if (device->multithreaded)
		pthread_mutex_unlock(&device->lock);
}

/* Holds the lock to the end of the scope: struct device_guard guard DEVICE_GUARD = device_guard_begin(device); */
struct device_guard {
	struct d3d9_device *device;
};
#define DEVICE_GUARD __attribute__((cleanup(device_guard_end), unused))

static inline struct device_guard device_guard_begin(struct d3d9_device *device)
{
	device_lock(device);
	return (struct device_guard){device};
}

static inline void device_guard_end(struct device_guard *guard)
{
	device_unlock(guard->device);
}

/* ---- the driver ---- */

/* The one place where the driver's results become the API's; remembers a lost context. */
HRESULT device_result(struct d3d9_device *device, HRESULT hr);

/* ---- methods, by file ---- */

void device_state_methods(IDirect3DDevice9ExVtbl *vtbl);
void device_bind_methods(IDirect3DDevice9ExVtbl *vtbl);
void device_shader_methods(IDirect3DDevice9ExVtbl *vtbl);
void device_draw_methods(IDirect3DDevice9ExVtbl *vtbl);
void device_resource_methods(IDirect3DDevice9ExVtbl *vtbl);
void device_copy_methods(IDirect3DDevice9ExVtbl *vtbl);
void device_present_methods(IDirect3DDevice9ExVtbl *vtbl);

/* ---- shared between the files ---- */

/* Unbinds every texture, stream, shader, declaration and the indices, here and in the driver. */
void device_unset_all(struct d3d9_device *device);
/* Sends the whole state to the driver: after creation and after Reset. */
void device_send_state(struct d3d9_device *device);
/* Depth-stencil surface of a size and type, as CreateDepthStencilSurfaceEx makes them; shared may be NULL. */
HRESULT device_create_depth_stencil(struct d3d9_device *device, UINT width, UINT height, D3DFORMAT format,
				    D3DMULTISAMPLE_TYPE multisample, DWORD quality, BOOL discard, HANDLE *shared,
				    DWORD usage, struct d3d9_surface **out);
/* Bindings without validation; NULL unbinds. */
void device_bind_target(struct d3d9_device *device, DWORD index, struct d3d9_surface *surface);
void device_bind_depth_stencil(struct d3d9_device *device, struct d3d9_surface *surface);
/* Tells the driver again where a bound surface's storage is (a swap chain rotated it). */
void device_rebind_surface(struct d3d9_device *device, const struct d3d9_surface *surface);
/* Viewport and scissor of the whole of a target. */
void device_reset_viewport(struct d3d9_device *device, UINT width, UINT height);

/* State block application, which sets what it holds through the device's own methods. */
HRESULT state_block_create(struct d3d9_device *device, D3DSTATEBLOCKTYPE type, IDirect3DStateBlock9 **out);
/* An empty block that records; device->recording owns it until it is published. */
HRESULT state_block_begin(struct d3d9_device *device);
IDirect3DStateBlock9 *state_block_end(struct d3d9_device *device);
/* Where setters write while recording: the block's state, and its marks. */
struct d3d9_state *state_block_state(struct d3d9_state_block *block);
struct state_marks *state_block_marks(struct d3d9_state_block *block);
void state_block_cancel(struct d3d9_device *device);

#endif
