/* SPDX-License-Identifier: MIT */
/*
 * What the files of libd3d11.so share. One file per COM object or per group of methods.
 *
 * Lifetime. An object has the program's references and the runtime's holds: all references together are one hold, each
 * binding to the context is one, each view holds its resource. It is destroyed with its last hold. The first reference
 * takes one on the device, so that the device outlives what the program can see; what only the context still holds goes
 * when the device goes.
 *
 * Locking. One recursive lock per device covers holds, bound state and every call of the driver, which is not
 * free-threaded.
 */
#ifndef D3DGPU_D3D11_PRIVATE_H
#define D3DGPU_D3D11_PRIVATE_H

#include "dxgi_runtime.h"

#include <d3d10.h>
#include <d3d11_1.h>
#include <d3d11_2.h>
#include <d3d11_3.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

#include "debug.h"
#include "private_data.h"

#define D3D11_EXPORT __attribute__((visibility("default")))
#define ARRAY_COUNT(array) (sizeof(array) / sizeof((array)[0]))

enum d3d11_stage { STAGE_VS, STAGE_HS, STAGE_DS, STAGE_GS, STAGE_PS, STAGE_CS, STAGE_COUNT };

/* ---- objects ---- */

enum d3d11_kind {
	KIND_BUFFER,
	KIND_TEXTURE1D,
	KIND_TEXTURE2D,
	KIND_TEXTURE3D,
	KIND_SRV,
	KIND_RTV,
	KIND_DSV,
	KIND_INPUT_LAYOUT,
	KIND_VERTEX_SHADER,
	KIND_PIXEL_SHADER,
	KIND_BLEND,
	KIND_DEPTH_STENCIL,
	KIND_RASTERIZER,
	KIND_SAMPLER,
	KIND_QUERY,
	KIND_PREDICATE,
	KIND_CONTEXT,
	KIND_CONTEXT_STATE,
};

struct d3d11_device;

/* The start of every device child. */
struct d3d11_child {
	const void *vtbl;
	struct d3d11_device *device;
	LONG references; /* the program's */
	LONG holds;      /* under the device's lock */
	uint8_t kind;    /* enum d3d11_kind */
	struct private_store data;
	/* Called with the lock held when the last hold goes; frees the object. */
	void (*destroy)(struct d3d11_child *child);
};

struct d3d11_resource {
	struct d3d11_child base;
	IDXGIResource1 dxgi_resource;
	IDXGISurface1 dxgi_surface; /* 2D textures with one subresource */
	D3D11_RESOURCE_DIMENSION dimension;
	UINT width, height, depth, levels, layers;
	DXGI_FORMAT format;
	DXGI_SAMPLE_DESC samples;
	D3D11_USAGE usage;
	UINT bind, cpu_access, misc, stride;
	UINT priority;
	D3D10DDI_HRESOURCE ddi; /* behind the object */
	UINT8 *mapped;          /* per subresource: 0, or D3D11_MAP */
};

struct d3d11_view;

/* What differs between the types of views when one is made and destroyed: its methods and the driver's calls. */
struct d3d11_view_type {
	enum d3d11_kind kind;
	const void *vtbl;
	SIZE_T (*driver_size)(struct d3d11_device *device, const void *args);
	void (*driver_create)(struct d3d11_device *device, const void *args, void *driver, struct d3d11_view *view);
	void (*driver_destroy)(struct d3d11_device *device, void *driver);
};

struct d3d11_view {
	struct d3d11_child base;
	const struct d3d11_view_type *type;
	struct d3d11_resource *resource; /* held */
	/* Subresources that the view covers: levels [first_level, + level_count), layers likewise. */
	UINT first_level, level_count, first_layer, layer_count;
	bool depth, stencil;               /* planes it covers, of depth formats */
	bool writes_depth, writes_stencil; /* depth-stencil views */
	UINT width, height, samples;       /* of its first level */
	union {
		D3D11_SHADER_RESOURCE_VIEW_DESC srv;
		D3D11_RENDER_TARGET_VIEW_DESC rtv;
		D3D11_DEPTH_STENCIL_VIEW_DESC dsv;
	} desc;
	void *ddi; /* pDrvPrivate, behind the object */
};

