/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes the shader compiler. Input: a word that chooses the variant's key, then bytecode. The checksum of a DXBC
 * container is made good first, or nothing behind it would ever be reached. Beyond not crashing: only documented
 * results, a message with each error, an information block within its limits, the same text each time, and one that the
 * worker lets through.
 */
#include <errno.h>

#include "dxbc_checksum.h"
#include "fuzz.h"
#include "shader.h"
#include "shader_accepted.h"

#define MESSAGE_SIZE 96

static void mend_checksum(uint8_t *code, size_t size)
{
	if (size > 32 && !memcmp(code, "DXBC", 4))
		dxbc_checksum(code + DXBC_CHECKSUM_START, size - DXBC_CHECKSUM_START, code + 4);
}

static void check_message(int error, const char *message)
{
	fuzz_check(memchr(message, '\0', MESSAGE_SIZE), "message without an end");
	fuzz_check(!error || *message, "error %d without a message", error);
}

static void check_info(const struct shader_info *info)
{
	fuzz_check(info->stage <= SHADER_COMPUTE, "stage %u", info->stage);
	fuzz_check(info->input_count <= SHADER_MAX_INPUTS && info->output_count <= SHADER_MAX_OUTPUTS &&
			   info->unit_count <= SHADER_MAX_UNITS,
		   "%u inputs, %u outputs, %u units", info->input_count, info->output_count, info->unit_count);
	fuzz_check(!(info->constant_buffers >> 14), "constant buffers 0x%x", info->constant_buffers);
	fuzz_check(!(info->render_targets >> 8), "render targets 0x%x", info->render_targets);
	for (uint32_t i = 0; i < info->input_count; i++)
		fuzz_check(memchr(info->inputs[i].name, '\0', sizeof(info->inputs[i].name)),
			   "input %u: name without an end", i);
	for (uint32_t i = 0; i < info->unit_count; i++)
		fuzz_check(info->units[i].dimension <= SHADER_DIM_2D_MS_ARRAY && info->units[i].return_type <= 2,
			   "unit %u: dimension %u, type %u", i, info->units[i].dimension, info->units[i].return_type);
}

/* A key of the given bits; for what comes before the rasterizer, a linkage of a few semantics. */
static void make_key(struct shader_key *key, uint32_t bits)
{
	memset(key, 0, sizeof(*key));
	key->linkage.count = bits & 7;
	for (uint32_t i = 0; i < key->linkage.count; i++)
		key->linkage.slots[i] =
			(struct shader_semantic){bits & 8 ? SHADER_USAGE_REGISTER : (bits >> 4 & 15), i};
	key->position_offset = bits >> 8 & 1;
	key->clip_planes = bits >> 9 & 7;
	key->point_size = bits >> 12 & 1;
	key->fog = (uint8_t)(bits >> 13 & 7) % (SHADER_FOG_EXP2 + 1);
	key->flat_shading = bits >> 16 & 1;
	key->shadow_units = bits >> 17 & 0xf;
	key->projected_units = bits >> 21 & 0xf;
	key->stage_dimension[bits >> 25 & 7] = bits >> 28 & 3;
}

static int emit(const struct shader *shader, const struct shader_key *key, struct shader_text *text)
{
	char message[MESSAGE_SIZE];
	int error;

	memset(message, 'x', sizeof(message));
	memset(text, 0, sizeof(*text));
	error = shader_emit(shader, key, text, message, sizeof(message));
	fuzz_check(error == 0 || error == -ENOTSUP || error == -ENOMEM || error == -E2BIG, "shader_emit: %d", error);
	check_message(error, message);
	return error;
}

static void check_text(const struct shader *shader, const struct shader_key *key, const struct shader_text *text)
{
	const struct shader_constants *constants = &text->constants;
	struct shader_text again;
	const char *refused = shader_refused((uint8_t)shader_get_info(shader)->stage, text->tgsi, text->size);

	fuzz_check(text->size && strlen(text->tgsi) == text->size - 1, "text of %zu bytes", text->size);
	fuzz_check(!refused, "the worker refuses the text: %s\n%s", refused, text->tgsi);
	fuzz_check(!(text->system_mask >> SHADER_SYS_COUNT), "system constants 0x%x", text->system_mask);
	fuzz_check(constants->float_base + constants->float_count <= constants->total &&
			   constants->int_base + constants->int_count <= constants->total &&
			   constants->system_base + constants->system_count <= constants->total,
		   "constants beyond the %u that are uploaded", constants->total);
	fuzz_check(!emit(shader, key, &again) && !strcmp(text->tgsi, again.tgsi), "another text the second time");
	shader_text_free(&again);
}

static void use(const struct shader *shader, uint32_t bits)
{
	struct shader_linkage linkage;
	struct shader_text text;
	struct shader_key key;
	char *printed = shader_print(shader);

	free(printed);
	check_info(shader_get_info(shader));
	fuzz_check(shader_get_linkage(shader)->count <= SHADER_MAX_INPUTS, "linkage");
	for (unsigned variant = 0; variant < 2; variant++) { /* the plain one, and that of the bits */
		make_key(&key, variant ? bits : 0);
		shader_variant_linkage(shader, &key, &linkage);
		fuzz_check(linkage.count <= SHADER_MAX_INPUTS, "linkage of a variant: %u", linkage.count);
		if (emit(shader, &key, &text))
			continue;
		check_text(shader, &key, &text);
		shader_text_free(&text);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_tape tape = {data, size};
	uint32_t bits = fuzz_take32(&tape);
	uint8_t *code = malloc(tape.left ? tape.left : 1); /* as large as the code: sanitizers see its end */
	struct shader *shader = NULL;
	char message[MESSAGE_SIZE];
	int error;

	if (!code)
		return 0;
	memcpy(code, tape.at, tape.left);
	mend_checksum(code, tape.left);
	memset(message, 'x', sizeof(message));
	error = shader_parse(code, tape.left, &shader, message, sizeof(message));
	fuzz_check(error == 0 || error == -EINVAL || error == -ENOTSUP || error == -ENOMEM, "shader_parse: %d", error);
	check_message(error, message);
	free(code); /* a parsed shader must not need it */
	if (!error) {
		use(shader, bits);
		shader_destroy(shader);
	}
	return 0;
}
