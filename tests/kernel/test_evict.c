/* SPDX-License-Identifier: MIT */
/* Who leaves VRAM when it is short, and what becomes of its content. Meant for a device with little VRAM. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <drm_fourcc.h>

#include "content.h"
#include "display.h"
#include "tap.h"

#define MOST 1024		/* objects */
#define TICK 80000		/* microseconds after which a use counts as a later one */

static uint32_t placement(int fd, uint32_t handle)
{
	return gpu_info(fd, handle).placement;
}

static int madvise_bo(int fd, uint32_t handle, uint32_t advice, uint32_t *retained)
{
	struct drm_d3dgpu_gem_madvise args = {.handle = handle, .advice = advice};
	int ret = gpu_call(fd, DRM_IOCTL_D3DGPU_GEM_MADVISE, &args);

	*retained = args.retained;
	return ret;
}

/* ---- who goes ---- */

static struct gpu_bo plain_object(struct content_mover *mover, uint32_t seed)
{
	struct gpu_bo bo;
	int ret = content_create(mover->fd, CONTENT_PLAIN, &bo);

	if (!ret)
		ret = content_write(mover, CONTENT_PLAIN, &bo, seed);
	if (ret)
		tap_bail("object %u: %s", seed, strerror(-ret));
	return bo;
}

/* A submit that only lists an object. */
static int use(struct content_mover *mover, const struct gpu_bo *bo)
{
	struct drm_d3dgpu_submit_bo list = {.handle = bo->handle};
	struct drm_d3dgpu_submit submit = gpu_submit_args(mover->ctx, NULL, 0, &list, 1);

	return gpu_run(mover->fd, &submit);
}

/* Makes objects until something has been evicted; returns how many. */
static unsigned press(struct content_mover *mover, struct gpu_bo *pressure)
{
	uint64_t evictions = gpu_param(mover->fd, D3DGPU_PARAM_EVICTIONS);
	unsigned count = 0;

	while (gpu_param(mover->fd, D3DGPU_PARAM_EVICTIONS) == evictions && count < MOST)
		pressure[count] = plain_object(mover, count), count++;
	return count;
}

static void test_lru(int fd)
{
	struct content_mover mover = content_mover_begin(fd);
	struct gpu_bo bos[4], *pressure = calloc(MOST, sizeof(*pressure));
	unsigned count;

	for (unsigned i = 0; i < 4; i++)
		bos[i] = plain_object(&mover, 100 + i);
	usleep(TICK);
	for (unsigned i = 0; i < 4; i++)
		if (i != 2)
			use(&mover, &bos[i]);
	count = press(&mover, pressure);
	tap_eq(placement(fd, bos[2].handle), D3DGPU_PLACEMENT_EVICTED, "the least recently used object leaves");
	tap_eq(placement(fd, bos[0].handle), D3DGPU_PLACEMENT_VRAM, "an older one that was used since stays");
	tap_eq(placement(fd, bos[1].handle), D3DGPU_PLACEMENT_VRAM, "another too");
	tap_eq(placement(fd, bos[3].handle), D3DGPU_PLACEMENT_VRAM, "and another");
	tap_eq(use(&mover, &bos[2]), 0, "use it again");
	tap_eq(placement(fd, bos[2].handle), D3DGPU_PLACEMENT_VRAM, "and it is back");
	tap_ok(content_matches(&mover, CONTENT_PLAIN, &bos[2], 102), "with its content");
	while (count)
		gpu_close(fd, pressure[--count].handle);
	for (unsigned i = 0; i < 4; i++)
		gpu_close(fd, bos[i].handle);
	content_mover_end(&mover);
	free(pressure);
}

/* ---- limits ---- */

