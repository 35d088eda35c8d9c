/* SPDX-License-Identifier: MIT */
/*
 * IDXGISwapChain1. The program draws into back buffers that belong to the chain; a present copies buffer 0 to where
 * the window system takes pictures from: a scan-out surface, or memory. So the chain's buffers never change their
 * identity, and a flip-model chain's other buffers are only for programs that ask for them.
 */
#include "dxgi_private.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "debug.h"

#define MAX_BUFFERS 16
#define SCANOUT_SURFACES 2 /* one is shown while the other is filled */
#define SUPPORTED_FLAGS                                                                                                \
	(DXGI_SWAP_CHAIN_FLAG_ALLOW_MODE_SWITCH | DXGI_SWAP_CHAIN_FLAG_NONPREROTATED |                                 \
	 DXGI_SWAP_CHAIN_FLAG_GDI_COMPATIBLE)

/* The surfaces of a description: one for the blit model, all of them for the flip model. */
struct buffer_set {
	IUnknown *surfaces[MAX_BUFFERS]; /* pinned */
	UINT count;
};

struct swap_chain {
	struct dxgi_object base;       /* IDXGISwapChain1 */
	struct dxgi_factory *factory;  /* referenced */
	IUnknown *device;              /* referenced */
	D3DGPUSurfaceDevice *surfaces; /* the same object's other interface, referenced */
	HWND window;
	struct d3dgpu_wsi wsi;
	DXGI_SWAP_CHAIN_DESC1 desc;
	DXGI_SWAP_CHAIN_FULLSCREEN_DESC fullscreen;
	pthread_mutex_t lock;           /* everything below */
	struct buffer_set buffers;      /* never empty while the program has the chain */
	IUnknown *scanout[SCANOUT_SURFACES]; /* pinned, made at the first present that needs them */
	D3DKMT_HANDLE scanout_handle[SCANOUT_SURFACES];
	UINT next_scanout;
	UINT present_count;
	DXGI_RGBA background;
};

static inline struct swap_chain *impl(IDXGISwapChain1 *iface)
{
	return (struct swap_chain *)iface;
}

static bool is_flip_model(DXGI_SWAP_EFFECT effect)
{
	return effect == DXGI_SWAP_EFFECT_FLIP_SEQUENTIAL || effect == DXGI_SWAP_EFFECT_FLIP_DISCARD;
}

/* ---- surfaces ---- */

static void drop_scanout(struct swap_chain *chain)
{
	int fd = chain->surfaces->lpVtbl->GetDdiAdapter(chain->surfaces)->runtime->info.fd;

	for (UINT i = 0; i < SCANOUT_SURFACES; i++) {
		if (!chain->scanout[i])
			continue;
		if (chain->scanout_handle[i])
			chain->wsi.release(chain->wsi.user, chain->window, fd, chain->scanout_handle[i]);
		chain->surfaces->lpVtbl->Unpin(chain->surfaces, chain->scanout[i]);
		chain->scanout[i] = NULL;
		chain->scanout_handle[i] = 0;
	}
}

static void drop_set(struct swap_chain *chain, struct buffer_set *set)
{
	for (UINT i = 0; i < set->count; i++)
		chain->surfaces->lpVtbl->Unpin(chain->surfaces, set->surfaces[i]);
	set->count = 0;
}

/* Makes the back buffers of a description. All or none. */
static HRESULT create_set(struct swap_chain *chain, const DXGI_SWAP_CHAIN_DESC1 *desc, struct buffer_set *set)
{
	struct d3dgpu_surface_request request = {desc->Width,      desc->Height,      desc->Format,
						 desc->SampleDesc, desc->BufferUsage, false};
	UINT count = is_flip_model(desc->SwapEffect) ? desc->BufferCount : 1;
	HRESULT hr = S_OK;

	for (set->count = 0; set->count < count; set->count++) {
		hr = chain->surfaces->lpVtbl->CreateSurface(chain->surfaces, &request, &set->surfaces[set->count]);
		if (FAILED(hr))
			break;
	}
	if (FAILED(hr))
		drop_set(chain, set);
	return hr;
}

