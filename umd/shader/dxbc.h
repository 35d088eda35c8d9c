/* SPDX-License-Identifier: MIT */
/* The DXBC container: chunks, signatures. Everything is copied out of the untrusted buffer or bounded by it. */
#ifndef D3DGPU_SHADER_DXBC_H
#define D3DGPU_SHADER_DXBC_H

#include "compiler.h"

#define DXBC_TAG(a, b, c, d) ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)
#define DXBC_MAGIC DXBC_TAG('D', 'X', 'B', 'C')
#define DXBC_MAX_ELEMENTS 64

struct dxbc_element {
	char name[32];			/* upper case, cut where longer */
	uint32_t name_index;
	uint32_t system_value;		/* D3D10_NAME_* */
	uint32_t component_type;	/* 0 unknown, 1 unsigned, 2 signed, 3 float */
	uint32_t reg;			/* SHADER_NONE = none */
	uint8_t mask;
};

struct dxbc_signature {
	uint32_t count;
	struct dxbc_element elements[DXBC_MAX_ELEMENTS];
};

struct dxbc {
	const unsigned char *program;	/* SHDR or SHEX */
	uint32_t program_size;		/* bytes */
	struct dxbc_signature inputs, outputs;
};

/* Returns 0 or -EINVAL with the reason in message. */
int dxbc_parse(const void *data, size_t size, struct dxbc *dxbc, const struct shader_message *message);

#endif
