/* SPDX-License-Identifier: MIT */
/*
 * The device has endless loops and break, and nothing else: no continue, no switch, and return only at the outermost
 * level, because it appends code of its own at the end. All three are the same thing: a jump to the end of an enclosing
 * *scope*. A scope is a loop that runs once:
 *
 *	BGNLOOP  body  BRK  ENDLOOP
 *
 * and a jump to it from directly inside is BRK. From inside further scopes, the jump sets the target's flag and leaves
 * scope after scope; behind each ENDLOOP on the way, a set flag leaves the next one.
 */
#include <errno.h>
#include <stdlib.h>

#include "compiler.h"

enum scope_kind {
	SCOPE_MAIN,
	SCOPE_LOOP,
	SCOPE_BODY,		/* of a loop: continue ends it */
	SCOPE_SWITCH,
};

struct scope {
	enum scope_kind kind;
	uint32_t flag;		/* temporary, SHADER_NONE: nothing jumps here from further inside */
	uint32_t passing;	/* bit n = a jump to scope n leaves this scope on its way */
	uint32_t selector;	/* SWITCH: temporary.x with the value, .y = no case matches, .z = fell in */
	bool in_case;
};

#define MAX_SCOPES 32		/* bits of passing */

struct flow {
	const struct ir_program *in;
	struct ir_program out;
	struct scope scopes[MAX_SCOPES];
	uint32_t depth;
};

/* Does the block that opens at `start` contain op for it, not for a nested block of the kind that starts with nest? */
static bool block_contains(const struct ir_program *in, uint32_t start, enum ir_op open, enum ir_op close,
			   enum ir_op op)
{
	uint32_t nested = 0;

	for (uint32_t i = start + 1; i < in->count; i++) {
		if (in->insns[i].op == open)
			nested++;
		else if (in->insns[i].op == close && nested-- == 0)
			return false;
		else if (in->insns[i].op == op && !nested)
			return true;
	}
	return false;
}

/* Flags must be cleared in front of their scope, before it is known whether they are needed: cheap, and often dead. */
static void open_scope(struct flow *flow, enum scope_kind kind, bool may_need_flag)
{
	struct scope *scope;

	if (flow->depth == MAX_SCOPES) {
		flow->out.error = flow->out.error ? flow->out.error : -E2BIG;
		return;
	}
	scope = &flow->scopes[flow->depth++];
	*scope = (struct scope){.kind = kind, .flag = SHADER_NONE};
	if (may_need_flag) {
		scope->flag = ir_new_temp(&flow->out);
		ir_emit1(&flow->out, IR_OP_MOV, ir_dst(IR_TEMP, scope->flag, IR_MASK_X), ir_immu(0));
	}
	ir_emit0(&flow->out, IR_OP_BGNLOOP);
}

static void break_if_flag(struct flow *flow, uint32_t flag)
{
	ir_test(&flow->out, IR_OP_UIF, ir_scalar(ir_src(IR_TEMP, flag), 0));
	ir_emit0(&flow->out, IR_OP_BRK);
	ir_emit0(&flow->out, IR_OP_ENDIF);
}

/* runs_once: the scope is no real loop. */
static void close_scope(struct flow *flow, bool runs_once)
{
	struct scope *scope;

	if (!flow->depth)
		return;
	scope = &flow->scopes[--flow->depth];
	if (runs_once)
		ir_emit0(&flow->out, IR_OP_BRK);
	ir_emit0(&flow->out, IR_OP_ENDLOOP);
	for (uint32_t i = flow->depth; i-- > 0;) {
		if (!(scope->passing & (1u << i)))
			continue;
		break_if_flag(flow, flow->scopes[i].flag);
		if (i + 1 < flow->depth)
			flow->scopes[flow->depth - 1].passing |= 1u << i;
	}
}

static void jump(struct flow *flow, uint32_t target)
{
	if (target + 1 != flow->depth) {
		ir_emit1(&flow->out, IR_OP_MOV, ir_dst(IR_TEMP, flow->scopes[target].flag, IR_MASK_X),
			 ir_immu(UINT32_MAX));
		flow->scopes[flow->depth - 1].passing |= 1u << target;
	}
	ir_emit0(&flow->out, IR_OP_BRK);
}

static void jump_to_kind(struct flow *flow, bool (*wanted)(enum scope_kind))
{
	for (uint32_t i = flow->depth; i-- > 0;) {
		if (wanted(flow->scopes[i].kind)) {
			jump(flow, i);
			return;
		}
	}
}

static bool takes_break(enum scope_kind kind)
{
	return kind == SCOPE_LOOP || kind == SCOPE_SWITCH;
}

static bool takes_continue(enum scope_kind kind)
{
	return kind == SCOPE_BODY;
}

static bool takes_return(enum scope_kind kind)
{
	return kind == SCOPE_MAIN;
}

