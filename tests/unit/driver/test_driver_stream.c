/* SPDX-License-Identifier: MIT */
/* What the pipeline core writes: order of commands, what is sent again and what is not, lists of objects, quirks. */
#include <errno.h>
#include <string.h>

#include "decode.h"
#include "gpu_fixture.h"
#include "null.h"
#include "tap.h"

/* The last stream that was submitted */
static struct {
	uint32_t words[131072], count, bo_count;
	uint32_t res_ids[256];
	bool writes[256];
	unsigned submits;
} seen;

static void record(void *opaque, const struct winsys_submit *submit, const uint32_t *words, uint32_t count)
{
	memcpy(seen.words, words, count * 4);
	seen.count = count;
	seen.bo_count = submit->bo_count;
	for (uint32_t i = 0; i < submit->bo_count; i++) {
		seen.res_ids[i] = submit->bos[i]->res_id;
		seen.writes[i] = submit->writes[i];
	}
	seen.submits++;
}

static void flush(struct gpu *gpu)
{
	seen.count = seen.bo_count = 0;
	gpu_flush(gpu->dev, NULL);
}

/* The n-th command of a kind (object 0 = any), from 0. */
static bool find(uint32_t opcode, uint32_t object, unsigned n, struct decode_command *out)
{
	uint32_t position = 0;

	while (decode_next(seen.words, seen.count, &position, out))
		if (out->opcode == opcode && (!object || out->object == object) && !n--)
			return true;
	return false;
}

static unsigned count(uint32_t opcode)
{
	struct decode_command c;
	unsigned n = 0;

	while (find(opcode, 0, n, &c))
		n++;
	return n;
}

static bool listed(const struct gpu_resource *res, bool write)
{
	for (uint32_t i = 0; i < seen.bo_count; i++)
		if (seen.res_ids[i] == res->bo->res_id)
			return seen.writes[i] == write;
	return false;
}

static uint32_t command_at(uint32_t opcode, uint32_t object)
{
	struct decode_command c;

	return find(opcode, object, 0, &c) ? (uint32_t)(c.payload - seen.words) : UINT32_MAX;
}

/* A device with a target, a vertex buffer and the plain pipeline. */
struct rig {
	struct gpu gpu;
	struct gpu_resource *target, *vb;
	struct gpu_surface *surface;
	struct gpu_plain plain;
};

static const struct gpu_draw one_triangle = {.topology = D3DGPU_PRIM_TRIANGLES, .count = 3, .instance_count = 1};

static struct rig rig_open(uint32_t quirks, enum gpu_usage usage)
{
	struct rig rig;

	rig.gpu = gpu_open_null(quirks);
	winsys_null_record(rig.gpu.ws, record, NULL);
	rig.target = gpu_target(&rig.gpu, D3DGPU_FMT_B8G8R8A8_UNORM, 64, 32);
	rig.vb = gpu_buffer(&rig.gpu, D3DGPU_BIND_VERTEX_BUFFER, usage, 1000, NULL);
	rig.surface = gpu_surface(&rig.gpu, rig.target, 0, 0);
	rig.plain = gpu_plain_pipeline(&rig.gpu, rig.surface, NULL, 64, 32);
	gpu_set_vertex_buffer(rig.gpu.dev, 0, rig.vb, 32, 64);
	return rig;
}

static void rig_close(struct rig *rig)
{
	gpu_plain_destroy(&rig->gpu, &rig->plain);
	gpu_surface_destroy(rig->gpu.dev, rig->surface);
	gpu_resource_destroy(rig->gpu.dev, rig->vb);
	gpu_resource_destroy(rig->gpu.dev, rig->target);
	gpu_close(&rig->gpu);
}

