/* SPDX-License-Identifier: MIT */
/* The parsers: what they report of good bytecode, and how they refuse broken bytecode without ever reading beyond it. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "dxbc.h"
#include "dxbc_checksum.h"
#include "shader_blobs.h"
#include "sm1_asm.h"
#include "sm4_asm.h"
#include "tap.h"

/* Parses and, if that works, emits: from a heap copy of exactly this size, so that ASan sees any byte too far. */
static int compile_copy(const void *code, size_t size)
{
	void *copy = malloc(size ? size : 1);
	struct shader *shader;
	struct shader_text text;
	struct shader_key key;
	char message[200];
	int ret;

	memcpy(copy, code, size);
	ret = shader_parse(copy, size, &shader, message, sizeof(message));
	free(copy);
	if (ret)
		return message[0] ? ret : 1;	/* an error without a reason is wrong */
	memset(&key, 0, sizeof(key));
	key.linkage.count = 2;
	key.linkage.slots[0].usage = SHADER_USAGE_REGISTER;
	key.linkage.slots[0].index = 1;
	key.linkage.slots[1].usage = SM1_USAGE_TEXCOORD;
	ret = shader_emit(shader, &key, &text, message, sizeof(message));
	shader_text_free(&text);
	free(shader_print(shader));
	shader_destroy(shader);
	return ret;
}

static bool is_documented(int ret)
{
	if (ret == 0 || ret == -EINVAL || ret == -ENOTSUP || ret == -E2BIG)
		return true;
	tap_diag("undocumented answer %d", ret);
	return false;
}

/* After damage, a container gets a new checksum: otherwise nothing behind it would be tested. */
static void repair(unsigned char *code, size_t size)
{
	uint32_t magic, total;

	if (size < 32)
		return;
	memcpy(&magic, code, 4);
	memcpy(&total, code + 24, 4);
	if (magic == DXBC_MAGIC && total >= 32 && total <= size)
		dxbc_checksum(code + DXBC_CHECKSUM_START, total - DXBC_CHECKSUM_START, code + 4);
}

static void test_truncations(const struct blob *blob)
{
	bool good = true;

	for (size_t size = 0; size < blob->size; size += 1 + size % 5)
		good &= is_documented(compile_copy(blob->code, size));
	tap_ok(good, "%s: truncations are answered", blob->name);
}

static void test_bit_flips(const struct blob *blob)
{
	unsigned char *code = malloc(blob->size);
	bool good = true;

	/* The stride is prime to 32, so that every bit of a dword has its turn. D3DGPU_TEST_ALL=1 flips all. */
	for (size_t bit = 0; bit < blob->size * 8; bit += getenv("D3DGPU_TEST_ALL") ? 1 : 37) {
		memcpy(code, blob->code, blob->size);
		code[bit / 8] ^= (unsigned char)(1u << bit % 8);
		repair(code, blob->size);
		good &= is_documented(compile_copy(code, blob->size));
	}
	free(code);
	tap_ok(good, "%s: flipped bits are answered", blob->name);
}

/* Random dwords at random places; the seed is fixed, so that a failure repeats. */
static void test_random_damage(const struct blob *blob)
{
	uint32_t *code = malloc(blob->size), state = 12345;
	bool good = true;

	for (unsigned round = 0; round < 100; round++) {
		memcpy(code, blob->code, blob->size);
		for (unsigned i = 0; i < 1 + round % 5; i++) {
			state = state * 1664525 + 1013904223;
			code[(state >> 8) % (blob->size / 4)] = state >> 16 & 1 ? state * 2654435761u :
										    code[(state >> 4) % (blob->size / 4)];
		}
		repair((unsigned char *)code, blob->size);
		good &= is_documented(compile_copy(code, blob->size));
	}
	free(code);
	tap_ok(good, "%s: random damage is answered", blob->name);
}

static uint32_t random_state;

static uint32_t random_below(uint32_t limit)
{
	random_state = random_state * 1664525 + 1013904223;
	return (random_state >> 8) % limit;
}

/* A parameter token: mostly registers that the stage has. */
static uint32_t random_parameter(bool pixel)
{
	static const uint8_t usual[2][8] = {
		{SM1_REG_TEMP, SM1_REG_INPUT, SM1_REG_CONST, SM1_REG_ADDR, SM1_REG_OUTPUT, SM1_REG_RASTOUT,
		 SM1_REG_CONSTINT, SM1_REG_CONSTBOOL},
		{SM1_REG_TEMP, SM1_REG_TEXTURE, SM1_REG_CONST, SM1_REG_INPUT, SM1_REG_SAMPLER, SM1_REG_COLOROUT,
		 SM1_REG_PREDICATE, SM1_REG_CONSTINT}};
	uint32_t type = random_below(8) ? usual[pixel][random_below(8)] : random_below(20);

	return asm_register(type, random_below(3) ? random_below(4) : random_below(40)) | random_below(1 << 16) << 16;
}

