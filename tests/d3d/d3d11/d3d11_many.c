/* SPDX-License-Identifier: MIT */
/* Several devices side by side: in one thread, in threads, in processes. Each has its own context and disturbs no
 * other. */
#include "child.h"
#include "test11.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define SIZE 32u
#define DEVICES 4u
#define FRAMES 20u

static uint32_t color_of(unsigned number)
{
	return 0xff000000u | (number * 60 + 15) << 16 | (255 - number * 40) << 8 | number * 25;
}

/* Draws frames in the device's own colour and checks each. Returns the wrong ones. */
static unsigned draw_frames(struct test11 *t, unsigned number, unsigned frames)
{
	uint32_t color = color_of(number);
	const float rgba[4] = {(float)(color & 255) / 255, (float)(color >> 8 & 255) / 255,
			       (float)(color >> 16 & 255) / 255, 1};
	struct test11_color_pipe pipe;
	struct test11_target target;
	unsigned wrong = 0;

	if (!test11_target_create(t, SIZE, SIZE, DXGI_FORMAT_R8G8B8A8_UNORM, &target) || !test11_color_pipe(t, &pipe))
		return frames;
	for (unsigned frame = 0; frame < frames; frame++) {
		test11_bind(t, &target, NULL);
		test11_clear(t, &target, 0, 0, 0, 1);
		test11_draw_rect(t, &pipe, -1, 1, frame % 2 ? 1 : 0, -1, 0, rgba);
		if (!test11_read(t, &target, NULL, 0) || test11_pixel(&target, 2, 2) != color ||
		    test11_pixel(&target, SIZE - 2, 2) != (frame % 2 ? color : 0xff000000u))
			wrong++;
	}
	test11_color_pipe_destroy(&pipe);
	test11_target_destroy(&target);
	return wrong;
}

static void test_interleaved(void)
{
	struct test11_color_pipe pipes[DEVICES];
	struct test11_target targets[DEVICES];
	struct test11 devices[DEVICES];
	unsigned wrong = 0;

	for (unsigned i = 0; i < DEVICES; i++) {
		test11_must_open(&devices[i]);
		test11_target_create(&devices[i], SIZE, SIZE, DXGI_FORMAT_R8G8B8A8_UNORM, &targets[i]);
		test11_color_pipe(&devices[i], &pipes[i]);
		test11_bind(&devices[i], &targets[i], NULL);
	}
	for (unsigned frame = 0; frame < FRAMES; frame++)
		for (unsigned i = 0; i < DEVICES; i++) {
			const float rgba[4] = {(float)(frame % 5) / 5, (float)i / DEVICES, 1, 1};

			test11_draw_rect(&devices[i], &pipes[i], -1, 1, 1, -1, 0, rgba);
		}
	for (unsigned i = 0; i < DEVICES; i++) {
		if (!test11_read(&devices[i], &targets[i], NULL, 0) ||
		    (test11_pixel(&targets[i], 5, 5) >> 8 & 255) != (i * 255 + DEVICES / 2) / DEVICES)
			wrong++;
		test11_color_pipe_destroy(&pipes[i]);
		test11_target_destroy(&targets[i]);
	}
	tap_eq(wrong, 0, "%u devices of one thread draw in turns", DEVICES);
	for (unsigned i = 0; i < DEVICES; i++)
		test11_close(&devices[i]);
}

static void *thread_main(void *argument)
{
	unsigned number = (unsigned)(uintptr_t)argument, wrong = FRAMES;
	struct test11 t;

	if (test11_open(&t, 0)) {
		wrong = draw_frames(&t, number, FRAMES);
		test11_close(&t);
	}
	return (void *)(uintptr_t)wrong;
}

static void test_threads(void)
{
	pthread_t threads[DEVICES];
	unsigned wrong = 0;
	void *result;

	for (unsigned i = 0; i < DEVICES; i++)
		if (pthread_create(&threads[i], NULL, thread_main, (void *)(uintptr_t)i))
			tap_bail("pthread_create");
	for (unsigned i = 0; i < DEVICES; i++) {
		pthread_join(threads[i], &result);
		wrong += (unsigned)(uintptr_t)result;
	}
	tap_eq(wrong, 0, "%u threads with a device each draw %u frames", DEVICES, FRAMES);
}

/* The device's methods are free-threaded: objects come and go in threads while the first one draws. */
static void *create_main(void *argument)
{
	struct test11 *t = argument;
	unsigned failures = 0;

	for (unsigned i = 0; i < 100; i++) {
		ID3D11DepthStencilView *depth = test11_depth(t, 16 + i, 16, DXGI_FORMAT_D24_UNORM_S8_UINT, 1);
		ID3D11Buffer *buffer = test11_buffer(t, D3D11_BIND_VERTEX_BUFFER, NULL, 256 + i);

		failures += !depth || !buffer;
		if (depth)
			ID3D11DepthStencilView_Release(depth);
		if (buffer)
			ID3D11Buffer_Release(buffer);
	}
	return (void *)(uintptr_t)failures;
}

static void test_free_threads(void)
{
	pthread_t threads[2];
	unsigned failures = 0, wrong;
	struct test11 t;
	void *result;

	test11_must_open(&t);
	for (unsigned i = 0; i < 2; i++)
		if (pthread_create(&threads[i], NULL, create_main, &t))
			tap_bail("pthread_create");
	wrong = draw_frames(&t, 1, FRAMES);
	for (unsigned i = 0; i < 2; i++) {
		pthread_join(threads[i], &result);
		failures += (unsigned)(uintptr_t)result;
	}
	tap_eq(wrong, 0, "one thread draws while two others create objects of the same device");
	tap_eq(failures, 0, "and all objects were created");
	test11_close(&t);
}

static void test_processes(void)
{
	for (unsigned i = 0; i < 2; i++) {
		char label[32], part[16];

		snprintf(label, sizeof(label), "process %u", i);
		snprintf(part, sizeof(part), "%u", i);
		child_run(NULL, part, label);
	}
}

static void *process_main(void *argument)
{
	test_processes();
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t processes;
	struct test11 t;

	if (argc > 1) {
		test11_must_open(&t);
		tap_eq(draw_frames(&t, (unsigned)atoi(argv[1]), FRAMES), 0, "all frames are right");
		test11_close(&t);
		return tap_done();
	}
	test_interleaved();
	test_threads();
	test_free_threads();
	/* Two processes, one after the other, while this one draws, too. */
	if (pthread_create(&processes, NULL, process_main, NULL))
		tap_bail("pthread_create");
	test11_must_open(&t);
	tap_eq(draw_frames(&t, 3, FRAMES), 0, "this process draws beside the others");
	test11_close(&t);
	pthread_join(processes, NULL);
	return tap_done();
}
