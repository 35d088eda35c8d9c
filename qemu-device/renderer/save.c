/* SPDX-License-Identifier: MIT */
#include "save.h"

#include <string.h>

#include "engine.h"
#include "replay.h"

uint32_t save_context(struct record *record, struct script *script, const struct vram *vram,
		      const struct d3dgpu_entry *entry, uint32_t *info)
{
	struct d3dgpu_saved_context head = {.magic = D3DGPU_SAVED_CONTEXT_MAGIC};
	uint64_t size = entry->ctx_save.size;
	uint8_t *range = vram_range(vram, entry->ctx_save.offset, size);
	uint32_t fault = D3DGPU_FAULT_NONE;

	if (!range || entry->ctx_save.offset % D3DGPU_RESOURCE_ALIGN || size < D3DGPU_RESOURCE_ALIGN)
		return D3DGPU_FAULT_BAD_ENTRY;
	/* Results of queries that have ended come into their buffers; they are not part of the stream. */
	*info = (uint32_t)engine_finish();
	if (*info)
		return D3DGPU_FAULT_NO_MEMORY;
	replay_all(script, record, false);
	head.size = script->count * (uint32_t)sizeof(uint32_t);
	if (script->failed)
		fault = D3DGPU_FAULT_NO_MEMORY;
	else if (head.size <= size - sizeof(head))
		memcpy(range + sizeof(head), script->words, head.size);
	if (!fault)
		memcpy(range, &head, sizeof(head));
	script_free(script); /* rarely as large again */
	return fault;
}

uint32_t save_restore(struct record *record, struct script *script, uint32_t *info)
{
	uint32_t fault = D3DGPU_FAULT_NONE;

	replay_all(script, record, true);
	if (script->failed) {
		fault = D3DGPU_FAULT_NO_MEMORY;
	} else if (engine_submit(script->words, script->count)) {
		*info = UINT32_MAX; /* the engine does not say where */
		fault = D3DGPU_FAULT_BAD_STREAM;
	}
	script_free(script);
	return fault;
}