/* State objects are unique by description: a chain per kind. */
struct d3d11_state {
	struct d3d11_child base;
	struct d3d11_state *next;
	union {
		D3D11_BLEND_DESC1 blend;
		D3D11_DEPTH_STENCIL_DESC depth_stencil;
		D3D11_RASTERIZER_DESC1 rasterizer;
		D3D11_SAMPLER_DESC sampler;
	} desc;
	void *ddi;
};

#define MAX_SIGNATURE 32

struct d3d11_signature_element {
	char name[64]; /* upper case */
	UINT semantic_index, system_value, component_type, reg;
	BYTE mask, used;
	UINT min_precision;
};
struct d3d11_signature {
	UINT count;
	struct d3d11_signature_element elements[MAX_SIGNATURE];
};
/* A parsed container; pointers into the caller's bytecode. */
struct d3d11_bytecode {
	const UINT *program; /* version token first */
	UINT program_words;
	UINT type, major, minor; /* type: 0 pixel, 1 vertex, 2 geometry, 3 hull, 4 domain, 5 compute */
	struct d3d11_signature input, output, patch;
};

struct d3d11_shader {
	struct d3d11_child base;
	void *ddi;
};

struct d3d11_input_layout {
	struct d3d11_child base;
	void *ddi;
};

struct d3d11_query {
	struct d3d11_child base;
	D3D11_QUERY_DESC desc;
	enum { QUERY_IDLE, QUERY_BUILDING, QUERY_ISSUED } state;
	void *ddi;
};

/* ---- the device ---- */

struct d3d11_vertex_buffer {
	struct d3d11_resource *buffer;
	UINT stride, offset;
};
struct d3d11_constant_buffer {
	struct d3d11_resource *buffer;
	UINT first, count;
}; /* in constants */

struct d3d11_stage_state {
	struct d3d11_shader *shader;
	struct d3d11_constant_buffer constants[D3D11_COMMONSHADER_CONSTANT_BUFFER_API_SLOT_COUNT];
	struct d3d11_view *views[D3D11_COMMONSHADER_INPUT_RESOURCE_SLOT_COUNT];
	struct d3d11_state *samplers[D3D11_COMMONSHADER_SAMPLER_SLOT_COUNT];
	UINT view_limit; /* slots from here on are NULL */
};

/* Everything that is bound; each object held. */
struct d3d11_bound {
	struct d3d11_input_layout *layout;
	struct d3d11_vertex_buffer vertex[D3D11_IA_VERTEX_INPUT_RESOURCE_SLOT_COUNT];
	struct d3d11_resource *index;
	DXGI_FORMAT index_format;
	UINT index_offset;
	D3D11_PRIMITIVE_TOPOLOGY topology;
	struct d3d11_stage_state stages[STAGE_COUNT];
	struct d3d11_state *rasterizer, *blend, *depth_stencil;
	FLOAT blend_factor[4];
	UINT sample_mask, stencil_ref;
	struct d3d11_view *targets[D3D11_SIMULTANEOUS_RENDER_TARGET_COUNT];
	struct d3d11_view *depth;
	UINT viewport_count, scissor_count;
	D3D11_VIEWPORT viewports[D3D11_VIEWPORT_AND_SCISSORRECT_OBJECT_COUNT_PER_PIPELINE];
	D3D11_RECT scissors[D3D11_VIEWPORT_AND_SCISSORRECT_OBJECT_COUNT_PER_PIPELINE];
};

struct d3d11_context {
	struct d3d11_child base; /* ID3D11DeviceContext1 */
	ID3DUserDefinedAnnotation annotation;
	struct d3d11_bound bound;
	/* What the driver has for state that was never set: Direct3D's defaults. */
	struct d3d11_state *default_blend, *default_depth_stencil, *default_rasterizer, *default_sampler;
	bool targets_refused; /* cube face with 2D depth on a GPU that cannot: draws do nothing */
};

/* The four Direct3D 9 options; derived once. */
struct d3d11_d3d9_options {
	BOOL full_npot, shadow, simple_instancing, cube_depth;
};

#define STATE_KINDS 4
#define STATE_BUCKETS 64

