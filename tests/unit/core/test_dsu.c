/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "caps.h"
#include "capset_fixture.h"
#include "dsu.h"
#include "tap.h"

static struct d3dgpu_caps caps;

static void use_caps(const char *properties)
{
	struct d3dgpu_config config;
	struct worker_hello hello;
	char message[256];

	fixture_hello(&hello);
	d3dgpu_config_defaults(&config);
	if (d3dgpu_config_parse(&config, properties, message, sizeof(message)) ||
	    core_caps_build(&caps, &hello, &config, message, sizeof(message)))
		tap_bail("%s", message);
}

/* A plain 64×64 D24S8 surface. */
static struct d3dgpu_ds_mailbox plain(void)
{
	return (struct d3dgpu_ds_mailbox){
		.width = 64, .height = 64, .format = D3DGPU_DS_D24S8, .layers = 1, .levels = 1};
}

static struct d3dgpu_ds_mailbox answer(struct d3dgpu_ds_mailbox box)
{
	memset(&box.status, 0xaa, sizeof(box) - offsetof(struct d3dgpu_ds_mailbox, status));
	core_dsu_answer(&caps, &box);
	return box;
}

static void formats(void)
{
	static const struct {
		const char *name;
		uint32_t number, storage, size, pitch, flags;
	} formats[] = {
		{"D16_LOCKABLE", 70, 16, 8192, 128, D3DGPU_DS_FLAG_LOCKABLE},
		{"D32", 71, 17, 16384, 256, 0},
		{"D15S1", 73, 20, 16384, 256, D3DGPU_DS_FLAG_STENCIL},
		{"D24S8", 75, 20, 16384, 256, D3DGPU_DS_FLAG_STENCIL},
		{"D24X8", 77, 20, 16384, 256, 0},
		{"D24X4S4", 79, 20, 16384, 256, D3DGPU_DS_FLAG_STENCIL},
		{"D16", 80, 16, 8192, 128, 0},
		{"D32F_LOCKABLE", 82, 18, 16384, 256, D3DGPU_DS_FLAG_LOCKABLE},
		{"D24FS8", 83, 126, 32768, 512, D3DGPU_DS_FLAG_STENCIL},
		{"D32_LOCKABLE", 84, 17, 16384, 256, D3DGPU_DS_FLAG_LOCKABLE},
		{"S8_LOCKABLE", 85, 20, 16384, 256, D3DGPU_DS_FLAG_LOCKABLE | D3DGPU_DS_FLAG_STENCIL},
		{"D32FS8", 86, 126, 32768, 512, D3DGPU_DS_FLAG_STENCIL},
	};

	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
		struct d3dgpu_ds_mailbox box = plain();

		box.format = formats[i].number;
		box = answer(box);
		tap_ok(box.status == D3DGPU_DS_OK && box.storage_format == formats[i].storage && box.size == formats[i].size &&
			       box.pitch == formats[i].pitch && box.flags == formats[i].flags && box.alignment == 4096 &&
			       !box.stencil_offset && box.quality_levels == 1,
		       "%s 64x64: storage %u, %llu bytes, pitch %u, flags %u", formats[i].name, box.storage_format,
		       (unsigned long long)box.size, box.pitch, box.flags);
	}
}

static void sizes(void)
{
	struct d3dgpu_ds_mailbox box = plain();

	box.width = 1, box.height = 1;
	tap_eq(answer(box).size, 4096, "1x1: one page");
	box.width = 1920, box.height = 1080;
	tap_eq(answer(box).size, 8294400, "1920x1080 D24S8: 8294400 bytes");
	box.samples = 4;
	tap_eq(answer(box).size, 33177600, "with four samples: four times as much");
	box = plain();
	box.width = 16384, box.height = 16384, box.format = D3DGPU_DS_D24FS8, box.samples = 4, box.layers = 2048;
	tap_eq(answer(box).size, 1ull << 44, "the largest one: 16 TiB, without overflow");
	box = plain();
	box.levels = 7;
	tap_eq(answer(box).size, 24576, "64x64 with 7 levels: 16384 + 4096 + 1024 + 5 levels of at least 256 bytes, in pages");
	box = plain();
	box.layers = 3;
	tap_eq(answer(box).size, 3 * 16384, "three layers");
	box.layers = 6, box.usage = D3DGPU_DS_USAGE_CUBE;
	tap_eq(answer(box).size, 6 * 16384, "a cube");
}