static void test_state_once(void)
{
	struct rig rig = rig_open(0, GPU_USAGE_DEFAULT);
	struct gpu *gpu = &rig.gpu;
	struct decode_command c;

	tap_eq(gpu_draw(gpu->dev, &one_triangle), 0, "draw");
	flush(gpu);
	tap_ok(command_at(D3DGPU_CMD_BIND_OBJECT, D3DGPU_OBJ_RASTERIZER) < command_at(D3DGPU_CMD_SET_VIEWPORT_STATE, 0),
	       "the rasterizer is bound before the viewport is set");
	tap_ok(find(D3DGPU_CMD_SET_VIEWPORT_STATE, 0, 0, &c) && c.payload[2] == 0xc1800000,
	       "y of the viewport is negative");
	tap_ok(find(D3DGPU_CMD_SET_VERTEX_BUFFERS, 0, 0, &c) && c.payload[0] == 32 && c.payload[1] == 64 &&
		       c.payload[2] == rig.vb->bo->res_id,
	       "vertex buffer: stride, offset, resource");
	tap_ok(listed(rig.target, true), "the target is listed as written");
	tap_ok(listed(rig.vb, false), "the vertex buffer as read");

	gpu_draw(gpu->dev, &one_triangle);
	gpu_draw(gpu->dev, &one_triangle);
	flush(gpu);
	tap_eq(seen.count, 26, "two more draws are nothing but two draws: state stays in the engine across submits");
	tap_ok(listed(rig.target, true) && listed(rig.vb, false), "but all objects are listed again");
	gpu_set_rasterizer(gpu->dev, rig.plain.rasterizer);
	gpu_draw(gpu->dev, &one_triangle);
	flush(gpu);
	tap_eq(seen.count, 13, "binding what is bound sends nothing");
	seen.submits = 0;
	flush(gpu);
	tap_eq(seen.submits, 0, "flushing nothing submits nothing");
	rig_close(&rig);
}

static void test_targets(void)
{
	struct rig rig = rig_open(0, GPU_USAGE_DEFAULT);
	struct gpu *gpu = &rig.gpu;
	struct gpu_resource *depth = gpu_depth(gpu, D3DGPU_DS_D24S8, 64, 64, 0);
	struct gpu_surface *zs = gpu_surface(gpu, depth, 0, 0), *none[4] = {0};
	struct decode_command c;

	gpu_set_targets(gpu->dev, 4, none, zs);
	gpu_draw(gpu->dev, &one_triangle);
	flush(gpu);
	tap_ok(find(D3DGPU_CMD_SET_FRAMEBUFFER_STATE, 0, 0, &c) && c.length == 2 && c.payload[0] == 0,
	       "a list of empty colour targets is sent as none");
	gpu_surface_destroy(gpu->dev, zs);
	flush(gpu);
	tap_ok(command_at(D3DGPU_CMD_SET_FRAMEBUFFER_STATE, 0) <
		       command_at(D3DGPU_CMD_DESTROY_OBJECT, D3DGPU_OBJ_SURFACE),
	       "a bound surface is unbound before it is destroyed");
	gpu_draw(gpu->dev, &one_triangle);
	flush(gpu);
	tap_eq(count(D3DGPU_CMD_SET_FRAMEBUFFER_STATE_NO_ATTACH), 1, "without targets the viewport gives the size");
	gpu_resource_destroy(gpu->dev, depth);
	rig_close(&rig);
}

