/* SPDX-License-Identifier: MIT */
/* The device's life: swap chains and presents, reset, references, queries, state blocks, limits, private data. */
#define INITGUID
#include "draw9.h"

#include <string.h>
#include <time.h>

#include "d3dgpu_statistics.h"

#define SIZE 64
#define BLACK 0xff000000u
#define RED 0xffff0000u
#define GREEN 0xff00ff00u

static struct test9 t;
static struct draw9 d;
#define DEVICE t.device

static IDirect3DSurface9 *back_buffer(IDirect3DDevice9Ex *device)
{
	IDirect3DSurface9 *surface = NULL;

	IDirect3DDevice9Ex_GetBackBuffer(device, 0, 0, D3DBACKBUFFER_TYPE_MONO, &surface);
	return surface;
}

/* First pixel of what was presented last. */
static DWORD front_pixel(IDirect3DDevice9Ex *device, UINT width, UINT height)
{
	IDirect3DSurface9 *copy = NULL;
	D3DLOCKED_RECT locked;
	DWORD pixel = 0;

	IDirect3DDevice9Ex_CreateOffscreenPlainSurface(device, width, height, D3DFMT_A8R8G8B8, D3DPOOL_SYSTEMMEM, &copy,
						       NULL);
	if (SUCCEEDED(IDirect3DDevice9Ex_GetFrontBufferData(device, 0, copy)) &&
	    SUCCEEDED(IDirect3DSurface9_LockRect(copy, &locked, NULL, D3DLOCK_READONLY))) {
		pixel = *(DWORD *)locked.pBits;
		IDirect3DSurface9_UnlockRect(copy);
	}
	IDirect3DSurface9_Release(copy);
	return pixel;
}

static void fill(IDirect3DDevice9Ex *device, DWORD color)
{
	IDirect3DDevice9Ex_Clear(device, 0, NULL, D3DCLEAR_TARGET, color, 0, 0);
}

/* ---- presents ---- */

static void test_present(void)
{
	IDirect3DSwapChain9 *chain = NULL;
	IDirect3DSwapChain9Ex *chain_ex = NULL;
	IDirect3DSurface9 *buffer = back_buffer(DEVICE), *same;
	const RECT part = {0, 0, 8, 8};
	void *container = NULL;
	UINT count = 0;

	fill(DEVICE, RED);
	tap_eq(IDirect3DDevice9Ex_PresentEx(DEVICE, NULL, NULL, NULL, NULL, 0), D3D_OK, "PresentEx");
	tap_eq(front_pixel(DEVICE, SIZE, SIZE), RED, "the front buffer shows what was presented");
	fill(DEVICE, GREEN);
	tap_eq(front_pixel(DEVICE, SIZE, SIZE), RED, "and not what is drawn since");
	tap_eq(IDirect3DDevice9Ex_Present(DEVICE, NULL, NULL, NULL, NULL), D3D_OK, "Present");
	tap_eq(front_pixel(DEVICE, SIZE, SIZE), GREEN, "until that is presented, too");
	same = back_buffer(DEVICE);
	tap_ok(same == buffer, "the back buffer's object stays the same");
	IDirect3DSurface9_Release(same);
	tap_eq(IDirect3DSurface9_GetContainer(buffer, &IID_IDirect3DSwapChain9, &container), D3D_OK, "its container");
	tap_eq(IDirect3DDevice9Ex_GetSwapChain(DEVICE, 0, &chain), D3D_OK, "GetSwapChain");
	tap_ok(container == chain, "is the swap chain");
	IDirect3DSwapChain9_Release((IDirect3DSwapChain9 *)container);
	tap_eq(IDirect3DSwapChain9_QueryInterface(chain, &IID_IDirect3DSwapChain9Ex, (void **)&chain_ex), S_OK,
	       "it is an Ex chain");
	tap_eq(IDirect3DSwapChain9Ex_GetLastPresentCount(chain_ex, &count), D3D_OK, "GetLastPresentCount");
	tap_eq(count, 2, "counts the presents");
	tap_eq(IDirect3DDevice9Ex_PresentEx(DEVICE, &part, NULL, NULL, NULL, 0), D3DERR_INVALIDCALL,
	       "a source rectangle needs the COPY effect");
	tap_eq(IDirect3DDevice9Ex_GetBackBuffer(DEVICE, 0, 1, D3DBACKBUFFER_TYPE_MONO, &same), D3DERR_INVALIDCALL,
	       "there is no second back buffer");
	tap_eq(IDirect3DDevice9Ex_GetSwapChain(DEVICE, 1, &chain), D3DERR_INVALIDCALL, "nor a second implicit chain");
	tap_eq(IDirect3DDevice9Ex_GetNumberOfSwapChains(DEVICE), 1, "GetNumberOfSwapChains");
	IDirect3DSwapChain9Ex_Release(chain_ex);
	IDirect3DSwapChain9Ex_Release(chain_ex);
	IDirect3DSurface9_Release(buffer);
}

