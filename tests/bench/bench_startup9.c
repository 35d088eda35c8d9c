/* SPDX-License-Identifier: MIT */
/* What a program waits for before its first picture through Direct3D 9: the device, and shaders that were never used. */
#include "bench9.h"

#include <string.h>

#include "hlsl/unseen_ps.h"

#define PLACEHOLDER 0x3dfbe76du		/* 0.123, the factor in unseen_ps */
#define SHADERS_PER_ROUND 10u

static void create_device(void *data, unsigned count)
{
	struct bench9 *b = data;

	for (unsigned i = 0; i < count; i++)
		IDirect3DDevice9Ex_Release(bench9_device(b->d3d, 64, 64));
}

/* With the first work of the new GPU context. */
static void create_device_and_clear(void *data, unsigned count)
{
	struct bench9 *b = data;

	for (unsigned i = 0; i < count; i++) {
		struct bench9 other = {.device = bench9_device(b->d3d, 64, 64)};

		bench_must(IDirect3DDevice9Ex_CreateQuery(other.device, D3DQUERYTYPE_EVENT, &other.event), "CreateQuery");
		bench_must(IDirect3DDevice9Ex_Clear(other.device, 0, NULL, D3DCLEAR_TARGET, 0, 0, 0), "Clear");
		bench9_finish(&other);
		IDirect3DQuery9_Release(other.event);
		IDirect3DDevice9Ex_Release(other.device);
	}
}

static void draw(struct bench9 *b)
{
	bench_must(IDirect3DDevice9Ex_DrawPrimitive(b->device, D3DPT_TRIANGLELIST, 0, 1), "DrawPrimitive");
	bench9_finish(b);
}

/* Bytecode with another factor each time. */
static const uint32_t *unseen_code(void)
{
	static uint32_t code[sizeof(unseen_ps) / sizeof(unseen_ps[0])];
	static float factor = 0.25f;

	factor += 1.0f / 4096;
	for (size_t i = 0; i < sizeof(code) / sizeof(code[0]); i++) {
		code[i] = unseen_ps[i];
		if (code[i] == PLACEHOLDER)
			memcpy(&code[i], &factor, sizeof(factor));
	}
	return code;
}

/* A pixel shader from its bytecode to the end of its first draw, beside a draw with a shader that is known. */
static void measure_shaders(struct bench9 *b)
{
	struct bench_samples first = {0}, again = {0};

	draw(b);
	for (unsigned i = 0; i < bench_rounds() * SHADERS_PER_ROUND; i++) {
		double start = bench_now(), drawn;
		IDirect3DPixelShader9 *shader = bench9_pixel_shader(b, unseen_code());

		IDirect3DDevice9Ex_SetPixelShader(b->device, shader);
		draw(b);
		drawn = bench_now();
		draw(b);
		bench_add(&first, (drawn - start) * 1e3);
		bench_add(&again, (bench_now() - drawn) * 1e3);
		IDirect3DDevice9Ex_SetPixelShader(b->device, b->tinted_ps);
		IDirect3DPixelShader9_Release(shader);
	}
	bench_report("d3d9.shader.first_draw", "ms", &first);
	bench_report("d3d9.shader.second_draw", "ms", &again);
}

int main(int argc, char **argv)
{
	struct bench9 b;

	bench_open(argc, argv,
		   "Milliseconds through Direct3D 9: CreateDeviceEx and Release; the same with a first Clear that is waited for; a\n"
		   "pixel shader that was never seen from CreatePixelShader until its first draw is done, and its second draw.");
	bench9_open(&b, 64, 64);
	bench_duration("d3d9.device.create", create_device, &b);
	bench_duration("d3d9.device.first_clear", create_device_and_clear, &b);
	measure_shaders(&b);
	bench9_close(&b);
	return 0;
}
