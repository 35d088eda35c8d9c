/* SPDX-License-Identifier: MIT */
#include "state.h"

#include "buffer.h"
#include "declaration.h"
#include "shader.h"
#include "texture.h"

static DWORD float_bits(float value)
{
	DWORD bits;

	memcpy(&bits, &value, sizeof(bits));
	return bits;
}

/* Render states whose default is neither 0 nor a float. */
static const struct {
	WORD state;
	DWORD value;
} render_defaults[] = {
	{D3DRS_ZENABLE, D3DZB_TRUE},
	{D3DRS_FILLMODE, D3DFILL_SOLID},
	{D3DRS_SHADEMODE, D3DSHADE_GOURAUD},
	{D3DRS_ZWRITEENABLE, TRUE},
	{D3DRS_LASTPIXEL, TRUE},
	{D3DRS_SRCBLEND, D3DBLEND_ONE},
	{D3DRS_DESTBLEND, D3DBLEND_ZERO},
	{D3DRS_CULLMODE, D3DCULL_CCW},
	{D3DRS_ZFUNC, D3DCMP_LESSEQUAL},
	{D3DRS_ALPHAFUNC, D3DCMP_ALWAYS},
	{D3DRS_STENCILFAIL, D3DSTENCILOP_KEEP},
	{D3DRS_STENCILZFAIL, D3DSTENCILOP_KEEP},
	{D3DRS_STENCILPASS, D3DSTENCILOP_KEEP},
	{D3DRS_STENCILFUNC, D3DCMP_ALWAYS},
	{D3DRS_STENCILMASK, 0xffffffff},
	{D3DRS_STENCILWRITEMASK, 0xffffffff},
	{D3DRS_TEXTUREFACTOR, 0xffffffff},
	{D3DRS_CLIPPING, TRUE},
	{D3DRS_LIGHTING, TRUE},
	{D3DRS_COLORVERTEX, TRUE},
	{D3DRS_LOCALVIEWER, TRUE},
	{D3DRS_DIFFUSEMATERIALSOURCE, D3DMCS_COLOR1},
	{D3DRS_SPECULARMATERIALSOURCE, D3DMCS_COLOR2},
	{D3DRS_MULTISAMPLEANTIALIAS, TRUE},
	{D3DRS_MULTISAMPLEMASK, 0xffffffff},
	{D3DRS_PATCHEDGESTYLE, D3DPATCHEDGE_DISCRETE},
	{D3DRS_DEBUGMONITORTOKEN, D3DDMT_ENABLE},
	{D3DRS_COLORWRITEENABLE, 0xf},
	{D3DRS_BLENDOP, D3DBLENDOP_ADD},
	{D3DRS_POSITIONDEGREE, D3DDEGREE_CUBIC},
	{D3DRS_NORMALDEGREE, D3DDEGREE_LINEAR},
	{D3DRS_CCW_STENCILFAIL, D3DSTENCILOP_KEEP},
	{D3DRS_CCW_STENCILZFAIL, D3DSTENCILOP_KEEP},
	{D3DRS_CCW_STENCILPASS, D3DSTENCILOP_KEEP},
	{D3DRS_CCW_STENCILFUNC, D3DCMP_ALWAYS},
	{D3DRS_COLORWRITEENABLE1, 0xf},
	{D3DRS_COLORWRITEENABLE2, 0xf},
	{D3DRS_COLORWRITEENABLE3, 0xf},
	{D3DRS_BLENDFACTOR, 0xffffffff},
	{D3DRS_SRCBLENDALPHA, D3DBLEND_ONE},
	{D3DRS_DESTBLENDALPHA, D3DBLEND_ZERO},
	{D3DRS_BLENDOPALPHA, D3DBLENDOP_ADD},
};

