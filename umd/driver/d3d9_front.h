/* SPDX-License-Identifier: MIT */
/*
 * The Direct3D 9 front of the driver: what its files share. It translates the DDI (umd/ddi/d3d9umddi.h) into calls of
 * the pipeline core. The runtime has validated parameters and serialises calls per device; the front only translates.
 *
 * State setters store and set a dirty bit; d3d9_prepare_draw brings the core up to date before a draw. Steady frames
 * find their state objects in the core's caches and allocate nothing.
 */
#ifndef D3DGPU_UMD_D3D9_FRONT_H
#define D3DGPU_UMD_D3D9_FRONT_H

#include "d3d9umddi.h"
#include "d3dgpu_ddi.h"
#include "pipeline.h"

#define D3D9_STREAMS 16
#define D3D9_TARGETS 4
#define D3D9_PIXEL_SAMPLERS 16
#define D3D9_VERTEX_SAMPLERS 4
#define D3D9_PS1_STAGES 6		/* texture stages of ps_1_x: its shaders do not declare what they sample */
#define D3D9_SAMPLERS                                                                                                  \
	(D3D9_PIXEL_SAMPLERS + D3D9_VERTEX_SAMPLERS) /* vertex samplers behind those of the pixel shader */
#define D3D9_STATES 256			/* render states, by D3DRS_ number */
#define D3D9_STAGE_STATES 35		/* by D3DDDITSS_ number */
#define D3D9_DECL_ELEMENTS 64
#define D3D9_MAX_FRAMES 31		/* presents whose fences are kept: the highest frame latency + 1 */

struct d3d9_format;

struct d3d9_adapter {
	HANDLE runtime;
	D3DDDI_ADAPTERCALLBACKS callbacks;
	struct winsys *ws;
};

/* ---- objects ---- */

/* One image of a resource in system memory; the runtime owns the memory. */
struct d3d9_image {
	uint8_t *data;
	UINT pitch, slice_pitch;	/* bytes */
};

/* A lock of S8_LOCKABLE, whose storage has other texels than the program sees. */
struct d3d9_stencil_lock {
	uint8_t *bytes;			/* what the program writes; one byte per pixel */
	struct gpu_mapping mapping;	/* of the storage */
	UINT width, height;
	bool write;
};

struct d3d9_resource {
	HANDLE runtime;			/* the runtime's handle, for callbacks */
	struct gpu_resource *gpu;	/* NULL: system memory */
	const struct d3d9_format *format; /* NULL: buffer */
	D3DDDI_RESOURCEFLAGS flags;
	UINT width, height, depth;
	UINT levels, layers;		/* subresource = level + layer * levels */
	UINT samples;			/* 1 = single-sampled */
	struct d3d9_image *images;	/* system memory: levels * layers */
	struct gpu_surface **surfaces;	/* [subresource * 2 + srgb], made at first use */
	struct gpu_view *views[2];	/* [srgb], made at first use */
	struct d3d9_stencil_lock *stencil_lock; /* while S8_LOCKABLE is locked */
};

struct d3d9_shader {
	struct gpu_shader *gpu;
	uint64_t serial;		/* unique in the process: names it in variants of declarations */
};

/* Vertex elements of a declaration for one vertex shader and one set of divisors. */
struct d3d9_decl_variant {
	uint64_t shader;		/* serial */
	uint32_t divisors[D3D9_STREAMS];
	int constant_slot;		/* vertex buffer slot for inputs that the declaration does not have, or -1 */
	struct gpu_vertex_elements *elements;
};

struct d3d9_decl {
	unsigned count;
	D3DDDIVERTEXELEMENT elements[D3D9_DECL_ELEMENTS];
	unsigned variant_count, variant_capacity;
	struct d3d9_decl_variant *variants;
};

struct d3d9_query {
	D3DDDIQUERYTYPE type;
	struct gpu_query *gpu;		/* NULL: answered from the capabilities */
};

struct d3d9_stream {
	struct d3d9_resource *buffer;
	UINT offset, stride;
	UINT frequency;			/* D3DSTREAMSOURCE_* | n */
};

struct d3d9_target {
	struct d3d9_resource *resource;
	UINT subresource;
};

/* A bit per group of states that d3d9_prepare_draw derives. */
enum d3d9_dirty {
	D3D9_DIRTY_BLEND = 1 << 0,
	D3D9_DIRTY_DEPTH_STENCIL = 1 << 1,
	D3D9_DIRTY_RASTERIZER = 1 << 2,
	D3D9_DIRTY_TARGETS = 1 << 3,
	D3D9_DIRTY_VIEWPORT = 1 << 4,
	D3D9_DIRTY_SCISSOR = 1 << 5,
	D3D9_DIRTY_VERTEX = 1 << 6,	/* declaration, shader, frequencies */
	D3D9_DIRTY_STREAMS = 1 << 7,
	D3D9_DIRTY_INDICES = 1 << 8,
	D3D9_DIRTY_KEYS = 1 << 9,	/* shader keys */
	D3D9_DIRTY_CLIP = 1 << 10,
	D3D9_DIRTY_FOG = 1 << 11,
	D3D9_DIRTY_BUMP = 1 << 12,	/* matrices and luminance of bump maps */
	D3D9_DIRTY_ALL = (1 << 13) - 1,
};

