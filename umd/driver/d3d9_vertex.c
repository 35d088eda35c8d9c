/* SPDX-License-Identifier: MIT */
/*
 * Vertex input: streams, indices and declarations. A declaration becomes vertex elements once it is known what the
 * vertex shader reads: input i of the shader is element i. The elements are kept with the declaration, per shader and
 * divisors.
 */
#include "d3d9_front.h"

#include <stdlib.h>
#include <string.h>

static uint32_t vertex_format(BYTE type)
{
	static const uint16_t formats[] = {
		[D3DDECLTYPE_FLOAT1] = D3DGPU_FMT_R32_FLOAT,
		[D3DDECLTYPE_FLOAT2] = D3DGPU_FMT_R32G32_FLOAT,
		[D3DDECLTYPE_FLOAT3] = D3DGPU_FMT_R32G32B32_FLOAT,
		[D3DDECLTYPE_FLOAT4] = D3DGPU_FMT_R32G32B32A32_FLOAT,
		[D3DDECLTYPE_D3DCOLOR] = D3DGPU_FMT_B8G8R8A8_UNORM,
		[D3DDECLTYPE_UBYTE4] = D3DGPU_FMT_R8G8B8A8_USCALED,
		[D3DDECLTYPE_SHORT2] = D3DGPU_FMT_R16G16_SSCALED,
		[D3DDECLTYPE_SHORT4] = D3DGPU_FMT_R16G16B16A16_SSCALED,
		[D3DDECLTYPE_UBYTE4N] = D3DGPU_FMT_R8G8B8A8_UNORM,
		[D3DDECLTYPE_SHORT2N] = D3DGPU_FMT_R16G16_SNORM,
		[D3DDECLTYPE_SHORT4N] = D3DGPU_FMT_R16G16B16A16_SNORM,
		[D3DDECLTYPE_USHORT2N] = D3DGPU_FMT_R16G16_UNORM,
		[D3DDECLTYPE_USHORT4N] = D3DGPU_FMT_R16G16B16A16_UNORM,
		[D3DDECLTYPE_UDEC3] = D3DGPU_FMT_R10G10B10A2_USCALED,
		[D3DDECLTYPE_DEC3N] = D3DGPU_FMT_R10G10B10A2_SNORM,
		[D3DDECLTYPE_FLOAT16_2] = D3DGPU_FMT_R16G16_FLOAT,
		[D3DDECLTYPE_FLOAT16_4] = D3DGPU_FMT_R16G16B16A16_FLOAT,
	};

	return type < sizeof(formats) / sizeof(formats[0]) ? formats[type] : D3DGPU_FMT_R32_FLOAT;
}

static const D3DDDIVERTEXELEMENT *find_element(const struct d3d9_decl *decl, const struct shader_semantic *semantic)
{
	for (unsigned i = 0; i < decl->count; i++)
		if (decl->elements[i].Usage == semantic->usage && decl->elements[i].UsageIndex == semantic->index)
			return &decl->elements[i];
	return NULL;
}

static bool is_instanced(UINT frequency)
{
	return frequency & D3DSTREAMSOURCE_INSTANCEDATA;
}

static void current_divisors(const struct d3d9_device *dev, uint32_t divisors[D3D9_STREAMS])
{
	for (unsigned i = 0; i < D3D9_STREAMS; i++)
		divisors[i] = is_instanced(dev->streams[i].frequency) ? dev->streams[i].frequency & 0x3fffffff : 0;
}

