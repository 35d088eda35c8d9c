/* SPDX-License-Identifier: MIT */
#include "private_data.h"

#include <stdlib.h>
#include <string.h>

struct private_entry {
	struct private_entry *next;
	GUID guid;
	IUnknown *object;		/* owned reference, or NULL */
	UINT size;			/* bytes of data */
	unsigned char data[];
};

static void free_entry(struct private_entry *entry)
{
	if (entry->object)
		IUnknown_Release(entry->object);
	free(entry);
}

bool private_store_set(struct private_store *store, const GUID *guid, const void *data, UINT size, bool is_interface)
{
	size_t bytes = is_interface ? sizeof(IUnknown *) : size;
	struct private_entry *entry = malloc(sizeof(*entry) + bytes);

	if (!entry)
		return false;
	entry->guid = *guid;
	entry->size = (UINT)bytes;
	entry->object = is_interface ? (IUnknown *)data : NULL;
	if (is_interface) {
		memcpy(entry->data, &entry->object, sizeof(entry->object));
		if (entry->object)
			IUnknown_AddRef(entry->object);
	} else {
		memcpy(entry->data, data, bytes);
	}
	private_store_remove(store, guid);
	entry->next = store->first;
	store->first = entry;
	return true;
}

const struct private_entry *private_store_find(const struct private_store *store, const GUID *guid)
{
	const struct private_entry *entry = store->first;

	while (entry && memcmp(&entry->guid, guid, sizeof(*guid)))
		entry = entry->next;
	return entry;
}

const void *private_entry_data(const struct private_entry *entry, UINT *size, bool *is_interface)
{
	*size = entry->size;
	*is_interface = entry->object != NULL;
	return entry->data;
}

bool private_store_remove(struct private_store *store, const GUID *guid)
{
	for (struct private_entry **link = &store->first; *link; link = &(*link)->next) {
		struct private_entry *entry = *link;

		if (memcmp(&entry->guid, guid, sizeof(*guid)))
			continue;
		*link = entry->next;
		free_entry(entry);
		return true;
	}
	return false;
}

void private_store_clear(struct private_store *store)
{
	while (store->first) {
		struct private_entry *entry = store->first;

		store->first = entry->next;
		free_entry(entry);
	}
}