struct d3d11_device {
	ID3D11Device1 ID3D11Device1_iface;
	IDXGIDevice2 dxgi_device;
	D3DGPUSurfaceDevice surface_device;
	ID3D10Multithread multithread;
	LONG references;
	pthread_mutex_t lock;   /* recursive */
	IDXGIAdapter3 *adapter; /* referenced */
	struct dxgi_ddi_adapter *ddi_adapter;
	D3D10DDI_HDEVICE ddi;
	D3D11_1DDI_DEVICEFUNCS funcs;
	DXGI1_2_DDI_BASE_FUNCTIONS dxgi_funcs;
	DXGI_DDI_BASE_CALLBACKS dxgi_callbacks;
	PFND3D10DDI_RETRIEVESUBOBJECT retrieve_sub_object;
	D3D_FEATURE_LEVEL level;
	UINT flags; /* D3D11_CREATE_DEVICE_* */
	struct d3d11_d3d9_options options;
	HRESULT error;   /* that the driver reported during the present call; under the lock */
	HRESULT removed; /* S_OK, or why the device is gone */
	UINT exception_mode, frame_latency;
	INT thread_priority;
	BOOL multithread_protected;
	struct private_store data;
	struct d3d11_context *context;
	struct d3d11_state *states[STATE_KINDS][STATE_BUCKETS];
	UINT state_counts[STATE_KINDS];
};

/* ---- device.c ---- */

HRESULT d3d11_device_create(IDXGIAdapter *adapter, D3D_FEATURE_LEVEL level, UINT flags, struct d3d11_device **out);
/* Around calls of the driver. leave gives the API's code for what the driver reported. */
void d3d11_enter(struct d3d11_device *device);
HRESULT d3d11_leave(struct d3d11_device *device);
static inline bool level_10(const struct d3d11_device *device)
{
	return device->level >= D3D_FEATURE_LEVEL_10_0;
}
UINT d3d11_ddi_level(D3D_FEATURE_LEVEL level);
ULONG d3d11_device_addref(struct d3d11_device *device);
ULONG d3d11_device_release(struct d3d11_device *device);

/* ---- options.c, features.c, formats.c ---- */

void d3d11_derive_options(struct dxgi_ddi_adapter *adapter, D3D_FEATURE_LEVEL level, struct d3d11_d3d9_options *out);
HRESULT d3d11_check_feature(struct d3d11_device *device, D3D11_FEATURE feature, void *data, UINT size);
HRESULT d3d11_check_format(struct d3d11_device *device, DXGI_FORMAT format, UINT *support);
HRESULT d3d11_check_samples(struct d3d11_device *device, DXGI_FORMAT format, UINT count, UINT *levels);

enum format_flag {
	FORMAT_TYPELESS = 1 << 0,
	FORMAT_DEPTH = 1 << 1,         /* depth-stencil view format */
	FORMAT_STENCIL = 1 << 2,       /* has a stencil plane */
	FORMAT_DEPTH_PLANE = 1 << 3,   /* shader view of the depth plane */
	FORMAT_STENCIL_PLANE = 1 << 4, /* shader view of the stencil plane */
	FORMAT_INTEGER = 1 << 5,
	FORMAT_COMPRESSED = 1 << 6,
	FORMAT_DISPLAY = 1 << 7,
	FORMAT_SRGB = 1 << 8,
	FORMAT_COMPARISON = 1 << 9, /* sampled with comparison */
};
struct format_info {
	UINT8 bytes;        /* of a block */
	UINT8 block;        /* texels of a block in each direction */
	UINT16 flags;       /* enum format_flag */
	DXGI_FORMAT family; /* the typeless format that it can be cast from, or itself */
	/* Lowest levels (0x91 .. 0xb1) for: shader, render target, vertex; 0 = never */
	UINT8 shader_level, target_level, vertex_level;
};
/* NULL: not a format that this runtime knows. */
const struct format_info *format_info(DXGI_FORMAT format);
/* D3D11_FORMAT_SUPPORT_* on this device. */
UINT format_support(struct d3d11_device *device, DXGI_FORMAT format);
/* For typeless formats: what any format of the family supports. */
UINT format_family_support(struct d3d11_device *device, DXGI_FORMAT format);
static inline bool format_castable(DXGI_FORMAT from, DXGI_FORMAT to)
{
	const struct format_info *a = format_info(from), *b = format_info(to);

	return a && b && (from == to || (a->flags & FORMAT_TYPELESS && a->family == b->family));
}

