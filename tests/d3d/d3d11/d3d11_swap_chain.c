/* SPDX-License-Identifier: MIT */
/* Swap chains: creation, buffers, present, resize, and a window system that takes the pictures in memory. */
#include "test11.h"

#include <dxgi1_2.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "d3dgpu_wsi.h"

#define WIDTH 48u
#define HEIGHT 32u

static DXGI_SWAP_CHAIN_DESC chain_desc(void)
{
	return (DXGI_SWAP_CHAIN_DESC){
		.BufferDesc = {WIDTH, HEIGHT, {60, 1}, DXGI_FORMAT_R8G8B8A8_UNORM, 0, 0},
		.SampleDesc = {1, 0},
		.BufferUsage = DXGI_USAGE_RENDER_TARGET_OUTPUT,
		.BufferCount = 2,
		.OutputWindow = (HWND)(uintptr_t)0x1234,
		.Windowed = TRUE,
		.SwapEffect = DXGI_SWAP_EFFECT_DISCARD,
	};
}

static IDXGIFactory *factory_of(struct test11 *t)
{
	IDXGIDevice *device;
	IDXGIAdapter *adapter;
	IDXGIFactory *factory;

	ID3D11Device_QueryInterface(t->device, &IID_IDXGIDevice, (void **)&device);
	IDXGIDevice_GetAdapter(device, &adapter);
	IDXGIAdapter_GetParent(adapter, &IID_IDXGIFactory, (void **)&factory);
	IDXGIAdapter_Release(adapter);
	IDXGIDevice_Release(device);
	return factory;
}

static void test_creation(struct test11 *t)
{
	IDXGIFactory *factory = factory_of(t);
	DXGI_SWAP_CHAIN_DESC desc = chain_desc();
	IDXGISwapChain *chain = (void *)1;

	desc.BufferCount = 0;
	tap_eq(IDXGIFactory_CreateSwapChain(factory, (IUnknown *)t->device, &desc, &chain), DXGI_ERROR_INVALID_CALL,
	       "no buffers");
	tap_ok(!chain, "the result is NULL");
	desc = chain_desc();
	desc.SwapEffect = DXGI_SWAP_EFFECT_FLIP_SEQUENTIAL;
	desc.BufferCount = 1;
	tap_eq(IDXGIFactory_CreateSwapChain(factory, (IUnknown *)t->device, &desc, &chain), DXGI_ERROR_INVALID_CALL,
	       "a flip-model chain of one buffer");
	desc = chain_desc();
	desc.BufferDesc.Format = DXGI_FORMAT_BC1_UNORM;
	tap_eq(IDXGIFactory_CreateSwapChain(factory, (IUnknown *)t->device, &desc, &chain), E_INVALIDARG,
	       "a format that is no target");
	tap_eq(IDXGIFactory_CreateSwapChain(factory, NULL, &desc, &chain), DXGI_ERROR_INVALID_CALL, "no device");
	tap_eq(IDXGIFactory_CreateSwapChain(factory, (IUnknown *)t->device, NULL, &chain), DXGI_ERROR_INVALID_CALL,
	       "no description");
	IDXGIFactory_Release(factory);
}