static void test_additional_chain(void)
{
	D3DPRESENT_PARAMETERS params = {.BackBufferWidth = 32,
					.BackBufferHeight = 16,
					.BackBufferFormat = D3DFMT_A8R8G8B8,
					.SwapEffect = D3DSWAPEFFECT_COPY,
					.BackBufferCount = 1,
					.Windowed = TRUE};
	IDirect3DSwapChain9 *chain = NULL;
	IDirect3DSurface9 *buffer = NULL, *copy = NULL, *first = back_buffer(DEVICE);
	D3DSURFACE_DESC desc;
	D3DLOCKED_RECT locked;

	tap_eq(IDirect3DDevice9Ex_CreateAdditionalSwapChain(DEVICE, &params, &chain), D3D_OK,
	       "an additional swap chain");
	IDirect3DSwapChain9_GetBackBuffer(chain, 0, D3DBACKBUFFER_TYPE_MONO, &buffer);
	IDirect3DSurface9_GetDesc(buffer, &desc);
	tap_eq(desc.Width * 1000 + desc.Height, 32016, "with buffers of its own size");
	IDirect3DDevice9Ex_SetRenderTarget(DEVICE, 0, buffer);
	fill(DEVICE, RED);
	tap_eq(IDirect3DSwapChain9_Present(chain, NULL, NULL, NULL, NULL, 0), D3D_OK, "is presented");
	IDirect3DDevice9Ex_CreateOffscreenPlainSurface(DEVICE, 32, 16, D3DFMT_A8R8G8B8, D3DPOOL_SYSTEMMEM, &copy, NULL);
	tap_eq(IDirect3DDevice9Ex_GetRenderTargetData(DEVICE, buffer, copy), D3D_OK, "its back buffer is read");
	IDirect3DSurface9_LockRect(copy, &locked, NULL, D3DLOCK_READONLY);
	tap_eq(*(DWORD *)locked.pBits, RED, "with the COPY effect it keeps its content");
	IDirect3DSurface9_UnlockRect(copy);
	IDirect3DDevice9Ex_SetRenderTarget(DEVICE, 0, first);
	tap_eq(IDirect3DSurface9_Release(buffer), 0, "the buffer's reference is released");
	tap_eq(IDirect3DSwapChain9_Release(chain), 0, "and the chain's");
	IDirect3DSurface9_Release(copy);
	IDirect3DSurface9_Release(first);
}

/* Several buffers take turns. */
static void test_buffers_in_turn(void)
{
	D3DPRESENT_PARAMETERS params = {.BackBufferWidth = SIZE,
					.BackBufferHeight = SIZE,
					.BackBufferFormat = D3DFMT_X8R8G8B8,
					.SwapEffect = D3DSWAPEFFECT_FLIP,
					.BackBufferCount = 3,
					.Windowed = TRUE};
	IDirect3DDevice9Ex *device = NULL;
	bool right = true;

	tap_eq(IDirect3D9Ex_CreateDeviceEx(t.d3d, 0, D3DDEVTYPE_HAL, NULL, D3DCREATE_HARDWARE_VERTEXPROCESSING, &params,
					   NULL, &device),
	       D3D_OK, "a device with three back buffers");
	if (!device)
		return;
	for (unsigned i = 1; i <= 8; i++) {
		fill(device, BLACK | i);
		IDirect3DDevice9Ex_PresentEx(device, NULL, NULL, NULL, NULL, 0);
		right &= front_pixel(device, SIZE, SIZE) == (BLACK | i);
	}
	tap_ok(right, "each of eight presents is shown");
	tap_eq(IDirect3DDevice9Ex_Release(device), 0, "it is released");
}

