/* SPDX-License-Identifier: MIT */
/*
 * Private data of COM objects: what SetPrivateData stores under a GUID. A store belongs to one object; the caller
 * serialises.
 */
#ifndef D3DGPU_RUNTIME_PRIVATE_DATA_H
#define D3DGPU_RUNTIME_PRIVATE_DATA_H

#include <windows.h>
#include <unknwn.h>
#include <stdbool.h>

struct private_entry;

/* Zero is the empty store. */
struct private_store {
	struct private_entry *first;
};

/* Copies data, or with is_interface takes a reference on the IUnknown that data is. false: out of memory. */
bool private_store_set(struct private_store *store, const GUID *guid, const void *data, UINT size, bool is_interface);
/* NULL when there is nothing under the GUID. */
const struct private_entry *private_store_find(const struct private_store *store, const GUID *guid);
const void *private_entry_data(const struct private_entry *entry, UINT *size, bool *is_interface);
/* false when there was nothing. */
bool private_store_remove(struct private_store *store, const GUID *guid);
void private_store_clear(struct private_store *store);

#endif
