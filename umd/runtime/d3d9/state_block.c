/* SPDX-License-Identifier: MIT */
/* IDirect3DStateBlock9: a state, and marks of what of it the block holds. */
#include "buffer.h"
#include "declaration.h"
#include "device.h"
#include "shader.h"
#include "texture.h"

struct d3d9_state_block {
	struct d3d9_object object;
	struct d3d9_state state;
	struct state_marks marks;
};

static struct d3d9_state_block *block_from(IDirect3DStateBlock9 *iface)
{
	return (struct d3d9_state_block *)iface;
}

struct d3d9_state *state_block_state(struct d3d9_state_block *block)
{
	return &block->state;
}

struct state_marks *state_block_marks(struct d3d9_state_block *block)
{
	return &block->marks;
}

/* ---- capture ---- */

static void hold(struct d3d9_object **slot, void *object)
{
	object_bind(object);
	object_unbind(*slot);
	*slot = object;
}

static void capture_values(struct d3d9_state *to, const struct d3d9_state *from, const struct state_marks *marks)
{
	for (unsigned i = 0; i < STATE_RENDER_STATES; i++)
		if (is_marked(marks->render, i))
			to->render[i] = from->render[i];
	for (unsigned i = 0; i < STATE_SAMPLERS; i++)
		for (unsigned n = 0; n < STATE_SAMPLER_STATES; n++)
			if (marks->sampler[i] >> n & 1)
				to->sampler[i][n] = from->sampler[i][n];
	for (unsigned i = 0; i < STATE_STAGES; i++)
		for (unsigned n = 0; n < STATE_STAGE_STATES; n++)
			if (marks->stage[i] >> n & 1)
				to->stage[i][n] = from->stage[i][n];
	for (unsigned i = 0; i < STATE_TRANSFORMS; i++)
		if (is_marked(marks->transforms, i))
			to->transforms[i] = from->transforms[i];
	for (unsigned i = 0; i < STATE_CLIP_PLANES; i++)
		if (marks->clip_planes >> i & 1)
			memcpy(to->clip_planes[i], from->clip_planes[i], sizeof(to->clip_planes[i]));
	for (unsigned i = 0; i < 32; i++) {
		if (marks->lights >> i & 1) {
			to->lights[i].light = from->lights[i].light;
			to->lights[i].defined = from->lights[i].defined;
		}
		if (marks->light_enables >> i & 1)
			to->lights[i].enabled = from->lights[i].enabled;
	}
	if (marks->material)
		to->material = from->material;
	if (marks->viewport)
		to->viewport = from->viewport;
	if (marks->scissor)
		to->scissor = from->scissor;
}

static void capture_constants(struct state_constants *to, const struct state_constants *from,
			      const struct constant_marks *marks)
{
	for (unsigned i = 0; i < STATE_VS_FLOATS; i++)
		if (is_marked(marks->floats, i))
			memcpy(to->floats[i], from->floats[i], sizeof(to->floats[i]));
	for (unsigned i = 0; i < STATE_INTS; i++)
		if (marks->ints >> i & 1)
			memcpy(to->ints[i], from->ints[i], sizeof(to->ints[i]));
	for (unsigned i = 0; i < STATE_BOOLS; i++)
		if (marks->bools >> i & 1)
			to->bools[i] = from->bools[i];
}

static void capture_objects(struct d3d9_state *to, const struct d3d9_state *from, const struct state_marks *marks)
{
	for (unsigned i = 0; i < STATE_SAMPLERS; i++)
		if (marks->textures >> i & 1)
			hold((struct d3d9_object **)&to->textures[i], from->textures[i]);
	for (unsigned i = 0; i < STATE_STREAMS; i++) {
		if (marks->streams >> i & 1) {
			hold((struct d3d9_object **)&to->streams[i].buffer, from->streams[i].buffer);
			to->streams[i].offset = from->streams[i].offset;
			to->streams[i].stride = from->streams[i].stride;
		}
		if (marks->frequencies >> i & 1)
			to->streams[i].frequency = from->streams[i].frequency;
	}
	if (marks->indices)
		hold((struct d3d9_object **)&to->indices, from->indices);
	if (marks->declaration)
		hold((struct d3d9_object **)&to->declaration, from->declaration);
	if (marks->vs)
		hold((struct d3d9_object **)&to->vs, from->vs);
	if (marks->ps)
		hold((struct d3d9_object **)&to->ps, from->ps);
}

static void capture(struct d3d9_state_block *block)
{
	const struct d3d9_state *from = &block->object.device->state;

	capture_values(&block->state, from, &block->marks);
	capture_constants(&block->state.vs_constants, &from->vs_constants, &block->marks.vs_constants);
	capture_constants(&block->state.ps_constants, &from->ps_constants, &block->marks.ps_constants);
	capture_objects(&block->state, from, &block->marks);
}