static const struct {
	WORD state;
	float value;
} render_float_defaults[] = {
	{D3DRS_FOGEND, 1.0f},		{D3DRS_FOGDENSITY, 1.0f},	   {D3DRS_POINTSIZE, 1.0f},
	{D3DRS_POINTSIZE_MIN, 1.0f},	{D3DRS_POINTSCALE_A, 1.0f},	   {D3DRS_POINTSIZE_MAX, 64.0f},
	{D3DRS_MINTESSELLATIONLEVEL, 1.0f}, {D3DRS_MAXTESSELLATIONLEVEL, 1.0f}, {D3DRS_ADAPTIVETESS_Z, 1.0f},
};

static void set_stage_defaults(struct d3d9_state *state)
{
	for (unsigned i = 0; i < STATE_STAGES; i++) {
		DWORD *stage = state->stage[i];

		stage[D3DTSS_COLOROP] = i ? D3DTOP_DISABLE : D3DTOP_MODULATE;
		stage[D3DTSS_ALPHAOP] = i ? D3DTOP_DISABLE : D3DTOP_SELECTARG1;
		stage[D3DTSS_COLORARG1] = stage[D3DTSS_ALPHAARG1] = D3DTA_TEXTURE;
		stage[D3DTSS_COLORARG2] = stage[D3DTSS_ALPHAARG2] = D3DTA_CURRENT;
		stage[D3DTSS_COLORARG0] = stage[D3DTSS_ALPHAARG0] = stage[D3DTSS_RESULTARG] = D3DTA_CURRENT;
		stage[D3DTSS_TEXCOORDINDEX] = i;
	}
	for (unsigned i = 0; i < STATE_SAMPLERS; i++) {
		DWORD *sampler = state->sampler[i];

		sampler[D3DSAMP_ADDRESSU] = sampler[D3DSAMP_ADDRESSV] = sampler[D3DSAMP_ADDRESSW] = D3DTADDRESS_WRAP;
		sampler[D3DSAMP_MAGFILTER] = sampler[D3DSAMP_MINFILTER] = D3DTEXF_POINT;
		sampler[D3DSAMP_MAXANISOTROPY] = 1;
	}
}

void state_set_defaults(struct d3d9_state *state, UINT width, UINT height, bool auto_depth_stencil)
{
	memset(state->render, 0, sizeof(state->render));
	for (size_t i = 0; i < sizeof(render_defaults) / sizeof(render_defaults[0]); i++)
		state->render[render_defaults[i].state] = render_defaults[i].value;
	for (size_t i = 0; i < sizeof(render_float_defaults) / sizeof(render_float_defaults[0]); i++)
		state->render[render_float_defaults[i].state] = float_bits(render_float_defaults[i].value);
	if (!auto_depth_stencil)
		state->render[D3DRS_ZENABLE] = D3DZB_FALSE;
	memset(state->sampler, 0, sizeof(state->sampler));
	memset(state->stage, 0, sizeof(state->stage));
	set_stage_defaults(state);
	for (unsigned i = 0; i < STATE_STREAMS; i++)
		state->streams[i].frequency = 1;
	memset(&state->vs_constants, 0, sizeof(state->vs_constants));
	memset(&state->ps_constants, 0, sizeof(state->ps_constants));
	for (unsigned i = 0; i < STATE_TRANSFORMS; i++) {
		memset(&state->transforms[i], 0, sizeof(state->transforms[i]));
		for (unsigned n = 0; n < 4; n++)
			state->transforms[i].m[n][n] = 1.0f;
	}
	memset(&state->material, 0, sizeof(state->material));
	memset(state->lights, 0, sizeof(state->lights));
	memset(state->clip_planes, 0, sizeof(state->clip_planes));
	state->viewport = (D3DVIEWPORT9){0, 0, width, height, 0.0f, 1.0f};
	state->scissor = (RECT){0, 0, (LONG)width, (LONG)height};
}

