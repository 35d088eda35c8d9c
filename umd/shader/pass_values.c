/* SPDX-License-Identifier: MIT */
/*
 * Values that the device generates, converted to Direct3D's form once at the start of the program. Behind this pass
 * IR_VALUE means what the device delivers.
 */
#include "compiler.h"

static void load(struct ir_program *head, struct ir_program *numbers, enum ir_value value, uint32_t temp)
{
	struct ir_src raw = ir_src(IR_VALUE, value), offset;
	struct ir_dst dst = ir_dst(IR_TEMP, temp, IR_MASK_XYZW);

	switch (value) {
	case IR_VALUE_POSITION:
		/* The device's w is 1/w. */
		ir_emit1(head, IR_OP_MOV, ir_dst_masked(dst, IR_MASK_XYZ), raw);
		ir_emit1(head, IR_OP_RCP, ir_dst_masked(dst, IR_MASK_W), ir_scalar(raw, 3));
		return;
	case IR_VALUE_PIXEL:
		/* With integer pixel centres this is what vPos is; zw are undefined in Direct3D. */
		ir_emit1(head, IR_OP_FLR, dst, ir_swizzled(ir_src(IR_VALUE, IR_VALUE_PIXEL), 0, 1, 1, 1));
		return;
	case IR_VALUE_FRONT_FACE:
		ir_emit2(head, IR_OP_FSLT, dst, ir_immf(0), ir_scalar(ir_src(IR_VALUE, IR_VALUE_FACE), 0));
		return;
	case IR_VALUE_VERTEX_ID:
		/* The device counts from the start of the vertex buffer. */
		offset = ir_src(IR_TEMP, ir_new_temp(numbers));
		ir_emit1(head, IR_OP_INEG, ir_dst(IR_TEMP, offset.index, IR_MASK_X),
			 ir_scalar(ir_src(IR_SYSTEM, SHADER_SYS_DRAW), 0));
		ir_emit1(head, IR_OP_MOV, dst, ir_scalar(raw, 0));
		ir_emit2(head, IR_OP_UADD, dst, ir_src_of(dst), ir_scalar(offset, 0));
		return;
	default:
		ir_emit1(head, IR_OP_MOV, dst, ir_scalar(raw, 0));
	}
}

void pass_values(struct shader_variant *variant)
{
	struct ir_program *ir = &variant->ir, head = {0};
	uint32_t temps[IR_VALUE_COUNT];
	bool used[IR_VALUE_COUNT] = {false};

	for (uint32_t i = 0; i < ir->count; i++) {
		struct ir_insn *insn = &ir->insns[i];

		for (unsigned s = 0; s < ir_op_infos[insn->op].src_count; s++) {
			struct ir_src *src = &insn->src[s];
			uint32_t value = src->index;

			if (src->file != IR_VALUE)
				continue;
			if (!used[value])
				temps[value] = ir_new_temp(ir);
			used[value] = true;
			src->file = IR_TEMP;
			src->index = temps[value];
		}
	}
	for (unsigned value = 0; value < IR_VALUE_COUNT; value++) {
		if (used[value])
			load(&head, ir, value, temps[value]);
	}
	ir_prepend(ir, &head);
}