static void random_instruction(struct sm1_asm *a, bool pixel, bool sm2)
{
	uint32_t opcode = random_below(SM1_OPCODE_COUNT), start = a->count, operands;
	const struct sm1_opcode_info *info = sm1_opcode_info(opcode);

	if (!info)
		return;
	operands = (uint32_t)info->dst_count + info->src_count;
	if (opcode == SM1_DEF || opcode == SM1_DEFI)
		operands += 4;
	else if (opcode == SM1_TEX && sm2)
		operands += 2;
	else if (opcode == SM1_DCL || opcode == SM1_DEFB)
		operands++;
	asm_word(a, opcode | random_below(8) << 16 | (random_below(16) ? 0 : random_below(2) << 28));
	for (uint32_t i = 0; i < operands; i++) {
		asm_word(a, random_parameter(pixel));
		if (!random_below(12))
			a->words[a->count - 1] |= 1u << 13;
		if (sm2 && a->words[a->count - 1] & 1u << 13 && random_below(4))
			asm_word(a, S(random_below(2) ? SM1_REG_ADDR : SM1_REG_LOOP, 0, REPLICATE(0)));
	}
	if (sm2)
		a->words[start] |= (a->count - start - 1) << 24;
}

static void test_random_sm1(void)
{
	static const uint32_t versions[] = {VS(1, 1), VS(2, 0), VS(2, 1), VS(3, 0), PS(1, 1), PS(1, 3),
					    PS(1, 4), PS(2, 0), PS(2, 1), PS(3, 0)};
	unsigned built = 0;
	bool good = true;

	random_state = 1;
	for (unsigned round = 0; round < 20000; round++) {
		uint32_t version = versions[round % 10], count = 1 + random_below(6);
		struct sm1_asm a;
		int ret;

		asm_begin(&a, version);
		for (uint32_t i = 0; i < 4 && (version & 0xffff) >= 0x200; i++)
			asm_dcl(&a, SM1_USAGE_TEXCOORD, i, D(SM1_REG_INPUT, i, 15));
		for (uint32_t i = 0; i < count; i++)
			random_instruction(&a, version >> 16 == 0xffff, (version & 0xffff) >= 0x200);
		asm_end(&a);
		ret = compile_copy(a.words, 4 * (size_t)a.count);
		good &= is_documented(ret);
		built += !ret;
	}
	tap_ok(good && built > 100, "random SM1-3 programs are answered (%u of 20000 are valid)", built);
}

static void random_operand(struct sm4_asm *a)
{
	static const uint8_t usual[] = {SM4_REG_TEMP, SM4_REG_INPUT, SM4_REG_OUTPUT, SM4_REG_INDEXABLE_TEMP,
					SM4_REG_IMMEDIATE32, SM4_REG_CONSTANT_BUFFER, SM4_REG_RESOURCE,
					SM4_REG_SAMPLER, SM4_REG_NULL, SM4_REG_IMMEDIATE_BUFFER};
	static const uint8_t dimensions[] = {1, 1, 1, 2, 0, 2, 1, 1, 0, 1};
	uint32_t which = random_below(random_below(3) ? 3 : sizeof(usual)), dimension = dimensions[which];
	uint32_t type = random_below(20) ? usual[which] : random_below(45);
	uint32_t relative = random_below(10) ? 0 : 2 + random_below(2);

	if (!random_below(30))
		dimension = random_below(4);
	sm4_word(a, 2 | random_below(3) << 2 | random_below(256) << 4 | type << 12 | dimension << 20 |
			    (dimension ? relative << (19 + 3 * dimension) : 0));
	for (uint32_t i = 0; i < dimension; i++) {
		if (i + 1 < dimension || relative != 2)
			sm4_word(a, random_below(3) ? random_below(4) : random_below(5000));
		if (i + 1 == dimension && relative) {
			sm4_word(a, 2 | 2 << 2 | random_below(4) << 4 | SM4_REG_TEMP << 12 | 1 << 20);
			sm4_word(a, random_below(5));
		}
	}
	for (uint32_t i = 0; i < 4 && type == SM4_REG_IMMEDIATE32; i++)
		sm4_word(a, random_below(1u << 24));
}