/* The surface that the window system takes next: B8G8R8X8, single-sampled, of the back buffer's size. */
static HRESULT get_scanout(struct swap_chain *chain, IUnknown **surface)
{
	struct d3dgpu_surface_request request = {chain->desc.Width,
						 chain->desc.Height,
						 DXGI_FORMAT_B8G8R8X8_UNORM,
						 {1, 0},
						 DXGI_USAGE_RENDER_TARGET_OUTPUT,
						 chain->wsi.source == D3DGPU_WSI_BUFFER};
	IUnknown **slot = &chain->scanout[chain->next_scanout];
	HRESULT hr = S_OK;

	if (!*slot)
		hr = chain->surfaces->lpVtbl->CreateSurface(chain->surfaces, &request, slot);
	*surface = *slot;
	return hr;
}

/* ---- IUnknown, IDXGIObject ---- */

static HRESULT STDMETHODCALLTYPE swap_chain_QueryInterface(IDXGISwapChain1 *iface, REFIID riid, void **out)
{
	static const GUID *const ids[] = {&IID_IUnknown, &IID_IDXGIObject, &IID_IDXGIDeviceSubObject,
					  &IID_IDXGISwapChain, &IID_IDXGISwapChain1};

	return dxgi_query(&impl(iface)->base, ids, sizeof(ids) / sizeof(ids[0]), riid, out);
}

static void destroy(struct swap_chain *chain)
{
	drop_scanout(chain);
	drop_set(chain, &chain->buffers);
	chain->wsi.release(chain->wsi.user, chain->window, -1, 0);
	private_store_clear(&chain->base.data);
	pthread_mutex_destroy(&chain->lock);
	chain->surfaces->lpVtbl->Release(chain->surfaces);
	IUnknown_Release(chain->device);
	IDXGIFactory2_Release((IDXGIFactory2 *)chain->factory);
	free(chain);
}

static ULONG STDMETHODCALLTYPE swap_chain_Release(IDXGISwapChain1 *iface)
{
	struct swap_chain *chain = impl(iface);
	ULONG references = (ULONG)__atomic_sub_fetch(&chain->base.references, 1, __ATOMIC_ACQ_REL);

	if (!references)
		destroy(chain);
	return references;
}

static HRESULT STDMETHODCALLTYPE swap_chain_GetParent(IDXGISwapChain1 *iface, REFIID riid, void **parent)
{
	return IDXGIFactory2_QueryInterface((IDXGIFactory2 *)impl(iface)->factory, riid, parent);
}

static HRESULT STDMETHODCALLTYPE swap_chain_GetDevice(IDXGISwapChain1 *iface, REFIID riid, void **device)
{
	return IUnknown_QueryInterface(impl(iface)->device, riid, device);
}

/* ---- present ---- */

struct picture {
	struct swap_chain *chain;
	UINT interval;
	int err;
};

static void show_pixels(void *context, const void *pixels, UINT pitch)
{
	struct picture *picture = context;
	struct swap_chain *chain = picture->chain;
	struct d3dgpu_wsi_image image = {chain->desc.Width, chain->desc.Height, pitch, pixels, -1, 0,
					 picture->interval};

	picture->err = chain->wsi.present(chain->wsi.user, chain->window, &image);
}

static HRESULT show_in_memory(struct swap_chain *chain, UINT interval)
{
	struct picture picture = {chain, interval, 0};
	IUnknown *surface;
	HRESULT hr = get_scanout(chain, &surface);

	if (SUCCEEDED(hr))
		hr = chain->surfaces->lpVtbl->Blit(chain->surfaces, surface, chain->buffers.surfaces[0]);
	if (SUCCEEDED(hr))
		hr = chain->surfaces->lpVtbl->Read(chain->surfaces, surface, show_pixels, &picture);
	return SUCCEEDED(hr) && picture.err ? DXGI_ERROR_DRIVER_INTERNAL_ERROR : hr;
}