/* ---- child.c ---- */

void child_init(struct d3d11_child *child, struct d3d11_device *device, enum d3d11_kind kind, const void *vtbl,
		void (*destroy)(struct d3d11_child *));
ULONG STDMETHODCALLTYPE child_AddRef(struct d3d11_child *child);
ULONG STDMETHODCALLTYPE child_Release(struct d3d11_child *child);
HRESULT STDMETHODCALLTYPE child_QueryInterface(struct d3d11_child *child, REFIID riid, void **out);
void STDMETHODCALLTYPE child_GetDevice(struct d3d11_child *child, ID3D11Device **device);
HRESULT STDMETHODCALLTYPE child_GetPrivateData(struct d3d11_child *child, REFGUID guid, UINT *size, void *data);
HRESULT STDMETHODCALLTYPE child_SetPrivateData(struct d3d11_child *child, REFGUID guid, UINT size, const void *data);
HRESULT STDMETHODCALLTYPE child_SetPrivateDataInterface(struct d3d11_child *child, REFGUID guid, const IUnknown *data);
/* With the lock held; NULL is fine. */
void child_hold(struct d3d11_child *child);
void child_drop(struct d3d11_child *child);
HRESULT private_data_get(struct d3d11_device *device, struct private_store *store, REFGUID guid, UINT *size,
			 void *data);
HRESULT private_data_set(struct d3d11_device *device, struct private_store *store, REFGUID guid, UINT size,
			 const void *data, bool is_interface);
/* Allocates an object with the driver's memory behind it; *driver points there. NULL: no memory. */
void *child_alloc(size_t size, SIZE_T driver_size, void **driver);

/* The signatures of a vtable's first slots. */
#define CHILD_METHODS(type)                                                                                            \
	.QueryInterface = (HRESULT(STDMETHODCALLTYPE *)(type *, REFIID, void **))child_QueryInterface,                 \
	.AddRef = (ULONG(STDMETHODCALLTYPE *)(type *))child_AddRef,                                                    \
	.Release = (ULONG(STDMETHODCALLTYPE *)(type *))child_Release,                                                  \
	.GetDevice = (void(STDMETHODCALLTYPE *)(type *, ID3D11Device **))child_GetDevice,                              \
	.GetPrivateData = (HRESULT(STDMETHODCALLTYPE *)(type *, REFGUID, UINT *, void *))child_GetPrivateData,         \
	.SetPrivateData = (HRESULT(STDMETHODCALLTYPE *)(type *, REFGUID, UINT, const void *))child_SetPrivateData,     \
	.SetPrivateDataInterface =                                                                                     \
		(HRESULT(STDMETHODCALLTYPE *)(type *, REFGUID, const IUnknown *))child_SetPrivateDataInterface

/* ---- resources ---- */

/*
 * desc: the fields of *desc from dimension to stride. Validates and creates; *out has one reference. out NULL: S_FALSE.
 */
HRESULT resource_create(struct d3d11_device *device, const struct d3d11_resource *desc,
			const D3D11_SUBRESOURCE_DATA *data, UINT ddi_bind, struct d3d11_resource **out);
HRESULT resource_validate(struct d3d11_device *device, struct d3d11_resource *desc, const D3D11_SUBRESOURCE_DATA *data);
HRESULT buffer_create(struct d3d11_device *device, const D3D11_BUFFER_DESC *desc, const D3D11_SUBRESOURCE_DATA *data,
		      ID3D11Buffer **out);
HRESULT texture1d_create(struct d3d11_device *device, const D3D11_TEXTURE1D_DESC *desc,
			 const D3D11_SUBRESOURCE_DATA *data, ID3D11Texture1D **out);
HRESULT texture2d_create(struct d3d11_device *device, const D3D11_TEXTURE2D_DESC *desc,
			 const D3D11_SUBRESOURCE_DATA *data, ID3D11Texture2D **out);
HRESULT texture3d_create(struct d3d11_device *device, const D3D11_TEXTURE3D_DESC *desc,
			 const D3D11_SUBRESOURCE_DATA *data, ID3D11Texture3D **out);
