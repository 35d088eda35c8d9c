/* SPDX-License-Identifier: MIT */
/* SM4/5 to IR: a DXBC container or a bare program, instruction by instruction. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sm4_state.h"

static int translate(struct sm4 *sm4, const struct sm4_insn *insn)
{
	int ret = sm4_declaration(sm4, insn);

	if (ret != 1)
		return ret;
	sm4->shader->info.instruction_count++;
	ret = sm4_texture(sm4, insn);
	if (ret == 1)
		ret = sm4_arithmetic(sm4, insn);
	if (ret == 1)
		ret = sm4_flow(sm4, insn);
	if (ret == 1)
		ret = sm4_error(sm4, insn, -ENOTSUP, "is not built");
	return ret;
}

static int translate_program(struct sm4 *sm4)
{
	struct sm4_insn insn;
	int ret;

	for (;;) {
		ret = sm4_read(&sm4->reader, &insn);
		if (ret)
			return ret == 1 ? 0 : ret;
		ret = translate(sm4, &insn);
		if (!ret)
			ret = sm4->ir->error;
		if (ret)
			return ret;
	}
}

static void init_registers(struct sm4 *sm4)
{
	memset(sm4->input_entry, 0xff, sizeof(sm4->input_entry));
	memset(sm4->input_temp, 0xff, sizeof(sm4->input_temp));
	sm4->input_array = sm4->immediate_array = SHADER_NONE;
	sm4->shader->geometry.invocations = 1;
}

static int check_stage(struct sm4 *sm4)
{
	static const char *const names[] = {"vertex", "pixel", "geometry", "hull", "domain", "compute"};
	struct shader_info *info = &sm4->shader->info;

	info->stage = sm4->reader.stage;
	info->major = sm4->reader.major;
	info->minor = sm4->reader.minor;
	if (info->stage > SHADER_GEOMETRY)
		return shader_fail(sm4->message, -ENOTSUP, "%s shaders are not built", names[info->stage]);
	return 0;
}

/* A bare program starts with a version token of SM4 or SM5, which is no container's magic. */
static bool is_bare(const void *code, size_t size)
{
	uint32_t token = 0;

	if (size >= 4)
		memcpy(&token, code, 4);
	return size >= 4 && token != DXBC_MAGIC && token >> 16 <= 5;
}

int sm4_parse(const void *code, size_t size, struct shader *shader, const struct shader_message *message)
{
	struct sm4 *sm4 = calloc(1, sizeof(*sm4));
	struct dxbc *dxbc = calloc(1, sizeof(*dxbc));
	int ret = -ENOMEM;

	if (!sm4 || !dxbc)
		goto out;
	sm4->shader = shader;
	sm4->ir = &shader->ir;
	sm4->message = message;
	init_registers(sm4);
	if (is_bare(code, size)) {
		dxbc->program = code;
		dxbc->program_size = size > UINT32_MAX ? UINT32_MAX : (uint32_t)size;
	} else {
		ret = dxbc_parse(code, size, dxbc, message);
		if (ret)
			goto out;
		sm4->inputs = &dxbc->inputs;
		sm4->outputs = &dxbc->outputs;
	}
	ret = sm4_reader_init(&sm4->reader, dxbc->program, dxbc->program_size, message);
	if (!ret)
		ret = check_stage(sm4);
	if (!ret)
		ret = translate_program(sm4);
	if (ret)
		goto out;
	sm4_end_registers(sm4);
	ir_prepend(sm4->ir, &sm4->prologue);
	ir_drop_empty(sm4->ir);
	ret = sm4->ir->error;
out:
	if (sm4)
		ir_free(&sm4->prologue);
	free(sm4);
	free(dxbc);
	return ret;
}
