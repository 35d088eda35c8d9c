/* SPDX-License-Identifier: MIT */
/* IDirect3D9Ex: the adapter's identity, display modes, checks and capabilities, each with wrong arguments, too. */
#define INITGUID
#include "test9.h"

#include <string.h>

static IDirect3D9Ex *d3d;

static void test_identity(void)
{
	D3DADAPTER_IDENTIFIER9 identifier, again;
	LUID luid = {0, 0};

	tap_eq(IDirect3D9Ex_GetAdapterCount(d3d), 1, "there is one adapter");
	memset(&identifier, 0xff, sizeof(identifier));
	tap_eq(IDirect3D9Ex_GetAdapterIdentifier(d3d, 0, 0, &identifier), D3D_OK, "GetAdapterIdentifier");
	tap_str(identifier.Driver, "d3dgpu_umd.so", "its driver");
	tap_ok(!strncmp(identifier.Description, "d3dgpu (", 8), "its description: %s", identifier.Description);
	tap_eq(identifier.VendorId, 0x1234, "its PCI vendor");
	tap_eq(identifier.DeviceId, 0xd3d9, "its PCI device");
	IDirect3D9Ex_GetAdapterIdentifier(d3d, 0, 0, &again);
	tap_mem(&again, &identifier, sizeof(again), "the identity is always the same");
	tap_eq(IDirect3D9Ex_GetAdapterIdentifier(d3d, 1, 0, &identifier), D3DERR_INVALIDCALL,
	       "there is no second adapter");
	tap_eq(IDirect3D9Ex_GetAdapterIdentifier(d3d, 0, 0, NULL), D3DERR_INVALIDCALL, "no place for the identity");
	tap_eq(IDirect3D9Ex_GetAdapterLUID(d3d, 0, &luid), D3D_OK, "GetAdapterLUID");
	tap_ok(luid.LowPart || luid.HighPart, "the LUID is not 0");
	tap_eq(IDirect3D9Ex_GetAdapterLUID(d3d, 1, &luid), D3DERR_INVALIDCALL, "no LUID of a second adapter");
	tap_ok(IDirect3D9Ex_GetAdapterMonitor(d3d, 0) != NULL, "the adapter has a monitor");
	tap_ok(IDirect3D9Ex_GetAdapterMonitor(d3d, 1) == NULL, "the second has none");
}

static void test_modes(void)
{
	UINT count = IDirect3D9Ex_GetAdapterModeCount(d3d, 0, D3DFMT_X8R8G8B8);
	D3DDISPLAYMODEEX ex = {.Size = sizeof(ex)}, current = {.Size = sizeof(current)};
	D3DDISPLAYMODEFILTER filter = {sizeof(filter), D3DFMT_X8R8G8B8, D3DSCANLINEORDERING_PROGRESSIVE};
	D3DDISPLAYROTATION rotation = 0;
	D3DDISPLAYMODE mode, desktop;
	bool good = true, found = false;

	tap_ok(count > 0, "%u display modes", count);
	tap_eq(IDirect3D9Ex_GetAdapterDisplayMode(d3d, 0, &desktop), D3D_OK, "GetAdapterDisplayMode");
	tap_eq(desktop.Format, D3DFMT_X8R8G8B8, "the desktop is X8R8G8B8");
	for (UINT i = 0; i < count; i++) {
		good &= SUCCEEDED(IDirect3D9Ex_EnumAdapterModes(d3d, 0, D3DFMT_X8R8G8B8, i, &mode)) && mode.Width &&
			mode.Height && mode.RefreshRate && mode.Format == D3DFMT_X8R8G8B8;
		found |= mode.Width == desktop.Width && mode.Height == desktop.Height;
	}
	tap_ok(good, "each has size, rate and format");
	tap_ok(found, "the desktop's is one of them");
	tap_eq(IDirect3D9Ex_EnumAdapterModes(d3d, 0, D3DFMT_X8R8G8B8, count, &mode), D3DERR_INVALIDCALL,
	       "none beyond the last");
	tap_eq(IDirect3D9Ex_GetAdapterModeCount(d3d, 0, D3DFMT_DXT1), 0, "DXT1 has no display modes");
	tap_eq(IDirect3D9Ex_GetAdapterModeCountEx(d3d, 0, &filter), count,
	       "the filter for progressive modes finds all");
	filter.ScanLineOrdering = D3DSCANLINEORDERING_INTERLACED;
	tap_eq(IDirect3D9Ex_GetAdapterModeCountEx(d3d, 0, &filter), 0, "the filter for interlaced modes finds none");
	tap_eq(IDirect3D9Ex_EnumAdapterModesEx(d3d, 0, NULL, 0, &ex), D3D_OK, "EnumAdapterModesEx without filter");
	tap_eq(ex.ScanLineOrdering, D3DSCANLINEORDERING_PROGRESSIVE, "modes are progressive");
	ex.Size = 4;
	tap_eq(IDirect3D9Ex_EnumAdapterModesEx(d3d, 0, NULL, 0, &ex), D3DERR_INVALIDCALL, "a wrong size is refused");
	tap_eq(IDirect3D9Ex_GetAdapterDisplayModeEx(d3d, 0, &current, &rotation), D3D_OK, "GetAdapterDisplayModeEx");
	tap_eq(rotation, D3DDISPLAYROTATION_IDENTITY, "the display is not rotated");
	tap_eq(current.Width, desktop.Width, "both say the same");
}