/* ---- apply, through the device's own methods ---- */

static void apply_values(IDirect3DDevice9Ex *device, const struct d3d9_state *state, const struct state_marks *marks)
{
	for (unsigned i = 0; i < STATE_RENDER_STATES; i++)
		if (is_marked(marks->render, i))
			IDirect3DDevice9Ex_SetRenderState(device, (D3DRENDERSTATETYPE)i, state->render[i]);
	for (unsigned i = 0; i < STATE_SAMPLERS; i++)
		for (unsigned n = 1; n < STATE_SAMPLER_STATES; n++)
			if (marks->sampler[i] >> n & 1)
				IDirect3DDevice9Ex_SetSamplerState(device,
								   i < 16 ? i : D3DVERTEXTEXTURESAMPLER0 + i - 16,
								   (D3DSAMPLERSTATETYPE)n, state->sampler[i][n]);
	for (unsigned i = 0; i < STATE_STAGES; i++)
		for (unsigned n = 1; n < STATE_STAGE_STATES; n++)
			if (marks->stage[i] >> n & 1)
				IDirect3DDevice9Ex_SetTextureStageState(device, i, (D3DTEXTURESTAGESTATETYPE)n,
									state->stage[i][n]);
	for (unsigned i = 0; i < STATE_TRANSFORMS; i++)
		if (is_marked(marks->transforms, i))
			IDirect3DDevice9Ex_SetTransform(device, (D3DTRANSFORMSTATETYPE)i, &state->transforms[i]);
	for (unsigned i = 0; i < STATE_CLIP_PLANES; i++)
		if (marks->clip_planes >> i & 1)
			IDirect3DDevice9Ex_SetClipPlane(device, i, state->clip_planes[i]);
	for (unsigned i = 0; i < 32; i++) {
		if ((marks->lights >> i & 1) && state->lights[i].defined)
			IDirect3DDevice9Ex_SetLight(device, i, &state->lights[i].light);
		if ((marks->light_enables >> i & 1) && (state->lights[i].defined || state->lights[i].enabled))
			IDirect3DDevice9Ex_LightEnable(device, i, state->lights[i].enabled);
	}
	if (marks->material)
		IDirect3DDevice9Ex_SetMaterial(device, &state->material);
	if (marks->viewport)
		IDirect3DDevice9Ex_SetViewport(device, &state->viewport);
	if (marks->scissor)
		IDirect3DDevice9Ex_SetScissorRect(device, &state->scissor);
}

static void apply_vs_constants(IDirect3DDevice9Ex *device, const struct state_constants *values,
			       const struct constant_marks *marks)
{
	for (unsigned i = 0; i < STATE_VS_FLOATS; i++)
		if (is_marked(marks->floats, i))
			IDirect3DDevice9Ex_SetVertexShaderConstantF(device, i, values->floats[i], 1);
	for (unsigned i = 0; i < STATE_INTS; i++)
		if (marks->ints >> i & 1)
			IDirect3DDevice9Ex_SetVertexShaderConstantI(device, i, values->ints[i], 1);
	for (unsigned i = 0; i < STATE_BOOLS; i++)
		if (marks->bools >> i & 1)
			IDirect3DDevice9Ex_SetVertexShaderConstantB(device, i, &values->bools[i], 1);
}

static void apply_ps_constants(IDirect3DDevice9Ex *device, const struct state_constants *values,
			       const struct constant_marks *marks)
{
	for (unsigned i = 0; i < STATE_PS_FLOATS; i++)
		if (is_marked(marks->floats, i))
			IDirect3DDevice9Ex_SetPixelShaderConstantF(device, i, values->floats[i], 1);
	for (unsigned i = 0; i < STATE_INTS; i++)
		if (marks->ints >> i & 1)
			IDirect3DDevice9Ex_SetPixelShaderConstantI(device, i, values->ints[i], 1);
	for (unsigned i = 0; i < STATE_BOOLS; i++)
		if (marks->bools >> i & 1)
			IDirect3DDevice9Ex_SetPixelShaderConstantB(device, i, &values->bools[i], 1);
}

static void apply_objects(IDirect3DDevice9Ex *device, const struct d3d9_state *state, const struct state_marks *marks)
{
	for (unsigned i = 0; i < STATE_SAMPLERS; i++)
		if (marks->textures >> i & 1)
			IDirect3DDevice9Ex_SetTexture(device, i < 16 ? i : D3DVERTEXTEXTURESAMPLER0 + i - 16,
						      (IDirect3DBaseTexture9 *)state->textures[i]);
	for (unsigned i = 0; i < STATE_STREAMS; i++) {
		const struct state_stream *stream = &state->streams[i];

		if (marks->streams >> i & 1)
			IDirect3DDevice9Ex_SetStreamSource(device, i, (IDirect3DVertexBuffer9 *)stream->buffer,
							   stream->offset, stream->stride);
		if (marks->frequencies >> i & 1)
			IDirect3DDevice9Ex_SetStreamSourceFreq(device, i, stream->frequency);
	}
	if (marks->indices)
		IDirect3DDevice9Ex_SetIndices(device, (IDirect3DIndexBuffer9 *)state->indices);
	if (marks->declaration && state->declaration)
		IDirect3DDevice9Ex_SetVertexDeclaration(device, (IDirect3DVertexDeclaration9 *)state->declaration);
	if (marks->vs)
		IDirect3DDevice9Ex_SetVertexShader(device, (IDirect3DVertexShader9 *)state->vs);
	if (marks->ps)
		IDirect3DDevice9Ex_SetPixelShader(device, (IDirect3DPixelShader9 *)state->ps);
}