static HRESULT show_on_display(struct swap_chain *chain, UINT interval)
{
	struct d3dgpu_wsi_image image = {chain->desc.Width, chain->desc.Height, 0, NULL, -1, 0, interval};
	D3DKMT_HANDLE handle = 0;
	IUnknown *surface;
	HRESULT hr = get_scanout(chain, &surface);

	if (SUCCEEDED(hr))
		hr = chain->surfaces->lpVtbl->Blit(chain->surfaces, surface, chain->buffers.surfaces[0]);
	if (SUCCEEDED(hr))
		hr = chain->surfaces->lpVtbl->Present(chain->surfaces, surface, interval, &handle);
	if (FAILED(hr))
		return hr;
	chain->scanout_handle[chain->next_scanout] = handle;
	chain->next_scanout = (chain->next_scanout + 1) % SCANOUT_SURFACES;
	image.drm_fd = chain->surfaces->lpVtbl->GetDdiAdapter(chain->surfaces)->runtime->info.fd;
	image.handle = handle;
	/* Rows of the linear image begin at multiples of 64 bytes (hw/d3dgpu_resource.h). */
	image.pitch = (chain->desc.Width * 4 + 63) & ~63u;
	return chain->wsi.present(chain->wsi.user, chain->window, &image) ? DXGI_ERROR_DRIVER_INTERNAL_ERROR : S_OK;
}

static HRESULT show_nothing(struct swap_chain *chain, UINT interval)
{
	struct d3dgpu_wsi_image image = {chain->desc.Width, chain->desc.Height, 0, NULL, -1, 0, interval};
	D3DKMT_HANDLE handle;
	HRESULT hr = chain->surfaces->lpVtbl->Present(chain->surfaces, chain->buffers.surfaces[0], interval, &handle);

	if (FAILED(hr))
		return hr;
	return chain->wsi.present(chain->wsi.user, chain->window, &image) ? DXGI_ERROR_DRIVER_INTERNAL_ERROR : S_OK;
}

static HRESULT STDMETHODCALLTYPE swap_chain_Present1(IDXGISwapChain1 *iface, UINT interval, UINT flags,
						     const DXGI_PRESENT_PARAMETERS *parameters)
{
	struct swap_chain *chain = impl(iface);
	HRESULT hr;

	if (interval > 4 || flags & ~(DXGI_PRESENT_TEST | DXGI_PRESENT_DO_NOT_SEQUENCE | DXGI_PRESENT_RESTART |
				      DXGI_PRESENT_DO_NOT_WAIT))
		return DXGI_ERROR_INVALID_CALL;
	if (!chain->wsi.visible(chain->wsi.user, chain->window))
		return DXGI_STATUS_OCCLUDED;
	if (flags & DXGI_PRESENT_TEST)
		return S_OK;
	pthread_mutex_lock(&chain->lock);
	if (chain->wsi.source == D3DGPU_WSI_PIXELS)
		hr = show_in_memory(chain, interval);
	else if (chain->wsi.source == D3DGPU_WSI_BUFFER)
		hr = show_on_display(chain, interval);
	else
		hr = show_nothing(chain, interval);
	if (SUCCEEDED(hr))
		chain->present_count++;
	pthread_mutex_unlock(&chain->lock);
	return hr;
}

static HRESULT STDMETHODCALLTYPE swap_chain_Present(IDXGISwapChain1 *iface, UINT interval, UINT flags)
{
	return swap_chain_Present1(iface, interval, flags, NULL);
}

/* ---- buffers ---- */