static void test_caps(void)
{
	D3DCAPS9 caps;
	bool level_9_3;

	tap_eq(IDirect3D9Ex_GetDeviceCaps(d3d, 0, D3DDEVTYPE_HAL, &caps), D3D_OK, "GetDeviceCaps");
	tap_eq(caps.DeviceType, D3DDEVTYPE_HAL, "it is a hardware device");
	tap_ok(caps.PixelShaderVersion >= D3DPS_VERSION(2, 0), "pixel shaders 2.0 or better");
	tap_ok(caps.VertexShaderVersion >= D3DVS_VERSION(2, 0), "vertex shaders 2.0 or better");
	tap_ok(caps.MaxTextureWidth >= 2048 && caps.MaxTextureHeight >= 2048, "textures of 2048x2048 or more");
	tap_ok(caps.TextureAddressCaps & D3DPTADDRESSCAPS_MIRROR, "mirrored addressing");
	tap_ok(caps.RasterCaps & D3DPRASTERCAPS_SCISSORTEST, "scissor test");
	tap_ok(caps.StencilCaps & D3DSTENCILCAPS_TWOSIDED, "two-sided stencil");
	tap_ok(!(caps.TextureCaps & D3DPTEXTURECAPS_NONPOW2CONDITIONAL) || (caps.TextureCaps & D3DPTEXTURECAPS_POW2),
	       "NONPOW2CONDITIONAL only beside POW2");
	level_9_3 = caps.PixelShaderVersion >= D3DPS_VERSION(3, 0);
	tap_ok(!level_9_3 || (caps.NumSimultaneousRTs >= 4 && caps.MaxTextureWidth >= 4096),
	       "shader model 3 comes with four targets and textures of 4096");
	tap_eq(IDirect3D9Ex_GetDeviceCaps(d3d, 0, D3DDEVTYPE_REF, &caps), D3DERR_NOTAVAILABLE,
	       "there is no reference device");
	tap_eq(IDirect3D9Ex_GetDeviceCaps(d3d, 0, (D3DDEVTYPE)9, &caps), D3DERR_INVALIDCALL, "nor a device of type 9");
	tap_eq(IDirect3D9Ex_GetDeviceCaps(d3d, 1, D3DDEVTYPE_HAL, &caps), D3DERR_INVALIDCALL, "nor a second adapter");
}

static HRESULT check(DWORD usage, D3DRESOURCETYPE type, D3DFORMAT format)
{
	return IDirect3D9Ex_CheckDeviceFormat(d3d, 0, D3DDEVTYPE_HAL, D3DFMT_X8R8G8B8, usage, type, format);
}