static void test_buffers(struct test11 *t, IDXGISwapChain *chain)
{
	ID3D11Texture2D *buffer, *again;
	ID3D11RenderTargetView *view;
	D3D11_TEXTURE2D_DESC desc;
	DXGI_SWAP_CHAIN_DESC got;
	IDXGISurface *surface;

	IDXGISwapChain_GetDesc(chain, &got);
	tap_ok(got.BufferDesc.Width == WIDTH && got.BufferCount == 2 && got.Windowed, "the description is read back");
	tap_eq(IDXGISwapChain_GetBuffer(chain, 0, &IID_ID3D11Texture2D, (void **)&buffer), S_OK, "buffer 0");
	ID3D11Texture2D_GetDesc(buffer, &desc);
	tap_ok(desc.Width == WIDTH && desc.Height == HEIGHT && desc.BindFlags & D3D11_BIND_RENDER_TARGET,
	       "is a target of the chain's size");
	IDXGISwapChain_GetBuffer(chain, 0, &IID_ID3D11Texture2D, (void **)&again);
	tap_ok(again == buffer, "and always the same");
	tap_eq(ID3D11Texture2D_Release(again), 1, "its references are the program's");
	tap_eq(ID3D11Texture2D_QueryInterface(buffer, &IID_IDXGISurface, (void **)&surface), S_OK,
	       "it is an IDXGISurface");
	IDXGISurface_Release(surface);
	tap_eq(IDXGISwapChain_GetBuffer(chain, 1, &IID_ID3D11Texture2D, (void **)&again), DXGI_ERROR_INVALID_CALL,
	       "of a blit-model chain there is no other");
	ID3D11Device_CreateRenderTargetView(t->device, (ID3D11Resource *)buffer, NULL, &view);
	tap_eq(IDXGISwapChain_ResizeBuffers(chain, 2, 20, 10, DXGI_FORMAT_UNKNOWN, 0), DXGI_ERROR_INVALID_CALL,
	       "ResizeBuffers fails while buffers are referenced");
	ID3D11Texture2D_Release(buffer);
	tap_eq(IDXGISwapChain_ResizeBuffers(chain, 2, 20, 10, DXGI_FORMAT_UNKNOWN, 0), DXGI_ERROR_INVALID_CALL,
	       "also while a view holds one");
	ID3D11RenderTargetView_Release(view);
	tap_eq(IDXGISwapChain_ResizeBuffers(chain, 2, 20, 10, DXGI_FORMAT_B8G8R8A8_UNORM, 0), S_OK,
	       "and works afterwards");
	IDXGISwapChain_GetBuffer(chain, 0, &IID_ID3D11Texture2D, (void **)&buffer);
	ID3D11Texture2D_GetDesc(buffer, &desc);
	tap_ok(desc.Width == 20 && desc.Height == 10 && desc.Format == DXGI_FORMAT_B8G8R8A8_UNORM,
	       "the new buffer is as asked for");
	ID3D11Texture2D_Release(buffer);
}

static void test_present(IDXGISwapChain *chain)
{
	UINT count = 7;

	IDXGISwapChain_GetLastPresentCount(chain, &count);
	tap_eq(count, 0, "nothing presented yet");
	tap_eq(IDXGISwapChain_Present(chain, 0, 0), S_OK, "Present");
	tap_eq(IDXGISwapChain_Present(chain, 1, 0), S_OK, "Present at the vertical blank");
	tap_eq(IDXGISwapChain_Present(chain, 0, DXGI_PRESENT_TEST), S_OK, "a test shows nothing");
	tap_eq(IDXGISwapChain_Present(chain, 5, 0), DXGI_ERROR_INVALID_CALL, "interval 5");
	IDXGISwapChain_GetLastPresentCount(chain, &count);
	tap_eq(count, 2, "two pictures were presented");
}

/* ---- a window system of our own ---- */

struct window {
	uint32_t width, height, pitch, corner, middle;
	unsigned presents, releases;
	bool hidden;
};

static int window_size(void *user, void *window, uint32_t *width, uint32_t *height)
{
	*width = WIDTH;
	*height = HEIGHT;
	return 0;
}

static bool window_visible(void *user, void *window)
{
	return !((struct window *)user)->hidden;
}

static bool window_focused(void *user, void *window)
{
	return true;
}

static uint32_t window_mode_count(void *user)
{
	return 1;
}

static int window_current_mode(void *user, struct d3dgpu_wsi_mode *mode)
{
	*mode = (struct d3dgpu_wsi_mode){640, 480, 60};
	return 0;
}

static int window_get_mode(void *user, uint32_t index, struct d3dgpu_wsi_mode *mode)
{
	return index ? -EINVAL : window_current_mode(user, mode);
}

static int window_set_mode(void *user, void *window, const struct d3dgpu_wsi_mode *mode)
{
	return 0;
}

static int window_present(void *user, void *window, const struct d3dgpu_wsi_image *image)
{
	struct window *w = user;

	w->presents++;
	w->width = image->width;
	w->height = image->height;
	w->pitch = image->pitch;
	if (image->pixels) {
		memcpy(&w->corner, image->pixels, 4);
		memcpy(&w->middle,
		       (const char *)image->pixels + image->height / 2 * image->pitch + image->width / 2 * 4, 4);
	}
	return 0;
}

static int window_vblank(void *user)
{
	return 0;
}

static void window_release(void *user, void *window, int fd, uint32_t handle)
{
	((struct window *)user)->releases++;
}