static void test_too_much(int fd)
{
	uint64_t pool = gpu_param(fd, D3DGPU_PARAM_VRAM_SIZE);
	struct content_mover mover = content_mover_begin(fd);
	struct drm_d3dgpu_submit_bo *list = calloc(MOST, sizeof(*list));
	struct drm_d3dgpu_submit submit;
	uint64_t bytes = 0;
	unsigned count = 0;

	for (; bytes <= pool && count < MOST; count++) {
		struct gpu_bo bo;

		if (content_create(fd, CONTENT_PLAIN, &bo))
			tap_bail("object %u", count);
		list[count] = (struct drm_d3dgpu_submit_bo){.handle = bo.handle, .flags = D3DGPU_SUBMIT_BO_WRITE};
		bytes += bo.size;
	}
	submit = gpu_submit_args(mover.ctx, NULL, 0, list, count);
	tap_eq(gpu_submit(fd, &submit), -ENOMEM, "a submit that lists more than the pool: -ENOMEM");
	tap_eq(gpu_ctx_query(fd, mover.ctx).submitted, 0, "nothing was queued");
	submit = gpu_submit_args(mover.ctx, NULL, 0, list, count / 2);
	tap_eq(gpu_run(fd, &submit), 0, "half of it runs");
	submit = gpu_submit_args(mover.ctx, NULL, 0, list + count / 2, count / 2);
	tap_eq(gpu_run(fd, &submit), 0, "and the other half");
	for (unsigned i = 0; i < count; i++)
		gpu_close(fd, list[i].handle);
	content_mover_end(&mover);
	free(list);
}

/* Objects of many sizes in a pool cut to pieces, then a list that needs nearly all of it. */
static void test_fragments(int fd)
{
	uint64_t pool = gpu_param(fd, D3DGPU_PARAM_VRAM_SIZE);
	uint64_t room = pool - (12u << 20); /* the console's framebuffer is pinned */
	struct drm_d3dgpu_submit_bo list[2];
	struct content_mover mover = content_mover_begin(fd);
	struct gpu_bo *pieces = calloc(MOST, sizeof(*pieces)), halves[2];
	struct drm_d3dgpu_submit submit;
	unsigned count = 0;

	for (; count < MOST && count < pool / (300u << 10); count++)
		if (gpu_staging_create(fd, (count % 5 + 1) * (100u << 10), &pieces[count]))
			tap_bail("piece %u", count);
	for (unsigned i = 0; i < count; i += 2)
		gpu_close(fd, pieces[i].handle);
	for (unsigned i = 0; i < 2; i++) {
		int ret = gpu_staging_create(fd, room / 2 & ~0xfffull, &halves[i]);

		if (ret)
			tap_bail("half of the pool: %s", strerror(-ret));
		list[i] = (struct drm_d3dgpu_submit_bo){.handle = halves[i].handle};
	}
	submit = gpu_submit_args(mover.ctx, NULL, 0, list, 2);
	tap_eq(gpu_run(fd, &submit), 0, "two buffers that take nearly all of a pool in pieces are in VRAM together");
	for (unsigned i = 1; i < count; i += 2)
		gpu_close(fd, pieces[i].handle);
	for (unsigned i = 0; i < 2; i++)
		gpu_close(fd, halves[i].handle);
	content_mover_end(&mover);
	free(pieces);
}

/* ---- pinned ---- */

static bool is_pinned(int fd, uint32_t handle)
{
	struct drm_d3dgpu_gem_info info = gpu_info(fd, handle);

	return info.placement == D3DGPU_PLACEMENT_VRAM && info.flags & D3DGPU_INFO_PINNED;
}

