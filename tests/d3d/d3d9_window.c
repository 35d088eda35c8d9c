/* SPDX-License-Identifier: MIT */
/* A window system that the program registers: sizes, occlusion, focus, display modes, and the pictures that it gets. */
#define INITGUID
#include "test9.h"

#include <errno.h>
#include <string.h>

#include "d3dgpu_wsi.h"

#define WINDOW ((HWND)(UINT_PTR)0x77)
#define OTHER ((HWND)(UINT_PTR)0x88)

/* What the window system was told, and what it answers. */
static struct {
	bool hidden, unfocused;
	unsigned presents, releases, set_modes;
	void *window;
	uint32_t width, height, interval;
	DWORD first, last;		/* pixels of the last picture */
	struct d3dgpu_wsi_mode mode;
	int present_result;
} screen;

static int client_size(void *user, void *window, uint32_t *width, uint32_t *height)
{
	if (window != WINDOW)
		return -ENOENT;
	*width = 123;
	*height = 45;
	return 0;
}

static bool visible(void *user, void *window)
{
	return !screen.hidden;
}

static bool focused(void *user, void *window)
{
	return !screen.unfocused;
}

static uint32_t mode_count(void *user)
{
	return 2;
}

static int get_mode(void *user, uint32_t index, struct d3dgpu_wsi_mode *mode)
{
	static const struct d3dgpu_wsi_mode modes[2] = {{320, 200, 70}, {400, 300, 75}};

	if (index >= 2)
		return -EINVAL;
	*mode = modes[index];
	return 0;
}

static int current_mode(void *user, struct d3dgpu_wsi_mode *mode)
{
	return get_mode(user, 1, mode);
}

static int set_mode(void *user, void *window, const struct d3dgpu_wsi_mode *mode)
{
	screen.set_modes++;
	if (mode)
		screen.mode = *mode;
	return 0;
}

static int present(void *user, void *window, const struct d3dgpu_wsi_image *image)
{
	const uint8_t *last_row = (const uint8_t *)image->pixels + (size_t)(image->height - 1) * image->pitch;

	screen.presents++;
	screen.window = window;
	screen.width = image->width;
	screen.height = image->height;
	screen.interval = image->interval;
	memcpy(&screen.first, image->pixels, 4);
	memcpy(&screen.last, last_row + (size_t)(image->width - 1) * 4, 4);
	return screen.present_result;
}

static int wait_vblank(void *user)
{
	return 0;
}

static void release(void *user, void *window, int drm_fd, uint32_t handle)
{
	screen.releases++;
}

static const struct d3dgpu_wsi table = {
	.size = sizeof(struct d3dgpu_wsi),
	.source = D3DGPU_WSI_PIXELS,
	.client_size = client_size,
	.visible = visible,
	.focused = focused,
	.mode_count = mode_count,
	.get_mode = get_mode,
	.current_mode = current_mode,
	.set_mode = set_mode,
	.present = present,
	.wait_vblank = wait_vblank,
	.release = release,
};

static void test_registration(void)
{
	struct d3dgpu_wsi bad = table;

	bad.size = 8;
	tap_eq(d3dgpu_wsi_register(&bad), -EINVAL, "a table of another size is refused");
	bad = table;
	bad.present = NULL;
	tap_eq(d3dgpu_wsi_register(&bad), -EINVAL, "a table without present is refused");
	tap_eq(d3dgpu_wsi_register(&table), 0, "a complete table is registered");
}

