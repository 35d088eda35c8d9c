/* SPDX-License-Identifier: MIT */
/*
 * Resources that two Direct3D 9Ex devices share: what one draws the other sees, without a copy and however often. Run with
 * a handle as argument it is the other process (in the guest only: elsewhere each process has a GPU of its own).
 */
#define INITGUID
#include "child.h"
#include "draw9.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define SIZE 64u
#define FRAMES 1000u

struct side {
	IDirect3DDevice9Ex *device;
	IDirect3DTexture9 *texture;
	IDirect3DSurface9 *shared;
	struct test9_target target;
};

static DWORD color_of(unsigned frame)
{
	return 0xff000000u | (frame * 2654435761u >> 8);
}

static void open_side(struct side *side, IDirect3DDevice9Ex *device, HANDLE *handle)
{
	HRESULT hr;

	side->device = device;
	hr = IDirect3DDevice9Ex_CreateTexture(device, SIZE, SIZE, 1, D3DUSAGE_RENDERTARGET, D3DFMT_A8R8G8B8,
					      D3DPOOL_DEFAULT, &side->texture, handle);
	if (FAILED(hr))
		tap_bail("a shared texture: %#x", (unsigned)hr);
	IDirect3DTexture9_GetSurfaceLevel(side->texture, 0, &side->shared);
	test9_target_create(device, SIZE, SIZE, &side->target);
}

static void close_side(struct side *side)
{
	test9_target_destroy(&side->target);
	IDirect3DSurface9_Release(side->shared);
	IDirect3DTexture9_Release(side->texture);
}

/* Draws the frame's picture: one colour, with a spot that moves. */
static void draw(struct side *side, unsigned frame)
{
	D3DRECT spot = {(LONG)(frame % SIZE), 3, (LONG)(frame % SIZE) + 1, 4};

	IDirect3DDevice9Ex_SetRenderTarget(side->device, 0, side->shared);
	IDirect3DDevice9Ex_Clear(side->device, 0, NULL, D3DCLEAR_TARGET, color_of(frame), 0, 0);
	IDirect3DDevice9Ex_Clear(side->device, 1, &spot, D3DCLEAR_TARGET, ~color_of(frame), 0, 0);
	IDirect3DDevice9Ex_SetRenderTarget(side->device, 0, side->target.surface);
	test9_finish(side->device);
}

/* Whether this side sees that picture. */
static bool sees(struct side *side, unsigned frame)
{
	IDirect3DDevice9Ex_StretchRect(side->device, side->shared, NULL, side->target.surface, NULL, D3DTEXF_NONE);
	return test9_read(side->device, &side->target) &&
	       test9_pixel(&side->target, frame % SIZE, 3) == ~color_of(frame) &&
	       test9_pixel(&side->target, (frame + 7) % SIZE, 3) == color_of(frame) &&
	       test9_pixel(&side->target, 0, SIZE - 1) == color_of(frame);
}

static void test_devices(struct test9 *t)
{
	struct side sides[2] = {0};
	IDirect3DDevice9Ex *second = test9_device(t->d3d, SIZE, SIZE, 0);
	HANDLE handle = NULL;
	unsigned wrong = 0;

	if (!second)
		tap_bail("no second device");
	open_side(&sides[0], t->device, &handle);
	tap_ok(handle, "the texture has a handle");
	open_side(&sides[1], second, &handle);
	for (unsigned frame = 0; frame < FRAMES; frame++) {
		draw(&sides[frame & 1], frame);
		wrong += !sees(&sides[~frame & 1], frame);
	}
	tap_eq(wrong, 0, "%u frames go to and fro between two devices", FRAMES);
	close_side(&sides[0]);
	tap_ok(sees(&sides[1], FRAMES - 1), "the picture outlives the device's texture that it was made with");
	close_side(&sides[1]);
	IDirect3DDevice9Ex_Release(second);
}

