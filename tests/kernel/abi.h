/* SPDX-License-Identifier: MIT */
/*
 * The ioctls of the driver as a table: what each field of each structure is, and what a wrong value of it gives. test_abi.c
 * walks it. No libdrm: the same source is also built as a static 32-bit program.
 */
#ifndef TESTS_KERNEL_ABI_H
#define TESTS_KERNEL_ABI_H

#include <stddef.h>
#include <stdint.h>

#include <drm.h>

#include "d3dgpu_drm.h"

enum abi_role {
	ABI_IN,			/* read: `wrong` gives `error` */
	ABI_ANY,		/* read: no value of it is wrong */
	ABI_OUT,		/* written: what was there before does not matter */
};

/* A field; it has a row for each wrong value worth a try. */
struct abi_field {
	const char *name;
	size_t offset, size;	/* bytes, in the call's memory */
	enum abi_role role;
	uint64_t wrong;
	int error;		/* negative errno */
};

/* What calls need to exist, made once. */
struct abi_world {
	int fd;
	uint32_t ctx, staging, texture;
	uint32_t syncobj;	/* has a fence */
	uint64_t token;		/* of the texture */
	uint32_t *stream;	/* the staging buffer, mapped: NOPs */
	uint32_t doomed;	/* a context for CTX_DESTROY; 0: none at the moment */
	uint8_t caps[4096];	/* where GET_CAPS writes */
};

#define ABI_PAGE 4096u
#define ABI_MEMORY 256		/* bytes: a call's structure, and the lists that it points to behind it */

union abi_memory {
	uint8_t bytes[ABI_MEMORY];
	uint64_t align;
};

struct abi_call {
	const char *name;
	unsigned long request;
	size_t size;		/* bytes of memory that have rows: the structure and its lists */
	void (*prepare)(struct abi_world *world, void *memory);		/* writes inputs that are right */
	void (*check)(struct abi_world *world, const void *memory);	/* tests the answers */
	void (*undo)(struct abi_world *world, const void *memory);	/* NULL: nothing to undo */
	const struct abi_field *fields;
	size_t field_count;
};

extern const struct abi_call abi_calls[];
extern const size_t abi_call_count;

/* One ioctl: 0 or -errno. */
int abi_ioctl(int fd, unsigned long request, void *argument);
/* One that must work. */
void abi_need(int fd, unsigned long request, void *argument, const char *name);

uint32_t abi_new_context(int fd);
/* A page of a buffer; NULL: it cannot be mapped there. */
void *abi_map(int fd, uint64_t offset);

void abi_world_open(struct abi_world *world);
void abi_world_close(struct abi_world *world);

#endif