/* Renaming: the GPU offset moves with every discard, and no-overwrite keeps it. */
static void test_rename(void)
{
	struct rig rig = rig_open(0, GPU_USAGE_DYNAMIC);
	struct gpu *gpu = &rig.gpu;
	struct gpu_box part = {.x = 96, .width = 96, .height = 1, .depth = 1};
	struct gpu_mapping first, second, third;
	struct decode_command upload, binding;

	winsys_null_hold(gpu->ws, 0);
	gpu_map(gpu->dev, rig.vb, 0, NULL, GPU_MAP_WRITE | GPU_MAP_DISCARD, &first);
	tap_eq(gpu_map(gpu->dev, rig.vb, 0, NULL, GPU_MAP_WRITE, &second), -EINVAL,
	       "a subresource is mapped once at a time");
	gpu_unmap(gpu->dev, rig.vb, 0);
	gpu_draw(gpu->dev, &one_triangle);
	gpu_map(gpu->dev, rig.vb, 0, &part, GPU_MAP_WRITE | GPU_MAP_NO_OVERWRITE, &second);
	tap_ok((char *)second.data == (char *)first.data + 96, "no-overwrite is the same memory");
	gpu_unmap(gpu->dev, rig.vb, 0);
	gpu_draw(gpu->dev, &one_triangle);
	gpu_map(gpu->dev, rig.vb, 0, NULL, GPU_MAP_WRITE | GPU_MAP_DISCARD, &third);
	tap_ok(third.data != first.data, "discard is other memory");
	memset(third.data, 0x77, 1000);
	gpu_unmap(gpu->dev, rig.vb, 0);
	gpu_draw(gpu->dev, &one_triangle);
	flush(gpu);
	tap_eq(count(D3DGPU_CMD_COPY_TRANSFER3D), 3, "three uploads");
	tap_eq(count(D3DGPU_CMD_SET_VERTEX_BUFFERS), 2, "and two bindings");
	tap_ok(find(D3DGPU_CMD_COPY_TRANSFER3D, 0, 1, &upload) && upload.payload[8] == 96,
	       "no-overwrite uploads its range");
	tap_ok(find(D3DGPU_CMD_COPY_TRANSFER3D, 0, 2, &upload) && find(D3DGPU_CMD_SET_VERTEX_BUFFERS, 0, 1, &binding) &&
		       upload.payload[5] + 64 == binding.payload[1] && upload.payload[5] == 1024,
	       "after discard, upload and binding meet in the next slot");
	gpu_map(gpu->dev, rig.vb, 0, NULL, GPU_MAP_WRITE, &first);
	tap_mem(first.data, third.data, 1000, "a plain write lock keeps the content");
	tap_ok(first.data != third.data, "in memory that pending work does not use");
	gpu_unmap(gpu->dev, rig.vb, 0);
	rig_close(&rig);
}

/* A no-overwrite map of everything does not say what was written: draws send what they read, once. */
static void test_unsent(void)
{
	struct rig rig = rig_open(0, GPU_USAGE_DYNAMIC);
	struct gpu *gpu = &rig.gpu;
	struct gpu_mapping map;
	struct decode_command c;

	flush(gpu);
	gpu_map(gpu->dev, rig.vb, 0, NULL, GPU_MAP_WRITE | GPU_MAP_NO_OVERWRITE, &map);
	gpu_unmap(gpu->dev, rig.vb, 0);
	gpu_draw(gpu->dev, &one_triangle);
	gpu_draw(gpu->dev, &one_triangle);
	flush(gpu);
	tap_eq(count(D3DGPU_CMD_COPY_TRANSFER3D), 1, "two draws of the same vertices upload once");
	tap_ok(find(D3DGPU_CMD_COPY_TRANSFER3D, 0, 0, &c) && c.payload[5] == 64 && c.payload[8] == 96,
	       "exactly the bytes that they read");
	tap_ok(command_at(D3DGPU_CMD_COPY_TRANSFER3D, 0) < command_at(D3DGPU_CMD_DRAW_VBO, 0), "before the first draw");
	gpu_map(gpu->dev, rig.vb, 0, NULL, GPU_MAP_WRITE | GPU_MAP_NO_OVERWRITE, &map);
	gpu_unmap(gpu->dev, rig.vb, 0);
	gpu_draw(gpu->dev, &one_triangle);
	flush(gpu);
	tap_eq(count(D3DGPU_CMD_COPY_TRANSFER3D), 1, "after another map they are sent again");
	rig_close(&rig);
}

