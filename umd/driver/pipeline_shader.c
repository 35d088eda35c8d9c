/* SPDX-License-Identifier: MIT */
/* Shaders: parsed once, one variant in the engine per key that draws needed. */
#include "pipeline_private.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int gpu_shader_create(struct gpu_device *dev, const void *code, size_t size, struct gpu_shader **out, char *message,
		      size_t message_size)
{
	struct gpu_shader *shader = device_alloc(dev, sizeof(*shader));
	int error;

	if (!shader)
		return -ENOMEM;
	error = shader_parse(code, size, &shader->parsed, message, message_size);
	if (error) {
		free(shader);
		return error;
	}
	shader->stage = shader_get_info(shader->parsed)->stage;
	*out = shader;
	return 0;
}

/* Sends a text to the engine as a new variant. */
static int send_text(struct gpu_device *dev, struct gpu_shader *shader, const struct shader_key *key,
		     const struct shader_text *text, struct shader_variant **out)
{
	struct shader_variant *variant = device_alloc(dev, sizeof(*variant));

	if (!variant)
		return -ENOMEM;
	variant->key = *key;
	variant->handle = device_handle(dev);
	variant->constants = text->constants;
	variant->system_mask = text->system_mask;
	if (dev->debug & DEBUG_SHADERS)
		fprintf(stderr, "shader %u, stage %d:\n%s\n", variant->handle, shader->stage, text->tgsi);
	/* The engine may have only one unfinished shader of a stage: all its pieces go one after the other. */
	stream_create_shader(&dev->stream, variant->handle, (enum d3dgpu_stage)shader->stage, text->tgsi,
			     (uint32_t)text->size, text->token_bound);
	if (dev->stream.error) {
		free(variant);
		return dev->stream.error;
	}
	dev->stats.shaders++;
	variant->next = shader->variants;
	shader->variants = variant;
	*out = variant;
	return 0;
}

/* The number behind the last `what` of the text, plus 1: declarations such as "DCL SAMP[2]", "DCL CONST[0..7]". */
static uint32_t count_declared(const char *text, const char *what)
{
	uint32_t count = 0;

	while ((text = strstr(text, what))) {
		unsigned long last;
		char *end;

		text += strlen(what);
		last = strtoul(text, &end, 10);
		if (end[0] == '.' && end[1] == '.')
			last = strtoul(end + 2, &end, 10);
		if (*end == ']' && last + 1 > count)
			count = (uint32_t)last + 1;
	}
	return count;
}

int gpu_shader_create_tgsi(struct gpu_device *dev, enum shader_stage stage, const char *text, struct gpu_shader **out)
{
	static const struct shader_key plain;
	struct gpu_shader *shader = device_alloc(dev, sizeof(*shader));
	struct shader_info *info = device_alloc(dev, sizeof(*info));
	struct shader_text whole = {.tgsi = (char *)text, .size = strlen(text) + 1};
	struct shader_variant *variant;
	int error = -ENOMEM;

	if (!shader || !info)
		goto fail;
	info->stage = stage;
	info->unit_count = count_declared(text, "DCL SAMP[");
	info->input_count = stage == SHADER_VERTEX ? count_declared(text, "DCL IN[") : 0;
	error = -EINVAL;
	if (info->unit_count > SHADER_MAX_UNITS || info->input_count > SHADER_MAX_INPUTS)
		goto fail;
	for (uint32_t i = 0; i < info->unit_count; i++)
		info->units[i] = (struct shader_unit){.texture = i, .sampler = i};
	whole.constants.float_count = whole.constants.total = count_declared(text, "DCL CONST[");
	whole.token_bound = 300 + (uint32_t)(whole.size / 2); /* no token is shorter than two characters */
	shader->stage = stage;
	shader->text_info = info;
	error = send_text(dev, shader, &plain, &whole, &variant);
	if (error)
		goto fail;
	*out = shader;
	return 0;

fail:
	free(shader);
	free(info);
	return error;
}

