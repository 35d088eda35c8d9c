/* SPDX-License-Identifier: MIT */
/*
 * SM1-3 to IR. Two walks over the tokens: the first collects what may be used before it is seen (definitions, labels),
 * the second translates the main program and, where they are called, its subroutines.
 */
#include "sm1_state.h"

#include <errno.h>
#include <stdlib.h>

static int collect(struct sm1 *sm1)
{
	struct sm1_reader start = sm1->reader;
	struct sm1_insn insn;
	int ret;

	for (;;) {
		ret = sm1_read(&sm1->reader, &insn);
		if (ret || insn.opcode == SM1_END)
			break;
		if (insn.opcode == SM1_DEF || insn.opcode == SM1_DEFI || insn.opcode == SM1_DEFB) {
			ret = sm1_define(sm1, &insn);
			if (ret)
				break;
		}
		if (insn.opcode == SM1_LABEL && insn.src[0].number < SM1_MAX_LABELS)
			sm1->label_position[insn.src[0].number] = sm1->reader.position;
	}
	sm1->reader = start;
	return ret;
}

static int translate(struct sm1 *sm1, const struct sm1_insn *insn)
{
	int ret;

	switch (insn->opcode) {
	case SM1_NOP:
	case SM1_DEF:
	case SM1_DEFI:
	case SM1_DEFB:
	case SM1_PHASE:
		return 0;
	case SM1_DCL:
		return sm1_declare(sm1, insn);
	}
	sm1->shader->info.instruction_count++;
	ret = sm1_arithmetic(sm1, insn);
	if (ret == 1)
		ret = sm1_texture(sm1, insn);
	if (ret == 1)
		ret = sm1_flow(sm1, insn);
	if (ret == 1)
		ret = sm1_error(sm1, insn, -ENOTSUP, "is not built");
	return ret;
}

int sm1_translate_block(struct sm1 *sm1)
{
	struct sm1_insn insn;
	int ret;

	for (;;) {
		ret = sm1_read(&sm1->reader, &insn);
		if (ret)
			return ret;
		if (insn.opcode == SM1_END || insn.opcode == SM1_RET || insn.opcode == SM1_LABEL) {
			if (sm1->flow_depth)
				return sm1_error(sm1, &insn, -EINVAL, "a flow control block is still open");
			return 0;
		}
		ret = translate(sm1, &insn);
		if (!ret)
			ret = sm1->ir->error ? sm1->ir->error : sm1->prologue.error;
		if (ret)
			return ret;
	}
}

static void init_registers(struct sm1 *sm1)
{
	for (unsigned i = 0; i < SM1_MAX_TEMPS; i++)
		sm1->temps[i] = SHADER_NONE;
	for (unsigned i = 0; i < 8; i++)
		sm1->texture_temps[i] = SHADER_NONE;
	for (unsigned i = 0; i < 32; i++)
		sm1->clamped_consts[i] = SHADER_NONE;
	for (unsigned i = 0; i < SM1_SAMPLERS; i++)
		sm1->sampler_unit[i] = SHADER_NONE;
	sm1->address = sm1->predicate = sm1->input_array = SHADER_NONE;
}

int sm1_parse(const void *code, size_t size, struct shader *shader, const struct shader_message *message)
{
	struct sm1 *sm1 = calloc(1, sizeof(*sm1));
	int ret;

	if (!sm1)
		return -ENOMEM;
	sm1->shader = shader;
	sm1->ir = &shader->ir;
	sm1->message = message;
	init_registers(sm1);
	ret = sm1_reader_init(&sm1->reader, code, size, message);
	if (ret)
		goto out;
	sm1->pixel = sm1->reader.pixel;
	sm1->version = sm1->reader.version;
	shader->info.stage = sm1->pixel ? SHADER_PIXEL : SHADER_VERTEX;
	shader->info.major = (uint8_t)(sm1->version >> 8);
	shader->info.minor = (uint8_t)sm1->version;
	ret = collect(sm1);
	if (!ret)
		ret = sm1_translate_block(sm1);
	if (ret)
		goto out;
	sm1_end_registers(sm1);
	/* The prologue goes first; the main list handed out the register numbers. */
	ir_prepend(sm1->ir, &sm1->prologue);
	ir_drop_empty(sm1->ir);
	ret = sm1->ir->error;
out:
	ir_free(&sm1->prologue);
	free(sm1->floats);
	free(sm1);
	return ret;
}