static void test_window(IDirect3D9Ex *d3d)
{
	D3DPRESENT_PARAMETERS params = {.hDeviceWindow = WINDOW, .SwapEffect = D3DSWAPEFFECT_DISCARD, .Windowed = TRUE,
					.PresentationInterval = D3DPRESENT_INTERVAL_TWO};
	const D3DRECT corner = {122, 44, 123, 45};
	IDirect3DDevice9Ex *device = NULL;

	tap_eq(IDirect3D9Ex_CreateDeviceEx(d3d, 0, D3DDEVTYPE_HAL, NULL, D3DCREATE_HARDWARE_VERTEXPROCESSING, &params,
					   NULL, &device),
	       D3D_OK, "a device for the window");
	if (!device)
		return;
	tap_eq(params.BackBufferWidth * 1000 + params.BackBufferHeight, 123045,
	       "its back buffer has the client area's size");
	IDirect3DDevice9Ex_Clear(device, 0, NULL, D3DCLEAR_TARGET, 0xff112233, 0, 0);
	IDirect3DDevice9Ex_Clear(device, 1, &corner, D3DCLEAR_TARGET, 0xff445566, 0, 0);
	tap_eq(IDirect3DDevice9Ex_PresentEx(device, NULL, NULL, NULL, NULL, 0), D3D_OK, "PresentEx");
	tap_eq(screen.presents, 1, "the window system gets one picture");
	tap_ok(screen.window == WINDOW, "for the device's window");
	tap_eq(screen.width * 1000 + screen.height, 123045, "of the back buffer's size");
	tap_eq(screen.first & 0xffffff, 0x112233, "its first pixel is the first");
	tap_eq(screen.last & 0xffffff, 0x445566, "its last pixel is the last");
	tap_eq(screen.interval, 2, "to be shown for two vertical blanks");
	IDirect3DDevice9Ex_PresentEx(device, NULL, NULL, OTHER, NULL, D3DPRESENT_DONOTWAIT);
	tap_ok(screen.window == OTHER, "a present can name another window");
	screen.hidden = true;
	tap_eq(IDirect3DDevice9Ex_PresentEx(device, NULL, NULL, NULL, NULL, 0), S_PRESENT_OCCLUDED,
	       "a present into a hidden window says so");
	tap_eq(screen.presents, 2, "and the window system gets nothing");
	screen.hidden = false;
	screen.present_result = -EIO;
	tap_ok(FAILED(IDirect3DDevice9Ex_PresentEx(device, NULL, NULL, NULL, NULL, 0)),
	       "a window system that fails makes it fail");
	screen.present_result = 0;
	tap_eq(IDirect3DDevice9Ex_PresentEx(device, NULL, NULL, NULL, NULL, 0), D3D_OK, "and the next present works");
	tap_eq(IDirect3DDevice9Ex_Release(device), 0, "the device is released");
	tap_ok(screen.releases > 0, "and the window system told");
}

static void test_full_screen(IDirect3D9Ex *d3d)
{
	D3DDISPLAYMODEEX mode = {sizeof(mode), 320, 200, 70, D3DFMT_X8R8G8B8, D3DSCANLINEORDERING_PROGRESSIVE};
	D3DPRESENT_PARAMETERS params = {.BackBufferWidth = 320,
					.BackBufferHeight = 200,
					.BackBufferFormat = D3DFMT_X8R8G8B8,
					.hDeviceWindow = WINDOW,
					.SwapEffect = D3DSWAPEFFECT_DISCARD,
					.FullScreen_RefreshRateInHz = 70};
	IDirect3DDevice9Ex *device = NULL;
	D3DDISPLAYMODE got;

	tap_eq(IDirect3D9Ex_GetAdapterModeCount(d3d, 0, D3DFMT_X8R8G8B8), 2,
	       "the window system's display modes are the adapter's");
	IDirect3D9Ex_GetAdapterDisplayMode(d3d, 0, &got);
	tap_eq(got.Width * 1000 + got.RefreshRate, 400075, "so is the present one");
	tap_eq(IDirect3D9Ex_CreateDeviceEx(d3d, 0, D3DDEVTYPE_HAL, WINDOW, D3DCREATE_HARDWARE_VERTEXPROCESSING, &params,
					   &mode, &device),
	       D3D_OK, "a full-screen device");
	if (!device)
		return;
	tap_eq(screen.set_modes, 1, "sets the display mode");
	tap_eq(screen.mode.width * 1000 + screen.mode.refresh, 320070, "that it asked for");
	tap_eq(IDirect3DDevice9Ex_CheckDeviceState(device, WINDOW), D3D_OK, "with the focus its state is good");
	screen.unfocused = true;
	tap_eq(IDirect3DDevice9Ex_CheckDeviceState(device, WINDOW), S_PRESENT_OCCLUDED, "without it is occluded");
	screen.unfocused = false;
	IDirect3DDevice9Ex_Release(device);
}

int main(void)
{
	IDirect3D9Ex *d3d;

	test_registration();
	if (FAILED(Direct3DCreate9Ex(D3D_SDK_VERSION, &d3d)))
		tap_bail("no IDirect3D9Ex");
	test_window(d3d);
	test_full_screen(d3d);
	IDirect3D9Ex_Release(d3d);
	tap_eq(d3dgpu_wsi_register(NULL), 0, "the window system is taken back");
	return tap_done();
}