static HRESULT STDMETHODCALLTYPE swap_chain_GetBuffer(IDXGISwapChain1 *iface, UINT index, REFIID riid, void **surface)
{
	struct swap_chain *chain = impl(iface);
	HRESULT hr = DXGI_ERROR_INVALID_CALL;

	if (!surface)
		return DXGI_ERROR_INVALID_CALL;
	*surface = NULL;
	pthread_mutex_lock(&chain->lock);
	/* Of a blit-model chain only buffer 0 can be had. */
	if (index < chain->buffers.count)
		hr = IUnknown_QueryInterface(chain->buffers.surfaces[index], riid, surface);
	pthread_mutex_unlock(&chain->lock);
	return hr;
}

/* Extents that are 0 become the client area's. */
static HRESULT resolve_size(struct swap_chain *chain, DXGI_SWAP_CHAIN_DESC1 *desc)
{
	uint32_t width = 0, height = 0;

	if (desc->Width && desc->Height)
		return S_OK;
	if (chain->wsi.client_size(chain->wsi.user, chain->window, &width, &height)) {
		/* A window without a size of its own takes the buffer's: keep what there was. */
		width = chain->desc.Width;
		height = chain->desc.Height;
	}
	if (!desc->Width)
		desc->Width = width;
	if (!desc->Height)
		desc->Height = height;
	return desc->Width && desc->Height ? S_OK : DXGI_ERROR_INVALID_CALL;
}

/* The old buffers go when the new ones are there: a resize that fails leaves the chain as it was. */
static HRESULT resize(struct swap_chain *chain, DXGI_SWAP_CHAIN_DESC1 *desc)
{
	struct buffer_set buffers;
	HRESULT hr = resolve_size(chain, desc);

	if (FAILED(hr))
		return hr;
	for (UINT i = 0; i < chain->buffers.count; i++)
		if (chain->surfaces->lpVtbl->InUse(chain->surfaces, chain->buffers.surfaces[i])) {
			runtime_refused("ResizeBuffers", "back buffer %u is still referenced", i);
			return DXGI_ERROR_INVALID_CALL;
		}
	hr = create_set(chain, desc, &buffers);
	if (FAILED(hr))
		return hr;
	drop_scanout(chain);
	drop_set(chain, &chain->buffers);
	chain->buffers = buffers;
	chain->desc = *desc;
	return S_OK;
}

static HRESULT STDMETHODCALLTYPE swap_chain_ResizeBuffers(IDXGISwapChain1 *iface, UINT count, UINT width, UINT height,
							  DXGI_FORMAT format, UINT flags)
{
	struct swap_chain *chain = impl(iface);
	DXGI_SWAP_CHAIN_DESC1 desc;
	HRESULT hr;

	if (count > MAX_BUFFERS || flags & ~(UINT)SUPPORTED_FLAGS ||
	    (count == 1 && is_flip_model(chain->desc.SwapEffect)))
		return DXGI_ERROR_INVALID_CALL;
	pthread_mutex_lock(&chain->lock);
	desc = chain->desc;
	desc.Width = width;
	desc.Height = height;
	desc.Flags = flags;
	if (count)
		desc.BufferCount = count;
	if (format != DXGI_FORMAT_UNKNOWN)
		desc.Format = format;
	hr = resize(chain, &desc);
	pthread_mutex_unlock(&chain->lock);
	return hr;
}

static HRESULT STDMETHODCALLTYPE swap_chain_ResizeTarget(IDXGISwapChain1 *iface, const DXGI_MODE_DESC *mode)
{
	struct swap_chain *chain = impl(iface);
	struct d3dgpu_wsi_mode wanted;

	if (!mode)
		return DXGI_ERROR_INVALID_CALL;
	/* A window's size is its window system's matter. */
	if (chain->fullscreen.Windowed)
		return S_OK;
	wanted = (struct d3dgpu_wsi_mode){
		mode->Width, mode->Height,
		mode->RefreshRate.Denominator ? mode->RefreshRate.Numerator / mode->RefreshRate.Denominator : 0};
	return chain->wsi.set_mode(chain->wsi.user, chain->window, &wanted) ? DXGI_ERROR_NOT_CURRENTLY_AVAILABLE : S_OK;
}

