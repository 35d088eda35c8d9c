/* SPDX-License-Identifier: MIT */
/* SM4/5 instructions on the engine, in both stages, against their definitions in C: results are compared as bits. */
#include <math.h>
#include <stdio.h>

#include "sm4_asm.h"
#include "tap.h"
#include "vectors.h"

/* One component of the operands, and of up to two results. */
union value {
	float f;
	int32_t i;
	uint32_t u;
};

typedef void reference_fn(const union value *s, union value *d);

enum operand_kind {
	FLOATS,				/* the vectors as they are */
	INTEGERS,			/* the vectors times 1000, as integers */
	BITS,				/* small counts: the vectors as integers, modulo 64 */
};

struct instruction_case {
	const char *name;
	uint32_t opcode;
	uint8_t version;		/* 0x40, 0x50 */
	uint8_t destinations, sources;
	enum operand_kind kind;
	float tolerance;		/* of float results; 0 = all bits */
	reference_fn *reference;
};

#define CASE_FN(name, statement) \
	static void name(const union value *s, union value *d) \
	{ \
		statement; \
	}
#define FLAG(condition) ((condition) ? UINT32_MAX : 0)

CASE_FN(ref_mov, d[0].u = s[0].u)
CASE_FN(ref_add, d[0].f = s[0].f + s[1].f)
CASE_FN(ref_mul, d[0].f = s[0].f * s[1].f)
CASE_FN(ref_mad, d[0].f = s[0].f * s[1].f + s[2].f)
CASE_FN(ref_div, d[0].f = s[0].f / s[1].f)
CASE_FN(ref_min, d[0].f = fminf(s[0].f, s[1].f))
CASE_FN(ref_max, d[0].f = fmaxf(s[0].f, s[1].f))
CASE_FN(ref_frc, d[0].f = s[0].f - floorf(s[0].f))
CASE_FN(ref_round_ne, d[0].f = nearbyintf(s[0].f))
CASE_FN(ref_round_ni, d[0].f = floorf(s[0].f))
CASE_FN(ref_round_pi, d[0].f = ceilf(s[0].f))
CASE_FN(ref_round_z, d[0].f = truncf(s[0].f))
CASE_FN(ref_sqrt, d[0].f = sqrtf(s[0].f))
CASE_FN(ref_rsq, d[0].f = 1 / sqrtf(s[0].f))
CASE_FN(ref_rcp, d[0].f = 1 / s[0].f)
CASE_FN(ref_log, d[0].f = log2f(s[0].f))
CASE_FN(ref_sincos, d[0].f = sinf(s[0].f); d[1].f = cosf(s[0].f))
CASE_FN(ref_lt, d[0].u = FLAG(s[0].f < s[1].f))
CASE_FN(ref_ge, d[0].u = FLAG(s[0].f >= s[1].f))
CASE_FN(ref_eq, d[0].u = FLAG(s[0].f == s[1].f))
CASE_FN(ref_ne, d[0].u = FLAG(s[0].f != s[1].f))
CASE_FN(ref_movc, d[0].u = s[0].u ? s[1].u : s[2].u)
CASE_FN(ref_ftoi, d[0].i = (int32_t)s[0].f)
CASE_FN(ref_ftou, d[0].u = s[0].f > 0 ? (uint32_t)s[0].f : 0)
CASE_FN(ref_itof, d[0].f = (float)s[0].i)
CASE_FN(ref_utof, d[0].f = (float)s[0].u)
CASE_FN(ref_iadd, d[0].u = s[0].u + s[1].u)
CASE_FN(ref_imad, d[0].u = s[0].u * s[1].u + s[2].u)
CASE_FN(ref_imax, d[0].i = s[0].i > s[1].i ? s[0].i : s[1].i)
CASE_FN(ref_imin, d[0].i = s[0].i < s[1].i ? s[0].i : s[1].i)
CASE_FN(ref_umax, d[0].u = s[0].u > s[1].u ? s[0].u : s[1].u)
CASE_FN(ref_umin, d[0].u = s[0].u < s[1].u ? s[0].u : s[1].u)
CASE_FN(ref_ieq, d[0].u = FLAG(s[0].i == s[1].i))
CASE_FN(ref_ine, d[0].u = FLAG(s[0].i != s[1].i))
CASE_FN(ref_ige, d[0].u = FLAG(s[0].i >= s[1].i))
CASE_FN(ref_ilt, d[0].u = FLAG(s[0].i < s[1].i))
CASE_FN(ref_uge, d[0].u = FLAG(s[0].u >= s[1].u))
CASE_FN(ref_ult, d[0].u = FLAG(s[0].u < s[1].u))
CASE_FN(ref_ineg, d[0].u = 0 - s[0].u)
CASE_FN(ref_not, d[0].u = ~s[0].u)
CASE_FN(ref_and, d[0].u = s[0].u & s[1].u)
CASE_FN(ref_or, d[0].u = s[0].u | s[1].u)
CASE_FN(ref_xor, d[0].u = s[0].u ^ s[1].u)
CASE_FN(ref_ishl, d[0].u = s[0].u << (s[1].u & 31))
CASE_FN(ref_ishr, d[0].i = s[0].i >> (s[1].u & 31))
CASE_FN(ref_ushr, d[0].u = s[0].u >> (s[1].u & 31))
CASE_FN(ref_imul, int64_t p = (int64_t)s[0].i * s[1].i; d[0].u = (uint32_t)(p >> 32); d[1].u = (uint32_t)p)
CASE_FN(ref_umul, uint64_t p = (uint64_t)s[0].u * s[1].u; d[0].u = (uint32_t)(p >> 32); d[1].u = (uint32_t)p)
CASE_FN(ref_udiv, d[0].u = s[1].u ? s[0].u / s[1].u : UINT32_MAX; d[1].u = s[1].u ? s[0].u % s[1].u : UINT32_MAX)
CASE_FN(ref_uaddc, d[0].u = s[0].u + s[1].u; d[1].u = d[0].u < s[0].u)
CASE_FN(ref_usubb, d[0].u = s[0].u - s[1].u; d[1].u = s[0].u < s[1].u)
CASE_FN(ref_swapc, d[0].u = s[0].u ? s[2].u : s[1].u; d[1].u = s[0].u ? s[1].u : s[2].u)
CASE_FN(ref_countbits, d[0].u = (uint32_t)__builtin_popcount(s[0].u))
CASE_FN(ref_firstbit_lo, d[0].u = s[0].u ? (uint32_t)__builtin_ctz(s[0].u) : UINT32_MAX)
CASE_FN(ref_firstbit_hi, d[0].u = s[0].u ? (uint32_t)__builtin_clz(s[0].u) : UINT32_MAX)
CASE_FN(ref_firstbit_shi, uint32_t x = s[0].i < 0 ? ~s[0].u : s[0].u;
	d[0].u = x ? (uint32_t)__builtin_clz(x) : UINT32_MAX)

