/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <string.h>

#include "d3dgpu_core.h"
#include "tap.h"

static char message[256];

static int set(struct d3dgpu_config *config, const char *name, const char *value)
{
	return d3dgpu_config_set(config, name, value, message, sizeof(message));
}

static void defaults(void)
{
	struct d3dgpu_config config;

	d3dgpu_config_defaults(&config);
	tap_eq(config.vram_size, 256ull << 20, "default: 256 MiB of VRAM");
	tap_eq(config.feature_level, D3DGPU_LEVEL_11_1, "default: the highest level");
	tap_ok(config.npot && config.shadow && config.instancing && config.cube_ds, "default: the four options are on");
	tap_eq(config.heads, 1, "default: one head");
	tap_ok(config.worker_socket == -1, "default: the core starts workers itself");
	tap_str(config.ds_formats, "", "default: all depth-stencil formats");
}

static void good_values(void)
{
	struct d3dgpu_config config;

	d3dgpu_config_defaults(&config);
	tap_eq(set(&config, "vram", "1G"), 0, "vram=1G is taken");
	tap_eq(config.vram_size, 1ull << 30, "vram=1G is 2^30 bytes");
	tap_eq(set(&config, "vram", "65536K"), 0, "vram=65536K is taken");
	tap_eq(config.vram_size, 64ull << 20, "vram=65536K is 64 MiB");
	tap_eq(set(&config, "feature-level", "9_3"), 0, "feature-level=9_3 is taken");
	tap_eq(config.feature_level, 0x9300, "feature-level=9_3 is 0x9300");
	tap_eq(set(&config, "shadow", "off"), 0, "shadow=off is taken");
	tap_ok(!config.shadow, "shadow=off switches it off");
	tap_eq(set(&config, "max-texture", "4096"), 0, "max-texture=4096 is taken");
	tap_eq(config.max_texture, 4096, "max-texture=4096 is 4096");
	tap_eq(set(&config, "msaa", "8"), 0, "msaa=8 is taken");
	tap_eq(set(&config, "ds-formats", "D16+D24S8"), 0, "ds-formats=D16+D24S8 is taken");
	tap_str(config.ds_formats, "D16+D24S8", "ds-formats keeps its text");
	tap_eq(set(&config, "worker-socket", "7"), 0, "worker-socket=7 is taken");
	tap_eq(config.worker_socket, 7, "worker-socket=7 is 7");
	tap_eq(set(&config, "worker", "/usr/libexec/d3dgpu-worker"), 0, "worker takes a path");
}

static void bad_values(void)
{
	static const struct {
		const char *name, *value;
	} bad[] = {
		{"vram", "100M"},	  {"vram", "32M"},	    {"vram", "32G"},	   {"vram", "64Q"},
		{"vram", ""},		  {"vram", "-64M"},	    {"vram", "99999999999999999999G"},
		{"feature-level", "9.1"}, {"feature-level", "12_0"}, {"npot", "yes"},	   {"shadow", ""},
		{"max-texture", "1000"},  {"max-texture", "128"},   {"max-texture", "32768"}, {"msaa", "3"},
		{"msaa", "32"},		  {"ds-formats", "D16+"},   {"ds-formats", "R8G8"}, {"heads", "0"},
		{"heads", "5"},		  {"hang-timeout", "-1"},   {"warm-workers", "17"}, {"xres", "10"},
		{"worker-socket", "x"},	  {"worker-socket", "-2"},
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct d3dgpu_config config, before;

		d3dgpu_config_defaults(&config);
		before = config;
		message[0] = '\0';
		tap_ok(set(&config, bad[i].name, bad[i].value) == -EINVAL && strstr(message, bad[i].name) &&
			       strstr(message, "takes") && !memcmp(&config, &before, sizeof(config)),
		       "%s=%s is refused with a message, and changes nothing", bad[i].name, bad[i].value);
	}
}

static void unknown_name(void)
{
	struct d3dgpu_config config;

	d3dgpu_config_defaults(&config);
	tap_eq(set(&config, "colour", "blue"), -EINVAL, "an unknown property is refused");
	tap_str(message, "there is no property 'colour'", "the message names it");
}

static void lists(void)
{
	struct d3dgpu_config config, before;

	d3dgpu_config_defaults(&config);
	tap_eq(d3dgpu_config_parse(&config, NULL, message, sizeof(message)), 0, "NULL is an empty list");
	tap_eq(d3dgpu_config_parse(&config, "", message, sizeof(message)), 0, "so is \"\"");
	tap_eq(d3dgpu_config_parse(&config, "feature-level=10_1,npot=off,msaa=2", message, sizeof(message)), 0,
	       "a list is taken");
	tap_ok(config.feature_level == D3DGPU_LEVEL_10_1 && !config.npot && config.msaa == 2, "all of it");
	before = config;
	tap_eq(d3dgpu_config_parse(&config, "heads=2,msaa=7", message, sizeof(message)), -EINVAL, "one bad value refuses it");
	tap_ok(!memcmp(&config, &before, sizeof(config)), "as a whole");
	tap_eq(d3dgpu_config_parse(&config, "heads", message, sizeof(message)), -EINVAL, "a name without value is refused");
	tap_str(message, "expected name=value, got 'heads'", "the message says what was expected");
}

int main(void)
{
	defaults();
	good_values();
	bad_values();
	unknown_name();
	lists();
	return tap_done();
}
