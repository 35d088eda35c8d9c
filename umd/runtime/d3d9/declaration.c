/* SPDX-License-Identifier: MIT */
#include "declaration.h"

#include "device.h"

static struct d3d9_declaration *declaration_from(IDirect3DVertexDeclaration9 *iface)
{
	return (struct d3d9_declaration *)iface;
}

static HRESULT STDMETHODCALLTYPE declaration_QueryInterface(IDirect3DVertexDeclaration9 *iface, REFIID iid, void **out)
{
	static const GUID *const interfaces[] = {&IID_IDirect3DVertexDeclaration9};

	return object_query(&declaration_from(iface)->object, iid, out, interfaces, 1);
}

static ULONG STDMETHODCALLTYPE declaration_AddRef(IDirect3DVertexDeclaration9 *iface)
{
	return object_addref(&declaration_from(iface)->object);
}

static ULONG STDMETHODCALLTYPE declaration_Release(IDirect3DVertexDeclaration9 *iface)
{
	return object_release(&declaration_from(iface)->object);
}

static HRESULT STDMETHODCALLTYPE declaration_GetDevice(IDirect3DVertexDeclaration9 *iface, IDirect3DDevice9 **out)
{
	return device_get(declaration_from(iface)->object.device, out);
}

static HRESULT STDMETHODCALLTYPE declaration_GetDeclaration(IDirect3DVertexDeclaration9 *iface,
							    D3DVERTEXELEMENT9 *elements, UINT *count)
{
	const struct d3d9_declaration *declaration = declaration_from(iface);

	if (!count)
		return D3DERR_INVALIDCALL;
	*count = declaration->count + 1;
	if (elements)
		memcpy(elements, declaration->elements, *count * sizeof(*elements));
	return D3D_OK;
}

static const IDirect3DVertexDeclaration9Vtbl declaration_vtbl = {
	.QueryInterface = declaration_QueryInterface,
	.AddRef = declaration_AddRef,
	.Release = declaration_Release,
	.GetDevice = declaration_GetDevice,
	.GetDeclaration = declaration_GetDeclaration,
};

static void declaration_destroy(struct d3d9_object *object)
{
	struct d3d9_declaration *declaration = (struct d3d9_declaration *)object;
	struct d3d9_device *device = object->device;

	device->ddi.pfnDeleteVertexShaderDecl(device->driver, declaration->handle);
	free(declaration);
}

static bool is_end(const D3DVERTEXELEMENT9 *element)
{
	return element->Stream == 0xff || element->Type == D3DDECLTYPE_UNUSED;
}

/* Counts the elements; D3DERR_INVALIDCALL, E_FAIL for what Direct3D refuses. */
static HRESULT check_elements(const D3DVERTEXELEMENT9 *elements, UINT *count)
{
	for (*count = 0; *count < DECLARATION_MAX_ELEMENTS; ++*count) {
		const D3DVERTEXELEMENT9 *element = &elements[*count];

		if (is_end(element))
			return D3D_OK;
		if (element->Stream >= 16 || element->Type > D3DDECLTYPE_FLOAT16_4 ||
		    element->Usage > D3DDECLUSAGE_SAMPLE || element->UsageIndex > 15 ||
		    element->Method > D3DDECLMETHOD_LOOKUPPRESAMPLED)
			return D3DERR_INVALIDCALL;
		if (element->Offset % 4)
			return E_FAIL;
	}
	return is_end(&elements[*count]) ? D3D_OK : D3DERR_INVALIDCALL;
}

HRESULT declaration_create(struct d3d9_device *device, const D3DVERTEXELEMENT9 *elements, DWORD fvf, bool referenced,
			   struct d3d9_declaration **out)
{
	D3DDDIARG_CREATEVERTEXSHADERDECL args = {0};
	struct d3d9_declaration *declaration;
	UINT count;
	HRESULT hr;

	if (!elements || !out)
		return D3DERR_INVALIDCALL;
	hr = check_elements(elements, &count);
	if (FAILED(hr))
		return hr;
	declaration = calloc(1, sizeof(*declaration));
	if (!declaration)
		return E_OUTOFMEMORY;
	declaration->count = count;
	declaration->fvf = fvf;
	memcpy(declaration->elements, elements, count * sizeof(*elements));
	declaration->elements[count] = (D3DVERTEXELEMENT9)D3DDECL_END();
	args.NumVertexElements = count;
	/* The two structures are the same but for their names. */
	hr = device_result(device, device->ddi.pfnCreateVertexShaderDecl(device->driver, &args,
									   (const D3DDDIVERTEXELEMENT *)elements));
	if (FAILED(hr)) {
		free(declaration);
		return hr;
	}
	declaration->handle = args.ShaderHandle;
	object_init(&declaration->object, &declaration_vtbl, device, declaration_destroy, referenced);
	*out = declaration;
	return D3D_OK;
}