static void ref_bfrev(const union value *s, union value *d)
{
	d[0].u = 0;
	for (unsigned i = 0; i < 32; i++)
		d[0].u |= ((s[0].u >> i) & 1) << (31 - i);
}

static void ref_ubfe(const union value *s, union value *d)
{
	unsigned width = s[0].u & 31, offset = s[1].u & 31;

	if (!width)
		d[0].u = 0;
	else if (width + offset < 32)
		d[0].u = s[2].u << (32 - width - offset) >> (32 - width);
	else
		d[0].u = s[2].u >> offset;
}

static void ref_ibfe(const union value *s, union value *d)
{
	unsigned width = s[0].u & 31, offset = s[1].u & 31;

	if (!width)
		d[0].u = 0;
	else if (width + offset < 32)
		d[0].i = (int32_t)(s[2].u << (32 - width - offset)) >> (32 - width);
	else
		d[0].i = s[2].i >> offset;
}

static void ref_bfi(const union value *s, union value *d)
{
	uint32_t width = s[0].u & 31, offset = s[1].u & 31, mask = ((1u << width) - 1) << offset;

	d[0].u = ((s[2].u << offset) & mask) | (s[3].u & ~mask);
}

static void ref_f16tof32(const union value *s, union value *d)
{
	uint32_t exponent = (s[0].u >> 10) & 31, mantissa = s[0].u & 0x3ff;
	float value = exponent == 0 ? ldexpf((float)mantissa, -24) :
		      exponent < 31 ? ldexpf((float)(mantissa | 0x400), (int)exponent - 25) :
		      mantissa	    ? NAN :
				      INFINITY;

	d[0].f = s[0].u & 0x8000 ? -value : value;
}