extern const ID3D11BufferVtbl buffer_vtbl;
extern const ID3D11Texture1DVtbl texture1d_vtbl;
extern const ID3D11Texture2DVtbl texture2d_vtbl;
extern const ID3D11Texture3DVtbl texture3d_vtbl;
extern const IDXGIResource1Vtbl dxgi_resource_vtbl;
extern const IDXGISurface1Vtbl dxgi_surface_vtbl;
void STDMETHODCALLTYPE resource_GetType(struct d3d11_child *child, D3D11_RESOURCE_DIMENSION *dimension);
void STDMETHODCALLTYPE resource_SetEvictionPriority(struct d3d11_child *child, UINT priority);
UINT STDMETHODCALLTYPE resource_GetEvictionPriority(struct d3d11_child *child);
bool resource_has_surface(const struct d3d11_resource *resource);

#define RESOURCE_METHODS(type)                                                                                         \
	CHILD_METHODS(type),                                                                                           \
		.GetType = (void(STDMETHODCALLTYPE *)(type *, D3D11_RESOURCE_DIMENSION *))resource_GetType,            \
		.SetEvictionPriority = (void(STDMETHODCALLTYPE *)(type *, UINT))resource_SetEvictionPriority,          \
		.GetEvictionPriority = (UINT(STDMETHODCALLTYPE *)(type *))resource_GetEvictionPriority

static inline UINT level_extent(UINT extent, UINT level)
{
	extent >>= level;
	return extent ? extent : 1;
}
static inline UINT resource_subresources(const struct d3d11_resource *resource)
{
	return resource->levels * resource->layers;
}

/* ---- views ---- */

HRESULT srv_create(struct d3d11_device *device, struct d3d11_resource *resource,
		   const D3D11_SHADER_RESOURCE_VIEW_DESC *desc, ID3D11ShaderResourceView **out);
HRESULT rtv_create(struct d3d11_device *device, struct d3d11_resource *resource,
		   const D3D11_RENDER_TARGET_VIEW_DESC *desc, ID3D11RenderTargetView **out);
HRESULT dsv_create(struct d3d11_device *device, struct d3d11_resource *resource,
		   const D3D11_DEPTH_STENCIL_VIEW_DESC *desc, ID3D11DepthStencilView **out);
void STDMETHODCALLTYPE view_GetResource(struct d3d11_child *child, ID3D11Resource **resource);
/* view.c. A count of ~0 becomes the rest; false: outside of what is available. */
bool view_range(UINT available, UINT first, UINT *count);
/* The format of a view: UNKNOWN becomes the resource's. false: typeless, or not castable from the resource's. */
bool view_format(const struct d3d11_resource *resource, DXGI_FORMAT *format);
/* Sets one level and a range of its slices. false: outside of the resource, or it has another dimension. */
bool view_slices(struct d3d11_view *view, const struct d3d11_resource *resource, D3D11_RESOURCE_DIMENSION dimension,
		 UINT level, UINT first, UINT *count);
/*
 * Makes a view as `proto` has it, whose ranges are set. `args` are what the driver's call of this type takes. S_FALSE: no `out`,
 * all was valid.
 */
HRESULT view_create(struct d3d11_device *device, const struct d3d11_view_type *type, const struct d3d11_view *proto,
		    struct d3d11_resource *resource, DXGI_FORMAT format, const void *args, void **out);
HRESULT view_refuse(const char *function, const char *why);

#define VIEW_METHODS(type)                                                                                             \
	CHILD_METHODS(type), .GetResource = (void(STDMETHODCALLTYPE *)(type *, ID3D11Resource **))view_GetResource

/* ---- state objects ---- */

HRESULT blend_create(struct d3d11_device *device, const D3D11_BLEND_DESC1 *desc, ID3D11BlendState1 **out);
HRESULT depth_stencil_create(struct d3d11_device *device, const D3D11_DEPTH_STENCIL_DESC *desc,
			     ID3D11DepthStencilState **out);
HRESULT rasterizer_create(struct d3d11_device *device, const D3D11_RASTERIZER_DESC1 *desc,
			  ID3D11RasterizerState1 **out);