static void expect(uint32_t status, struct d3dgpu_ds_mailbox box, const char *what)
{
	box = answer(box);
	tap_ok(box.status == status && !box.storage_format && !box.size && !box.alignment && !box.pitch && !box.flags &&
		       !box.stencil_offset && !box.reserved2[0] && !box.reserved2[1],
	       "%s: status %u, the rest of the answer 0", what, box.status);
}

#define WITH(...) ({ struct d3dgpu_ds_mailbox box = plain(); __VA_ARGS__; box; })

static void refusals(void)
{
	expect(D3DGPU_DS_BAD_SIZE, WITH(box.width = 0), "width 0");
	expect(D3DGPU_DS_BAD_SIZE, WITH(box.height = 0), "height 0");
	expect(D3DGPU_DS_BAD_SIZE, WITH(box.layers = 0), "no layers");
	expect(D3DGPU_DS_BAD_SIZE, WITH(box.levels = 0), "no levels");
	expect(D3DGPU_DS_BAD_SIZE, WITH(box.width = 16385), "wider than the limit");
	expect(D3DGPU_DS_BAD_SIZE, WITH(box.height = 0xffffffff), "height 2^32 - 1");
	expect(D3DGPU_DS_BAD_SIZE, WITH(box.layers = 2049), "more layers than the limit");
	expect(D3DGPU_DS_BAD_SIZE, WITH(box.levels = 8), "64 pixels have 7 levels");
	expect(D3DGPU_DS_BAD_SIZE, WITH(box.samples = 4, box.levels = 2), "levels of a multisampled surface");
	expect(D3DGPU_DS_BAD_SIZE, WITH(box.usage = D3DGPU_DS_USAGE_CUBE, box.layers = 5), "a cube of five faces");
	expect(D3DGPU_DS_BAD_SIZE, WITH(box.usage = D3DGPU_DS_USAGE_CUBE, box.layers = 6, box.width = 32), "a cube that is none");
	expect(D3DGPU_DS_NOT_A_DS_FORMAT, WITH(box.format = 0), "format UNKNOWN");
	expect(D3DGPU_DS_NOT_A_DS_FORMAT, WITH(box.format = 21), "A8R8G8B8");
	expect(D3DGPU_DS_NOT_A_DS_FORMAT, WITH(box.format = 72), "72, which is nothing");
	expect(D3DGPU_DS_NOT_A_DS_FORMAT, WITH(box.format = 87), "87, behind the last");
	expect(D3DGPU_DS_NOT_A_DS_FORMAT, WITH(box.format = 0x31545844), "DXT1");
	expect(D3DGPU_DS_BAD_SAMPLES, WITH(box.samples = 8), "8 samples, the engine has 4");
	expect(D3DGPU_DS_BAD_SAMPLES, WITH(box.samples = 3), "3 samples");
	expect(D3DGPU_DS_BAD_SAMPLES, WITH(box.samples = 0x80000000), "2^31 samples");
	expect(D3DGPU_DS_BAD_SAMPLES, WITH(box.format = D3DGPU_DS_D16_LOCKABLE, box.samples = 2), "a lockable format with samples");
	expect(D3DGPU_DS_BAD_SAMPLES, WITH(box.usage = D3DGPU_DS_USAGE_CUBE, box.layers = 6, box.samples = 4), "a cube with samples");
	expect(D3DGPU_DS_BAD_QUALITY, WITH(box.quality = 1), "quality 1 of 1");
	expect(D3DGPU_DS_BAD_QUALITY, WITH(box.samples = 4, box.quality = 0xffffffff), "quality 2^32 - 1");
	expect(D3DGPU_DS_BAD_USAGE, WITH(box.usage = 0x20), "an unknown usage");
	expect(D3DGPU_DS_BAD_USAGE, WITH(box.usage = D3DGPU_DS_USAGE_LOCKABLE), "D24S8 is not lockable");
	expect(D3DGPU_DS_DISCARD_LOCKABLE, WITH(box.format = D3DGPU_DS_D16_LOCKABLE, box.discard = 1), "discard, lockable");
	expect(D3DGPU_DS_BAD_FIELD, WITH(box.discard = 2), "discard 2");
	expect(D3DGPU_DS_BAD_FIELD, WITH(box.reserved[3] = 1), "a reserved field");
}