/* Makes the elements; inputs without data read the constant (0, 0, 0, 1) from a slot that no element uses. */
static HRESULT build_variant(struct d3d9_device *dev, struct d3d9_decl_variant *variant)
{
	const struct shader_info *info = gpu_shader_info(dev->vs->gpu);
	struct gpu_vertex_element elements[SHADER_MAX_INPUTS] = {0};
	uint32_t used = 0, missing = 0;
	int err;

	variant->constant_slot = -1;
	for (unsigned i = 0; i < info->input_count; i++) {
		const D3DDDIVERTEXELEMENT *from = find_element(dev->decl, &info->inputs[i].semantic);

		if (!from || from->Stream >= D3D9_STREAMS) {
			missing |= 1u << i;
			continue;
		}
		elements[i].offset = from->Offset;
		elements[i].buffer = (uint8_t)from->Stream;
		elements[i].format = vertex_format(from->Type);
		elements[i].divisor = variant->divisors[from->Stream];
		used |= 1u << from->Stream;
	}
	if (missing) {
		variant->constant_slot = __builtin_ctz(~used);
		if (variant->constant_slot >= D3D9_STREAMS)
			return E_INVALIDARG;
	}
	for (unsigned i = 0; i < info->input_count; i++) {
		if (!(missing & 1u << i))
			continue;
		elements[i].buffer = (uint8_t)variant->constant_slot;
		elements[i].format = D3DGPU_FMT_R32G32B32A32_FLOAT;
	}
	err = gpu_vertex_elements_create(dev->gpu, elements, info->input_count, &variant->elements);
	return d3d9_result(dev, err);
}

static HRESULT get_variant(struct d3d9_device *dev, struct d3d9_decl_variant **out)
{
	struct d3d9_decl *decl = dev->decl;
	struct d3d9_decl_variant wanted = {.shader = dev->vs->serial};
	HRESULT hr;

	current_divisors(dev, wanted.divisors);
	for (unsigned i = 0; i < decl->variant_count; i++) {
		*out = &decl->variants[i];
		if ((*out)->shader == wanted.shader &&
		    !memcmp((*out)->divisors, wanted.divisors, sizeof(wanted.divisors)))
			return S_OK;
	}
	if (decl->variant_count == decl->variant_capacity) {
		unsigned capacity = decl->variant_capacity ? decl->variant_capacity * 2 : 4;
		struct d3d9_decl_variant *grown = realloc(decl->variants, capacity * sizeof(*grown));

		if (!grown)
			return E_OUTOFMEMORY;
		decl->variants = grown;
		decl->variant_capacity = capacity;
	}
	hr = build_variant(dev, &wanted);
	if (FAILED(hr))
		return hr;
	*out = &decl->variants[decl->variant_count++];
	**out = wanted;
	return S_OK;
}

static HRESULT bind_constant_input(struct d3d9_device *dev, int slot)
{
	static const float value[4] = {0, 0, 0, 1};
	struct d3dgpu_resource_desc desc = {
		.format = D3DGPU_FMT_R8_UNORM,
		.target = D3DGPU_TARGET_BUFFER,
		.bind = D3DGPU_BIND_VERTEX_BUFFER,
		.width = sizeof(value),
		.height = 1,
		.depth = 1,
		.array_size = 1,
	};
	struct gpu_box box = {.width = sizeof(value), .height = 1, .depth = 1};
	int err;

	if (!dev->constant_input) {
		err = gpu_resource_create(dev->gpu, &desc, GPU_USAGE_DEFAULT, &dev->constant_input);
		if (!err)
			err = gpu_update(dev->gpu, dev->constant_input, 0, &box, value, sizeof(value), sizeof(value));
		if (err)
			return d3d9_result(dev, err);
	}
	gpu_set_vertex_buffer(dev->gpu, (unsigned)slot, dev->constant_input, 0, 0);
	return S_OK;
}

static void bind_stream(struct d3d9_device *dev, unsigned slot)
{
	const struct d3d9_stream *stream = &dev->streams[slot];

	gpu_set_vertex_buffer(dev->gpu, slot, stream->buffer ? stream->buffer->gpu : NULL, stream->stride,
			      stream->offset);
}

