/* SPDX-License-Identifier: MIT */
/*
 * The decoder: walks a command stream and prints it, for D3DGPU_DEBUG=stream and for tests. Reads nothing outside the
 * words that it is given, whatever they are.
 */
#ifndef D3DGPU_UMD_DECODE_H
#define D3DGPU_UMD_DECODE_H

#include <stdio.h>

#include "d3dgpu_format.h"
#include "d3dgpu_stream.h"

struct decode_command {
	uint32_t opcode;		/* enum d3dgpu_command */
	uint32_t object;		/* enum d3dgpu_object */
	uint32_t length;		/* payload words */
	const uint32_t *payload;
};

/* Takes the command at *position (in words) and moves on. Returns false at the end and on a malformed command;
 * *position equals count only at a proper end. */
bool decode_next(const uint32_t *words, uint32_t count, uint32_t *position, struct decode_command *out);
/* One line, without its newline. */
void decode_print_command(FILE *file, const struct decode_command *command);
/* All of it, one command a line. Returns whether it was well-formed. */
bool decode_print(FILE *file, const uint32_t *words, uint32_t count);

#endif
