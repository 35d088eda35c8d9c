/* SPDX-License-Identifier: MIT */
/*
 * Several devices, threads and processes side by side, each with its own GPU context; and what happens to the others
 * when one context is lost.
 */
#define INITGUID
#include "child.h"
#include "draw9.h"

#include <dirent.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define SIZE 64
#define THREADS 4
#define PROCESSES 3
#define FRAMES 30

static IDirect3D9Ex *d3d;

/* Draws frames whose colours depend on `seed`; false when a pixel of any is wrong. */
static bool draw_frames(IDirect3DDevice9Ex *device, unsigned seed, unsigned frames)
{
	struct test9_target target;
	struct draw9 d;
	bool right = true;

	memset(&target, 0, sizeof(target));
	target.width = target.height = SIZE;
	target.pixels = calloc(SIZE * SIZE, sizeof(DWORD));
	IDirect3DDevice9Ex_CreateRenderTarget(device, SIZE, SIZE, D3DFMT_A8R8G8B8, D3DMULTISAMPLE_NONE, 0, FALSE,
					      &target.surface, NULL);
	IDirect3DDevice9Ex_CreateOffscreenPlainSurface(device, SIZE, SIZE, D3DFMT_A8R8G8B8, D3DPOOL_SYSTEMMEM,
						       &target.copy, NULL);
	if (!target.surface || !target.copy) {
		test9_target_destroy(&target);
		return false;
	}
	IDirect3DDevice9Ex_SetRenderTarget(device, 0, target.surface);
	draw9_open(&d, device, SIZE, SIZE);
	for (unsigned i = 0; i < frames && right; i++) {
		DWORD background = 0xff000000u | seed << 16 | i, color = 0xff000000u | i << 16 | seed;

		IDirect3DDevice9Ex_Clear(device, 0, NULL, D3DCLEAR_TARGET, background, 0, 0);
		draw9_rect(&d, 8, 8, 56, 56, 0.5f, color);
		right = test9_read(device, &target) && test9_pixel(&target, 0, 0) == background &&
			test9_pixel(&target, 32, 32) == color;
	}
	draw9_close(&d);
	IDirect3DDevice9Ex_SetRenderTarget(device, 0, target.surface);
	test9_target_destroy(&target);
	return right;
}

/* ---- devices ---- */

/* Frames of several devices, taken in turn by one thread. */
static void test_devices(void)
{
	IDirect3DDevice9Ex *devices[THREADS];
	bool right = true;

	for (unsigned i = 0; i < THREADS; i++)
		devices[i] = test9_device(d3d, SIZE, SIZE, 0);
	for (unsigned round = 0; round < 3; round++)
		for (unsigned i = 0; i < THREADS; i++)
			right &= devices[i] && draw_frames(devices[i], 10 * i + round, 3);
	tap_ok(right, "%d devices in one thread each draw their own pictures", THREADS);
	for (unsigned i = 0; i < THREADS; i++)
		if (devices[i])
			tap_eq(IDirect3DDevice9Ex_Release(devices[i]), 0, "device %u is released", i);
}

/* ---- threads ---- */

struct worker {
	pthread_t thread;
	unsigned seed;
	bool right;
};

static void *run_worker(void *argument)
{
	struct worker *worker = argument;
	IDirect3DDevice9Ex *device = test9_device(d3d, SIZE, SIZE, 0);

	worker->right = device && draw_frames(device, worker->seed, FRAMES);
	if (device)
		IDirect3DDevice9Ex_Release(device);
	return NULL;
}

static void test_threads(void)
{
	struct worker workers[THREADS];

	for (unsigned i = 0; i < THREADS; i++) {
		workers[i].seed = 20 + i;
		pthread_create(&workers[i].thread, NULL, run_worker, &workers[i]);
	}
	for (unsigned i = 0; i < THREADS; i++) {
		pthread_join(workers[i].thread, NULL);
		tap_ok(workers[i].right, "thread %u draws its own pictures beside the others", i);
	}
}

/* One device that several threads use, which D3DCREATE_MULTITHREADED allows. */
static void *create_textures(void *argument)
{
	IDirect3DDevice9Ex *device = argument;
	uintptr_t failures = 0;

	for (unsigned i = 0; i < 50; i++) {
		IDirect3DTexture9 *texture = NULL;
		D3DLOCKED_RECT locked;

		if (FAILED(IDirect3DDevice9Ex_CreateTexture(device, 32, 32, 1, D3DUSAGE_DYNAMIC, D3DFMT_A8R8G8B8,
							    D3DPOOL_DEFAULT, &texture, NULL))) {
			failures++;
			continue;
		}
		failures += FAILED(IDirect3DTexture9_LockRect(texture, 0, &locked, NULL, D3DLOCK_DISCARD));
		memset(locked.pBits, (int)i, 32);
		failures += FAILED(IDirect3DTexture9_UnlockRect(texture, 0));
		IDirect3DTexture9_Release(texture);
	}
	return (void *)failures;
}

