/* SPDX-License-Identifier: MIT */
/* The device's properties, from text. */
#include "d3dgpu_core.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ds_formats.h"

enum kind {
	KIND_SIZE,		/* uint64_t, with suffix */
	KIND_LEVEL,
	KIND_SWITCH,
	KIND_NUMBER,		/* uint32_t, minimum..maximum */
	KIND_POWER,		/* uint32_t, 0 or a power of two */
	KIND_DS_FORMATS,
	KIND_PATH,
	KIND_DESCRIPTOR,	/* int */
};

struct property {
	const char *name;
	enum kind kind;
	size_t offset;
	uint64_t minimum, maximum;
	const char *accepts;
};

#define FIELD(member) offsetof(struct d3dgpu_config, member)
#define PATH_ACCEPTS "a path of at most 1023 bytes"

static const struct property properties[] = {
	{"vram", KIND_SIZE, FIELD(vram_size), 64ull << 20, 16ull << 30, "a power of two from 64M to 16G"},
	{"feature-level", KIND_LEVEL, FIELD(feature_level), 0, 0, "9_1, 9_2, 9_3, 10_0, 10_1, 11_0 or 11_1"},
	{"npot", KIND_SWITCH, FIELD(npot), 0, 0, "on or off"},
	{"shadow", KIND_SWITCH, FIELD(shadow), 0, 0, "on or off"},
	{"instancing", KIND_SWITCH, FIELD(instancing), 0, 0, "on or off"},
	{"cube-ds", KIND_SWITCH, FIELD(cube_ds), 0, 0, "on or off"},
	{"max-texture", KIND_POWER, FIELD(max_texture), 256, 16384, "0 or a power of two from 256 to 16384"},
	{"msaa", KIND_POWER, FIELD(msaa), 1, 16, "0, 1, 2, 4, 8 or 16"},
	{"ds-formats", KIND_DS_FORMATS, FIELD(ds_formats), 0, 0, "names separated by '+', such as D16+D24S8"},
	{"heads", KIND_NUMBER, FIELD(heads), 1, D3DGPU_MAX_HEADS, "1 to 4"},
	{"hang-timeout", KIND_NUMBER, FIELD(hang_timeout_ms), 0, 3600000, "milliseconds from 0 (never) to 3600000"},
	{"warm-workers", KIND_NUMBER, FIELD(warm_workers), 0, 16, "0 to 16"},
	{"engines", KIND_NUMBER, FIELD(engines), 0, D3DGPU_MAX_CONTEXTS - 1, "0 (the host's processors) to 255"},
	{"xres", KIND_NUMBER, FIELD(xres), 64, 8192, "64 to 8192"},
	{"yres", KIND_NUMBER, FIELD(yres), 64, 8192, "64 to 8192"},
	{"worker", KIND_PATH, FIELD(worker_path), 0, 0, PATH_ACCEPTS},
	{"worker-socket", KIND_DESCRIPTOR, FIELD(worker_socket), 0, 0, "an open file descriptor's number, or -1"},
	{"shader-cache", KIND_PATH, FIELD(shader_cache), 0, 0, PATH_ACCEPTS},
};

void d3dgpu_config_defaults(struct d3dgpu_config *config)
{
	memset(config, 0, sizeof(*config));
	config->vram_size = 256ull << 20;
	config->feature_level = D3DGPU_LEVEL_11_1;
	config->npot = config->shadow = config->instancing = config->cube_ds = true;
	config->heads = 1;
	config->hang_timeout_ms = 10000;
	config->warm_workers = 1;
	config->xres = 1024;
	config->yres = 768;
	config->worker_socket = -1;
}

/* A decimal number that ends where the text ends; with suffix, also K, M or G. */
static bool parse_number(const char *text, bool suffix, uint64_t *out)
{
	unsigned shift = 0;
	char *end;

	if (*text < '0' || *text > '9')
		return false;
	errno = 0;
	*out = strtoull(text, &end, 10);
	if (errno)
		return false;
	if (suffix && *end) {
		shift = *end == 'K' ? 10 : *end == 'M' ? 20 : *end == 'G' ? 30 : 0;
		end += shift ? 1 : 0;
	}
	if (*end || *out > UINT64_MAX >> shift)
		return false;
	*out <<= shift;
	return true;
}

static bool is_power_of_two(uint64_t value)
{
	return value && !(value & (value - 1));
}