/* Through the nearest multiple of the step that the exponent leaves: ties go to even in nearbyintf. */
static void ref_f32tof16(const union value *s, union value *d)
{
	float magnitude = fabsf(s[0].f);
	int exponent;
	uint32_t half;

	frexpf(magnitude, &exponent);
	if (magnitude < 0x1p-14f) {
		half = (uint32_t)nearbyintf(ldexpf(magnitude, 24));
	} else if (magnitude >= 65520) {
		half = 0x7c00;
	} else {
		uint32_t mantissa = (uint32_t)nearbyintf(ldexpf(magnitude, 11 - exponent));

		half = ((uint32_t)(exponent + 13) << 10) + mantissa;
	}
	d[0].u = half | (s[0].f < 0 ? 0x8000 : 0);
}

static const struct instruction_case cases[] = {
	{"mov", SM4_MOV, 0x40, 1, 1, FLOATS, 0, ref_mov},
	{"add", SM4_ADD, 0x40, 1, 2, FLOATS, 1e-6f, ref_add},
	{"mul", SM4_MUL, 0x40, 1, 2, FLOATS, 1e-6f, ref_mul},
	{"mad", SM4_MAD, 0x40, 1, 3, FLOATS, 1e-6f, ref_mad},
	{"div", SM4_DIV, 0x40, 1, 2, FLOATS, 1e-5f, ref_div},
	{"min", SM4_MIN, 0x40, 1, 2, FLOATS, 0, ref_min},
	{"max", SM4_MAX, 0x40, 1, 2, FLOATS, 0, ref_max},
	{"frc", SM4_FRC, 0x40, 1, 1, FLOATS, 1e-5f, ref_frc},
	{"round_ne", SM4_ROUND_NE, 0x40, 1, 1, FLOATS, 1e-6f, ref_round_ne},
	{"round_ni", SM4_ROUND_NI, 0x40, 1, 1, FLOATS, 1e-6f, ref_round_ni},
	{"round_pi", SM4_ROUND_PI, 0x40, 1, 1, FLOATS, 1e-6f, ref_round_pi},
	{"round_z", SM4_ROUND_Z, 0x40, 1, 1, FLOATS, 1e-6f, ref_round_z},
	{"sqrt", SM4_SQRT, 0x40, 1, 1, FLOATS, 1e-5f, ref_sqrt},
	{"rsq", SM4_RSQ, 0x40, 1, 1, FLOATS, 1e-4f, ref_rsq},
	{"rcp", SM4_RCP, 0x50, 1, 1, FLOATS, 1e-5f, ref_rcp},
	{"exp", SM4_EXP, 0x40, 1, 1, FLOATS, 1e-4f, NULL},
	{"log", SM4_LOG, 0x40, 1, 1, FLOATS, 1e-4f, ref_log},
	{"sincos", SM4_SINCOS, 0x40, 2, 1, FLOATS, 2e-3f, ref_sincos},
	{"lt", SM4_LT, 0x40, 1, 2, FLOATS, 0, ref_lt},
	{"ge", SM4_GE, 0x40, 1, 2, FLOATS, 0, ref_ge},
	{"eq", SM4_EQ, 0x40, 1, 2, FLOATS, 0, ref_eq},
	{"ne", SM4_NE, 0x40, 1, 2, FLOATS, 0, ref_ne},
	{"movc", SM4_MOVC, 0x40, 1, 3, FLOATS, 0, ref_movc},
	{"ftoi", SM4_FTOI, 0x40, 1, 1, FLOATS, 0, ref_ftoi},
	{"ftou", SM4_FTOU, 0x40, 1, 1, FLOATS, 0, ref_ftou},
	{"itof", SM4_ITOF, 0x40, 1, 1, INTEGERS, 1e-6f, ref_itof},
	{"utof", SM4_UTOF, 0x40, 1, 1, INTEGERS, 1e-6f, ref_utof},
	{"f16tof32", SM4_F16TOF32, 0x50, 1, 1, INTEGERS, 1e-6f, ref_f16tof32},
	{"f32tof16", SM4_F32TOF16, 0x50, 1, 1, FLOATS, 0, ref_f32tof16},
	{"iadd", SM4_IADD, 0x40, 1, 2, INTEGERS, 0, ref_iadd},
	{"imad", SM4_IMAD, 0x40, 1, 3, INTEGERS, 0, ref_imad},
	{"umad", SM4_UMAD, 0x40, 1, 3, INTEGERS, 0, ref_imad},
	{"imax", SM4_IMAX, 0x40, 1, 2, INTEGERS, 0, ref_imax},
	{"imin", SM4_IMIN, 0x40, 1, 2, INTEGERS, 0, ref_imin},
	{"umax", SM4_UMAX, 0x40, 1, 2, INTEGERS, 0, ref_umax},
	{"umin", SM4_UMIN, 0x40, 1, 2, INTEGERS, 0, ref_umin},
	{"ieq", SM4_IEQ, 0x40, 1, 2, INTEGERS, 0, ref_ieq},
	{"ine", SM4_INE, 0x40, 1, 2, INTEGERS, 0, ref_ine},
	{"ige", SM4_IGE, 0x40, 1, 2, INTEGERS, 0, ref_ige},
	{"ilt", SM4_ILT, 0x40, 1, 2, INTEGERS, 0, ref_ilt},
	{"uge", SM4_UGE, 0x40, 1, 2, INTEGERS, 0, ref_uge},
	{"ult", SM4_ULT, 0x40, 1, 2, INTEGERS, 0, ref_ult},
	{"ineg", SM4_INEG, 0x40, 1, 1, INTEGERS, 0, ref_ineg},
	{"not", SM4_NOT, 0x40, 1, 1, INTEGERS, 0, ref_not},
	{"and", SM4_AND, 0x40, 1, 2, INTEGERS, 0, ref_and},
	{"or", SM4_OR, 0x40, 1, 2, INTEGERS, 0, ref_or},
	{"xor", SM4_XOR, 0x40, 1, 2, INTEGERS, 0, ref_xor},
	{"ishl", SM4_ISHL, 0x40, 1, 2, BITS, 0, ref_ishl},
	{"ishr", SM4_ISHR, 0x40, 1, 2, BITS, 0, ref_ishr},
	{"ushr", SM4_USHR, 0x40, 1, 2, BITS, 0, ref_ushr},
	{"imul", SM4_IMUL, 0x40, 2, 2, INTEGERS, 0, ref_imul},
	{"umul", SM4_UMUL, 0x40, 2, 2, INTEGERS, 0, ref_umul},
	{"udiv", SM4_UDIV, 0x40, 2, 2, INTEGERS, 0, ref_udiv},
	{"uaddc", SM4_UADDC, 0x50, 2, 2, INTEGERS, 0, ref_uaddc},
	{"usubb", SM4_USUBB, 0x50, 2, 2, INTEGERS, 0, ref_usubb},
	{"swapc", SM4_SWAPC, 0x50, 2, 3, INTEGERS, 0, ref_swapc},
	{"countbits", SM4_COUNTBITS, 0x50, 1, 1, INTEGERS, 0, ref_countbits},
	{"firstbit_lo", SM4_FIRSTBIT_LO, 0x50, 1, 1, INTEGERS, 0, ref_firstbit_lo},
	{"firstbit_hi", SM4_FIRSTBIT_HI, 0x50, 1, 1, INTEGERS, 0, ref_firstbit_hi},
	{"firstbit_shi", SM4_FIRSTBIT_SHI, 0x50, 1, 1, INTEGERS, 0, ref_firstbit_shi},
	{"bfrev", SM4_BFREV, 0x50, 1, 1, INTEGERS, 0, ref_bfrev},
	{"ubfe", SM4_UBFE, 0x50, 1, 3, BITS, 0, ref_ubfe},
	{"ibfe", SM4_IBFE, 0x50, 1, 3, BITS, 0, ref_ibfe},
	{"bfi", SM4_BFI, 0x50, 1, 4, BITS, 0, ref_bfi},
};