/* ---- FVF ---- */

struct fvf_builder {
	D3DVERTEXELEMENT9 elements[DECLARATION_MAX_ELEMENTS + 1];
	UINT count;
	WORD offset;
};

static void add(struct fvf_builder *builder, BYTE type, BYTE usage, BYTE index)
{
	static const BYTE sizes[] = {
		[D3DDECLTYPE_FLOAT1] = 4,  [D3DDECLTYPE_FLOAT2] = 8,   [D3DDECLTYPE_FLOAT3] = 12,
		[D3DDECLTYPE_FLOAT4] = 16, [D3DDECLTYPE_D3DCOLOR] = 4, [D3DDECLTYPE_UBYTE4] = 4,
	};

	builder->elements[builder->count++] =
		(D3DVERTEXELEMENT9){0, builder->offset, type, D3DDECLMETHOD_DEFAULT, usage, index};
	builder->offset = (WORD)(builder->offset + sizes[type]);
}

/* Position, and blend weights that follow it. The last weight may be indices. */
static bool add_position(struct fvf_builder *builder, DWORD fvf)
{
	DWORD position = fvf & D3DFVF_POSITION_MASK;
	UINT weights = 0;

	if (!position)
		return true;
	if (position == D3DFVF_XYZRHW || position == D3DFVF_XYZW) {
		add(builder, D3DDECLTYPE_FLOAT4,
		    position == D3DFVF_XYZW ? D3DDECLUSAGE_POSITION : D3DDECLUSAGE_POSITIONT, 0);
		return true;
	}
	add(builder, D3DDECLTYPE_FLOAT3, D3DDECLUSAGE_POSITION, 0);
	if (position != D3DFVF_XYZ)
		weights = (position - D3DFVF_XYZB1) / 2 + 1;
	if (weights > 5)
		return false;
	if (weights && (fvf & (D3DFVF_LASTBETA_UBYTE4 | D3DFVF_LASTBETA_D3DCOLOR))) {
		if (weights > 1)
			add(builder, (BYTE)(D3DDECLTYPE_FLOAT1 + weights - 2), D3DDECLUSAGE_BLENDWEIGHT, 0);
		add(builder, fvf & D3DFVF_LASTBETA_UBYTE4 ? D3DDECLTYPE_UBYTE4 : D3DDECLTYPE_D3DCOLOR,
		    D3DDECLUSAGE_BLENDINDICES, 0);
	} else if (weights) {
		add(builder, (BYTE)(D3DDECLTYPE_FLOAT1 + (weights > 4 ? 4 : weights) - 1), D3DDECLUSAGE_BLENDWEIGHT, 0);
		if (weights == 5)
			add(builder, D3DDECLTYPE_FLOAT1, D3DDECLUSAGE_BLENDINDICES, 0);
	}
	return true;
}

HRESULT declaration_create_fvf(struct d3d9_device *device, DWORD fvf, struct d3d9_declaration **out)
{
	/* The two bits of each coordinate count from two components. */
	static const BYTE coordinate_types[] = {D3DDECLTYPE_FLOAT2, D3DDECLTYPE_FLOAT3, D3DDECLTYPE_FLOAT4,
						D3DDECLTYPE_FLOAT1};
	UINT coordinates = (fvf & D3DFVF_TEXCOUNT_MASK) >> D3DFVF_TEXCOUNT_SHIFT;
	struct fvf_builder builder = {.count = 0};

	if (coordinates > 8 || !add_position(&builder, fvf))
		return D3DERR_INVALIDCALL;
	if (fvf & D3DFVF_NORMAL)
		add(&builder, D3DDECLTYPE_FLOAT3, D3DDECLUSAGE_NORMAL, 0);
	if (fvf & D3DFVF_PSIZE)
		add(&builder, D3DDECLTYPE_FLOAT1, D3DDECLUSAGE_PSIZE, 0);
	if (fvf & D3DFVF_DIFFUSE)
		add(&builder, D3DDECLTYPE_D3DCOLOR, D3DDECLUSAGE_COLOR, 0);
	if (fvf & D3DFVF_SPECULAR)
		add(&builder, D3DDECLTYPE_D3DCOLOR, D3DDECLUSAGE_COLOR, 1);
	for (UINT i = 0; i < coordinates; i++)
		add(&builder, coordinate_types[fvf >> (16 + 2 * i) & 3], D3DDECLUSAGE_TEXCOORD, (BYTE)i);
	builder.elements[builder.count] = (D3DVERTEXELEMENT9)D3DDECL_END();
	return declaration_create(device, builder.elements, fvf, false, out);
}