static bool in_range(const struct property *property, uint64_t value)
{
	return value >= property->minimum && value <= property->maximum;
}

static bool parse_level(const char *text, uint32_t *out)
{
	static const struct {
		const char *name;
		uint32_t level;
	} levels[] = {
		{"9_1", D3DGPU_LEVEL_9_1},   {"9_2", D3DGPU_LEVEL_9_2},   {"9_3", D3DGPU_LEVEL_9_3},
		{"10_0", D3DGPU_LEVEL_10_0}, {"10_1", D3DGPU_LEVEL_10_1}, {"11_0", D3DGPU_LEVEL_11_0},
		{"11_1", D3DGPU_LEVEL_11_1},
	};

	for (size_t i = 0; i < sizeof(levels) / sizeof(levels[0]); i++) {
		if (!strcmp(text, levels[i].name)) {
			*out = levels[i].level;
			return true;
		}
	}
	return false;
}

static bool parse_descriptor(const char *text, int *out)
{
	uint64_t number;

	if (!strcmp(text, "-1")) {
		*out = -1;
		return true;
	}
	if (!parse_number(text, false, &number) || number > INT32_MAX)
		return false;
	*out = (int)number;
	return true;
}

static bool copy_text(char *out, size_t size, const char *text)
{
	size_t length = strlen(text);

	if (length >= size)
		return false;
	memcpy(out, text, length + 1);
	return true;
}

/* Changes the field only when the value is good. */
static bool set_property(const struct property *property, void *field, const char *value)
{
	uint64_t number;
	uint32_t bits;

	switch (property->kind) {
	case KIND_SIZE:
		if (!parse_number(value, true, &number) || !in_range(property, number) || !is_power_of_two(number))
			return false;
		*(uint64_t *)field = number;
		return true;
	case KIND_LEVEL:
		return parse_level(value, field);
	case KIND_SWITCH:
		if (strcmp(value, "on") && strcmp(value, "off"))
			return false;
		*(bool *)field = !strcmp(value, "on");
		return true;
	case KIND_NUMBER:
		if (!parse_number(value, false, &number) || !in_range(property, number))
			return false;
		*(uint32_t *)field = (uint32_t)number;
		return true;
	case KIND_POWER:
		if (!parse_number(value, false, &number))
			return false;
		if (number && (!in_range(property, number) || !is_power_of_two(number)))
			return false;
		*(uint32_t *)field = (uint32_t)number;
		return true;
	case KIND_DS_FORMATS:
		return core_ds_formats_parse(value, &bits) &&
		       copy_text(field, sizeof(((struct d3dgpu_config *)0)->ds_formats), value);
	case KIND_PATH:
		return copy_text(field, sizeof(((struct d3dgpu_config *)0)->worker_path), value);
	case KIND_DESCRIPTOR:
		return parse_descriptor(value, field);
	}
	return false;
}

int d3dgpu_config_set(struct d3dgpu_config *config, const char *name, const char *value, char *message, size_t size)
{
	for (size_t i = 0; i < sizeof(properties) / sizeof(properties[0]); i++) {
		const struct property *property = &properties[i];

		if (strcmp(property->name, name))
			continue;
		if (set_property(property, (char *)config + property->offset, value))
			return 0;
		snprintf(message, size, "property '%s' does not accept '%s': it takes %s", name, value,
			 property->accepts);
		return -EINVAL;
	}
	snprintf(message, size, "there is no property '%s'", name);
	return -EINVAL;
}

int d3dgpu_config_parse(struct d3dgpu_config *config, const char *text, char *message, size_t size)
{
	struct d3dgpu_config changed = *config;
	char pair[1200];

	while (text && *text) {
		size_t length = strcspn(text, ",");
		char *equals;
		int error;

		if (length >= sizeof(pair)) {
			snprintf(message, size, "property text is too long: '%.40s...'", text);
			return -EINVAL;
		}
		memcpy(pair, text, length);
		pair[length] = '\0';
		equals = strchr(pair, '=');
		if (!equals) {
			snprintf(message, size, "expected name=value, got '%s'", pair);
			return -EINVAL;
		}
		*equals = '\0';
		error = d3dgpu_config_set(&changed, pair, equals + 1, message, size);
		if (error)
			return error;
		text += length + (text[length] == ',');
	}
	*config = changed;
	return 0;
}