/* Operand s of component c of vector v, as the shader prepares it from the attributes. */
static union value operand(const struct instruction_case *test, unsigned vector, unsigned s, unsigned component)
{
	/* The fourth operand is the first one again. */
	union value value = {.f = vectors[vector][s % 3][component]};

	if (test->kind == INTEGERS)
		value.i = (int32_t)(value.f * 1000);
	else if (test->kind == BITS)
		value.i = (int32_t)(value.f * 10);
	return value;
}

/* r1.. = operands; r5, r6 = results. Inputs start at register `first`. */
static void add_body(struct sm4_asm *a, const struct instruction_case *test, uint32_t first)
{
	union value scale = {.f = test->kind == INTEGERS ? 1000 : 10};

	for (uint32_t s = 0; s < test->sources; s++) {
		uint32_t input = first + s % 3;

		if (test->kind == FLOATS) {
			sm4_mov(a, SM4_REG_TEMP, 1 + s, SM4_REG_INPUT, input);
			continue;
		}
		sm4_open(a, SM4_MUL);
		sm4_dst(a, SM4_REG_TEMP, 1 + s, 15);
		sm4_src(a, SM4_REG_INPUT, input, SM4_XYZW);
		sm4_imm1(a, scale.u);
		sm4_close(a);
		sm4_open(a, SM4_FTOI);
		sm4_dst(a, SM4_REG_TEMP, 1 + s, 15);
		sm4_src(a, SM4_REG_TEMP, 1 + s, SM4_XYZW);
		sm4_close(a);
	}
	sm4_open(a, test->opcode);
	for (uint32_t d = 0; d < test->destinations; d++)
		sm4_dst(a, SM4_REG_TEMP, 5 + d, 15);
	for (uint32_t s = 0; s < test->sources; s++)
		sm4_src(a, SM4_REG_TEMP, 1 + s, SM4_XYZW);
	sm4_close(a);
}