void state_unbind_all(struct d3d9_state *state)
{
	for (unsigned i = 0; i < STATE_SAMPLERS; i++) {
		object_unbind((struct d3d9_object *)state->textures[i]);
		state->textures[i] = NULL;
	}
	for (unsigned i = 0; i < STATE_STREAMS; i++) {
		object_unbind((struct d3d9_object *)state->streams[i].buffer);
		state->streams[i].buffer = NULL;
	}
	object_unbind((struct d3d9_object *)state->indices);
	object_unbind((struct d3d9_object *)state->declaration);
	object_unbind((struct d3d9_object *)state->vs);
	object_unbind((struct d3d9_object *)state->ps);
	state->indices = NULL;
	state->declaration = NULL;
	state->vs = state->ps = NULL;
}

/* ---- what block types hold ---- */

static const BYTE pixel_states[] = {
	D3DRS_ZENABLE,
	D3DRS_FILLMODE,
	D3DRS_SHADEMODE,
	D3DRS_ZWRITEENABLE,
	D3DRS_ALPHATESTENABLE,
	D3DRS_LASTPIXEL,
	D3DRS_SRCBLEND,
	D3DRS_DESTBLEND,
	D3DRS_ZFUNC,
	D3DRS_ALPHAREF,
	D3DRS_ALPHAFUNC,
	D3DRS_DITHERENABLE,
	D3DRS_FOGSTART,
	D3DRS_FOGEND,
	D3DRS_FOGDENSITY,
	D3DRS_ALPHABLENDENABLE,
	D3DRS_DEPTHBIAS,
	D3DRS_STENCILENABLE,
	D3DRS_STENCILFAIL,
	D3DRS_STENCILZFAIL,
	D3DRS_STENCILPASS,
	D3DRS_STENCILFUNC,
	D3DRS_STENCILREF,
	D3DRS_STENCILMASK,
	D3DRS_STENCILWRITEMASK,
	D3DRS_TEXTUREFACTOR,
	D3DRS_WRAP0,
	D3DRS_WRAP1,
	D3DRS_WRAP2,
	D3DRS_WRAP3,
	D3DRS_WRAP4,
	D3DRS_WRAP5,
	D3DRS_WRAP6,
	D3DRS_WRAP7,
	D3DRS_WRAP8,
	D3DRS_WRAP9,
	D3DRS_WRAP10,
	D3DRS_WRAP11,
	D3DRS_WRAP12,
	D3DRS_WRAP13,
	D3DRS_WRAP14,
	D3DRS_WRAP15,
	D3DRS_COLORWRITEENABLE,
	D3DRS_BLENDOP,
	D3DRS_SCISSORTESTENABLE,
	D3DRS_SLOPESCALEDEPTHBIAS,
	D3DRS_ANTIALIASEDLINEENABLE,
	D3DRS_TWOSIDEDSTENCILMODE,
	D3DRS_CCW_STENCILFAIL,
	D3DRS_CCW_STENCILZFAIL,
	D3DRS_CCW_STENCILPASS,
	D3DRS_CCW_STENCILFUNC,
	D3DRS_COLORWRITEENABLE1,
	D3DRS_COLORWRITEENABLE2,
	D3DRS_COLORWRITEENABLE3,
	D3DRS_BLENDFACTOR,
	D3DRS_SRGBWRITEENABLE,
	D3DRS_SEPARATEALPHABLENDENABLE,
	D3DRS_SRCBLENDALPHA,
	D3DRS_DESTBLENDALPHA,
	D3DRS_BLENDOPALPHA,
};