/* ---- full screen ---- */

static HRESULT containing_output(struct swap_chain *chain, IDXGIOutput **output)
{
	IDXGIDevice *device;
	IDXGIAdapter *adapter;
	HRESULT hr = IUnknown_QueryInterface(chain->device, &IID_IDXGIDevice, (void **)&device);

	if (FAILED(hr))
		return hr;
	hr = IDXGIDevice_GetAdapter(device, &adapter);
	IDXGIDevice_Release(device);
	if (FAILED(hr))
		return hr;
	hr = IDXGIAdapter_EnumOutputs(adapter, 0, output);
	IDXGIAdapter_Release(adapter);
	return hr;
}

static HRESULT STDMETHODCALLTYPE swap_chain_SetFullscreenState(IDXGISwapChain1 *iface, BOOL fullscreen,
							       IDXGIOutput *target)
{
	struct swap_chain *chain = impl(iface);
	struct d3dgpu_wsi_mode mode = {chain->desc.Width, chain->desc.Height, 0};

	if (!fullscreen && target)
		return DXGI_ERROR_INVALID_CALL;
	if (chain->wsi.set_mode(chain->wsi.user, chain->window, fullscreen ? &mode : NULL))
		return DXGI_ERROR_NOT_CURRENTLY_AVAILABLE;
	chain->fullscreen.Windowed = !fullscreen;
	return S_OK;
}

static HRESULT STDMETHODCALLTYPE swap_chain_GetFullscreenState(IDXGISwapChain1 *iface, BOOL *fullscreen,
							       IDXGIOutput **target)
{
	struct swap_chain *chain = impl(iface);

	if (fullscreen)
		*fullscreen = !chain->fullscreen.Windowed;
	if (target) {
		*target = NULL;
		if (!chain->fullscreen.Windowed)
			return containing_output(chain, target);
	}
	return S_OK;
}

/* ---- descriptions ---- */

static HRESULT STDMETHODCALLTYPE swap_chain_GetDesc(IDXGISwapChain1 *iface, DXGI_SWAP_CHAIN_DESC *desc)
{
	struct swap_chain *chain = impl(iface);

	if (!desc)
		return E_INVALIDARG;
	*desc = (DXGI_SWAP_CHAIN_DESC){
		.BufferDesc = {chain->desc.Width, chain->desc.Height, chain->fullscreen.RefreshRate, chain->desc.Format,
			       chain->fullscreen.ScanlineOrdering, chain->fullscreen.Scaling},
		.SampleDesc = chain->desc.SampleDesc,
		.BufferUsage = chain->desc.BufferUsage,
		.BufferCount = chain->desc.BufferCount,
		.OutputWindow = chain->window,
		.Windowed = chain->fullscreen.Windowed,
		.SwapEffect = chain->desc.SwapEffect,
		.Flags = chain->desc.Flags,
	};
	return S_OK;
}

static HRESULT STDMETHODCALLTYPE swap_chain_GetDesc1(IDXGISwapChain1 *iface, DXGI_SWAP_CHAIN_DESC1 *desc)
{
	if (!desc)
		return DXGI_ERROR_INVALID_CALL;
	*desc = impl(iface)->desc;
	return S_OK;
}

static HRESULT STDMETHODCALLTYPE swap_chain_GetFullscreenDesc(IDXGISwapChain1 *iface,
							      DXGI_SWAP_CHAIN_FULLSCREEN_DESC *desc)
{
	if (!desc)
		return DXGI_ERROR_INVALID_CALL;
	*desc = impl(iface)->fullscreen;
	return S_OK;
}

static HRESULT STDMETHODCALLTYPE swap_chain_GetHwnd(IDXGISwapChain1 *iface, HWND *window)
{
	if (!window)
		return DXGI_ERROR_INVALID_CALL;
	*window = impl(iface)->window;
	return S_OK;
}