static void test_element_slots(void)
{
	static const struct gpu_vertex_element elements[] = {
		{.format = D3DGPU_FMT_R32G32B32A32_FLOAT},
		{.offset = 16, .buffer = 1, .format = D3DGPU_FMT_R32G32B32A32_FLOAT, .divisor = 2},
	};
	struct rig rig = rig_open(D3DGPU_QUIRK_DIVISOR_BY_ELEMENT, GPU_USAGE_DEFAULT);
	struct gpu *gpu = &rig.gpu;
	struct gpu_vertex_elements *ve;
	struct decode_command c;

	flush(gpu);
	gpu_vertex_elements_create(gpu->dev, elements, 2, &ve);
	gpu_set_vertex_elements(gpu->dev, ve);
	gpu_set_vertex_buffer(gpu->dev, 1, rig.vb, 32, 128);
	gpu_draw(gpu->dev, &one_triangle);
	flush(gpu);
	tap_ok(find(D3DGPU_CMD_CREATE_OBJECT, D3DGPU_OBJ_VERTEX_ELEMENTS, 0, &c) && c.payload[5] == 0 &&
		       c.payload[6] == 2 && c.payload[7] == 1,
	       "an instanced element has a slot of its own and no offset");
	tap_ok(find(D3DGPU_CMD_SET_VERTEX_BUFFERS, 0, 0, &c) && c.length == 6 && c.payload[4] == 144,
	       "its offset is in the buffer's");
	gpu_set_vertex_buffer(gpu->dev, 1, NULL, 0, 0);
	tap_eq(gpu_draw(gpu->dev, &one_triangle), 0, "an element without buffer can be drawn");
	flush(gpu);
	tap_ok(find(D3DGPU_CMD_SET_VERTEX_BUFFERS, 0, 0, &c) && c.payload[3] == 0 && c.payload[5] != rig.vb->bo->res_id,
	       "it reads zeros from a buffer of the driver");
	gpu_vertex_elements_destroy(gpu->dev, ve);
	rig_close(&rig);
}

static void test_view_quirks(void)
{
	struct rig rig = rig_open(D3DGPU_QUIRK_VIEW_LEVEL_TWICE | D3DGPU_QUIRK_VIEW_LAYER_IGNORED, GPU_USAGE_DEFAULT);
	struct gpu *gpu = &rig.gpu;
	struct gpu_resource *array =
		gpu_texture(gpu, D3DGPU_FMT_B8G8R8A8_UNORM, 64, 64, 4, 4, D3DGPU_BIND_SAMPLER_VIEW);
	struct gpu_view_desc desc = {
		.target = D3DGPU_TARGET_2D_ARRAY,
		.format = D3DGPU_FMT_B8G8R8A8_SRGB,
		.first_level = 2,
		.last_level = 3,
		.last_layer = 3,
		.swizzle = {0, 1, 2, 3},
	};
	struct gpu_view *levels, *layers, *bad;
	struct decode_command c;

	flush(gpu);
	gpu_view_create(gpu->dev, array, &desc, &levels);
	desc.format = 0;
	desc.first_level = 0;
	desc.first_layer = 2;
	gpu_view_create(gpu->dev, array, &desc, &layers);
	flush(gpu);
	tap_ok(find(D3DGPU_CMD_CREATE_OBJECT, D3DGPU_OBJ_SAMPLER_VIEW, 0, &c) && c.payload[4] == 0x300,
	       "a re-interpreting view begins at level 0; its samplers add the rest");
	tap_ok(find(D3DGPU_CMD_CREATE_OBJECT, D3DGPU_OBJ_SAMPLER_VIEW, 1, &c) &&
		       (c.payload[2] & 0xffffff) == D3DGPU_FMT_R8G8B8A8_UNORM,
	       "a view of later layers takes a twin of its format");
	desc.last_level = 4;
	tap_eq(gpu_view_create(gpu->dev, array, &desc, &bad), -EINVAL, "a view past the last level is refused");
	desc.last_level = 0;
	desc.swizzle[0] = 6;
	tap_eq(gpu_view_create(gpu->dev, array, &desc, &bad), -EINVAL, "and so is a swizzle that does not exist");
	gpu_view_destroy(gpu->dev, levels);
	gpu_view_destroy(gpu->dev, layers);
	gpu_resource_destroy(gpu->dev, array);
	rig_close(&rig);
}