HRESULT d3d9_update_vertex_input(struct d3d9_device *dev)
{
	struct d3d9_decl_variant *variant;
	HRESULT hr;

	if (dev->dirty & D3D9_DIRTY_STREAMS) {
		for (unsigned i = 0; i < D3D9_STREAMS; i++)
			bind_stream(dev, i);
		dev->constant_slot = -1;
		/* The slot of the constant has to be bound again. */
		dev->dirty |= D3D9_DIRTY_VERTEX;
	}
	if (dev->dirty & D3D9_DIRTY_VERTEX) {
		hr = get_variant(dev, &variant);
		if (FAILED(hr))
			return hr;
		gpu_set_vertex_elements(dev->gpu, variant->elements);
		if (variant->constant_slot != dev->constant_slot) {
			if (dev->constant_slot >= 0)
				bind_stream(dev, (unsigned)dev->constant_slot);
			dev->constant_slot = variant->constant_slot;
			if (dev->constant_slot >= 0) {
				hr = bind_constant_input(dev, dev->constant_slot);
				if (FAILED(hr))
					return hr;
			}
		}
	}
	if (dev->dirty & D3D9_DIRTY_INDICES)
		gpu_set_index_buffer(dev->gpu, dev->indices ? dev->indices->gpu : NULL, dev->index_size, 0);
	dev->dirty &= ~(uint32_t)(D3D9_DIRTY_STREAMS | D3D9_DIRTY_VERTEX | D3D9_DIRTY_INDICES);
	return S_OK;
}

/* ---- entries ---- */

static HRESULT set_stream_source(HANDLE hDevice, const D3DDDIARG_SETSTREAMSOURCE *args)
{
	struct d3d9_device *dev = d3d9_device(hDevice);
	struct d3d9_stream *stream;

	if (args->Stream >= D3D9_STREAMS)
		return E_INVALIDARG;
	stream = &dev->streams[args->Stream];
	stream->buffer = args->hVertexBuffer;
	stream->offset = args->Offset;
	stream->stride = args->Stride;
	dev->dirty |= D3D9_DIRTY_STREAMS;
	return S_OK;
}

static HRESULT set_stream_source_freq(HANDLE hDevice, const D3DDDIARG_SETSTREAMSOURCEFREQ *args)
{
	struct d3d9_device *dev = d3d9_device(hDevice);

	if (args->Stream >= D3D9_STREAMS)
		return E_INVALIDARG;
	dev->streams[args->Stream].frequency = args->Divider;
	dev->dirty |= D3D9_DIRTY_VERTEX;
	return S_OK;
}

static HRESULT set_indices(HANDLE hDevice, const D3DDDIARG_SETINDICES *args)
{
	struct d3d9_device *dev = d3d9_device(hDevice);

	dev->indices = args->hIndexBuffer;
	dev->index_size = args->Stride;
	dev->dirty |= D3D9_DIRTY_INDICES;
	return S_OK;
}

static HRESULT create_decl(HANDLE hDevice, D3DDDIARG_CREATEVERTEXSHADERDECL *args, const D3DDDIVERTEXELEMENT *elements)
{
	struct d3d9_decl *decl;

	if (args->NumVertexElements > D3D9_DECL_ELEMENTS)
		return E_INVALIDARG;
	decl = calloc(1, sizeof(*decl));
	if (!decl)
		return E_OUTOFMEMORY;
	decl->count = args->NumVertexElements;
	memcpy(decl->elements, elements, decl->count * sizeof(*elements));
	args->ShaderHandle = decl;
	return S_OK;
}

static HRESULT delete_decl(HANDLE hDevice, HANDLE hDecl)
{
	struct d3d9_device *dev = d3d9_device(hDevice);
	struct d3d9_decl *decl = hDecl;

	if (dev->decl == decl) {
		dev->decl = NULL;
		dev->dirty |= D3D9_DIRTY_VERTEX;
	}
	for (unsigned i = 0; i < decl->variant_count; i++)
		gpu_vertex_elements_destroy(dev->gpu, decl->variants[i].elements);
	free(decl->variants);
	free(decl);
	return S_OK;
}

static HRESULT set_decl(HANDLE hDevice, HANDLE hDecl)
{
	struct d3d9_device *dev = d3d9_device(hDevice);

	dev->decl = hDecl;
	dev->dirty |= D3D9_DIRTY_VERTEX;
	return S_OK;
}

void d3d9_vertex_entries(D3DDDI_DEVICEFUNCS *table)
{
	table->pfnSetStreamSource = set_stream_source;
	table->pfnSetStreamSourceFreq = set_stream_source_freq;
	table->pfnSetIndices = set_indices;
	table->pfnCreateVertexShaderDecl = create_decl;
	table->pfnDeleteVertexShaderDecl = delete_decl;
	table->pfnSetVertexShaderDecl = set_decl;
}
