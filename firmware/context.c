/* SPDX-License-Identifier: MIT */
#include "context.h"

#define NO_NODE 0xffffu

struct node {
	struct d3dgpu_entry entry;
	uint16_t next;
	uint8_t ring;
};

static struct context contexts[D3DGPU_MAX_CONTEXTS];
static struct node pool[QUEUE_POOL];
static uint16_t free_nodes, free_count;	/* list of unused nodes */

void contexts_init(void)
{
	for (unsigned i = 0; i < D3DGPU_MAX_CONTEXTS; i++)
		contexts[i] = (struct context){ .state = CONTEXT_FREE };
	for (unsigned i = 0; i < QUEUE_POOL; i++)
		pool[i].next = (uint16_t)(i + 1 < QUEUE_POOL ? i + 1 : NO_NODE);
	free_nodes = 0;
	free_count = QUEUE_POOL;
	contexts[0].state = CONTEXT_LIVE; /* the device itself: fences, copies and fills of the kernel */
	contexts[0].priority = D3DGPU_PRIORITY_HIGH;
}

struct context *context_get(uint32_t id)
{
	return &contexts[id];
}

struct d3dgpu_entry *pool_room(uint8_t ring)
{
	unsigned reserved = ring == D3DGPU_PAGING_RING ? 0 : PAGING_RESERVE;

	return free_count > reserved ? &pool[free_nodes].entry : NULL;
}

bool context_has_room(const struct context *context)
{
	return context->queued < CONTEXT_QUEUE;
}

void context_push(struct context *context, uint8_t ring)
{
	uint16_t index = free_nodes;
	struct node *node = &pool[index];

	free_nodes = node->next;
	free_count--;
	node->ring = ring;
	node->next = NO_NODE;
	if (context->queued)
		pool[context->last].next = index;
	else
		context->first = index;
	context->last = index;
	context->queued++;
}

const struct d3dgpu_entry *context_peek(const struct context *context, uint8_t *ring)
{
	if (!context->queued)
		return NULL;
	*ring = pool[context->first].ring;
	return &pool[context->first].entry;
}

void context_pop(struct context *context)
{
	uint16_t index = context->first;

	context->first = pool[index].next;
	context->queued--;
	pool[index].next = free_nodes;
	free_nodes = index;
	free_count++;
}