static void test_formats(void)
{
	tap_eq(check(0, D3DRTYPE_TEXTURE, D3DFMT_A8R8G8B8), D3D_OK, "A8R8G8B8 textures");
	tap_eq(check(D3DUSAGE_RENDERTARGET, D3DRTYPE_SURFACE, D3DFMT_A8R8G8B8), D3D_OK, "A8R8G8B8 targets");
	tap_eq(check(D3DUSAGE_RENDERTARGET, D3DRTYPE_TEXTURE, D3DFMT_X8R8G8B8), D3D_OK, "X8R8G8B8 target textures");
	tap_eq(check(D3DUSAGE_QUERY_FILTER, D3DRTYPE_TEXTURE, D3DFMT_A8R8G8B8), D3D_OK, "A8R8G8B8 filters");
	tap_eq(check(D3DUSAGE_QUERY_POSTPIXELSHADER_BLENDING | D3DUSAGE_RENDERTARGET, D3DRTYPE_TEXTURE,
		     D3DFMT_A8R8G8B8),
	       D3D_OK, "A8R8G8B8 blends");
	tap_eq(check(0, D3DRTYPE_CUBETEXTURE, D3DFMT_A8R8G8B8), D3D_OK, "A8R8G8B8 cubes");
	tap_eq(check(0, D3DRTYPE_VOLUMETEXTURE, D3DFMT_A8R8G8B8), D3D_OK, "A8R8G8B8 volumes");
	tap_eq(check(0, D3DRTYPE_VERTEXBUFFER, D3DFMT_VERTEXDATA), D3D_OK, "vertex data");
	tap_eq(check(0, D3DRTYPE_INDEXBUFFER, D3DFMT_INDEX32), D3D_OK, "32-bit indices");
	tap_eq(check(0, D3DRTYPE_TEXTURE, D3DFMT_P8), D3DERR_NOTAVAILABLE, "no palettes");
	tap_eq(check(0, D3DRTYPE_TEXTURE, (D3DFORMAT)0x31323334), D3DERR_NOTAVAILABLE, "no unknown formats");
	tap_eq(check(D3DUSAGE_RENDERTARGET, D3DRTYPE_TEXTURE, D3DFMT_DXT1), D3DERR_NOTAVAILABLE,
	       "no compressed targets");
	tap_eq(check(D3DUSAGE_DEPTHSTENCIL, D3DRTYPE_SURFACE, D3DFMT_A8R8G8B8), D3DERR_NOTAVAILABLE,
	       "no depth in A8R8G8B8");
	tap_eq(check(D3DUSAGE_RENDERTARGET, D3DRTYPE_VOLUMETEXTURE, D3DFMT_A8R8G8B8), D3DERR_NOTAVAILABLE,
	       "no volume targets");
	tap_eq(check(D3DUSAGE_RENDERTARGET | D3DUSAGE_DEPTHSTENCIL, D3DRTYPE_SURFACE, D3DFMT_D24S8), D3DERR_INVALIDCALL,
	       "a target that is a depth-stencil surface is no question");
	tap_eq(check(0, (D3DRESOURCETYPE)0, D3DFMT_A8R8G8B8), D3DERR_INVALIDCALL, "nor is resource type 0");
	tap_eq(IDirect3D9Ex_CheckDeviceFormat(d3d, 0, D3DDEVTYPE_HAL, D3DFMT_UNKNOWN, 0, D3DRTYPE_TEXTURE,
					      D3DFMT_A8R8G8B8),
	       D3DERR_INVALIDCALL, "nor is an unknown display format");
	tap_eq(IDirect3D9Ex_CheckDeviceFormat(d3d, 0, D3DDEVTYPE_HAL, D3DFMT_DXT1, 0, D3DRTYPE_TEXTURE,
					      D3DFMT_A8R8G8B8),
	       D3DERR_NOTAVAILABLE, "DXT1 is no display format");
	tap_eq(IDirect3D9Ex_CheckDeviceFormat(d3d, 0, D3DDEVTYPE_REF, D3DFMT_X8R8G8B8, 0, D3DRTYPE_TEXTURE,
					      D3DFMT_A8R8G8B8),
	       D3DERR_NOTAVAILABLE, "the reference device has nothing");
}