static void test_window_system(void)
{
	struct window window = {0};
	struct d3dgpu_wsi wsi = {
		.size = sizeof(wsi),
		.source = D3DGPU_WSI_PIXELS,
		.user = &window,
		.client_size = window_size,
		.visible = window_visible,
		.focused = window_focused,
		.mode_count = window_mode_count,
		.get_mode = window_get_mode,
		.current_mode = window_current_mode,
		.set_mode = window_set_mode,
		.present = window_present,
		.wait_vblank = window_vblank,
		.release = window_release,
	};
	DXGI_SWAP_CHAIN_DESC desc = chain_desc();
	const float orange[4] = {1, 0.5f, 0, 1}, blue[4] = {0, 0, 1, 1};
	D3D11_VIEWPORT viewport = {0, 0, WIDTH, HEIGHT, 0, 1};
	struct test11_color_pipe pipe;
	ID3D11RenderTargetView *view;
	ID3D11Texture2D *buffer;
	IDXGISwapChain *chain;
	struct test11 t = {0};
	HRESULT hr;

	tap_eq(d3dgpu_wsi_register(&wsi), 0, "a window system is registered");
	desc.BufferDesc.Width = desc.BufferDesc.Height = 0;
	hr = D3D11CreateDeviceAndSwapChain(NULL, D3D_DRIVER_TYPE_HARDWARE, NULL, 0, NULL, 0, D3D11_SDK_VERSION, &desc,
					   &chain, &t.device, &t.level, &t.context);
	if (!tap_eq(hr, S_OK, "D3D11CreateDeviceAndSwapChain"))
		return;
	IDXGISwapChain_GetBuffer(chain, 0, &IID_ID3D11Texture2D, (void **)&buffer);
	ID3D11Device_CreateRenderTargetView(t.device, (ID3D11Resource *)buffer, NULL, &view);
	ID3D11Texture2D_Release(buffer);
	test11_color_pipe(&t, &pipe);
	ID3D11DeviceContext_OMSetRenderTargets(t.context, 1, &view, NULL);
	ID3D11DeviceContext_RSSetViewports(t.context, 1, &viewport);
	ID3D11DeviceContext_ClearRenderTargetView(t.context, view, orange);
	test11_draw_rect(&t, &pipe, -0.5f, 0.5f, 0.5f, -0.5f, 0, blue);
	tap_eq(IDXGISwapChain_Present(chain, 0, 0), S_OK, "a picture is presented to it");
	tap_eq(window.presents, 1, "the window gets it");
	tap_ok(window.width == WIDTH && window.height == HEIGHT,
	       "in the client area's size: width and height 0 take it");
	tap_ok((window.corner & 0xffffff) == 0xff8000 || (window.corner & 0xffffff) == 0xff7f00,
	       "the corner is orange, blue first in memory (%#x)", window.corner);
	tap_eq(window.middle & 0xffffff, 0x0000ff, "the middle is blue");
	window.hidden = true;
	tap_eq(IDXGISwapChain_Present(chain, 0, 0), DXGI_STATUS_OCCLUDED, "a hidden window is DXGI_STATUS_OCCLUDED");
	tap_eq(window.presents, 1, "and gets nothing");
	ID3D11DeviceContext_ClearState(t.context);
	ID3D11RenderTargetView_Release(view);
	test11_color_pipe_destroy(&pipe);
	tap_eq(IDXGISwapChain_Release(chain), 0, "the chain goes away");
	tap_ok(window.releases > 0, "the window is told");
	test11_close(&t);
	d3dgpu_wsi_register(NULL);
}

int main(void)
{
	DXGI_SWAP_CHAIN_DESC desc = chain_desc();
	IDXGISwapChain *chain = NULL;
	IDXGIFactory *factory;
	struct test11 t;

	test11_must_open(&t);
	test_creation(&t);
	factory = factory_of(&t);
	if (tap_eq(IDXGIFactory_CreateSwapChain(factory, (IUnknown *)t.device, &desc, &chain), S_OK, "a swap chain")) {
		test_present(chain);
		test_buffers(&t, chain);
		tap_eq(IDXGISwapChain_Present(chain, 0, 0), S_OK, "Present after the resize");
		IDXGISwapChain_Release(chain);
	}
	IDXGIFactory_Release(factory);
	test11_close(&t);
	test_window_system();
	return tap_done();
}