/* What is shown stays; when it leaves no room, there is none. The framebuffer is far larger than the screen. */
static void test_pinned(int fd)
{
	struct display display = display_open(0);
	struct picture picture = display_picture(display.fd, 3072, 4096, DRM_FORMAT_XRGB8888);
	struct gpu_bo *pressure = calloc(MOST, sizeof(*pressure)), large;
	struct content_mover mover = content_mover_begin(fd);
	unsigned count;

	display_paint(&picture, 7);
	tap_ok(!is_pinned(display.fd, picture.handle), "a framebuffer that is not shown is not pinned");
	tap_eq(display_show(&display, &picture), 0, "show it");
	tap_ok(is_pinned(display.fd, picture.handle), "it is pinned");
	count = press(&mover, pressure);
	count += press(&mover, pressure + count);
	tap_ok(is_pinned(display.fd, picture.handle), "it stays in VRAM while others go");
	tap_eq(*display_pixel(&picture, 3000, 4000), display_colour(3000, 4000, 7), "as it was");
	tap_eq(gpu_staging_create(fd, 16u << 20, &large), -ENOMEM, "what does not fit beside it: -ENOMEM");
	display_off(&display);
	tap_ok(!is_pinned(display.fd, picture.handle), "when it is not shown any more, it is not pinned");
	tap_eq(gpu_staging_create(fd, 16u << 20, &large), 0, "and there is room");
	tap_eq(*display_pixel(&picture, 3000, 4000), display_colour(3000, 4000, 7), "it is still as it was");
	gpu_close(fd, large.handle);
	while (count)
		gpu_close(fd, pressure[--count].handle);
	display_picture_end(display.fd, &picture);
	close(display.fd);
	content_mover_end(&mover);
	free(pressure);
}

/* ---- staging buffers and advice ---- */

/* Makes objects until one is not in VRAM any more. */
static bool push_out(struct content_mover *mover, uint32_t handle, struct gpu_bo *pressure, unsigned *count)
{
	for (; placement(mover->fd, handle) == D3DGPU_PLACEMENT_VRAM && *count < MOST; ++*count)
		if (content_create(mover->fd, CONTENT_PLAIN, &pressure[*count]))
			return false;
	return placement(mover->fd, handle) != D3DGPU_PLACEMENT_VRAM;
}

static void test_staging(int fd)
{
	struct content_mover mover = content_mover_begin(fd);
	struct gpu_bo *pressure = calloc(MOST, sizeof(*pressure)), staging = gpu_staging(fd, 1u << 20), texture;
	struct d3dgpu_resource_desc desc = gpu_texture_desc(512, 512);
	uint32_t *words = staging.map;
	unsigned count = 0, wrong = 0;
	struct drm_d3dgpu_submit_bo list[2];
	struct drm_d3dgpu_submit submit;

	for (uint32_t i = 0; i < staging.size / 4; i++)
		words[i] = i * 77;
	tap_ok(push_out(&mover, staging.handle, pressure, &count), "a mapped staging buffer leaves VRAM");
	for (uint32_t i = 0; i < staging.size / 4; i++)
		wrong += words[i] != i * 77;
	tap_eq(wrong, 0, "the CPU reads its content all the same");
	tap_eq(placement(fd, staging.handle), D3DGPU_PLACEMENT_EVICTED, "and it stays where it is");
	for (uint32_t i = 0; i < staging.size / 4; i++)
		words[i] += 5;

	if (gpu_resource_create(fd, &desc, &texture))
		tap_bail("no texture");
	list[0] = (struct drm_d3dgpu_submit_bo){.handle = staging.handle};
	list[1] = (struct drm_d3dgpu_submit_bo){.handle = texture.handle, .flags = D3DGPU_SUBMIT_BO_WRITE};
	submit = gpu_submit_args(mover.ctx, &mover.commands,
				 (uint32_t)gpu_put_upload(mover.commands.map, texture.res_id, 512, 512, staging.res_id), list, 2);
	tap_eq(gpu_run(fd, &submit), 0, "the GPU reads what the CPU wrote there");
	memset(staging.map, 0, staging.size);
	list[0].flags = D3DGPU_SUBMIT_BO_WRITE;
	list[1].flags = 0;
	submit = gpu_submit_args(mover.ctx, &mover.commands,
				 (uint32_t)gpu_put_download(mover.commands.map, texture.res_id, 512, 512, staging.res_id), list, 2);
	tap_eq(gpu_run(fd, &submit), 0, "and writes it back");
	for (uint32_t i = 0; i < staging.size / 4; i++)
		wrong += words[i] != i * 77 + 5;
	tap_eq(wrong, 0, "all of it");
	while (count)
		gpu_close(fd, pressure[--count].handle);
	gpu_close(fd, texture.handle);
	gpu_staging_end(fd, &staging);
	content_mover_end(&mover);
	free(pressure);
}

