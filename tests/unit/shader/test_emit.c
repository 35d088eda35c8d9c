/* SPDX-License-Identifier: MIT */
/* What shader_emit promises beyond the text: constant layout, linkage, output registers, and that variants repeat. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "shader_blobs.h"
#include "sm1_asm.h"
#include "tap.h"

static struct shader *parse(const void *code, size_t size)
{
	struct shader *shader;
	char message[200];

	if (shader_parse(code, size, &shader, message, sizeof(message)))
		tap_bail("%s", message);
	return shader;
}

static struct shader *parse_blob(const char *name)
{
	for (unsigned i = 0; i < blob_count; i++) {
		if (!strcmp(blobs[i].name, name))
			return parse(blobs[i].code, blobs[i].size);
	}
	tap_bail("no blob %s", name);
}

static struct shader_text emit(const struct shader *shader, const struct shader_key *key)
{
	struct shader_text text;
	char message[200];

	if (shader_emit(shader, key, &text, message, sizeof(message)))
		tap_bail("%s", message);
	return text;
}

/* c7, i2, b5 and a constant of its own. */
static void test_constants(void)
{
	struct shader_key key = {.position_offset = 1};
	struct shader_text text;
	struct shader *shader;
	struct sm1_asm a;

	asm_begin(&a, VS(2, 0));
	asm_dcl(&a, SM1_USAGE_POSITION, 0, D(SM1_REG_INPUT, 0, 15));
	asm_def(&a, 9, 1, 2, 3, 4);
	asm_op(&a, SM1_ADD, 3, D(SM1_REG_TEMP, 0, 15), S(SM1_REG_INPUT, 0, XYZW), S(SM1_REG_CONST, 7, XYZW));
	asm_op(&a, SM1_IF, 1, S(SM1_REG_CONSTBOOL, 5, XYZW));
	asm_op(&a, SM1_REP, 1, S(SM1_REG_CONSTINT, 2, XYZW));
	asm_op(&a, SM1_ADD, 3, D(SM1_REG_TEMP, 0, 15), S(SM1_REG_TEMP, 0, XYZW), S(SM1_REG_CONST, 9, XYZW));
	asm_op(&a, SM1_ENDREP, 0);
	asm_op(&a, SM1_ENDIF, 0);
	asm_op(&a, SM1_MOV, 2, D(SM1_REG_RASTOUT, 0, 15), S(SM1_REG_TEMP, 0, XYZW));
	asm_end(&a);
	shader = parse(a.words, 4 * (size_t)a.count);
	text = emit(shader, &key);
	tap_eq(text.constants.float_base, 0, "float registers come first");
	tap_eq(text.constants.float_count, 8, "up to the highest that is read; the shader's own c9 is not counted");
	tap_eq(text.constants.int_base, 8, "then integers");
	tap_eq(text.constants.int_count, 3, "up to i2");
	tap_eq(text.constants.bool_base, 11, "then booleans");
	tap_eq(text.constants.bool_count, 6, "up to b5, counted in registers");
	tap_eq(text.constants.system_base, 13, "then, behind two vectors of booleans, the system constants");
	tap_eq(text.constants.total, 14, "and that is all");
	tap_eq(text.system_mask, 1u << SHADER_SYS_POSITION, "the position offset is asked for");
	tap_eq(text.size, strlen(text.tgsi) + 1, "the size counts the NUL");
	shader_text_free(&text);
	key.position_offset = 0;
	text = emit(shader, &key);
	tap_eq(text.constants.total, 13, "without the offset there is no system constant");
	tap_eq(text.system_mask, 0, "and none is asked for");
	shader_text_free(&text);
	shader_destroy(shader);
}

static void test_relative_constants(void)
{
	struct shader *shader = parse_blob("indexing_vs_2");
	struct shader_key key = {0};
	struct shader_text text = emit(shader, &key);

	tap_eq(text.constants.float_count, 256, "an indexed read may reach all of c0..c255");
	shader_text_free(&text);
	shader_destroy(shader);
}

static void test_linkage(void)
{
	struct shader *vertex = parse_blob("lit_vs_4"), *pixel = parse_blob("lit_ps_2");
	struct shader_key key = {.fog = SHADER_FOG_VERTEX};
	struct shader_linkage linkage;
	struct shader_text text;

	tap_eq(shader_get_linkage(vertex)->count, 0, "a vertex shader has no slots");
	shader_variant_linkage(pixel, &key, &linkage);
	tap_eq(linkage.count, shader_get_linkage(pixel)->count + 1, "vertex fog is one slot more");
	tap_eq(linkage.slots[linkage.count - 1].usage, SM1_USAGE_FOG, "and that is the fog varying");

	/* Slots in another order than the registers; the last one has no output. */
	memset(&key, 0, sizeof(key));
	key.linkage = (struct shader_linkage){
		.count = 3, .slots = {{SHADER_USAGE_REGISTER, 2}, {SHADER_USAGE_REGISTER, 1}, {SHADER_USAGE_REGISTER, 9}}};
	text = emit(vertex, &key);
	tap_ok(strstr(text.tgsi, "DCL OUT[0], POSITION") && strstr(text.tgsi, "DCL OUT[3], GENERIC[2]"),
	       "every slot is written, with or without an output");
	tap_ok(text.slot_outputs[0] == 1 && text.slot_outputs[1] == 2 && text.slot_outputs[2] == 3,
	       "stream output finds its registers");
	shader_text_free(&text);
	key.linkage.count = SHADER_MAX_INPUTS + 1;
	{
		char message[200];

		tap_eq(shader_emit(vertex, &key, &text, message, sizeof(message)), -E2BIG, "a linkage that is too long");
	}
	shader_destroy(vertex);
	shader_destroy(pixel);
}

/* Emission depends on program and key alone. */
static void test_repeats(void)
{
	struct shader_key key = {0};
	bool same = true, printed = true;

	for (unsigned i = 0; i < blob_count; i++) {
		struct shader *shader = parse(blobs[i].code, blobs[i].size);
		struct shader_text first = emit(shader, &key), second = emit(shader, &key);
		char *ir = shader_print(shader);

		same &= !strcmp(first.tgsi, second.tgsi);
		printed &= ir && strstr(ir, "; for the device");
		free(ir);
		shader_text_free(&first);
		shader_text_free(&second);
		shader_destroy(shader);
	}
	tap_ok(same, "the same program and key give the same text");
	tap_ok(printed, "every program can be printed");
}

int main(void)
{
	test_constants();
	test_relative_constants();
	test_linkage();
	test_repeats();
	return tap_done();
}