/* selector.y = ~0 if none of the switch's cases matches. */
static void find_default(struct flow *flow, uint32_t start, const struct scope *scope)
{
	struct ir_program *out = &flow->out;
	struct ir_src value = ir_src(IR_TEMP, scope->selector);
	struct ir_dst none = ir_dst(IR_TEMP, scope->selector, IR_MASK_Y);
	uint32_t nested = 0;

	ir_emit1(out, IR_OP_MOV, ir_dst(IR_TEMP, scope->selector, IR_MASK_Y | IR_MASK_Z),
		 ir_imm4(0, UINT32_MAX, 0, 0));
	for (uint32_t i = start + 1; i < flow->in->count; i++) {
		const struct ir_insn *insn = &flow->in->insns[i];

		if (insn->op == IR_OP_SWITCH)
			nested++;
		else if (insn->op == IR_OP_ENDSWITCH && nested-- == 0)
			break;
		else if (insn->op == IR_OP_CASE && !nested) {
			struct ir_src differs = ir_value2(out, IR_OP_USNE, IR_MASK_X, ir_scalar(value, 0),
							  insn->src[0]);

			ir_emit2(out, IR_OP_AND, none, ir_scalar(value, 1), ir_scalar(differs, 0));
		}
	}
}

static void open_switch(struct flow *flow, uint32_t at)
{
	struct ir_program *out = &flow->out;
	uint32_t selector = ir_new_temp(out);
	struct scope described = {.selector = selector};

	ir_emit1(out, IR_OP_MOV, ir_dst(IR_TEMP, selector, IR_MASK_X), ir_scalar(flow->in->insns[at].src[0], 0));
	if (block_contains(flow->in, at, IR_OP_SWITCH, IR_OP_ENDSWITCH, IR_OP_DEFAULT))
		find_default(flow, at, &described);
	else
		ir_emit1(out, IR_OP_MOV, ir_dst(IR_TEMP, selector, IR_MASK_Y | IR_MASK_Z), ir_immu(0));
	open_scope(flow, SCOPE_SWITCH, true);
	if (flow->depth)
		flow->scopes[flow->depth - 1].selector = selector;
}

static void close_case(struct flow *flow, struct scope *scope)
{
	if (scope->in_case)
		ir_emit0(&flow->out, IR_OP_ENDIF);
	scope->in_case = false;
}

/* A label: execution goes on here if the value matches, or if the case before fell through. */
static void open_case(struct flow *flow, const struct ir_insn *insn)
{
	struct scope *scope = &flow->scopes[flow->depth - 1];
	struct ir_program *out = &flow->out;
	struct ir_src value = ir_src(IR_TEMP, scope->selector), matches;
	struct ir_dst inside = ir_dst(IR_TEMP, scope->selector, IR_MASK_Z);

	close_case(flow, scope);
	if (insn->op == IR_OP_DEFAULT)
		matches = ir_scalar(value, 1);
	else
		matches = ir_scalar(ir_value2(out, IR_OP_USEQ, IR_MASK_X, ir_scalar(value, 0), insn->src[0]), 0);
	ir_emit2(out, IR_OP_OR, inside, ir_scalar(value, 2), matches);
	ir_test(out, IR_OP_UIF, ir_scalar(value, 2));
	scope->in_case = true;
}

static void lower(struct flow *flow, uint32_t at)
{
	const struct ir_insn *insn = &flow->in->insns[at];
	bool body;

	switch (insn->op) {
	case IR_OP_BGNLOOP:
		body = block_contains(flow->in, at, IR_OP_BGNLOOP, IR_OP_ENDLOOP, IR_OP_CONTINUE);
		open_scope(flow, SCOPE_LOOP, body);
		if (body)
			open_scope(flow, SCOPE_BODY, true);
		return;
	case IR_OP_ENDLOOP:
		if (flow->depth && flow->scopes[flow->depth - 1].kind == SCOPE_BODY)
			close_scope(flow, true);
		close_scope(flow, false);
		return;
	case IR_OP_SWITCH:
		open_switch(flow, at);
		return;
	case IR_OP_CASE:
	case IR_OP_DEFAULT:
		if (flow->depth)
			open_case(flow, insn);
		return;
	case IR_OP_ENDSWITCH:
		if (flow->depth)
			close_case(flow, &flow->scopes[flow->depth - 1]);
		close_scope(flow, true);
		return;
	case IR_OP_BRK:
		jump_to_kind(flow, takes_break);
		return;
	case IR_OP_CONTINUE:
		jump_to_kind(flow, takes_continue);
		return;
	case IR_OP_RET:
		jump_to_kind(flow, takes_return);
		return;
	default:
		ir_add_copy(&flow->out, insn);
	}
}

void pass_flow(struct ir_program *program)
{
	struct flow flow = {.in = program};
	bool returns = false, needed = false;

	/* A return at the very end is nothing. */
	while (program->count && program->insns[program->count - 1].op == IR_OP_RET)
		program->count--;
	for (uint32_t i = 0; i < program->count; i++) {
		uint16_t op = program->insns[i].op;

		returns |= op == IR_OP_RET;
		needed |= op == IR_OP_RET || op == IR_OP_CONTINUE || op == IR_OP_SWITCH;
	}
	if (!needed)
		return;
	ir_begin_rewrite(&flow.out, program);
	if (returns)
		open_scope(&flow, SCOPE_MAIN, true);
	for (uint32_t i = 0; i < program->count && !flow.out.error; i++)
		lower(&flow, i);
	if (returns)
		close_scope(&flow, true);
	ir_end_rewrite(&flow.out, program);
}