static void begin_random_sm4(struct sm4_asm *a, uint32_t version)
{
	sm4_begin(a, version);
	for (uint32_t i = 0; i < 3; i++) {
		sm4_dcl(a, version >> 16 ? SM4_DCL_INPUT : SM4_DCL_INPUT_PS | 2u << 11, SM4_REG_INPUT, i, 15, 0);
		sm4_dcl(a, SM4_DCL_OUTPUT, SM4_REG_OUTPUT, i, 15, 0);
	}
	sm4_dcl_temps(a, 4);
	sm4_open(a, SM4_DCL_INDEXABLE_TEMP);
	sm4_word(a, 0);
	sm4_word(a, 8);
	sm4_word(a, 4);
	sm4_close(a);
	sm4_open(a, SM4_DCL_CONSTANT_BUFFER | 1u << 11);
	sm4_word(a, 2 | 1 << 2 | SM4_XYZW << 4 | SM4_REG_CONSTANT_BUFFER << 12 | 2 << 20);
	sm4_word(a, 0);
	sm4_word(a, 10);
	sm4_close(a);
	sm4_open(a, SM4_DCL_RESOURCE | (2 + random_below(8)) << 11);
	sm4_dst(a, SM4_REG_RESOURCE, 0, 0);
	sm4_word(a, 0x5555);
	sm4_close(a);
}

static void test_random_sm4(void)
{
	unsigned built = 0;
	bool good = true;

	random_state = 2;
	for (unsigned round = 0; round < 20000; round++) {
		uint32_t count = 1 + random_below(6);
		struct sm4_asm a;
		int ret;

		begin_random_sm4(&a, round % 2 ? SM4_VS(5, 0) : SM4_PS(5, 0));
		for (uint32_t i = 0; i < count; i++) {
			uint32_t opcode = random_below(143);
			const struct sm4_opcode_info *info = sm4_opcode_info(opcode);

			if (!info || opcode == SM4_CUSTOMDATA)
				continue;
			sm4_open(&a, opcode | random_below(128) << 11);
			for (unsigned k = 0; k < (unsigned)info->dst_count + info->src_count; k++)
				random_operand(&a);
			sm4_close(&a);
		}
		sm4_end(&a);
		ret = compile_copy(a.words, 4 * (size_t)a.count);
		good &= is_documented(ret);
		built += !ret;
	}
	tap_ok(good && built > 100, "random SM4/5 programs are answered (%u of 20000 are valid)", built);
}

static int parse_words(const uint32_t *words, uint32_t count, char *message, size_t size)
{
	struct shader *shader;
	int ret = shader_parse(words, 4 * (size_t)count, &shader, message, size);

	shader_destroy(shader);
	return ret;
}

static void test_refusals(void)
{
	static const uint32_t no_end[] = {VS(2, 0)};
	static const uint32_t bad_version[] = {VS(9, 0), SM1_END};
	static const uint32_t long_comment[] = {PS(2, 0), SM1_COMMENT | 0x7fffu << 16, SM1_END};
	struct sm1_asm a;
	struct sm4_asm b;
	char message[200];

	tap_eq(parse_words(no_end, 0, message, sizeof(message)), -EINVAL, "nothing at all is refused");
	tap_eq(parse_words(no_end, 1, message, sizeof(message)), -EINVAL, "a stream without an end token is refused");
	tap_eq(parse_words(bad_version, 2, message, sizeof(message)), -EINVAL, "vs_9_0 is refused");
	tap_eq(parse_words(long_comment, 3, message, sizeof(message)), -EINVAL, "a comment beyond the end is refused");

	asm_begin(&a, VS(2, 0));
	asm_op(&a, SM1_CMP, 4, D(SM1_REG_TEMP, 0, 15), S(SM1_REG_CONST, 0, XYZW), S(SM1_REG_CONST, 0, XYZW),
	       S(SM1_REG_CONST, 0, XYZW));
	asm_end(&a);
	tap_eq(parse_words(a.words, a.count, message, sizeof(message)), -EINVAL, "cmp is refused in a vertex shader");
	tap_str(message, "dword 1: cmp does not exist in vs_2_0", "the message says where and why");

	/* l0 calls itself. */
	asm_begin(&a, VS(2, 0));
	asm_op(&a, SM1_CALL, 1, S(SM1_REG_LABEL, 0, XYZW));
	asm_op(&a, SM1_RET, 0);
	asm_op(&a, SM1_LABEL, 1, S(SM1_REG_LABEL, 0, XYZW));
	asm_op(&a, SM1_CALL, 1, S(SM1_REG_LABEL, 0, XYZW));
	asm_op(&a, SM1_RET, 0);
	asm_end(&a);
	tap_eq(parse_words(a.words, a.count, message, sizeof(message)), -EINVAL, "recursion is refused");

	sm4_begin(&b, SM4_PS(5, 0));
	sm4_plain(&b, 190);
	sm4_end(&b);
	tap_eq(parse_words(b.words, b.count, message, sizeof(message)), -ENOTSUP, "sync is not built");
	tap_ok(strstr(message, "sync"), "the message names the instruction: %s", message);
	sm4_begin(&b, 5u << 16 | 0x50);
	sm4_plain(&b, SM4_RET);
	sm4_end(&b);
	tap_eq(parse_words(b.words, b.count, message, sizeof(message)), -ENOTSUP, "compute shaders are not built");
	sm4_begin(&b, SM4_PS(4, 0));
	sm4_plain(&b, SM4_ENDIF);
	sm4_end(&b);
	tap_eq(parse_words(b.words, b.count, message, sizeof(message)), -EINVAL, "endif without if is refused");
}