struct d3d9_device {
	struct gpu_device *gpu;
	struct d3d9_adapter *adapter;
	HANDLE runtime;
	D3DDDI_DEVICECALLBACKS callbacks;
	uint32_t dirty;			/* enum d3d9_dirty */
	uint32_t dirty_samplers;	/* bit per sampler */
	uint32_t dirty_textures;	/* bit per sampler */
	UINT states[D3D9_STATES];
	UINT stages[D3D9_SAMPLERS][D3D9_STAGE_STATES];
	struct d3d9_resource *textures[D3D9_SAMPLERS];
	struct d3d9_target targets[D3D9_TARGETS];
	struct d3d9_resource *depth_stencil;
	D3DDDIARG_VIEWPORTINFO viewport;
	D3DDDIARG_ZRANGE zrange;
	RECT scissor;
	float clip_planes[8][4];
	struct d3d9_stream streams[D3D9_STREAMS];
	struct d3d9_resource *indices;
	UINT index_size;
	struct d3d9_decl *decl;
	struct d3d9_shader *vs, *ps;
	uint32_t shadow_samplers;	/* pixel samplers that compare: a depth texture is bound */
	uint8_t dimensions[D3D9_PS1_STAGES]; /* enum shader_dimension of the textures that ps_1_x samples, 0 = none */
	struct gpu_resource *constant_input; /* (0, 0, 0, 1) for vertex shader inputs without data; made at first use */
	int constant_slot;		/* slot that it is bound to, or -1 */
	uint64_t frames[D3D9_MAX_FRAMES]; /* fences of the latest presents, ring */
	uint64_t frame_count;
};

static inline struct d3d9_device *d3d9_device(HANDLE handle)
{
	return handle;
}

/* The one place where errno becomes HRESULT. */
HRESULT d3d9_result(struct d3d9_device *dev, int err);
/* S_OK, or why the GPU context is lost. */
HRESULT d3d9_status(struct d3d9_device *dev);

/* ---- d3d9_format.c ---- */

enum d3d9_format_flag {
	D3D9_FORMAT_DEPTH = 1 << 0,
	D3D9_FORMAT_STENCIL = 1 << 1,
	D3D9_FORMAT_COMPRESSED = 1 << 2,
	D3D9_FORMAT_DISPLAY = 1 << 3,	/* can be scanned out */
	D3D9_FORMAT_NO_RENDER = 1 << 4,	/* stored in a format with other channels than it shows */
	D3D9_FORMAT_RAW_DEPTH = 1 << 5,	/* sampled as depth, without comparison (INTZ) */
	D3D9_FORMAT_ALPHA = 1 << 6,
};

struct d3d9_format {
	D3DDDIFORMAT d3d;
	uint16_t format;		/* d3dgpu_format.h; depth: what it is sampled as */
	uint16_t srgb;			/* the same with sRGB encoding, 0 = none */
	uint8_t ds_format;		/* enum d3dgpu_ds_format, 0 = no depth-stencil */
	uint8_t flags;			/* enum d3d9_format_flag */
	uint8_t swizzle[4];		/* of views, as in struct gpu_view_desc */
	float depth_units;		/* depth formats: units of the depth bias in 1.0 */
};

/* NULL: no format of this driver. */
const struct d3d9_format *d3d9_format(D3DDDIFORMAT format);
unsigned d3d9_format_count(void);
void d3d9_format_operations(const struct d3dgpu_caps *caps, unsigned index, FORMATOP *out);
/* Sample count that a multisample type and quality mean for a format: 1 without multisampling; 0 = not available. */
unsigned d3d9_sample_count(const struct d3dgpu_caps *caps, const struct d3d9_format *format,
			   D3DDDIMULTISAMPLE_TYPE type, UINT quality);
UINT d3d9_quality_levels(const struct d3dgpu_caps *caps, const struct d3d9_format *format, D3DDDIMULTISAMPLE_TYPE type);

/* ---- d3d9_caps.c ---- */

void d3d9_fill_caps(const struct d3dgpu_caps *caps, D3DCAPS9 *out);

/* ---- d3d9_resource.c ---- */

struct gpu_surface *d3d9_surface(struct d3d9_device *dev, struct d3d9_resource *resource, UINT subresource, bool srgb);
struct gpu_view *d3d9_view(struct d3d9_device *dev, struct d3d9_resource *resource, bool srgb);

/* ---- d3d9_state.c, d3d9_sampler.c, d3d9_vertex.c ---- */

/* Bring the core up to date with what is dirty. Each returns S_OK or why nothing can be drawn. */
HRESULT d3d9_update_states(struct d3d9_device *dev);
HRESULT d3d9_update_samplers(struct d3d9_device *dev);
HRESULT d3d9_update_vertex_input(struct d3d9_device *dev);
/* Binds the targets if that is pending, also before a clear. */
HRESULT d3d9_update_targets(struct d3d9_device *dev);

/* ---- the entries, by file; those that no file fills stay NULL and are not called ---- */

void d3d9_resource_entries(D3DDDI_DEVICEFUNCS *table);
void d3d9_lock_entries(D3DDDI_DEVICEFUNCS *table);
void d3d9_copy_entries(D3DDDI_DEVICEFUNCS *table);
void d3d9_state_entries(D3DDDI_DEVICEFUNCS *table);
void d3d9_sampler_entries(D3DDDI_DEVICEFUNCS *table);
void d3d9_vertex_entries(D3DDDI_DEVICEFUNCS *table);
void d3d9_shader_entries(D3DDDI_DEVICEFUNCS *table);
void d3d9_draw_entries(D3DDDI_DEVICEFUNCS *table);
void d3d9_query_entries(D3DDDI_DEVICEFUNCS *table);
void d3d9_present_entries(D3DDDI_DEVICEFUNCS *table);

/* d3d9_device.c */
HRESULT d3d9_create_device(HANDLE hAdapter, D3DDDIARG_CREATEDEVICE *args);

#endif
