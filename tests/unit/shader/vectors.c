/* SPDX-License-Identifier: MIT */
#include "vectors.h"

#include <stdlib.h>
#include <string.h>

#include "tap.h"

#define MAX_CONSTANTS 512

const float vectors[VECTOR_COUNT][3][4] = {
	{{1, 2, 3, 4}, {0.5f, 0.25f, 2, 8}, {0.125f, -1, 0, 1}},
	{{-1.5f, 0.75f, -0.25f, 2.5f}, {3, -2, 0.5f, -0.75f}, {1, 1, 1, 1}},
	{{0, 0, 0, 0}, {1, -1, 2, -2}, {0.5f, 0.25f, 0.75f, 1}},
	{{0.1f, -0.2f, 0.3f, -0.4f}, {0.1f, -0.2f, 0.3f, -0.4f}, {-1, 2, -3, 4}},
	{{7.75f, -7.75f, 100.5f, -100.5f}, {2, 4, 10, -10}, {0, 0, 0, 0}},
	{{0.001f, 1000, -1000, 16}, {-0.5f, 0.5f, 1.5f, 2.5f}, {0.9f, 0.1f, 0.5f, 0.3f}},
	{{1, 1, 1, 1}, {1, 1, 1, 1}, {-0.5f, -0.25f, 0.25f, 0.5f}},
	{{-3, -2, 2, 3}, {5, 6, 7, 9}, {10, 20, 30, 40}},
};

static struct shader *parse(const char *which, const void *code, size_t size)
{
	struct shader *shader = NULL;
	char message[256];

	if (shader_parse(code, size, &shader, message, sizeof(message)))
		tap_diag("%s shader: %s", which, message);
	return shader;
}

static int emit(const char *which, const struct shader *shader, const struct shader_key *key,
		struct shader_text *text)
{
	char message[256];

	if (!shader)
		return -1;
	if (shader_emit(shader, key, text, message, sizeof(message))) {
		tap_diag("%s shader: %s", which, message);
		return -1;
	}
	return 0;
}

/* Which of position, a, b, c an input is, by its semantic. */
static void match_inputs(struct vector_run *v, const struct shader_info *info)
{
	for (uint32_t i = 0; i < info->input_count && i < 4; i++) {
		const struct shader_input *input = &info->inputs[i];
		bool texcoord = !strcmp(input->name, "TEXCOORD");

		if (input->semantic.usage != SHADER_USAGE_REGISTER)
			v->columns[i] = input->semantic.usage == 5 ? 1 + input->semantic.index : 0;
		else
			v->columns[i] = input->name[0] ? (texcoord ? 1 + input->name_index : 0) : input->reg;
	}
}

struct texts {
	struct shader_text vertex, pixel, geometry;
};

static int compile(struct vector_run *v, struct texts *texts)
{
	struct shader *vs = parse("vertex", v->vertex, v->vertex_size);
	struct shader *ps = parse("pixel", v->pixel, v->pixel_size);
	struct shader *gs = v->geometry ? parse("geometry", v->geometry, v->geometry_size) : NULL;
	int ret = -1;

	if (vs && ps && (gs || !v->geometry)) {
		match_inputs(v, shader_get_info(vs));
		shader_variant_linkage(ps, &v->pixel_key, &v->vertex_key.linkage);
		if (gs) {
			v->geometry_key.linkage = v->vertex_key.linkage;
			v->vertex_key.linkage = *shader_get_linkage(gs);
		}
		ret = emit("vertex", vs, &v->vertex_key, &texts->vertex);
		if (!ret)
			ret = emit("pixel", ps, &v->pixel_key, &texts->pixel);
		if (!ret && gs)
			ret = emit("geometry", gs, &v->geometry_key, &texts->geometry);
	}
	shader_destroy(vs);
	shader_destroy(ps);
	shader_destroy(gs);
	return ret;
}

static void fill_constants(const struct vector_run *v, const struct shader_constants *layout,
			   uint32_t (*constants)[4])
{
	for (uint32_t i = 0; i < layout->float_count && i < v->constant_count; i++)
		memcpy(constants[layout->float_base + i], v->constants[i], 16);
	for (uint32_t i = 0; i < layout->int_count && i < v->integer_count; i++)
		memcpy(constants[layout->int_base + i], v->integers[i], 16);
	for (uint32_t i = 0; i < layout->bool_count; i++)
		constants[layout->bool_base + i / 4][i % 4] = (v->booleans >> i) & 1;
	for (uint32_t i = 0; i < layout->system_count; i++)
		memcpy(constants[layout->system_base + i], v->system[i], 16);
}

static void set_stage(struct vector_run *v, struct virgl_run_stage *stage, const struct shader_text *text,
		      uint32_t (*constants)[4])
{
	stage->text = text->tgsi;
	stage->token_bound = text->token_bound;
	fill_constants(v, &text->constants, constants);
	stage->constants = constants;
	stage->constant_count = text->constants.total;
	if (strstr(text->tgsi, "DCL CONST[1]")) {
		stage->buffer = v->constants;
		stage->buffer_count = v->constant_count;
	}
}

/* Position of point i of VECTOR_COUNT in a one-row target, and the operands, in the order of the shader's inputs. */
static void fill_inputs(const struct vector_run *v, float (*inputs)[4])
{
	for (unsigned i = 0; i < VECTOR_COUNT; i++) {
		const float position[4] = {(2 * (float)i + 1) / VECTOR_COUNT - 1, 0, 0.5f, 1};

		for (unsigned k = 0; k < 4; k++) {
			uint32_t column = v->columns[k];

			memcpy(inputs[4 * i + k], column >= 1 && column <= 3 ? vectors[i][column - 1] : position, 16);
		}
	}
}

static void show_failure(const struct texts *texts)
{
	tap_diag("engine: %s", virgl_run_log());
	tap_diag("vertex text:\n%s", texts->vertex.tgsi);
	if (texts->geometry.tgsi)
		tap_diag("geometry text:\n%s", texts->geometry.tgsi);
	tap_diag("pixel text:\n%s", texts->pixel.tgsi);
}

int vector_run(struct vector_run *v)
{
	static uint32_t constants[3][MAX_CONSTANTS][4];
	float inputs[4 * VECTOR_COUNT][4];
	struct texts texts = {0};
	int ret = compile(v, &texts);

	if (!ret && (texts.vertex.constants.total > MAX_CONSTANTS || texts.pixel.constants.total > MAX_CONSTANTS)) {
		tap_diag("more than %u constants", MAX_CONSTANTS);
		ret = -1;
	}
	if (!ret) {
		if (!v->run.inputs) {
			fill_inputs(v, inputs);
			v->run.inputs = (const float (*)[4])inputs;
			v->run.input_count = 4;
			v->run.vertex_count = VECTOR_COUNT;
			v->run.width = VECTOR_COUNT;
			v->run.height = v->run.height ? v->run.height : 1;
			v->run.primitive = VIRGL_RUN_POINTS;
		}
		v->run.format = v->integer_target ? VIRGL_RUN_UINT : VIRGL_RUN_FLOAT;
		set_stage(v, &v->run.vertex, &texts.vertex, constants[0]);
		set_stage(v, &v->run.pixel, &texts.pixel, constants[1]);
		if (v->geometry)
			set_stage(v, &v->run.geometry, &texts.geometry, constants[2]);
		ret = virgl_run(&v->run);
		if (ret)
			show_failure(&texts);
	}
	shader_text_free(&texts.vertex);
	shader_text_free(&texts.pixel);
	shader_text_free(&texts.geometry);
	return ret;
}