/* ---- IDirect3DStateBlock9 ---- */

static HRESULT STDMETHODCALLTYPE block_QueryInterface(IDirect3DStateBlock9 *iface, REFIID iid, void **out)
{
	static const GUID *const interfaces[] = {&IID_IDirect3DStateBlock9};

	return object_query(&block_from(iface)->object, iid, out, interfaces, 1);
}

static ULONG STDMETHODCALLTYPE block_AddRef(IDirect3DStateBlock9 *iface)
{
	return object_addref(&block_from(iface)->object);
}

static ULONG STDMETHODCALLTYPE block_Release(IDirect3DStateBlock9 *iface)
{
	return object_release(&block_from(iface)->object);
}

static HRESULT STDMETHODCALLTYPE block_GetDevice(IDirect3DStateBlock9 *iface, IDirect3DDevice9 **out)
{
	return device_get(block_from(iface)->object.device, out);
}

static HRESULT STDMETHODCALLTYPE block_Capture(IDirect3DStateBlock9 *iface)
{
	struct d3d9_state_block *block = block_from(iface);
	struct device_guard guard DEVICE_GUARD = device_guard_begin(block->object.device);

	if (block->object.device->recording)
		return D3DERR_INVALIDCALL;
	capture(block);
	return D3D_OK;
}

static HRESULT STDMETHODCALLTYPE block_Apply(IDirect3DStateBlock9 *iface)
{
	struct d3d9_state_block *block = block_from(iface);
	struct d3d9_device *device = block->object.device;
	struct device_guard guard DEVICE_GUARD = device_guard_begin(device);
	IDirect3DDevice9Ex *methods = (IDirect3DDevice9Ex *)device;

	if (device->recording)
		return D3DERR_INVALIDCALL;
	apply_values(methods, &block->state, &block->marks);
	apply_vs_constants(methods, &block->state.vs_constants, &block->marks.vs_constants);
	apply_ps_constants(methods, &block->state.ps_constants, &block->marks.ps_constants);
	apply_objects(methods, &block->state, &block->marks);
	return D3D_OK;
}

static const IDirect3DStateBlock9Vtbl block_vtbl = {
	.QueryInterface = block_QueryInterface,
	.AddRef = block_AddRef,
	.Release = block_Release,
	.GetDevice = block_GetDevice,
	.Capture = block_Capture,
	.Apply = block_Apply,
};

/* ---- creation ---- */

static void block_destroy(struct d3d9_object *object)
{
	struct d3d9_state_block *block = (struct d3d9_state_block *)object;

	state_unbind_all(&block->state);
	free(block);
}

HRESULT state_block_create(struct d3d9_device *device, D3DSTATEBLOCKTYPE type, IDirect3DStateBlock9 **out)
{
	struct d3d9_state_block *block;

	if (!out || type < D3DSBT_ALL || type > D3DSBT_VERTEXSTATE)
		return D3DERR_INVALIDCALL;
	block = calloc(1, sizeof(*block));
	if (!block)
		return E_OUTOFMEMORY;
	object_init(&block->object, &block_vtbl, device, block_destroy, true);
	marks_for_type(&block->marks, type);
	capture(block);
	*out = (IDirect3DStateBlock9 *)block;
	return D3D_OK;
}

HRESULT state_block_begin(struct d3d9_device *device)
{
	struct d3d9_state_block *block = calloc(1, sizeof(*block));

	if (!block)
		return E_OUTOFMEMORY;
	object_init(&block->object, &block_vtbl, device, block_destroy, false);
	object_bind(&block->object);
	device->recording = block;
	return D3D_OK;
}

IDirect3DStateBlock9 *state_block_end(struct d3d9_device *device)
{
	struct d3d9_state_block *block = device->recording;

	device->recording = NULL;
	object_addref(&block->object);
	object_unbind(&block->object);
	return (IDirect3DStateBlock9 *)block;
}

void state_block_cancel(struct d3d9_device *device)
{
	struct d3d9_state_block *block = device->recording;

	device->recording = NULL;
	object_unbind((struct d3d9_object *)block);
}
