/* SPDX-License-Identifier: MIT */
/*
 * The Direct3D 10/11 front of the driver: what its files share. It translates the 11.1 DDI (umd/ddi/d3d10umddi.h) into
 * calls of the pipeline core. The runtime has validated parameters and serialises calls, so that the front only
 * translates.
 *
 * Driver objects live in the runtime's memory (D3D10DDI_H*.pDrvPrivate).
 */
#ifndef D3DGPU_UMD_D3D11_FRONT_H
#define D3DGPU_UMD_D3D11_FRONT_H

#include "d3d10umddi.h"
#include "d3dgpu_ddi.h"
#include "pipeline.h"

#define D3D11_SRV_SLOTS 128
#define D3D11_SAMPLER_SLOTS 16
#define D3D11_STAGES 2    /* vertex, pixel */
#define D3D11_PRESENTS 16 /* that are remembered for the frame latency */

struct d3d11_adapter {
	struct winsys *ws;
};

/* A bit per group of state that the next draw has to look at. */
enum d3d11_dirty {
	D3D11_DIRTY_LAYOUT = 1 << 0,       /* vertex elements depend on layout and vertex shader */
	D3D11_DIRTY_RASTERIZER = 1 << 1,   /* clip planes depend on the vertex shader */
	D3D11_DIRTY_VERTEX_VIEWS = 1 << 2, /* view targets depend on what the shader declares */
	D3D11_DIRTY_PIXEL_VIEWS = 1 << 3,
};

struct d3d11_resource {
	struct gpu_resource *gpu;
	DXGI_FORMAT format;
	D3D10DDIRESOURCE_TYPE type;
	UINT usage;
	UINT levels, layers;
	UINT samples; /* 1 = single-sampled */
	bool depth_stencil;
};

/* A shader resource view. The DDI does not say whether the program sees one slice as an array; the shader's declaration
 * does. */
struct d3d11_srv {
	struct d3d11_resource *resource;
	struct gpu_view_desc desc;
	struct gpu_view *view;       /* as the description says */
	struct gpu_view *array_view; /* the same as an array of one slice, made when a shader wants it; may be NULL */
};

struct d3d11_rtv {
	struct d3d11_resource *resource;
	struct gpu_surface *surface;
	DXGI_FORMAT format;
	UINT level, first_layer, layers;
};

struct d3d11_dsv {
	struct d3d11_resource *resource;
	struct gpu_surface *surface;
	UINT flags; /* D3D11_DDI_CREATE_DSV_* */
	UINT level;
};

struct d3d11_shader {
	struct gpu_shader *gpu;
	uint64_t serial;     /* unique in the process */
	uint8_t clip_planes; /* mask of the clip distances that it writes */
};

/* Vertex elements of a layout for one vertex shader. */
struct d3d11_layout_variant {
	uint64_t shader; /* serial */
	struct gpu_vertex_elements *elements;
};

struct d3d11_layout {
	unsigned count;
	D3D10DDIARG_INPUT_ELEMENT_DESC elements[32];
	unsigned variant_count, variant_capacity;
	struct d3d11_layout_variant *variants;
};

struct d3d11_rasterizer {
	struct gpu_rasterizer_desc desc;
};
struct d3d11_blend {
	struct gpu_blend *gpu;
};
struct d3d11_depth_stencil {
	struct gpu_depth_stencil *gpu;
};
struct d3d11_sampler {
	struct gpu_sampler *gpu;
};

struct d3d11_query {
	D3D10DDI_QUERY type;
	struct gpu_query *gpu; /* NULL: TIMESTAMPDISJOINT, which is always done */
};

struct d3d11_device {
	struct gpu_device *gpu;
	struct winsys *ws;
	D3D10DDI_HRTCORELAYER core;
	const D3D11DDI_CORELAYER_DEVICECALLBACKS *callbacks;
	HANDLE runtime;
	const DXGI_DDI_BASE_CALLBACKS *dxgi;
	D3D11DDI_3DPIPELINELEVEL level;
	bool removed;     /* reported once */
	uint32_t dirty;   /* enum d3d11_dirty */
	uint8_t topology; /* stream primitive */
	bool topology_known, strip;
	struct d3d11_layout *layout;
	struct d3d11_rasterizer *rasterizer;
	struct d3d11_shader *shaders[D3D11_STAGES];
	struct d3d11_srv *views[D3D11_STAGES][D3D11_SRV_SLOTS];
	int32_t base_vertex;                     /* that the vertex shader's system constant holds */
	uint64_t present_fences[D3D11_PRESENTS]; /* of the last presents; number n is at n % D3D11_PRESENTS */
	uint64_t present_count;
};