static void test_multisampled_chain(void)
{
	D3DPRESENT_PARAMETERS params = {.BackBufferWidth = SIZE,
					.BackBufferHeight = SIZE,
					.BackBufferFormat = D3DFMT_X8R8G8B8,
					.SwapEffect = D3DSWAPEFFECT_DISCARD,
					.BackBufferCount = 1,
					.Windowed = TRUE,
					.MultiSampleType = D3DMULTISAMPLE_4_SAMPLES,
					.EnableAutoDepthStencil = TRUE,
					.AutoDepthStencilFormat = D3DFMT_D24S8};
	IDirect3DDevice9Ex *device = NULL;

	if (FAILED(IDirect3D9Ex_CheckDeviceMultiSampleType(t.d3d, 0, D3DDEVTYPE_HAL, D3DFMT_X8R8G8B8, TRUE,
							   D3DMULTISAMPLE_4_SAMPLES, NULL)))
		return;
	tap_eq(IDirect3D9Ex_CreateDeviceEx(t.d3d, 0, D3DDEVTYPE_HAL, NULL, D3DCREATE_HARDWARE_VERTEXPROCESSING, &params,
					   NULL, &device),
	       D3D_OK, "a device with a multisampled back buffer");
	if (!device)
		return;
	IDirect3DDevice9Ex_Clear(device, 0, NULL, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER | D3DCLEAR_STENCIL, GREEN, 1, 0);
	tap_eq(IDirect3DDevice9Ex_PresentEx(device, NULL, NULL, NULL, NULL, 0), D3D_OK, "is presented");
	tap_eq(front_pixel(device, SIZE, SIZE), GREEN, "resolved");
	tap_eq(IDirect3DDevice9Ex_Release(device), 0, "and released");
}

/* ---- reset ---- */

/* On a GPU that could hold it, nothing is asked. */
static void test_reset_without_memory(const D3DPRESENT_PARAMETERS *present)
{
	D3DPRESENT_PARAMETERS params = *present;

	params.BackBufferWidth = t.caps.MaxTextureWidth;
	params.BackBufferHeight = t.caps.MaxTextureHeight;
	params.BackBufferCount = 30;
	if ((uint64_t)params.BackBufferWidth * params.BackBufferHeight * 4 * 31 <
	    (uint64_t)IDirect3DDevice9Ex_GetAvailableTextureMem(DEVICE) * 4)
		return;
	tap_eq(IDirect3DDevice9Ex_ResetEx(DEVICE, &params, NULL), D3DERR_OUTOFVIDEOMEMORY,
	       "a reset for which there is no memory fails");
	fill(DEVICE, GREEN);
	tap_eq(IDirect3DDevice9Ex_PresentEx(DEVICE, NULL, NULL, NULL, NULL, 0), D3D_OK,
	       "and leaves the device as it was");
	tap_eq(front_pixel(DEVICE, 96, 80), GREEN, "drawing into buffers of the old size");
}