/* v0 = position, v1..v3 = operands; with a body, its result number `result` is o1. */
static void make_vertex(struct sm4_asm *a, const struct instruction_case *test, unsigned result)
{
	sm4_begin(a, SM4_VS(5, 0));
	for (uint32_t i = 0; i < 4; i++)
		sm4_dcl(a, SM4_DCL_INPUT, SM4_REG_INPUT, i, 15, 0);
	sm4_dcl(a, SM4_DCL_OUTPUT_SIV, SM4_REG_OUTPUT, 0, 15, SM4_NAME_POSITION);
	for (uint32_t i = 1; i < 4; i++)
		sm4_dcl(a, SM4_DCL_OUTPUT, SM4_REG_OUTPUT, i, 15, 0);
	sm4_dcl_temps(a, 8);
	for (uint32_t i = 0; i < 4; i++)
		sm4_mov(a, SM4_REG_OUTPUT, i, SM4_REG_INPUT, i);
	if (test) {
		add_body(a, test, 1);
		sm4_mov(a, SM4_REG_OUTPUT, 1, SM4_REG_TEMP, 5 + result);
	}
	sm4_plain(a, SM4_RET);
	sm4_end(a);
}

static void make_pixel(struct sm4_asm *a, const struct instruction_case *test, unsigned result)
{
	const uint32_t constant = 1u << 11;

	sm4_begin(a, SM4_PS(5, 0));
	for (uint32_t i = 1; i < 4; i++)
		sm4_dcl(a, SM4_DCL_INPUT_PS | constant, SM4_REG_INPUT, i, 15, 0);
	sm4_dcl(a, SM4_DCL_OUTPUT, SM4_REG_OUTPUT, 0, 15, 0);
	sm4_dcl_temps(a, 8);
	if (test) {
		add_body(a, test, 1);
		sm4_mov(a, SM4_REG_OUTPUT, 0, SM4_REG_TEMP, 5 + result);
	} else {
		sm4_mov(a, SM4_REG_OUTPUT, 0, SM4_REG_INPUT, 1);
	}
	sm4_plain(a, SM4_RET);
	sm4_end(a);
}

static bool equals(const struct instruction_case *test, union value got, union value want)
{
	if (got.u == want.u)
		return true;
	if (test->tolerance == 0)
		return false;
	if (isnan(want.f) || got.f == want.f)
		return isnan(want.f) ? isnan(got.f) : true;
	return fabsf(got.f - want.f) <= test->tolerance * fmaxf(1, fabsf(want.f));
}