static void precedence(void)
{
	expect(D3DGPU_DS_BAD_FIELD, WITH(box.reserved[0] = 1, box.width = 0, box.format = 0), "field before size");
	expect(D3DGPU_DS_BAD_SIZE, WITH(box.width = 0, box.format = 0), "size 0 before format");
	expect(D3DGPU_DS_NOT_A_DS_FORMAT, WITH(box.format = 0, box.width = 65536), "format before limits");
	expect(D3DGPU_DS_BAD_SIZE, WITH(box.width = 65536, box.samples = 3), "limits before samples");
	expect(D3DGPU_DS_BAD_SAMPLES, WITH(box.samples = 3, box.quality = 1), "samples before quality");
	expect(D3DGPU_DS_BAD_QUALITY, WITH(box.quality = 1, box.usage = 0x20), "quality before usage");
	expect(D3DGPU_DS_BAD_USAGE, WITH(box.format = D3DGPU_DS_D16_LOCKABLE, box.usage = 0x20, box.discard = 1),
	       "usage before discard");
}

static void allowed(void)
{
	tap_eq(answer(WITH(box.samples = 1)).status, D3DGPU_DS_OK, "one sample is single-sampled");
	tap_eq(answer(WITH(box.discard = 1)).status, D3DGPU_DS_OK, "discard of a plain surface");
	tap_eq(answer(WITH(box.usage = D3DGPU_DS_USAGE_RESTRICTED | D3DGPU_DS_USAGE_SHARED)).status, D3DGPU_DS_OK,
	       "restricted and shared");
	tap_eq(answer(WITH(box.usage = D3DGPU_DS_USAGE_SAMPLE)).status, D3DGPU_DS_OK, "sampled");
	tap_eq(answer(WITH(box.format = D3DGPU_DS_D32F_LOCKABLE, box.usage = D3DGPU_DS_USAGE_LOCKABLE)).status, D3DGPU_DS_OK,
	       "lockable where the format is");
	tap_eq(answer(WITH(box.samples = 8)).quality_levels, 0, "quality levels of a count that is not there: 0");
	tap_eq(answer(WITH(box.samples = 4, box.quality = 9)).quality_levels, 1, "they are told when the quality is wrong");
}

static void limited_devices(void)
{
	use_caps("feature-level=9_1,shadow=off,ds-formats=D16+D24X8,msaa=2,max-texture=256");
	expect(D3DGPU_DS_FORMAT_UNAVAILABLE, WITH(box.format = D3DGPU_DS_D24S8), "a depth format that this GPU lacks");
	expect(D3DGPU_DS_FORMAT_UNAVAILABLE, WITH(box.format = D3DGPU_DS_D24S8, box.width = 65536), "and before the limits");
	expect(D3DGPU_DS_BAD_SAMPLES, WITH(box.format = D3DGPU_DS_D16, box.samples = 4), "msaa=2: no 4 samples");
	expect(D3DGPU_DS_BAD_SIZE, WITH(box.format = D3DGPU_DS_D16, box.width = 257), "max-texture=256");
	expect(D3DGPU_DS_BAD_SIZE, WITH(box.format = D3DGPU_DS_D16, box.levels = 2), "9_x: no levels");
	expect(D3DGPU_DS_BAD_SIZE, WITH(box.format = D3DGPU_DS_D16, box.layers = 2), "9_x: no layers");
	expect(D3DGPU_DS_BAD_USAGE, WITH(box.format = D3DGPU_DS_D16, box.usage = D3DGPU_DS_USAGE_SAMPLE), "shadow=off: not sampled");
	expect(D3DGPU_DS_BAD_USAGE, WITH(box.format = D3DGPU_DS_D16, box.usage = D3DGPU_DS_USAGE_CUBE, box.layers = 6),
	       "9_x: no depth cubes");
	tap_eq(answer(WITH(box.format = D3DGPU_DS_D16, box.samples = 2)).status, D3DGPU_DS_OK, "2 samples are there");
}

int main(void)
{
	use_caps("");
	formats();
	sizes();
	refusals();
	precedence();
	allowed();
	limited_devices();
	return tap_done();
}