static void test_reset(void)
{
	D3DPRESENT_PARAMETERS params = {.BackBufferWidth = 96,
					.BackBufferHeight = 80,
					.BackBufferFormat = D3DFMT_X8R8G8B8,
					.SwapEffect = D3DSWAPEFFECT_DISCARD,
					.BackBufferCount = 2,
					.Windowed = TRUE};
	D3DDISPLAYMODEEX mode = {sizeof(mode), 640, 480, 60, D3DFMT_X8R8G8B8, D3DSCANLINEORDERING_PROGRESSIVE};
	IDirect3DTexture9 *texture = NULL;
	IDirect3DBaseTexture9 *bound = NULL;
	IDirect3DSurface9 *buffer;
	D3DSURFACE_DESC desc;
	D3DVIEWPORT9 viewport;
	RECT scissor;
	DWORD value = 0;

	IDirect3DDevice9Ex_CreateTexture(DEVICE, 16, 16, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT, &texture, NULL);
	IDirect3DDevice9Ex_SetTexture(DEVICE, 3, (IDirect3DBaseTexture9 *)texture);
	IDirect3DDevice9Ex_SetRenderState(DEVICE, D3DRS_STENCILREF, 0x5a);
	tap_eq(IDirect3DDevice9Ex_ResetEx(DEVICE, &params, &mode), D3DERR_INVALIDCALL,
	       "ResetEx: a display mode for a window");
	tap_eq(IDirect3DDevice9Ex_ResetEx(DEVICE, &params, NULL), D3D_OK, "ResetEx to another size");
	IDirect3DDevice9Ex_GetRenderState(DEVICE, D3DRS_STENCILREF, &value);
	tap_eq(value, 0x5a, "render states survive");
	IDirect3DDevice9Ex_GetTexture(DEVICE, 3, &bound);
	tap_ok(bound == (IDirect3DBaseTexture9 *)texture, "textures stay bound");
	IDirect3DBaseTexture9_Release(bound);
	IDirect3DDevice9Ex_GetViewport(DEVICE, &viewport);
	tap_eq(viewport.Width * 1000 + viewport.Height, 96080, "the viewport follows the new size");
	IDirect3DDevice9Ex_GetScissorRect(DEVICE, &scissor);
	tap_eq(scissor.right * 1000 + scissor.bottom, 96080, "so does the scissor rectangle");
	buffer = back_buffer(DEVICE);
	IDirect3DSurface9_GetDesc(buffer, &desc);
	tap_eq(desc.Width * 1000 + desc.Height, 96080, "the back buffer has it");
	IDirect3DSurface9_Release(buffer);
	tap_eq(IDirect3DDevice9Ex_GetBackBuffer(DEVICE, 0, 1, D3DBACKBUFFER_TYPE_MONO, &buffer), D3D_OK,
	       "there are two of them");
	IDirect3DSurface9_Release(buffer);
	fill(DEVICE, RED);
	IDirect3DDevice9Ex_PresentEx(DEVICE, NULL, NULL, NULL, NULL, 0);
	tap_eq(front_pixel(DEVICE, 96, 80), RED, "drawing and presenting go on");
	test_reset_without_memory(&params);
	params.Windowed = FALSE;
	tap_eq(IDirect3DDevice9Ex_ResetEx(DEVICE, &params, NULL), D3DERR_INVALIDCALL,
	       "full screen needs a display mode");
	tap_eq(IDirect3DDevice9Ex_ResetEx(DEVICE, &params, &mode), D3DERR_INVALIDCALL, "of the back buffer's size");
	params = (D3DPRESENT_PARAMETERS){.BackBufferWidth = SIZE,
					 .BackBufferHeight = SIZE,
					 .BackBufferFormat = D3DFMT_X8R8G8B8,
					 .SwapEffect = D3DSWAPEFFECT_DISCARD,
					 .BackBufferCount = 1,
					 .Windowed = TRUE};
	tap_eq(IDirect3DDevice9Ex_ResetEx(DEVICE, &params, NULL), D3D_OK, "and back");
	IDirect3DDevice9Ex_SetTexture(DEVICE, 3, NULL);
	IDirect3DTexture9_Release(texture);
}

static void test_full_screen(void)
{
	D3DDISPLAYMODEEX mode = {.Size = sizeof(mode)};
	D3DPRESENT_PARAMETERS params = {.BackBufferFormat = D3DFMT_X8R8G8B8, .SwapEffect = D3DSWAPEFFECT_DISCARD,
					.BackBufferCount = 1, .PresentationInterval = D3DPRESENT_INTERVAL_ONE};
	IDirect3DDevice9Ex *device = NULL;

	IDirect3D9Ex_GetAdapterDisplayModeEx(t.d3d, 0, &mode, NULL);
	params.BackBufferWidth = mode.Width;
	params.BackBufferHeight = mode.Height;
	tap_eq(IDirect3D9Ex_CreateDeviceEx(t.d3d, 0, D3DDEVTYPE_HAL, NULL, D3DCREATE_HARDWARE_VERTEXPROCESSING, &params,
					   &mode, &device),
	       D3D_OK, "a full-screen device in the desktop's mode");
	if (!device)
		return;
	fill(device, GREEN);
	tap_eq(IDirect3DDevice9Ex_PresentEx(device, NULL, NULL, NULL, NULL, 0), D3D_OK, "presents");
	tap_eq(IDirect3DDevice9Ex_CheckDeviceState(device, NULL), D3D_OK, "its state is good");
	tap_eq(IDirect3DDevice9Ex_Release(device), 0, "and is released");
}

/* ---- 9Ex's small things ---- */