static const BYTE vertex_states[] = {
	D3DRS_CULLMODE,
	D3DRS_FOGENABLE,
	D3DRS_FOGCOLOR,
	D3DRS_FOGTABLEMODE,
	D3DRS_FOGSTART,
	D3DRS_FOGEND,
	D3DRS_FOGDENSITY,
	D3DRS_RANGEFOGENABLE,
	D3DRS_CLIPPING,
	D3DRS_LIGHTING,
	D3DRS_AMBIENT,
	D3DRS_FOGVERTEXMODE,
	D3DRS_COLORVERTEX,
	D3DRS_LOCALVIEWER,
	D3DRS_NORMALIZENORMALS,
	D3DRS_DIFFUSEMATERIALSOURCE,
	D3DRS_SPECULARMATERIALSOURCE,
	D3DRS_AMBIENTMATERIALSOURCE,
	D3DRS_EMISSIVEMATERIALSOURCE,
	D3DRS_VERTEXBLEND,
	D3DRS_CLIPPLANEENABLE,
	D3DRS_POINTSIZE,
	D3DRS_POINTSIZE_MIN,
	D3DRS_POINTSPRITEENABLE,
	D3DRS_POINTSCALEENABLE,
	D3DRS_POINTSCALE_A,
	D3DRS_POINTSCALE_B,
	D3DRS_POINTSCALE_C,
	D3DRS_MULTISAMPLEANTIALIAS,
	D3DRS_MULTISAMPLEMASK,
	D3DRS_PATCHEDGESTYLE,
	D3DRS_POINTSIZE_MAX,
	D3DRS_INDEXEDVERTEXBLENDENABLE,
	D3DRS_TWEENFACTOR,
	D3DRS_POSITIONDEGREE,
	D3DRS_NORMALDEGREE,
	D3DRS_MINTESSELLATIONLEVEL,
	D3DRS_MAXTESSELLATIONLEVEL,
	D3DRS_ADAPTIVETESS_X,
	D3DRS_ADAPTIVETESS_Y,
	D3DRS_ADAPTIVETESS_Z,
	D3DRS_ADAPTIVETESS_W,
	D3DRS_ENABLEADAPTIVETESSELLATION,
	D3DRS_SHADEMODE,
	D3DRS_SPECULARENABLE,
};

static void mark_pixel(struct state_marks *marks)
{
	for (size_t i = 0; i < sizeof(pixel_states); i++)
		mark(marks->render, pixel_states[i]);
	for (unsigned i = 0; i < 16; i++)
		marks->sampler[i] = (1u << STATE_SAMPLER_STATES) - 1 - (1u << D3DSAMP_DMAPOFFSET);
	for (unsigned i = 0; i < STATE_STAGES; i++)
		marks->stage[i] = (1ull << STATE_STAGE_STATES) - 1;
	marks->ps = true;
	memset(marks->ps_constants.floats, 0xff, STATE_PS_FLOATS / 8);
	marks->ps_constants.ints = marks->ps_constants.bools = 0xffff;
}

static void mark_vertex(struct state_marks *marks)
{
	for (size_t i = 0; i < sizeof(vertex_states); i++)
		mark(marks->render, vertex_states[i]);
	for (unsigned i = 0; i < STATE_SAMPLERS; i++)
		marks->sampler[i] |= 1u << D3DSAMP_DMAPOFFSET;
	for (unsigned i = 0; i < STATE_STAGES; i++)
		marks->stage[i] |= 1ull << D3DTSS_TEXCOORDINDEX | 1ull << D3DTSS_TEXTURETRANSFORMFLAGS;
	marks->vs = marks->declaration = true;
	marks->frequencies = 0xffff;
	marks->lights = marks->light_enables = ~0u;
	memset(marks->vs_constants.floats, 0xff, sizeof(marks->vs_constants.floats));
	marks->vs_constants.ints = marks->vs_constants.bools = 0xffff;
}

void marks_for_type(struct state_marks *marks, D3DSTATEBLOCKTYPE type)
{
	memset(marks, 0, sizeof(*marks));
	if (type != D3DSBT_VERTEXSTATE)
		mark_pixel(marks);
	if (type != D3DSBT_PIXELSTATE)
		mark_vertex(marks);
	if (type != D3DSBT_ALL)
		return;
	for (unsigned i = 0; i < STATE_SAMPLERS; i++)
		marks->sampler[i] = (1u << STATE_SAMPLER_STATES) - 1;
	marks->textures = (1u << STATE_SAMPLERS) - 1;
	marks->streams = 0xffff;
	marks->clip_planes = (1u << STATE_CLIP_PLANES) - 1;
	memset(marks->transforms, 0xff, sizeof(marks->transforms));
	marks->indices = marks->material = marks->viewport = marks->scissor = true;
}