static bool compare(const struct virgl_run *run, const struct instruction_case *test, unsigned result)
{
	bool good = true;

	for (unsigned i = 0; i < VECTOR_COUNT; i++) {
		for (unsigned c = 0; c < 4; c++) {
			union value s[4], d[2] = {{0}}, got = {.u = run->texels[i][c]};

			for (unsigned k = 0; k < 4; k++)
				s[k] = operand(test, i, k, c);
			if (test->reference)
				test->reference(s, d);
			else
				d[0].f = exp2f(s[0].f);
			if (equals(test, got, d[result]))
				continue;
			tap_diag("%s: result %u of vector %u component %u: got %#x (%g), want %#x (%g)", test->name,
				 result, i, c, got.u, (double)got.f, d[result].u, (double)d[result].f);
			good = false;
		}
	}
	return good;
}

static void test_instruction(const struct instruction_case *test, bool in_vertex, unsigned result)
{
	struct sm4_asm vertex, pixel;
	struct vector_run v = {.integer_target = true};

	make_vertex(&vertex, in_vertex ? test : NULL, result);
	make_pixel(&pixel, in_vertex ? NULL : test, result);
	v.vertex = vertex.words;
	v.vertex_size = 4 * vertex.count;
	v.pixel = pixel.words;
	v.pixel_size = 4 * pixel.count;
	tap_ok(!vector_run(&v) && compare(&v.run, test, result), "%s shader: %s%s", in_vertex ? "vertex" : "pixel",
	       test->name, result ? " (second result)" : "");
}

/* Registers of their own: oMask, vCoverage. One component, no index. */
static void sm4_single(struct sm4_asm *a, uint32_t type)
{
	sm4_word(a, 1 | type << 12);
}

static void show_register(const char *name, uint32_t output, uint32_t input, uint32_t value_name, uint32_t want)
{
	struct sm4_asm vertex, pixel;
	struct vector_run v = {.integer_target = true};

	make_vertex(&vertex, NULL, 0);
	sm4_begin(&pixel, SM4_PS(5, 0));
	sm4_dcl(&pixel, SM4_DCL_OUTPUT, SM4_REG_OUTPUT, 0, 15, 0);
	if (value_name)
		sm4_dcl(&pixel, SM4_DCL_INPUT_PS_SGV | 1u << 11, SM4_REG_INPUT, 4, 1, value_name);
	sm4_open(&pixel, output ? SM4_DCL_OUTPUT : SM4_DCL_INPUT);
	sm4_single(&pixel, output ? output : SM4_REG_INPUT_COVERAGE);
	sm4_close(&pixel);
	sm4_open(&pixel, SM4_MOV);
	sm4_dst(&pixel, SM4_REG_OUTPUT, 0, 15);
	if (value_name)
		sm4_src(&pixel, SM4_REG_INPUT, 4, SM4_REPLICATE(0));
	else if (input)
		sm4_single(&pixel, input);
	else
		sm4_imm1(&pixel, want);
	sm4_close(&pixel);
	if (output) {
		sm4_open(&pixel, SM4_MOV);
		sm4_single(&pixel, output);
		sm4_imm1(&pixel, 1);
		sm4_close(&pixel);
	}
	sm4_plain(&pixel, SM4_RET);
	sm4_end(&pixel);
	v.vertex = vertex.words;
	v.vertex_size = 4 * vertex.count;
	v.pixel = pixel.words;
	v.pixel_size = 4 * pixel.count;
	tap_ok(!vector_run(&v) && v.run.texels[3][0] == want, "%s", name);
}

static void test_registers(void)
{
	show_register("SV_Coverage as an output", SM4_REG_OUTPUT_COVERAGE, 0, 0, 7);
	show_register("SV_Coverage as an input", 0, SM4_REG_INPUT_COVERAGE, 0, 1);
	show_register("SV_SampleIndex", 0, 0, SM4_NAME_SAMPLE_INDEX, 0);
}

int main(void)
{
	if (!virgl_run_available()) {
		tap_skip("the engine does not start here", "SM4/5 instructions");
		return tap_done();
	}
	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		for (unsigned result = 0; result < cases[i].destinations; result++) {
			test_instruction(&cases[i], false, result);
			test_instruction(&cases[i], true, result);
		}
	}
	test_registers();
	return tap_done();
}
