/* SPDX-License-Identifier: MIT */
/*
 * IDirect3DSwapChain9Ex. A swap chain has its back buffers and one front buffer, all equal. With the DISCARD and FLIP
 * effects a present rotates their storages: back buffer 0 becomes the front buffer (what the display scans out, what
 * GetFrontBufferData reads). With COPY, or multisampled, back buffer 0 is copied or resolved into the front buffer.
 */
#ifndef D3DGPU_D3D9_SWAPCHAIN_H
#define D3DGPU_D3D9_SWAPCHAIN_H

#include "surface.h"

#define SWAPCHAIN_MAX_BUFFERS 31	/* 30 back buffers and the front buffer */

struct d3d9_swapchain {
	struct d3d9_object object;
	D3DPRESENT_PARAMETERS params;
	HWND window;			/* of params, else the device's focus window */
	bool implicit;
	UINT buffer_count;		/* back buffers */
	struct d3d9_surface *buffers[SWAPCHAIN_MAX_BUFFERS];
	struct d3d9_storage *front;	/* single-sampled */
	UINT present_count;
	UINT interval;			/* of the present under way */
	HWND show_in;			/* window of the present under way */
	UINT shown_count;		/* allocations that the window system has seen */
	D3DKMT_HANDLE shown[SWAPCHAIN_MAX_BUFFERS];
	struct d3d9_storage *readback;	/* system memory copy of the front buffer; made when it is wanted */
};

/* Fills unset parameters (size, format, count) as Direct3D does, and validates. */
HRESULT swapchain_check_params(struct d3d9_device *device, D3DPRESENT_PARAMETERS *params, const D3DDISPLAYMODEEX *mode,
			       HWND focus_window);
HRESULT swapchain_create(struct d3d9_device *device, const D3DPRESENT_PARAMETERS *params, bool implicit,
			 struct d3d9_swapchain **out);

/* Memory for buffers, before a swap chain has it: a reset that fails must not have taken the old away. */
struct swapchain_buffers {
	struct d3d9_storage *front, *back[SWAPCHAIN_MAX_BUFFERS];
};
HRESULT swapchain_prepare(struct d3d9_swapchain *swapchain, const D3DPRESENT_PARAMETERS *params,
			  struct swapchain_buffers *out);
void swapchain_drop(struct swapchain_buffers *buffers);
/* New parameters (already checked), and the buffers that were prepared for them: they go under the surfaces' objects
 * that exist. */
HRESULT swapchain_reset(struct d3d9_swapchain *swapchain, const D3DPRESENT_PARAMETERS *params,
			struct swapchain_buffers *buffers);
HRESULT swapchain_present(struct d3d9_swapchain *swapchain, const RECT *src, const RECT *dst, HWND window, DWORD flags);
/* Copies the front buffer into a system memory surface of format A8R8G8B8. */
HRESULT swapchain_get_front(struct d3d9_swapchain *swapchain, struct d3d9_surface *dst);
/* For the driver's pfnPresentCb: shows the allocation. */
HRESULT swapchain_show(struct d3d9_swapchain *swapchain, D3DKMT_HANDLE allocation);
/* Before the device goes. */
void swapchain_leave(struct d3d9_swapchain *swapchain);

#endif