static HRESULT STDMETHODCALLTYPE swap_chain_GetCoreWindow(IDXGISwapChain1 *iface, REFIID riid, void **window)
{
	if (window)
		*window = NULL;
	return DXGI_ERROR_INVALID_CALL;
}

static HRESULT STDMETHODCALLTYPE swap_chain_GetContainingOutput(IDXGISwapChain1 *iface, IDXGIOutput **output)
{
	if (!output)
		return E_INVALIDARG;
	*output = NULL;
	return containing_output(impl(iface), output);
}

static HRESULT STDMETHODCALLTYPE swap_chain_GetFrameStatistics(IDXGISwapChain1 *iface,
							       DXGI_FRAME_STATISTICS *statistics)
{
	struct swap_chain *chain = impl(iface);
	struct timespec now;

	if (!statistics)
		return E_INVALIDARG;
	/* Windows counts frames for full-screen and flip-model chains only. */
	if (chain->fullscreen.Windowed && !is_flip_model(chain->desc.SwapEffect))
		return DXGI_ERROR_FRAME_STATISTICS_DISJOINT;
	memset(statistics, 0, sizeof(*statistics));
	clock_gettime(CLOCK_MONOTONIC, &now);
	statistics->PresentCount = chain->present_count;
	statistics->PresentRefreshCount = chain->present_count;
	statistics->SyncRefreshCount = chain->present_count;
	statistics->SyncQPCTime.QuadPart = now.tv_sec * 1000000000ll + now.tv_nsec;
	return S_OK;
}

static HRESULT STDMETHODCALLTYPE swap_chain_GetLastPresentCount(IDXGISwapChain1 *iface, UINT *count)
{
	if (!count)
		return E_INVALIDARG;
	*count = impl(iface)->present_count;
	return S_OK;
}

static BOOL STDMETHODCALLTYPE swap_chain_IsTemporaryMonoSupported(IDXGISwapChain1 *iface)
{
	return FALSE;
}

static HRESULT STDMETHODCALLTYPE swap_chain_GetRestrictToOutput(IDXGISwapChain1 *iface, IDXGIOutput **output)
{
	if (!output)
		return E_INVALIDARG;
	*output = NULL;
	return S_OK;
}

static HRESULT STDMETHODCALLTYPE swap_chain_SetBackgroundColor(IDXGISwapChain1 *iface, const DXGI_RGBA *color)
{
	if (!color)
		return E_INVALIDARG;
	impl(iface)->background = *color;
	return S_OK;
}

static HRESULT STDMETHODCALLTYPE swap_chain_GetBackgroundColor(IDXGISwapChain1 *iface, DXGI_RGBA *color)
{
	if (!color)
		return E_INVALIDARG;
	*color = impl(iface)->background;
	return S_OK;
}

static HRESULT STDMETHODCALLTYPE swap_chain_SetRotation(IDXGISwapChain1 *iface, DXGI_MODE_ROTATION rotation)
{
	return rotation <= DXGI_MODE_ROTATION_IDENTITY ? S_OK : DXGI_ERROR_INVALID_CALL;
}

static HRESULT STDMETHODCALLTYPE swap_chain_GetRotation(IDXGISwapChain1 *iface, DXGI_MODE_ROTATION *rotation)
{
	if (!rotation)
		return E_INVALIDARG;
	*rotation = DXGI_MODE_ROTATION_IDENTITY;
	return S_OK;
}