static void test_ex_rules(void)
{
	D3DDISPLAYMODEEX mode = {.Size = sizeof(mode)};
	IDirect3DResource9 *resources[2];
	IDirect3DTexture9 *texture = NULL;
	IDirect3DSurface9 *buffer = back_buffer(DEVICE);
	struct timespec before, after;
	UINT latency = 0;
	INT priority = 9;
	long waited;

	tap_eq(IDirect3DDevice9Ex_TestCooperativeLevel(DEVICE), D3D_OK, "TestCooperativeLevel");
	tap_eq(IDirect3DDevice9Ex_CheckDeviceState(DEVICE, NULL), D3D_OK, "CheckDeviceState");
	IDirect3DDevice9Ex_GetMaximumFrameLatency(DEVICE, &latency);
	tap_eq(latency, 3, "the frame latency is 3");
	tap_eq(IDirect3DDevice9Ex_SetMaximumFrameLatency(DEVICE, 30), D3D_OK, "30 is accepted");
	tap_eq(IDirect3DDevice9Ex_SetMaximumFrameLatency(DEVICE, 31), D3DERR_INVALIDCALL, "31 is refused");
	IDirect3DDevice9Ex_GetMaximumFrameLatency(DEVICE, &latency);
	tap_eq(latency, 30, "and changes nothing");
	IDirect3DDevice9Ex_SetMaximumFrameLatency(DEVICE, 0);
	IDirect3DDevice9Ex_GetMaximumFrameLatency(DEVICE, &latency);
	tap_eq(latency, 3, "0 is the default");
	tap_eq(IDirect3DDevice9Ex_SetGPUThreadPriority(DEVICE, 8), D3DERR_INVALIDCALL, "GPU priorities end at 7");
	tap_eq(IDirect3DDevice9Ex_SetGPUThreadPriority(DEVICE, -7), D3D_OK, "and begin at -7");
	IDirect3DDevice9Ex_GetGPUThreadPriority(DEVICE, &priority);
	tap_eq(priority, -7, "GetGPUThreadPriority gives it back");
	IDirect3DDevice9Ex_SetGPUThreadPriority(DEVICE, 0);
	tap_eq(IDirect3DDevice9Ex_GetDisplayModeEx(DEVICE, 0, &mode, NULL), D3D_OK, "GetDisplayModeEx");
	mode.Size = 8;
	tap_eq(IDirect3DDevice9Ex_GetDisplayModeEx(DEVICE, 0, &mode, NULL), D3DERR_INVALIDCALL,
	       "checks the structure's size");

	IDirect3DDevice9Ex_WaitForVBlank(DEVICE, 0);
	clock_gettime(CLOCK_MONOTONIC, &before);
	for (unsigned i = 0; i < 3; i++)
		IDirect3DDevice9Ex_WaitForVBlank(DEVICE, 0);
	clock_gettime(CLOCK_MONOTONIC, &after);
	waited = (after.tv_sec - before.tv_sec) * 1000 + (after.tv_nsec - before.tv_nsec) / 1000000;
	tap_ok(waited >= 20 && waited <= 500, "three vertical blanks take about 50 ms (%ld)", waited);
	tap_eq(IDirect3DDevice9Ex_WaitForVBlank(DEVICE, 1), D3DERR_INVALIDCALL,
	       "there is no second swap chain to wait for");

	IDirect3DDevice9Ex_CreateTexture(DEVICE, 16, 16, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT, &texture, NULL);
	resources[0] = (IDirect3DResource9 *)texture;
	resources[1] = (IDirect3DResource9 *)buffer;
	tap_eq(IDirect3DDevice9Ex_CheckResourceResidency(DEVICE, resources, 2), S_OK, "CheckResourceResidency");
	tap_eq(IDirect3DDevice9Ex_CheckResourceResidency(DEVICE, NULL, 1), D3DERR_INVALIDCALL, "of nothing is refused");
	IDirect3DTexture9_Release(texture);
	IDirect3DSurface9_Release(buffer);
}

/* ---- references and private data ---- */