static uint64_t destroys(struct gpu *gpu)
{
	struct gpu_stats stats;

	gpu_get_stats(gpu->dev, &stats);
	return stats.winsys.bo_destroys;
}

static void test_destroyed_resources(void)
{
	struct rig rig = rig_open(0, GPU_USAGE_DEFAULT);
	struct gpu *gpu = &rig.gpu;
	struct gpu_resource *buffer = gpu_buffer(gpu, D3DGPU_BIND_VERTEX_BUFFER, GPU_USAGE_DEFAULT, 64, NULL);
	uint32_t data[16] = {1}, id = buffer->bo->res_id;
	uint64_t before;
	bool found = false;

	flush(gpu);
	gpu_update(gpu->dev, buffer, 0, NULL, data, 64, 64);
	before = destroys(gpu);
	gpu_resource_destroy(gpu->dev, buffer);
	tap_eq(destroys(gpu), before, "an object that the recorded stream names outlives its destruction");
	flush(gpu);
	for (uint32_t i = 0; i < seen.bo_count; i++)
		found |= seen.res_ids[i] == id;
	tap_ok(found, "until the submit lists it");
	tap_eq(destroys(gpu), before + 1, "then it goes");
	rig_close(&rig);
}

static void test_lost(void)
{
	struct rig rig = rig_open(0, GPU_USAGE_DEFAULT);
	struct gpu *gpu = &rig.gpu;
	struct gpu_query *query, *other;
	uint32_t color[4] = {0};

	gpu_query_create(gpu->dev, GPU_QUERY_OCCLUSION, &query);
	gpu_query_create(gpu->dev, GPU_QUERY_OCCLUSION, &other);
	gpu_query_begin(gpu->dev, query);
	gpu_query_begin(gpu->dev, other);
	winsys_null_lose(gpu->ws, D3DGPU_FAULT_HANG);
	gpu_clear_color(gpu->dev, rig.surface, color, 0, NULL);
	tap_eq(gpu_flush(gpu->dev, NULL), -EIO, "a lost context refuses submits");
	tap_eq(gpu_device_status(gpu->dev), D3DGPU_FAULT_HANG, "and says why");
	tap_eq(gpu_query_end(gpu->dev, other), -EIO, "a query cannot end");
	gpu_query_destroy(gpu->dev, query);
	gpu_query_destroy(gpu->dev, other);
	rig_close(&rig);
	tap_ok(true, "everything can still be destroyed");
}

/* A stream that outgrows its buffers is submitted in pieces, each with its own list. */
static void test_long_stream(void)
{
	struct rig rig = rig_open(0, GPU_USAGE_DEFAULT);
	int error = 0;

	seen.submits = 0;
	for (unsigned i = 0; i < 100000 && !error; i++)
		error = gpu_draw(rig.gpu.dev, &one_triangle);
	tap_eq(error, 0, "100000 draws");
	flush(&rig.gpu);
	tap_ok(seen.submits > 5, "take several submits (%u)", seen.submits);
	tap_ok(listed(rig.target, true) && listed(rig.vb, false), "and the last one lists what it uses");
	rig_close(&rig);
}

int main(void)
{
	test_state_once();
	test_targets();
	test_rename();
	test_unsent();
	test_element_slots();
	test_view_quirks();
	test_destroyed_resources();
	test_lost();
	test_long_stream();
	return tap_done();
}