static void test_other_checks(void)
{
	DWORD levels = 99;

	tap_eq(IDirect3D9Ex_CheckDeviceType(d3d, 0, D3DDEVTYPE_HAL, D3DFMT_X8R8G8B8, D3DFMT_X8R8G8B8, FALSE), D3D_OK,
	       "full screen in X8R8G8B8");
	tap_eq(IDirect3D9Ex_CheckDeviceType(d3d, 0, D3DDEVTYPE_HAL, D3DFMT_X8R8G8B8, D3DFMT_A8R8G8B8, TRUE), D3D_OK,
	       "windowed with an A8R8G8B8 back buffer");
	tap_eq(IDirect3D9Ex_CheckDeviceType(d3d, 0, D3DDEVTYPE_HAL, D3DFMT_X8R8G8B8, D3DFMT_UNKNOWN, FALSE),
	       D3DERR_INVALIDCALL, "full screen needs a back buffer format");
	tap_eq(IDirect3D9Ex_CheckDeviceType(d3d, 0, D3DDEVTYPE_HAL, D3DFMT_X8R8G8B8, D3DFMT_DXT1, TRUE),
	       D3DERR_NOTAVAILABLE, "no compressed back buffers");
	tap_eq(IDirect3D9Ex_CheckDeviceMultiSampleType(d3d, 0, D3DDEVTYPE_HAL, D3DFMT_A8R8G8B8, TRUE,
						       D3DMULTISAMPLE_NONE, &levels),
	       D3D_OK, "single-sampled");
	tap_eq(levels, 1, "has one quality level");
	tap_eq(IDirect3D9Ex_CheckDeviceMultiSampleType(d3d, 0, D3DDEVTYPE_HAL, D3DFMT_A8R8G8B8, TRUE, 17, &levels),
	       D3DERR_INVALIDCALL, "17 samples are no question");
	tap_eq(IDirect3D9Ex_CheckDeviceMultiSampleType(d3d, 0, D3DDEVTYPE_HAL, D3DFMT_UNKNOWN, TRUE, 0, &levels),
	       D3DERR_INVALIDCALL, "nor is an unknown format");
	tap_eq(IDirect3D9Ex_CheckDeviceMultiSampleType(d3d, 0, D3DDEVTYPE_HAL, D3DFMT_DXT1, TRUE, 4, &levels),
	       D3DERR_NOTAVAILABLE, "compressed formats are not multisampled");
	tap_eq(IDirect3D9Ex_CheckDepthStencilMatch(d3d, 0, D3DDEVTYPE_HAL, D3DFMT_X8R8G8B8, D3DFMT_R5G6B5,
						   D3DFMT_D24S8),
	       D3D_OK, "D24S8 goes with R5G6B5");
	tap_eq(IDirect3D9Ex_CheckDepthStencilMatch(d3d, 0, D3DDEVTYPE_HAL, D3DFMT_X8R8G8B8, D3DFMT_DXT1, D3DFMT_D24S8),
	       D3DERR_NOTAVAILABLE, "but not with DXT1");
	tap_eq(IDirect3D9Ex_CheckDepthStencilMatch(d3d, 0, D3DDEVTYPE_HAL, D3DFMT_X8R8G8B8, D3DFMT_A8R8G8B8,
						   D3DFMT_A8R8G8B8),
	       D3DERR_NOTAVAILABLE, "A8R8G8B8 is no depth format");
	tap_eq(IDirect3D9Ex_CheckDeviceFormatConversion(d3d, 0, D3DDEVTYPE_HAL, D3DFMT_R5G6B5, D3DFMT_A8R8G8B8), D3D_OK,
	       "R5G6B5 converts to A8R8G8B8");
	tap_eq(IDirect3D9Ex_CheckDeviceFormatConversion(d3d, 0, D3DDEVTYPE_HAL, D3DFMT_DXT1, D3DFMT_R32F),
	       D3DERR_NOTAVAILABLE, "DXT1 does not convert to R32F");
}