static void test_references(void)
{
	IDirect3DVertexBuffer9 *buffer = NULL;
	IDirect3DDevice9 *owner = NULL;
	ULONG before, with;
	UINT offset, stride;

	before = IDirect3DDevice9Ex_AddRef(DEVICE) - 1;
	IDirect3DDevice9Ex_Release(DEVICE);
	IDirect3DDevice9Ex_CreateVertexBuffer(DEVICE, 64, 0, 0, D3DPOOL_DEFAULT, &buffer, NULL);
	with = IDirect3DDevice9Ex_AddRef(DEVICE) - 1;
	IDirect3DDevice9Ex_Release(DEVICE);
	tap_eq(with, before + 1, "a resource holds its device");
	tap_eq(IDirect3DVertexBuffer9_GetDevice(buffer, &owner), D3D_OK, "GetDevice");
	tap_ok(owner == (IDirect3DDevice9 *)DEVICE, "gives the device");
	IDirect3DDevice9_Release(owner);
	tap_eq(IDirect3DVertexBuffer9_AddRef(buffer), 2, "AddRef counts");
	tap_eq(IDirect3DVertexBuffer9_Release(buffer), 1, "Release counts");
	IDirect3DDevice9Ex_SetStreamSource(DEVICE, 0, buffer, 0, 16);
	tap_eq(IDirect3DVertexBuffer9_Release(buffer), 0, "a bound buffer can be released");
	IDirect3DDevice9Ex_GetStreamSource(DEVICE, 0, &buffer, &offset, &stride);
	tap_ok(buffer != NULL, "and is still bound");
	IDirect3DVertexBuffer9_Release(buffer);
	IDirect3DDevice9Ex_SetStreamSource(DEVICE, 0, NULL, 0, 0);
	with = IDirect3DDevice9Ex_AddRef(DEVICE) - 1;
	IDirect3DDevice9Ex_Release(DEVICE);
	tap_eq(with, before, "then the device is as before");
}

static void test_private_data(void)
{
	static const GUID key = {0x12345678, 1, 2, {3, 4, 5, 6, 7, 8, 9, 10}};
	IDirect3DSurface9 *surface = back_buffer(DEVICE);
	DWORD data = 0xabcdef01, back = 0, size = sizeof(back);

	tap_eq(IDirect3DSurface9_GetPrivateData(surface, &key, &back, &size), D3DERR_NOTFOUND, "no private data yet");
	tap_eq(IDirect3DSurface9_SetPrivateData(surface, &key, &data, sizeof(data), 0), D3D_OK, "SetPrivateData");
	size = 2;
	tap_eq(IDirect3DSurface9_GetPrivateData(surface, &key, &back, &size), D3DERR_MOREDATA,
	       "too small a place is refused");
	tap_eq(size, sizeof(data), "and the size given");
	tap_eq(IDirect3DSurface9_GetPrivateData(surface, &key, &back, &size), D3D_OK, "GetPrivateData");
	tap_eq(back, data, "gives it back");
	IDirect3DDevice9Ex_AddRef(DEVICE);
	tap_eq(IDirect3DSurface9_SetPrivateData(surface, &key, t.d3d, sizeof(IUnknown *), D3DSPD_IUNKNOWN), D3D_OK,
	       "an interface replaces it");
	tap_eq(IDirect3DSurface9_FreePrivateData(surface, &key), D3D_OK, "FreePrivateData");
	tap_eq(IDirect3DSurface9_FreePrivateData(surface, &key), D3DERR_NOTFOUND, "only once");
	IDirect3DDevice9Ex_Release(DEVICE);
	IDirect3DSurface9_Release(surface);
}

/* ---- queries ---- */

static UINT64 wait_query(IDirect3DQuery9 *query, const char *name)
{
	UINT64 result = 0;
	HRESULT hr;

	while ((hr = IDirect3DQuery9_GetData(query, &result, IDirect3DQuery9_GetDataSize(query), D3DGETDATA_FLUSH)) ==
	       S_FALSE)
		;
	tap_eq(hr, S_OK, "%s has a result", name);
	return result;
}