static void test_advice(int fd)
{
	struct content_mover mover = content_mover_begin(fd);
	struct gpu_bo *pressure = calloc(MOST, sizeof(*pressure));
	struct gpu_bo cache = plain_object(&mover, 300), kept = plain_object(&mover, 301);
	struct drm_d3dgpu_gem_madvise bad = {.handle = cache.handle, .advice = 2};
	uint64_t evicted;
	unsigned count = 0;
	uint32_t retained;

	tap_eq(gpu_call(fd, DRM_IOCTL_D3DGPU_GEM_MADVISE, &bad), -EINVAL, "unknown advice: -EINVAL");
	bad = (struct drm_d3dgpu_gem_madvise){.handle = cache.handle, .pad = 1};
	tap_eq(gpu_call(fd, DRM_IOCTL_D3DGPU_GEM_MADVISE, &bad), -EINVAL, "advice with padding: -EINVAL");
	tap_eq(madvise_bo(fd, 4711, D3DGPU_ADVICE_DONTNEED, &retained), -EINVAL, "advice for no handle: -EINVAL");
	tap_eq(madvise_bo(fd, cache.handle, D3DGPU_ADVICE_DONTNEED, &retained), 0, "the content of an object is not needed");
	tap_eq(retained, 1, "it is still there");
	tap_ok(gpu_info(fd, cache.handle).flags & D3DGPU_INFO_PURGEABLE, "GEM_INFO knows");
	tap_eq(madvise_bo(fd, cache.handle, D3DGPU_ADVICE_WILLNEED, &retained), 0, "it is needed again");
	tap_eq(retained, 1, "and was not lost");
	tap_ok(content_matches(&mover, CONTENT_PLAIN, &cache, 300), "indeed");

	madvise_bo(fd, cache.handle, D3DGPU_ADVICE_DONTNEED, &retained);
	usleep(TICK);
	use(&mover, &cache);
	evicted = gpu_param(fd, D3DGPU_PARAM_EVICTIONS);
	tap_ok(push_out(&mover, cache.handle, pressure, &count), "under pressure it goes");
	tap_eq(gpu_param(fd, D3DGPU_PARAM_EVICTIONS) - evicted, 1, "before anything else, though it was used last");
	tap_eq(placement(fd, cache.handle), D3DGPU_PLACEMENT_PURGED, "its content is thrown away");
	tap_eq(madvise_bo(fd, cache.handle, D3DGPU_ADVICE_WILLNEED, &retained), 0, "it is needed again");
	tap_eq(retained, 0, "and the call says that it was lost");
	tap_ok(content_is_clear(&mover, CONTENT_PLAIN, &cache), "it is clear");
	tap_eq(content_write(&mover, CONTENT_PLAIN, &cache, 302), 0, "it can be written");
	tap_ok(content_matches(&mover, CONTENT_PLAIN, &cache, 302), "and has what was written");
	tap_ok(content_matches(&mover, CONTENT_PLAIN, &kept, 301), "an object that was needed is as it was");
	while (count)
		gpu_close(fd, pressure[--count].handle);
	gpu_close(fd, cache.handle);
	gpu_close(fd, kept.handle);
	content_mover_end(&mover);
	free(pressure);
}

int main(void)
{
	int fd = gpu_open();

	if (!content_pool_is_small(fd))
		return tap_done();
	test_lru(fd);
	test_staging(fd);
	test_advice(fd);
	test_too_much(fd);
	test_fragments(fd);
	test_pinned(fd);
	close(fd);
	return tap_done();
}