static void test_shared_device(void)
{
	IDirect3DDevice9Ex *device = test9_device(d3d, SIZE, SIZE, D3DCREATE_MULTITHREADED);
	pthread_t threads[THREADS];
	uintptr_t failures = 0;

	for (unsigned i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, create_textures, device);
	tap_ok(draw_frames(device, 77, FRAMES),
	       "a multithreaded device draws while other threads create and fill textures");
	for (unsigned i = 0; i < THREADS; i++) {
		void *result;

		pthread_join(threads[i], &result);
		failures += (uintptr_t)result;
	}
	tap_eq(failures, 0, "none of their calls fails");
	tap_eq(IDirect3DDevice9Ex_Release(device), 0, "and all references are released");
}

/* What a getter returns is referenced before another thread can unbind, and so destroy it. */
static void *get_bound(void *argument)
{
	IDirect3DDevice9Ex *device = argument;
	uintptr_t failures = 0;

	for (unsigned i = 0; i < 3000; i++) {
		IDirect3DBaseTexture9 *texture = NULL;

		failures += FAILED(IDirect3DDevice9Ex_GetTexture(device, 0, &texture));
		if (texture) {
			failures += IDirect3DBaseTexture9_GetType(texture) != D3DRTYPE_TEXTURE;
			IDirect3DBaseTexture9_Release(texture);
		}
	}
	return (void *)failures;
}

static void test_shared_bindings(void)
{
	IDirect3DDevice9Ex *device = test9_device(d3d, SIZE, SIZE, D3DCREATE_MULTITHREADED);
	pthread_t threads[THREADS];
	uintptr_t failures = 0;

	for (unsigned i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, get_bound, device);
	for (unsigned i = 0; i < 300; i++) {
		IDirect3DTexture9 *texture = NULL;

		failures += FAILED(IDirect3DDevice9Ex_CreateTexture(device, 4, 4, 1, 0, D3DFMT_A8R8G8B8,
								    D3DPOOL_SYSTEMMEM, &texture, NULL));
		failures += FAILED(IDirect3DDevice9Ex_SetTexture(device, 0, (IDirect3DBaseTexture9 *)texture));
		if (texture)
			IDirect3DTexture9_Release(texture);
		IDirect3DDevice9Ex_SetTexture(device, 0, NULL);
	}
	for (unsigned i = 0; i < THREADS; i++) {
		void *result;

		pthread_join(threads[i], &result);
		failures += (uintptr_t)result;
	}
	tap_eq(failures, 0, "threads get what another thread binds and unbinds");
	tap_eq(IDirect3DDevice9Ex_Release(device), 0, "and all references are released");
}

/* ---- processes ---- */

static int run_process(unsigned seed)
{
	IDirect3DDevice9Ex *device;

	if (FAILED(Direct3DCreate9Ex(D3D_SDK_VERSION, &d3d)))
		return 2;
	device = test9_device(d3d, SIZE, SIZE, 0);
	return device && draw_frames(device, seed, FRAMES) ? 0 : 1;
}

static void test_processes(void)
{
	pid_t processes[PROCESSES];
	IDirect3DDevice9Ex *device = test9_device(d3d, SIZE, SIZE, 0);

	fflush(stdout);
	for (unsigned i = 0; i < PROCESSES; i++) {
		char seed[8];

		snprintf(seed, sizeof(seed), "%u", 40 + i);
		processes[i] = fork();
		if (!processes[i]) {
			execl("/proc/self/exe", "process", seed, (char *)NULL);
			_exit(3);
		}
	}
	tap_ok(device && draw_frames(device, 60, FRAMES), "this process draws while others do");
	for (unsigned i = 0; i < PROCESSES; i++) {
		int status = -1;

		waitpid(processes[i], &status, 0);
		tap_eq(status, 0, "process %u draws its own pictures beside the others", i);
	}
	tap_ok(draw_frames(device, 61, 3), "this process goes on after the others ended without a word");
	IDirect3DDevice9Ex_Release(device);
}

/* ---- a lost context ---- */