static void test_queries(void)
{
	IDirect3DQuery9 *query = NULL;
	UINT64 first, second;

	tap_eq(IDirect3DDevice9Ex_CreateQuery(DEVICE, D3DQUERYTYPE_EVENT, NULL), D3D_OK, "event queries are there");
	tap_eq(IDirect3DDevice9Ex_CreateQuery(DEVICE, D3DQUERYTYPE_VCACHE, NULL), D3DERR_NOTAVAILABLE,
	       "vertex cache queries are not");
	tap_eq(IDirect3DDevice9Ex_CreateQuery(DEVICE, D3DQUERYTYPE_EVENT, &query), D3D_OK, "an event query");
	tap_eq(IDirect3DQuery9_GetDataSize(query), sizeof(BOOL), "its data are a BOOL");
	tap_eq(IDirect3DQuery9_Issue(query, D3DISSUE_BEGIN), D3DERR_INVALIDCALL, "it has no begin");
	IDirect3DQuery9_Issue(query, D3DISSUE_END);
	tap_eq(wait_query(query, "the event"), TRUE, "it has happened");
	IDirect3DQuery9_Release(query);

	if (SUCCEEDED(IDirect3DDevice9Ex_CreateQuery(DEVICE, D3DQUERYTYPE_OCCLUSION, &query))) {
		IDirect3DQuery9_Issue(query, D3DISSUE_BEGIN);
		tap_eq(IDirect3DQuery9_GetData(query, &first, 4, 0), D3DERR_INVALIDCALL,
		       "no result between begin and end");
		draw9_rect(&d, 8, 8, 24, 18, 0.5f, RED);
		IDirect3DQuery9_Issue(query, D3DISSUE_END);
		tap_eq(wait_query(query, "occlusion"), 160, "a rectangle of 16x10 has 160 pixels");
		IDirect3DQuery9_Issue(query, D3DISSUE_BEGIN);
		IDirect3DQuery9_Issue(query, D3DISSUE_END);
		tap_eq(wait_query(query, "empty occlusion"), 0, "nothing has none");
		IDirect3DQuery9_Release(query);
	}
	if (SUCCEEDED(IDirect3DDevice9Ex_CreateQuery(DEVICE, D3DQUERYTYPE_TIMESTAMP, &query))) {
		IDirect3DQuery9_Issue(query, D3DISSUE_END);
		first = wait_query(query, "timestamp");
		fill(DEVICE, RED);
		IDirect3DQuery9_Issue(query, D3DISSUE_END);
		second = wait_query(query, "later timestamp");
		tap_ok(second > first && first > 0, "time goes on");
		IDirect3DQuery9_Release(query);
		IDirect3DDevice9Ex_CreateQuery(DEVICE, D3DQUERYTYPE_TIMESTAMPFREQ, &query);
		IDirect3DQuery9_Issue(query, D3DISSUE_END);
		tap_ok(wait_query(query, "frequency") > 0, "and has a frequency");
		IDirect3DQuery9_Release(query);
	}
}

/* ---- state blocks ---- */

static void test_state_blocks(void)
{
	IDirect3DStateBlock9 *block = NULL, *all = NULL;
	const float one[4] = {1, 2, 3, 4}, two[4] = {5, 6, 7, 8};
	float back[4] = {0};
	DWORD value = 0;

	IDirect3DDevice9Ex_SetRenderState(DEVICE, D3DRS_ALPHAREF, 10);
	IDirect3DDevice9Ex_SetVertexShaderConstantF(DEVICE, 20, one, 1);
	tap_eq(IDirect3DDevice9Ex_BeginStateBlock(DEVICE), D3D_OK, "BeginStateBlock");
	tap_eq(IDirect3DDevice9Ex_BeginStateBlock(DEVICE), D3DERR_INVALIDCALL, "is not nested");
	IDirect3DDevice9Ex_SetRenderState(DEVICE, D3DRS_ALPHAREF, 20);
	IDirect3DDevice9Ex_SetVertexShaderConstantF(DEVICE, 20, two, 1);
	tap_eq(IDirect3DDevice9Ex_EndStateBlock(DEVICE, &block), D3D_OK, "EndStateBlock");
	IDirect3DDevice9Ex_GetRenderState(DEVICE, D3DRS_ALPHAREF, &value);
	tap_eq(value, 10, "recording changes nothing");
	tap_eq(IDirect3DDevice9Ex_CreateStateBlock(DEVICE, D3DSBT_ALL, &all), D3D_OK, "a block of everything");
	tap_eq(IDirect3DStateBlock9_Apply(block), D3D_OK, "the recorded block is applied");
	IDirect3DDevice9Ex_GetRenderState(DEVICE, D3DRS_ALPHAREF, &value);
	tap_eq(value, 20, "its render state is set");
	IDirect3DDevice9Ex_GetVertexShaderConstantF(DEVICE, 20, back, 1);
	tap_mem(back, two, sizeof(back), "and its constant");
	tap_eq(IDirect3DStateBlock9_Apply(all), D3D_OK, "the block of everything is applied");
	IDirect3DDevice9Ex_GetRenderState(DEVICE, D3DRS_ALPHAREF, &value);
	tap_eq(value, 10, "and the old render state is back");
	IDirect3DDevice9Ex_GetVertexShaderConstantF(DEVICE, 20, back, 1);
	tap_mem(back, one, sizeof(back), "and the old constant");
	IDirect3DDevice9Ex_SetRenderState(DEVICE, D3DRS_ALPHAREF, 30);
	tap_eq(IDirect3DStateBlock9_Capture(block), D3D_OK, "Capture");
	IDirect3DDevice9Ex_SetRenderState(DEVICE, D3DRS_ALPHAREF, 0);
	IDirect3DStateBlock9_Apply(block);
	IDirect3DDevice9Ex_GetRenderState(DEVICE, D3DRS_ALPHAREF, &value);
	tap_eq(value, 30, "takes the present value");
	IDirect3DStateBlock9_Release(block);
	IDirect3DStateBlock9_Release(all);
	tap_eq(IDirect3DDevice9Ex_CreateStateBlock(DEVICE, (D3DSTATEBLOCKTYPE)4, &all), D3DERR_INVALIDCALL,
	       "there is no type 4");
}

