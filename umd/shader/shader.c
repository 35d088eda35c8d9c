/* SPDX-License-Identifier: MIT */
/* The compiler's public entry points: which parser, which passes, in which order. */
#include "shader.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler.h"
#include "sm1.h"
#include "text.h"

int shader_fail(const struct shader_message *message, int error, const char *format, ...)
{
	va_list arguments;

	if (message && message->text && message->size) {
		va_start(arguments, format);
		vsnprintf(message->text, message->size, format, arguments);
		va_end(arguments);
	}
	return error;
}

static bool is_sm1(const void *code, size_t size)
{
	uint32_t token;

	if (size < 4)
		return false;
	memcpy(&token, code, 4);
	return token >> 16 == 0xfffe || token >> 16 == 0xffff;
}

/* The slots of a pixel or geometry shader: its user inputs, in order. */
static void make_linkage(struct shader *shader)
{
	const struct shader_info *info = &shader->info;

	if (info->stage != SHADER_PIXEL && info->stage != SHADER_GEOMETRY)
		return;
	for (uint32_t i = 0; i < info->input_count; i++) {
		if (!shader->input_values[i])
			shader->linkage.slots[shader->linkage.count++] = info->inputs[i].semantic;
	}
}

int shader_parse(const void *code, size_t size, struct shader **out, char *message, size_t message_size)
{
	struct shader_message destination = {message, message_size};
	struct shader *shader = calloc(1, sizeof(*shader));
	int ret;

	*out = NULL;
	if (message && message_size)
		message[0] = '\0';
	if (!shader)
		return -ENOMEM;
	if (is_sm1(code, size))
		ret = sm1_parse(code, size, shader, &destination);
	else
		ret = sm4_parse(code, size, shader, &destination);
	if (!ret)
		ret = ir_validate(&shader->ir, &shader->info, false, message, message_size);
	if (ret) {
		shader_destroy(shader);
		return ret;
	}
	make_linkage(shader);
	*out = shader;
	return 0;
}

void shader_destroy(struct shader *shader)
{
	if (!shader)
		return;
	ir_free(&shader->ir);
	free(shader);
}

const struct shader_info *shader_get_info(const struct shader *shader)
{
	return &shader->info;
}

const struct shader_linkage *shader_get_linkage(const struct shader *shader)
{
	return &shader->linkage;
}

void shader_variant_linkage(const struct shader *shader, const struct shader_key *key, struct shader_linkage *linkage)
{
	*linkage = shader->linkage;
	if (shader->info.stage == SHADER_PIXEL && shader->info.major < 3 && key->fog == SHADER_FOG_VERTEX &&
	    linkage->count < SHADER_MAX_INPUTS)
		linkage->slots[linkage->count++] = (struct shader_semantic){SM1_USAGE_FOG, 0};
}

/* In debug builds a pass that breaks the IR is named. */
static int check(const struct shader_variant *variant, const char *pass)
{
	int ret = variant->ir.error;

#ifndef NDEBUG
	char text[200];

	if (!ret)
		ret = ir_validate(&variant->ir, &variant->shader->info, false, text, sizeof(text));
	if (ret == -EINVAL)
		return shader_fail(variant->message, ret, "behind %s: %s", pass, text);
#endif
	if (ret)
		shader_fail(variant->message, ret, "%s: %s", pass,
			    ret == -ENOMEM ? "out of memory" : "the program is too large");
	return ret;
}

static int run_passes(struct shader_variant *variant)
{
	int ret = check(variant, "copy");

	if (!ret) {
		pass_flow(&variant->ir);
		ret = check(variant, "flow");
	}
	if (!ret) {
		ret = pass_outputs(variant);
		if (!ret)
			ret = check(variant, "outputs");
	}
	if (!ret) {
		pass_values(variant);
		ret = check(variant, "values");
	}
	if (!ret) {
		pass_texture(variant);
		ret = check(variant, "texture");
	}
	if (!ret) {
		pass_relative(&variant->ir);
		ret = check(variant, "relative");
	}
	if (!ret) {
		pass_legalise(&variant->ir);
		ret = check(variant, "legalise");
	}
	if (!ret) {
		pass_registers(&variant->ir);
		ret = check(variant, "registers");
	}
	return ret;
}

/* Fills a variant; end_variant frees it even when this fails. */
static int begin_variant(struct shader_variant *variant, const struct shader *shader, const struct shader_key *key,
			 const struct shader_message *message)
{
	*variant = (struct shader_variant){.shader = shader, .key = key, .message = message};
	ir_copy(&variant->ir, &shader->ir);
	return run_passes(variant);
}

static void end_variant(struct shader_variant *variant)
{
	ir_free(&variant->ir);
}

int shader_emit(const struct shader *shader, const struct shader_key *key, struct shader_text *out, char *message,
		size_t message_size)
{
	struct shader_message destination = {message, message_size};
	struct shader_variant *variant = malloc(sizeof(*variant));
	int ret;

	*out = (struct shader_text){0};
	if (message && message_size)
		message[0] = '\0';
	if (!variant)
		return -ENOMEM;
	ret = begin_variant(variant, shader, key, &destination);
	if (!ret)
		ret = ir_validate(&variant->ir, &shader->info, true, message, message_size);
	if (!ret)
		ret = tgsi_emit(variant, out);
	end_variant(variant);
	free(variant);
	return ret;
}

void shader_text_free(struct shader_text *text)
{
	free(text->tgsi);
	*text = (struct shader_text){0};
}

/* The variant that is printed: every output is wanted. */
static void link_all_outputs(const struct shader *shader, struct shader_key *key)
{
	for (uint32_t i = 0; i < shader->info.output_count; i++) {
		const struct shader_output *output = &shader->info.outputs[i];

		if (shader->info.stage != SHADER_PIXEL && !output->system_value)
			key->linkage.slots[key->linkage.count++] = output->semantic;
	}
}

char *shader_print(const struct shader *shader)
{
	struct shader_variant *variant = malloc(sizeof(*variant));
	char *before = ir_print(&shader->ir), *after = NULL;
	struct shader_key key = {0};
	struct text text = {0};

	if (variant) {
		link_all_outputs(shader, &key);
		begin_variant(variant, shader, &key, NULL);
		after = ir_print(&variant->ir);
		end_variant(variant);
	}
	free(variant);
	if (before && after) {
		text_append(&text, "; as parsed\n");
		text_append(&text, before);
		text_append(&text, "; for the device\n");
		text_append(&text, after);
	}
	free(before);
	free(after);
	return text_take(&text, NULL);
}