/* A target with four samples: each has a component of its own, and all arrive. */
static void test_multisampled(struct test9 *t)
{
	IDirect3DDevice9Ex *second = test9_device(t->d3d, SIZE, SIZE, 0);
	IDirect3DSurface9 *mine = NULL, *theirs = NULL;
	struct test9_target target;
	struct draw9 d;
	HANDLE handle = NULL;
	HRESULT hr;

	hr = IDirect3DDevice9Ex_CreateRenderTarget(t->device, SIZE, SIZE, D3DFMT_A8R8G8B8, D3DMULTISAMPLE_4_SAMPLES, 0,
						   FALSE, &mine, &handle);
	tap_eq(hr, D3D_OK, "a shared target with four samples");
	hr = IDirect3DDevice9Ex_CreateRenderTarget(second, SIZE, SIZE, D3DFMT_A8R8G8B8, D3DMULTISAMPLE_4_SAMPLES, 0,
						   FALSE, &theirs, &handle);
	tap_eq(hr, D3D_OK, "is opened by another device");
	if (FAILED(hr))
		return;
	draw9_open(&d, t->device, SIZE, SIZE);
	IDirect3DDevice9Ex_SetRenderTarget(t->device, 0, mine);
	IDirect3DDevice9Ex_SetDepthStencilSurface(t->device, NULL);
	for (unsigned sample = 0; sample < 4; sample++) {
		IDirect3DDevice9Ex_SetRenderState(t->device, D3DRS_MULTISAMPLEMASK, 1u << sample);
		draw9_rect(&d, 0, 0, SIZE, SIZE, 0.5f, 0xffu << 8 * sample);
	}
	IDirect3DDevice9Ex_SetRenderState(t->device, D3DRS_MULTISAMPLEMASK, ~0u);
	test9_finish(t->device);
	test9_target_create(second, SIZE, SIZE, &target);
	IDirect3DDevice9Ex_StretchRect(second, theirs, NULL, target.surface, NULL, D3DTEXF_NONE);
	if (test9_read(second, &target))
		test9_check_pixel(&target, 9, 9, 0x40404040, 1, "and has all its samples there");
	test9_target_destroy(&target);
	draw9_close(&d);
	IDirect3DSurface9_Release(theirs);
	IDirect3DSurface9_Release(mine);
	IDirect3DDevice9Ex_Release(second);
}

/* ---- two processes ---- */

static void wait_byte(int fd)
{
	char byte;

	if (read(fd, &byte, 1) != 1)
		_exit(2);
}

static void send_byte(int fd)
{
	if (write(fd, "", 1) != 1)
		_exit(2);
}

/* The other process: draws odd frames, looks at even ones. Exits with 0 when all were right. */
static int other_process(const char *text)
{
	HANDLE handle = (HANDLE)(uintptr_t)strtoull(text, NULL, 16);
	struct side side = {0};
	unsigned wrong = 0;
	struct test9 t;

	test9_open(&t, SIZE, SIZE);
	open_side(&side, t.device, &handle);
	for (unsigned frame = 0; frame < FRAMES / 10; frame++) {
		wait_byte(3);
		if (frame & 1)
			draw(&side, frame);
		else
			wrong += !sees(&side, frame);
		send_byte(4);
	}
	close_side(&side);
	test9_close(&t);
	return wrong != 0;
}

static pid_t start_other(HANDLE handle, int to[2], int from[2])
{
	char text[32];
	pid_t pid;

	snprintf(text, sizeof(text), "%llx", (unsigned long long)(uintptr_t)handle);
	if (pipe(to) || pipe(from))
		tap_bail("pipe");
	pid = fork();
	if (pid)
		return pid;
	dup2(2, 1); /* its results are this process's, and not lines of its own */
	dup2(to[0], 3);
	dup2(from[1], 4);
	for (int fd = 5; fd < 64; fd++)
		close(fd);
	execl("/proc/self/exe", "other", text, (char *)NULL);
	_exit(127);
}

static void test_processes(struct test9 *t)
{
	struct side side = {0};
	int to[2], from[2], status = -1;
	HANDLE handle = NULL;
	unsigned wrong = 0;
	pid_t pid;

	open_side(&side, t->device, &handle);
	pid = start_other(handle, to, from);
	close(to[0]);
	close(from[1]);
	for (unsigned frame = 0; frame < FRAMES / 10; frame++) {
		if (!(frame & 1))
			draw(&side, frame);
		send_byte(to[1]);
		wait_byte(from[0]);
		if (frame & 1)
			wrong += !sees(&side, frame);
	}
	waitpid(pid, &status, 0);
	tap_eq(wrong, 0, "this process sees what the other one draws, %u frames", FRAMES / 10);
	tap_eq(status, 0, "and the other one what this one draws");
	close(to[1]);
	close(from[0]);
	close_side(&side);
}

int main(int argc, char **argv)
{
	struct test9 t;

	if (argc > 1)
		return other_process(argv[1]);
	test9_open(&t, SIZE, SIZE);
	test_devices(&t);
	test_multisampled(&t);
	if (!child_can_choose_gpu())
		test_processes(&t);
	test9_close(&t);
	return tap_done();
}