static void test_defaults(void)
{
	static const struct {
		D3DRENDERSTATETYPE state;
		DWORD value;
		const char *name;
	} defaults[] = {
		{D3DRS_ZENABLE, D3DZB_FALSE, "ZENABLE without a depth-stencil surface"},
		{D3DRS_CULLMODE, D3DCULL_CCW, "CULLMODE"},
		{D3DRS_ZFUNC, D3DCMP_LESSEQUAL, "ZFUNC"},
		{D3DRS_COLORWRITEENABLE, 15, "COLORWRITEENABLE"},
		{D3DRS_STENCILMASK, 0xffffffff, "STENCILMASK"},
		{D3DRS_MULTISAMPLEMASK, 0xffffffff, "MULTISAMPLEMASK"},
		{D3DRS_LIGHTING, TRUE, "LIGHTING"},
		{D3DRS_FOGEND, 0x3f800000, "FOGEND"},
		{D3DRS_SRCBLEND, D3DBLEND_ONE, "SRCBLEND"},
	};
	IDirect3DDevice9Ex *device = test9_device(t.d3d, 16, 16, D3DCREATE_MULTITHREADED);
	DWORD value;

	for (size_t i = 0; i < sizeof(defaults) / sizeof(defaults[0]); i++) {
		value = ~0u;
		IDirect3DDevice9Ex_GetRenderState(device, defaults[i].state, &value);
		tap_eq(value, defaults[i].value, "default of %s", defaults[i].name);
	}
	IDirect3DDevice9Ex_Release(device);
}

/* ---- the steady frame ---- */

static void frame(void)
{
	fill(DEVICE, BLACK);
	IDirect3DDevice9Ex_SetRenderState(DEVICE, D3DRS_ALPHABLENDENABLE, TRUE);
	draw9_rect(&d, 0, 0, 32, 32, 0.5f, RED);
	IDirect3DDevice9Ex_SetRenderState(DEVICE, D3DRS_ALPHABLENDENABLE, FALSE);
	draw9_rect(&d, 32, 32, 64, 64, 0.5f, GREEN);
	IDirect3DDevice9Ex_PresentEx(DEVICE, NULL, NULL, NULL, NULL, 0);
}

static void test_steady_frame(void)
{
	struct d3dgpu_statistics before, after;

	for (unsigned i = 0; i < 40; i++)
		frame();
	test9_finish(DEVICE);
	tap_eq(D3DGPUGetStatistics9(DEVICE, &before), 0, "counters");
	for (unsigned i = 0; i < 20; i++)
		frame();
	D3DGPUGetStatistics9(DEVICE, &after);
	tap_eq(after.submits - before.submits, 20, "20 frames take 20 submits");
	tap_eq(after.ioctls - before.ioctls - (after.waits - before.waits), 20,
	       "which are the only calls into the kernel, but for %llu that slept until the GPU had caught up",
	       (unsigned long long)(after.waits - before.waits));
	tap_eq(after.draws - before.draws, 40, "with 40 draws");
	tap_eq(after.state_objects - before.state_objects, 0, "no state is created");
	tap_eq(after.shaders - before.shaders, 0, "no shader is created");
	tap_eq(after.allocations - before.allocations, 0, "the driver allocates nothing");
	tap_eq(after.staging_buffers - before.staging_buffers, 0, "no staging buffer is created");
}

int main(void)
{
	test9_open(&t, SIZE, SIZE);
	draw9_open(&d, DEVICE, SIZE, SIZE);
	test_present();
	test_additional_chain();
	test_buffers_in_turn();
	test_multisampled_chain();
	test_reset();
	test_full_screen();
	test_ex_rules();
	test_references();
	test_private_data();
	test_queries();
	test_state_blocks();
	test_defaults();
	test_steady_frame();
	draw9_close(&d);
	test9_close(&t);
	return tap_done();
}