/* The renderer workers of this process's own device. */
static unsigned find_workers(pid_t workers[16])
{
	DIR *proc = opendir("/proc");
	struct dirent *entry;
	unsigned count = 0;

	while (proc && (entry = readdir(proc)) && count < 16) {
		char path[300], line[256] = "";
		FILE *file;
		int pid, parent;

		snprintf(path, sizeof(path), "/proc/%s/stat", entry->d_name);
		file = *entry->d_name >= '0' && *entry->d_name <= '9' ? fopen(path, "r") : NULL;
		if (!file)
			continue;
		if (fgets(line, sizeof(line), file) && sscanf(line, "%d (d3dgpu-worker) %*c %d", &pid, &parent) == 2 &&
		    parent == getpid())
			workers[count++] = pid;
		fclose(file);
	}
	if (proc)
		closedir(proc);
	return count;
}

/* Waits up to two seconds for a device to notice. */
static HRESULT state_soon(IDirect3DDevice9Ex *device)
{
	HRESULT hr = D3D_OK;

	for (unsigned i = 0; i < 20 && hr == D3D_OK; i++) {
		usleep(20000);
		IDirect3DDevice9Ex_Clear(device, 0, NULL, D3DCLEAR_TARGET, 0, 0, 0);
		hr = IDirect3DDevice9Ex_CheckDeviceState(device, NULL);
	}
	return hr;
}

static void test_killed_worker(void)
{
	IDirect3DDevice9Ex *devices[2] = {test9_device(d3d, SIZE, SIZE, 0), test9_device(d3d, SIZE, SIZE, 0)}, *lost,
			   *other, *again;
	IDirect3DSurface9 *depth = NULL;
	HRESULT states[2] = {D3D_OK, D3D_OK};
	pid_t workers[16];
	unsigned count, victim = 2;

	if (!tap_ok(devices[0] && devices[1] && draw_frames(devices[0], 1, 2) && draw_frames(devices[1], 2, 2),
		    "two devices draw"))
		return;
	count = find_workers(workers);
	/* One of them may be a spare worker that no device uses yet. */
	for (unsigned i = 0; i < count && victim == 2; i++) {
		kill(workers[i], SIGKILL);
		for (unsigned n = 0; n < 2 && victim == 2; n++) {
			states[n] = state_soon(devices[n]);
			if (FAILED(states[n]))
				victim = n;
		}
	}
	if (!tap_ok(victim < 2, "killing a worker process loses the context of one device"))
		return;
	lost = devices[victim];
	other = devices[!victim];
	tap_eq(states[victim], D3DERR_DEVICEHUNG, "CheckDeviceState says DEVICEHUNG");
	tap_eq(IDirect3DDevice9Ex_TestCooperativeLevel(lost), D3D_OK,
	       "TestCooperativeLevel stays good on a 9Ex device");
	tap_eq(IDirect3DDevice9Ex_PresentEx(lost, NULL, NULL, NULL, NULL, 0), D3DERR_DEVICEHUNG, "its PresentEx fails");
	tap_ok(FAILED(IDirect3DDevice9Ex_CreateDepthStencilSurfaceEx(lost, SIZE, SIZE, D3DFMT_D24S8,
								     D3DMULTISAMPLE_NONE, 0, FALSE, &depth, NULL, 0)) ||
		       depth,
	       "creating on it does not crash");
	if (depth)
		IDirect3DSurface9_Release(depth);
	tap_eq(IDirect3DDevice9Ex_CheckDeviceState(other, NULL), D3D_OK, "the other device is not touched");
	tap_ok(draw_frames(other, 3, 10), "and draws on");
	again = test9_device(d3d, SIZE, SIZE, 0);
	tap_ok(again && draw_frames(again, 4, 10), "a new device draws at once");
	tap_eq(IDirect3DDevice9Ex_Release(lost), 0, "the lost device is released");
	tap_ok(draw_frames(other, 5, 3), "which disturbs nobody");
	IDirect3DDevice9Ex_Release(other);
	if (again)
		IDirect3DDevice9Ex_Release(again);
}

int main(int argc, char **argv)
{
	if (argc > 1)
		_exit(run_process((unsigned)atoi(argv[1])));	/* without releasing anything */
	if (FAILED(Direct3DCreate9Ex(D3D_SDK_VERSION, &d3d)))
		tap_bail("no IDirect3D9Ex");
	test_devices();
	test_threads();
	test_shared_device();
	test_shared_bindings();
	test_processes();
	if (child_can_choose_gpu())
		test_killed_worker();
	else
		tap_skip("the workers run on the host", "a killed worker");
	tap_eq(IDirect3D9Ex_Release(d3d), 0, "the last reference is released");
	return tap_done();
}