static const IDXGISwapChain1Vtbl swap_chain_vtbl = {
	DXGI_OBJECT_METHODS(IDXGISwapChain1),
	.QueryInterface = swap_chain_QueryInterface,
	.Release = swap_chain_Release,
	.GetParent = swap_chain_GetParent,
	.GetDevice = swap_chain_GetDevice,
	.Present = swap_chain_Present,
	.GetBuffer = swap_chain_GetBuffer,
	.SetFullscreenState = swap_chain_SetFullscreenState,
	.GetFullscreenState = swap_chain_GetFullscreenState,
	.GetDesc = swap_chain_GetDesc,
	.ResizeBuffers = swap_chain_ResizeBuffers,
	.ResizeTarget = swap_chain_ResizeTarget,
	.GetContainingOutput = swap_chain_GetContainingOutput,
	.GetFrameStatistics = swap_chain_GetFrameStatistics,
	.GetLastPresentCount = swap_chain_GetLastPresentCount,
	.GetDesc1 = swap_chain_GetDesc1,
	.GetFullscreenDesc = swap_chain_GetFullscreenDesc,
	.GetHwnd = swap_chain_GetHwnd,
	.GetCoreWindow = swap_chain_GetCoreWindow,
	.Present1 = swap_chain_Present1,
	.IsTemporaryMonoSupported = swap_chain_IsTemporaryMonoSupported,
	.GetRestrictToOutput = swap_chain_GetRestrictToOutput,
	.SetBackgroundColor = swap_chain_SetBackgroundColor,
	.GetBackgroundColor = swap_chain_GetBackgroundColor,
	.SetRotation = swap_chain_SetRotation,
	.GetRotation = swap_chain_GetRotation,
};

/* ---- creation ---- */

static bool valid_desc(const DXGI_SWAP_CHAIN_DESC1 *desc)
{
	bool flip = is_flip_model(desc->SwapEffect);

	if (desc->SwapEffect == (DXGI_SWAP_EFFECT)2 || (unsigned)desc->SwapEffect > DXGI_SWAP_EFFECT_FLIP_DISCARD)
		return false;
	if (!desc->BufferCount || desc->BufferCount > MAX_BUFFERS || desc->Flags & ~(UINT)SUPPORTED_FLAGS ||
	    desc->Stereo)
		return false;
	return !flip || (desc->BufferCount >= 2 && desc->SampleDesc.Count == 1 && !desc->SampleDesc.Quality);
}

HRESULT dxgi_swap_chain_create(struct dxgi_factory *factory, IUnknown *device, HWND window,
			       const DXGI_SWAP_CHAIN_DESC1 *desc, const DXGI_SWAP_CHAIN_FULLSCREEN_DESC *fullscreen,
			       IDXGISwapChain1 **out)
{
	struct swap_chain *chain;
	HRESULT hr;

	*out = NULL;
	if (!valid_desc(desc)) {
		runtime_refused("CreateSwapChain", "swap effect, buffer count, samples or flags");
		return DXGI_ERROR_INVALID_CALL;
	}
	chain = calloc(1, sizeof(*chain));
	if (!chain)
		return E_OUTOFMEMORY;
	hr = IUnknown_QueryInterface(device, &IID_D3DGPUSurfaceDevice, (void **)&chain->surfaces);
	if (FAILED(hr)) {
		free(chain);
		return hr;
	}
	dxgi_object_init(&chain->base, &swap_chain_vtbl);
	pthread_mutex_init(&chain->lock, NULL);
	wsi_get(&chain->wsi);
	chain->factory = factory;
	dxgi_add_ref(&factory->base);
	chain->device = device;
	IUnknown_AddRef(device);
	chain->window = window;
	chain->desc = *desc;
	chain->fullscreen.Windowed = TRUE;
	if (fullscreen)
		chain->fullscreen = *fullscreen;
	hr = resolve_size(chain, &chain->desc);
	if (SUCCEEDED(hr))
		hr = create_set(chain, &chain->desc, &chain->buffers);
	if (SUCCEEDED(hr) && !chain->fullscreen.Windowed) {
		chain->fullscreen.Windowed = TRUE;
		hr = swap_chain_SetFullscreenState((IDXGISwapChain1 *)chain, TRUE, NULL);
	}
	if (FAILED(hr)) {
		destroy(chain);
		return hr;
	}
	*out = (IDXGISwapChain1 *)chain;
	return hr;
}