static const struct blob *find(const char *name)
{
	for (unsigned i = 0; i < blob_count; i++) {
		if (!strcmp(blobs[i].name, name))
			return &blobs[i];
	}
	tap_bail("no blob %s", name);
}

static struct shader *parse(const char *name)
{
	const struct blob *blob = find(name);
	struct shader *shader;
	char message[200];

	if (shader_parse(blob->code, blob->size, &shader, message, sizeof(message)))
		tap_bail("%s: %s", name, message);
	return shader;
}

static void test_checksum(void)
{
	bool good = true;

	for (unsigned i = 0; i < blob_count; i++) {
		const uint8_t *code = (const uint8_t *)blobs[i].code;
		uint8_t checksum[16];

		if (*(const uint32_t *)blobs[i].code != DXBC_MAGIC)
			continue;
		dxbc_checksum(code + DXBC_CHECKSUM_START, blobs[i].size - DXBC_CHECKSUM_START, checksum);
		good &= !memcmp(checksum, code + 4, sizeof(checksum));
	}
	tap_ok(good, "the checksum of every container is what its compiler wrote");
}

static void test_info(void)
{
	struct shader *shader = parse("lit_vs_4");
	const struct shader_info *info = shader_get_info(shader);

	tap_eq(info->stage, SHADER_VERTEX, "vs_4_0: stage");
	tap_eq(info->major, 4, "vs_4_0: major version");
	tap_eq(info->input_count, 3, "vs_4_0: three inputs");
	tap_str(info->inputs[1].name, "TEXCOORD", "vs_4_0: input 1 has its semantic's name");
	tap_eq(info->inputs[2].name_index, 1, "vs_4_0: input 2 has its semantic's index");
	tap_eq(info->output_count, 3, "vs_4_0: three outputs");
	tap_eq(info->outputs[0].system_value, 1, "vs_4_0: output 0 is the position");
	tap_str(info->outputs[1].name, "COLOR", "vs_4_0: output 1 has its semantic's name");
	tap_eq(info->constant_buffers, 1, "vs_4_0: reads constant buffer 0");
	tap_eq(info->constant_buffer_size[0], 5, "vs_4_0: of five vectors");
	shader_destroy(shader);

	shader = parse("lit_ps_2");
	info = shader_get_info(shader);
	tap_eq(info->unit_count, 1, "ps_2_0: one texture unit");
	tap_eq(info->units[0].dimension, SHADER_DIM_2D, "ps_2_0: of a 2D texture");
	tap_eq(info->render_targets, 1, "ps_2_0: one render target");
	tap_eq(shader_get_linkage(shader)->count, 2, "ps_2_0: two varyings");
	shader_destroy(shader);

	shader = parse("sample_compare_ps_4");
	info = shader_get_info(shader);
	tap_ok(info->unit_count == 1 && info->units[0].comparison && info->units[0].texture == 6 &&
		       info->units[0].sampler == 1,
	       "ps_4_0: one comparing unit of t6 and s1");
	shader_destroy(shader);

	shader = parse("discards_ps_4");
	tap_ok(shader_get_info(shader)->kills, "ps_4_0: may discard");
	shader_destroy(shader);
	shader = parse("depth_ps_4");
	tap_ok(shader_get_info(shader)->writes_depth, "ps_4_0: writes depth");
	shader_destroy(shader);
}

int main(void)
{
	test_checksum();
	test_info();
	test_refusals();
	test_random_sm1();
	test_random_sm4();
	for (unsigned i = 0; i < blob_count; i++) {
		test_truncations(&blobs[i]);
		test_bit_flips(&blobs[i]);
		test_random_damage(&blobs[i]);
	}
	return tap_done();
}
