/* SPDX-License-Identifier: MIT */
/* Developer's tool: compiles a file of bytecode and prints the IR and the device's text. Usage: shader-dump FILE */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shader.h"

static unsigned char *read_file(const char *path, size_t *size)
{
	FILE *file = fopen(path, "rb");
	unsigned char *data = malloc(1 << 20);

	*size = 0;
	if (file && data)
		*size = fread(data, 1, 1 << 20, file);
	if (file)
		fclose(file);
	return data;
}

int main(int argc, char **argv)
{
	struct shader_key key;
	struct shader_text text;
	struct shader *shader;
	unsigned char *code;
	char message[256], *ir;
	size_t size;

	if (argc != 2) {
		fprintf(stderr, "usage: shader-dump FILE\n");
		return 2;
	}
	code = read_file(argv[1], &size);
	if (!code || shader_parse(code, size, &shader, message, sizeof(message))) {
		fprintf(stderr, "%s: %s\n", argv[1], code ? message : "cannot be read");
		free(code);
		return 1;
	}
	memset(&key, 0, sizeof(key));
	for (uint32_t i = 0; i < shader_get_info(shader)->output_count && i < SHADER_MAX_INPUTS; i++) {
		if (shader_get_info(shader)->stage != SHADER_PIXEL)
			key.linkage.slots[key.linkage.count++] = shader_get_info(shader)->outputs[i].semantic;
	}
	ir = shader_print(shader);
	printf("%s\n", ir ? ir : "out of memory");
	free(ir);
	if (shader_emit(shader, &key, &text, message, sizeof(message)))
		fprintf(stderr, "%s: %s\n", argv[1], message);
	else
		printf("%s", text.tgsi);
	shader_text_free(&text);
	shader_destroy(shader);
	free(code);
	return 0;
}