HRESULT sampler_create(struct d3d11_device *device, const D3D11_SAMPLER_DESC *desc, ID3D11SamplerState **out);
D3D11_BLEND_DESC1 blend_default(void);
D3D11_DEPTH_STENCIL_DESC depth_stencil_default(void);
D3D11_RASTERIZER_DESC1 rasterizer_default(void);
D3D11_SAMPLER_DESC sampler_default(void);
/*
 * state.c. The object of a description, which must be normalised: what does not matter is set to fixed values. Finds
 * the one that there is, else makes it with the driver's entries of the kind. *out has one reference more.
 */
HRESULT state_get(struct d3d11_device *device, enum d3d11_kind kind, const void *vtbl, const void *desc, size_t size,
		  struct d3d11_state **out);
static inline bool valid_comparison(D3D11_COMPARISON_FUNC func)
{
	return func >= D3D11_COMPARISON_NEVER && func <= D3D11_COMPARISON_ALWAYS;
}

/* ---- shaders ---- */

/* E_INVALIDARG: not a container, damaged, or without what a shader needs. */
HRESULT bytecode_parse(const void *code, SIZE_T size, struct d3d11_bytecode *out);
HRESULT shader_create(struct d3d11_device *device, const void *code, SIZE_T size, enum d3d11_stage stage, void **out);
/* Stages that the driver does not have yet: parameters are checked, then E_NOTIMPL. */
HRESULT shader_refuse(struct d3d11_device *device, const void *code, SIZE_T size, enum d3d11_stage stage, void **out);
HRESULT input_layout_create(struct d3d11_device *device, const D3D11_INPUT_ELEMENT_DESC *elements, UINT count,
			    const void *code, SIZE_T size, ID3D11InputLayout **out);

/* ---- queries ---- */

HRESULT query_create(struct d3d11_device *device, const D3D11_QUERY_DESC *desc, bool predicate, void **out);

/* ---- context ---- */

struct d3d11_context *context_create(struct d3d11_device *device);
/* Unbinds everything and frees what the context owns: the device goes. */
void context_destroy(struct d3d11_context *context);
void context_clear_state(struct d3d11_context *context);
static inline struct d3d11_context *context_impl(ID3D11DeviceContext1 *iface)
{
	return (struct d3d11_context *)iface;
}
/* Replaces a bound pointer (slot: its address) and its hold. Under the lock. */
void bind_child(void *slot, void *child);
/* A bound object for the program, with a reference; NULL stays NULL. */
void *get_child(void *child);
/* Each file fills its methods in. */
void context_stage_methods(ID3D11DeviceContext1Vtbl *vtbl);
void context_state_methods(ID3D11DeviceContext1Vtbl *vtbl);
void context_output_methods(ID3D11DeviceContext1Vtbl *vtbl);
void context_copy_methods(ID3D11DeviceContext1Vtbl *vtbl);
void context_draw_methods(ID3D11DeviceContext1Vtbl *vtbl);
void context_unbuilt_methods(ID3D11DeviceContext1Vtbl *vtbl);
extern const ID3DUserDefinedAnnotationVtbl annotation_vtbl;
/* A view that a shader wants to read overlaps what is bound for writing. */
bool hazard_is_written(const struct d3d11_context *context, const struct d3d11_view *view);
/* Unbinds shader views that overlap what a target or depth view writes. */
void hazard_unbind_views(struct d3d11_context *context, const struct d3d11_view *written);
/* Clear everything that the files are about, and tell the driver. */
void context_clear_stages(struct d3d11_context *context);
void context_clear_states(struct d3d11_context *context);
void context_clear_outputs(struct d3d11_context *context);
/* Tells the driver that slots of a stage's views changed. */
void stage_apply_views(struct d3d11_context *context, enum d3d11_stage stage, UINT first, UINT count);

/* ---- DXGI ---- */

extern const IDXGIDevice2Vtbl dxgi_device_vtbl;
extern const D3DGPUSurfaceDeviceVtbl surface_device_vtbl;
extern const ID3D10MultithreadVtbl multithread_vtbl;
HRESULT device_present_callback(HANDLE hDevice, DXGIDDICB_PRESENT *data);

#endif