static inline struct d3d11_device *d3d11_device(D3D10DDI_HDEVICE handle)
{
	return handle.pDrvPrivate;
}

static inline struct d3d11_resource *d3d11_resource(D3D10DDI_HRESOURCE handle)
{
	return handle.pDrvPrivate;
}

/* Converts a negative errno into the HRESULT that the DDI allows, and reports it. Returns whether err was 0. */
bool d3d11_check(struct d3d11_device *dev, int err);
/* For calls that cannot fail but for a lost context: bad combinations draw or copy nothing. */
void d3d11_check_lost(struct d3d11_device *dev, int err);

/* ---- d3d11_format.c ---- */

struct d3d11_format {
	uint16_t color;    /* d3dgpu_format.h number as colour, 0 = none */
	uint16_t depth;    /* ... as depth-stencil storage */
	uint8_t ds_format; /* enum d3dgpu_ds_format, 0 = cannot be a depth-stencil */
	uint8_t flags;     /* enum d3d11_format_flag */
};
enum d3d11_format_flag {
	D3D11_FORMAT_TYPELESS = 1 << 0,
	D3D11_FORMAT_UINT = 1 << 1,
	D3D11_FORMAT_SINT = 1 << 2,
	D3D11_FORMAT_DEPTH_READ = 1 << 3,   /* view of the depth plane of a depth format */
	D3D11_FORMAT_STENCIL_READ = 1 << 4, /* view of the stencil plane */
	D3D11_FORMAT_DEPTH = 1 << 5,        /* depth-stencil view */
	D3D11_FORMAT_COMPRESSED = 1 << 6,
	D3D11_FORMAT_NO_VERTEX = 1 << 7, /* no vertex format */
};
/* NULL: no such format. */
const struct d3d11_format *d3d11_format(DXGI_FORMAT format);
UINT d3d11_format_support(const struct d3dgpu_caps *caps, D3D11DDI_3DPIPELINELEVEL level, DXGI_FORMAT format);
UINT d3d11_quality_levels(const struct d3dgpu_caps *caps, DXGI_FORMAT format, UINT samples);

/* ---- the entries, by file ---- */

void d3d11_resource_entries(D3D11_1DDI_DEVICEFUNCS *table);
void d3d11_transfer_entries(D3D11_1DDI_DEVICEFUNCS *table);
void d3d11_view_entries(D3D11_1DDI_DEVICEFUNCS *table);
void d3d11_state_entries(D3D11_1DDI_DEVICEFUNCS *table);
void d3d11_shader_entries(D3D11_1DDI_DEVICEFUNCS *table);
void d3d11_input_entries(D3D11_1DDI_DEVICEFUNCS *table);
void d3d11_bind_entries(D3D11_1DDI_DEVICEFUNCS *table);
void d3d11_draw_entries(D3D11_1DDI_DEVICEFUNCS *table);
void d3d11_query_entries(D3D11_1DDI_DEVICEFUNCS *table);
void d3d11_unbuilt_entries(D3D11_1DDI_DEVICEFUNCS *table);
void d3d11_present_entries(DXGI1_2_DDI_BASE_FUNCTIONS *table);
/* Returns when at most max_pending of the presents so far are not done. 0, -EIO. */
int d3d11_wait_presents(struct d3d11_device *dev, uint32_t max_pending);

/* d3d11_device.c */
SIZE_T d3d11_device_size(void);
HRESULT d3d11_device_create(struct d3d11_adapter *adapter, D3D10DDIARG_CREATEDEVICE *args);
/* Called before each draw: brings what depends on several states up to date. false: the draw cannot happen. */
bool d3d11_input_prepare(struct d3d11_device *dev);
void d3d11_views_prepare(struct d3d11_device *dev);

/* Builds the container that the shader compiler reads from the program and signatures of the DDI. malloc'ed; NULL: no
 * memory or malformed. */
void *d3d11_container(const UINT *code, const D3D11_1DDIARG_STAGE_IO_SIGNATURES *signatures, size_t *size);

#endif