/* What CreateDeviceEx refuses. */
static void test_device_args(void)
{
	const D3DPRESENT_PARAMETERS good = {
		.BackBufferWidth = 64, .BackBufferHeight = 64, .SwapEffect = D3DSWAPEFFECT_DISCARD, .Windowed = TRUE};
	D3DDISPLAYMODEEX mode = {sizeof(mode), 640, 480, 60, D3DFMT_X8R8G8B8, D3DSCANLINEORDERING_PROGRESSIVE};
	const DWORD hardware = D3DCREATE_HARDWARE_VERTEXPROCESSING;
	D3DPRESENT_PARAMETERS params = good;
	IDirect3DDevice9Ex *device = NULL;

#define CREATE(flags, mode) IDirect3D9Ex_CreateDeviceEx(d3d, 0, D3DDEVTYPE_HAL, NULL, flags, &params, mode, &device)
	tap_eq(CREATE(0, NULL), D3DERR_INVALIDCALL, "no kind of vertex processing");
	tap_eq(CREATE(hardware | D3DCREATE_SOFTWARE_VERTEXPROCESSING, NULL), D3DERR_INVALIDCALL,
	       "two kinds of vertex processing");
	tap_eq(CREATE(hardware, &mode), D3DERR_INVALIDCALL, "a display mode for a window");
	tap_eq(IDirect3D9Ex_CreateDeviceEx(d3d, 1, D3DDEVTYPE_HAL, NULL, hardware, &params, NULL, &device),
	       D3DERR_INVALIDCALL, "no second adapter");
	params.SwapEffect = (D3DSWAPEFFECT)0;
	tap_eq(CREATE(hardware, NULL), D3DERR_INVALIDCALL, "no swap effect");
	params = good;
	params.BackBufferCount = 31;
	tap_eq(CREATE(hardware, NULL), D3DERR_INVALIDCALL, "31 back buffers");
	params = good;
	params.BackBufferFormat = D3DFMT_DXT1;
	tap_eq(CREATE(hardware, NULL), D3DERR_NOTAVAILABLE, "a compressed back buffer");
	params = good;
	params.Windowed = FALSE;
	params.BackBufferFormat = D3DFMT_X8R8G8B8;
	tap_eq(CREATE(hardware, NULL), D3DERR_INVALIDCALL, "full screen without a display mode");
	tap_eq(CREATE(hardware, &mode), D3DERR_INVALIDCALL, "full screen with another size than the mode's");
	params = good;
	params.EnableAutoDepthStencil = TRUE;
	params.AutoDepthStencilFormat = D3DFMT_A8R8G8B8;
	tap_ok(FAILED(CREATE(hardware, NULL)), "a colour format for the depth-stencil surface");
	params.AutoDepthStencilFormat = D3DFMT_D24S8;
	tap_eq(CREATE(hardware, NULL), D3D_OK, "and with D24S8 it is created");
	tap_eq(IDirect3DDevice9Ex_Release(device), 0, "and released");
	params = good;
	params.BackBufferWidth = params.BackBufferHeight = 0;
	tap_eq(CREATE(hardware, NULL), D3D_OK, "a size of 0 takes the window's");
	tap_ok(params.BackBufferWidth > 0 && params.BackBufferHeight > 0, "and is filled in: %ux%u",
	       params.BackBufferWidth, params.BackBufferHeight);
	tap_eq(params.BackBufferFormat, D3DFMT_X8R8G8B8, "so is the format");
	tap_eq(params.BackBufferCount, 1, "and the number of back buffers");
	IDirect3DDevice9Ex_Release(device);
#undef CREATE
}

int main(void)
{
	void *out = NULL;

	tap_eq(Direct3DCreate9Ex(D3D_SDK_VERSION, NULL), D3DERR_INVALIDCALL,
	       "Direct3DCreate9Ex without a place for the answer");
	if (FAILED(Direct3DCreate9Ex(D3D_SDK_VERSION, &d3d)))
		tap_bail("no IDirect3D9Ex");
	tap_eq(IDirect3D9Ex_QueryInterface(d3d, &IID_IDirect3D9, &out), S_OK, "it is an IDirect3D9, too");
	IDirect3D9_Release((IDirect3D9 *)out);
	tap_eq(IDirect3D9Ex_QueryInterface(d3d, &IID_IDirect3DDevice9, &out), E_NOINTERFACE, "but no device");
	test_identity();
	test_modes();
	test_caps();
	test_formats();
	test_other_checks();
	test_device_args();
	tap_eq(IDirect3D9Ex_Release(d3d), 0, "the last reference is released");
	return tap_done();
}