void gpu_shader_destroy(struct gpu_device *dev, struct gpu_shader *shader)
{
	if (!shader)
		return;
	unbind_shader(dev, shader);
	while (shader->variants) {
		struct shader_variant *variant = shader->variants;

		shader->variants = variant->next;
		stream_destroy_object(&dev->stream, D3DGPU_OBJ_SHADER, variant->handle);
		free(variant);
	}
	if (shader->parsed)
		shader_destroy(shader->parsed);
	free(shader->text_info);
	free(shader);
}

const struct shader_info *gpu_shader_info(const struct gpu_shader *shader)
{
	return shader->parsed ? shader_get_info(shader->parsed) : shader->text_info;
}

/* ---- variants ---- */

int shader_variant(struct gpu_device *dev, struct gpu_shader *shader, const struct shader_key *key,
		   struct shader_variant **out)
{
	char message[256] = "";
	struct shader_variant **link = &shader->variants;
	struct shader_text text;
	int error;

	if (!shader->parsed) {
		*out = shader->variants;
		return 0;
	}
	for (; *link; link = &(*link)->next) {
		struct shader_variant *variant = *link;

		if (memcmp(&variant->key, key, sizeof(*key)))
			continue;
		*link = variant->next; /* the one in use stays in front */
		variant->next = shader->variants;
		shader->variants = variant;
		*out = variant;
		return 0;
	}
	error = shader_emit(shader->parsed, key, &text, message, sizeof(message));
	if (error) {
		fprintf(stderr, "d3dgpu: shader cannot be emitted: %s\n", message);
		return error;
	}
	error = send_text(dev, shader, key, &text, out);
	shader_text_free(&text);
	return error;
}

/* The shader that reads what a stage writes. */
static struct gpu_shader *next_shader(struct gpu_device *dev, enum shader_stage stage)
{
	static const enum shader_stage order[] = {SHADER_HULL, SHADER_DOMAIN, SHADER_GEOMETRY, SHADER_PIXEL};
	unsigned i = stage == SHADER_VERTEX ? 0 : stage == SHADER_HULL ? 1 : stage == SHADER_DOMAIN ? 2 : 3;

	for (; i < sizeof(order) / sizeof(order[0]); i++)
		if (dev->stages[order[i]].shader)
			return dev->stages[order[i]].shader;
	return NULL;
}

/* Direct3D 11's fractional viewports: the engine's are whole pixels, so the last vertex stage moves by the rest. */
static bool fractional_viewport(struct gpu_device *dev)
{
	const struct gpu_viewport *v = &dev->viewports[0];

	return dev->viewport_count && (v->x != (float)(int32_t)v->x || v->y != (float)(int32_t)v->y);
}

static int update_stage(struct gpu_device *dev, enum shader_stage stage)
{
	struct stage_state *state = &dev->stages[stage];
	struct shader_key key = state->key;
	struct shader_variant *variant;
	struct gpu_shader *next;
	int error;

	if (stage != SHADER_PIXEL && stage != SHADER_COMPUTE && state->shader->parsed) {
		next = next_shader(dev, stage);
		if (next && next->parsed)
			shader_variant_linkage(next->parsed, &dev->stages[next->stage].key, &key.linkage);
		else
			memset(&key.linkage, 0, sizeof(key.linkage));
		if ((!next || next->stage == SHADER_PIXEL) && fractional_viewport(dev))
			key.position_offset = 1;
	}
	error = shader_variant(dev, state->shader, &key, &variant);
	if (error)
		return error;
	if (variant != state->variant) {
		state->variant = variant;
		state->dirty |= STAGE_DIRTY_ALL;
	}
	return 0;
}

int shaders_update(struct gpu_device *dev)
{
	static const char nothing[] = "FRAG\nEND\n";
	int error = 0;

	if (!dev->stages[SHADER_VERTEX].shader)
		return -EINVAL;
	if (!(dev->dirty & DIRTY_SHADERS))
		return 0;
	if (!dev->stages[SHADER_PIXEL].shader && !dev->null_pixel_shader)
		error = gpu_shader_create_tgsi(dev, SHADER_PIXEL, nothing, &dev->null_pixel_shader);
	for (unsigned stage = 0; !error && stage < SHADER_COMPUTE; stage++)
		if (dev->stages[stage].shader)
			error = update_stage(dev, stage);
		else
			dev->stages[stage].variant = NULL;
	return error;
}
