/* SPDX-License-Identifier: MIT */
/*
 * Gives temporaries that are never in use at the same time one number, because macro instructions make many short-lived
 * ones and the device has a limited register file.
 *
 * A temporary is in use from the first to the last instruction that names it. One that is named inside of a loop may
 * carry a value from one round to the next, so it is in use in the whole outermost loop.
 */
#include <errno.h>
#include <stdlib.h>

#include "compiler.h"

struct range {
	uint32_t first, last;		/* instructions; first = SHADER_NONE: never named */
};

struct allocation {
	struct ir_program *program;
	struct range *ranges;		/* by temporary */
	uint32_t *numbers;		/* new number by temporary */
	uint32_t *expiring;		/* by instruction: temporaries whose last use it is, a list through next */
	uint32_t *next;			/* by temporary */
	uint32_t *unused;		/* stack of numbers */
	uint32_t unused_count, count;
};

static void extend(struct allocation *a, uint32_t temp, uint32_t first, uint32_t last)
{
	struct range *range = &a->ranges[temp];

	if (range->first == SHADER_NONE)
		*range = (struct range){first, last};
	if (first < range->first)
		range->first = first;
	if (last > range->last)
		range->last = last;
}

/* Calls visit for every place of an instruction that holds a temporary's number. */
static void for_each_temp(struct ir_insn *insn, void (*visit)(void *opaque, uint32_t *temp), void *opaque)
{
	const struct ir_op_info *info = &ir_op_infos[insn->op];
	struct ir_relative *rels[2 * IR_MAX_SOURCES + 1];
	unsigned rel_count = 0;

	for (unsigned i = 0; i < info->src_count; i++) {
		if (insn->src[i].file == IR_TEMP)
			visit(opaque, &insn->src[i].index);
		rels[rel_count++] = &insn->src[i].rel;
		rels[rel_count++] = &insn->src[i].dim_rel;
	}
	if (info->dst_count) {
		if (insn->dst.file == IR_TEMP)
			visit(opaque, &insn->dst.index);
		rels[rel_count++] = &insn->dst.rel;
	}
	for (unsigned i = 0; i < rel_count; i++) {
		uint32_t temp = rels[i]->temp;

		if (!rels[i]->used)
			continue;
		visit(opaque, &temp);
		rels[i]->temp = (uint16_t)temp;
	}
}

struct position {
	struct allocation *a;
	uint32_t first, last;
};

static void note_use(void *opaque, uint32_t *temp)
{
	struct position *position = opaque;

	extend(position->a, *temp, position->first, position->last);
}

/* The last instruction of the loop that opens at `start`. */
static uint32_t loop_end(const struct ir_program *program, uint32_t start)
{
	uint32_t depth = 0;

	for (uint32_t i = start; i < program->count; i++) {
		if (program->insns[i].op == IR_OP_BGNLOOP)
			depth++;
		else if (program->insns[i].op == IR_OP_ENDLOOP && --depth == 0)
			return i;
	}
	return program->count - 1;
}

static void find_ranges(struct allocation *a)
{
	struct ir_program *program = a->program;
	struct position position = {.a = a};
	uint32_t outside = 0;		/* first instruction behind the current outermost loop */

	for (uint32_t i = 0; i < program->count; i++) {
		if (i >= outside) {
			position.first = position.last = i;
			if (program->insns[i].op == IR_OP_BGNLOOP) {
				position.last = loop_end(program, i);
				outside = position.last + 1;
			}
		}
		for_each_temp(&program->insns[i], note_use, &position);
	}
}

static void number_use(void *opaque, uint32_t *temp)
{
	struct position *position = opaque;
	struct allocation *a = position->a;

	if (a->numbers[*temp] == SHADER_NONE)
		a->numbers[*temp] = a->unused_count ? a->unused[--a->unused_count] : a->count++;
	*temp = a->numbers[*temp];
}

static void renumber(struct allocation *a)
{
	struct position position = {.a = a};

	for (uint32_t i = 0; i < a->program->count; i++) {
		for_each_temp(&a->program->insns[i], number_use, &position);
		/* What ends here is free for what begins with the next instruction. */
		for (uint32_t t = a->expiring[i]; t != SHADER_NONE; t = a->next[t])
			a->unused[a->unused_count++] = a->numbers[t];
	}
	a->program->temp_count = a->count;
}

static void sort_by_end(struct allocation *a, uint32_t temps)
{
	for (uint32_t i = 0; i < a->program->count; i++)
		a->expiring[i] = SHADER_NONE;
	for (uint32_t t = 0; t < temps; t++) {
		a->numbers[t] = SHADER_NONE;
		if (a->ranges[t].first == SHADER_NONE)
			continue;
		a->next[t] = a->expiring[a->ranges[t].last];
		a->expiring[a->ranges[t].last] = t;
	}
}

void pass_registers(struct ir_program *program)
{
	struct allocation a = {.program = program};
	uint32_t temps = program->temp_count;

	if (!temps || program->error)
		return;
	a.ranges = malloc(temps * sizeof(*a.ranges));
	a.numbers = malloc(temps * sizeof(*a.numbers));
	a.next = malloc(temps * sizeof(*a.next));
	a.unused = malloc(temps * sizeof(*a.unused));
	a.expiring = malloc((program->count + 1) * sizeof(*a.expiring));
	if (a.ranges && a.numbers && a.next && a.unused && a.expiring) {
		for (uint32_t t = 0; t < temps; t++)
			a.ranges[t] = (struct range){SHADER_NONE, 0};
		find_ranges(&a);
		sort_by_end(&a, temps);
		renumber(&a);
	} else {
		program->error = -ENOMEM;
	}
	free(a.ranges);
	free(a.numbers);
	free(a.next);
	free(a.unused);
	free(a.expiring);
}
