/* SPDX-License-Identifier: MIT */
/*
 * A lost context: its worker process is killed in the middle of a frame. Only on the host, where workers are children
 * of this process; in the guest tests/device does it from outside.
 */
#include "child.h"
#include "test11.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SIZE 32u
#define MAX_CHILDREN 64u

struct children {
	unsigned count;
	pid_t pids[MAX_CHILDREN];
};

/* Parent and name of a process. false: gone. */
static bool process_info(const char *pid, pid_t *parent, char name[64])
{
	char path[64], line[512], *close;
	FILE *file;
	bool found;

	snprintf(path, sizeof(path), "/proc/%.16s/stat", pid);
	file = fopen(path, "r");
	if (!file)
		return false;
	found = fgets(line, sizeof(line), file) && (close = strrchr(line, ')')) &&
		sscanf(close + 1, " %*c %d", parent) == 1 && sscanf(line, "%*d (%63[^)]", name) == 1;
	fclose(file);
	return found;
}

static struct children workers(void)
{
	struct children children = {0};
	DIR *proc = opendir("/proc");
	struct dirent *entry;

	while (proc && (entry = readdir(proc)) && children.count < MAX_CHILDREN) {
		pid_t parent = 0;
		char name[64];

		if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9' && process_info(entry->d_name, &parent, name) &&
		    parent == getpid() && strstr(name, "d3dgpu"))
			children.pids[children.count++] = atoi(entry->d_name);
	}
	if (proc)
		closedir(proc);
	return children;
}

static bool draws(struct test11 *t, struct test11_target *target, struct test11_color_pipe *pipe)
{
	const float green[4] = {0, 1, 0, 1};

	test11_bind(t, target, NULL);
	test11_clear(t, target, 0, 0, 0, 1);
	test11_draw_rect(t, pipe, -1, 1, 1, -1, 0, green);
	return test11_read(t, target, NULL, 0) && test11_pixel(target, 3, 3) == 0xff00ff00;
}

/* Whether the context is lost, or becomes so soon. */
static bool is_lost(struct test11 *t)
{
	for (unsigned i = 0; i < 100; i++) {
		if (FAILED(ID3D11Device_GetDeviceRemovedReason(t->device)))
			return true;
		usleep(2000);
	}
	return false;
}

/* Kills workers one by one (some are spares, kept warm) until one of two devices is lost. Returns which; 2 = none. */
static unsigned kill_one(struct test11 devices[2])
{
	struct children children = workers();

	for (unsigned i = 0; i < children.count; i++) {
		if (kill(children.pids[i], SIGKILL))
			continue;
		for (unsigned victim = 0; victim < 2; victim++)
			if (is_lost(&devices[victim]))
				return victim;
	}
	return 2;
}

static void test_lost_calls(struct test11 *t, struct test11_target *target)
{
	D3D11_TEXTURE2D_DESC desc = {
		16, 16, 1, 1, DXGI_FORMAT_D24_UNORM_S8_UINT, {1, 0}, D3D11_USAGE_DEFAULT, D3D11_BIND_DEPTH_STENCIL,
		0,  0};
	D3D11_MAPPED_SUBRESOURCE mapped = {(void *)1, 1, 1};
	ID3D11Texture2D *texture = (void *)1;
	HRESULT hr;

	test11_clear(t, target, 0, 0, 1, 1);
	hr = ID3D11Device_GetDeviceRemovedReason(t->device);
	tap_eq(hr, DXGI_ERROR_DEVICE_REMOVED, "GetDeviceRemovedReason says so");
	hr = ID3D11DeviceContext_Map(t->context, (ID3D11Resource *)target->staging, 0, D3D11_MAP_READ, 0, &mapped);
	tap_eq(hr, DXGI_ERROR_DEVICE_REMOVED, "Map says so");
	tap_ok(!mapped.pData, "and maps nothing");
	tap_eq(ID3D11Device_CreateTexture2D(t->device, &desc, NULL, &texture), DXGI_ERROR_DEVICE_REMOVED,
	       "CreateTexture2D says so");
	tap_ok(!texture, "and creates nothing");
	ID3D11DeviceContext_Draw(t->context, 3, 0);
	ID3D11DeviceContext_ClearState(t->context);
	ID3D11DeviceContext_Flush(t->context);
	tap_ok(true, "draws and state changes are harmless");
}

static IDXGISwapChain *swap_chain(struct test11 *t)
{
	DXGI_SWAP_CHAIN_DESC desc = {
		.BufferDesc = {SIZE, SIZE, {60, 1}, DXGI_FORMAT_R8G8B8A8_UNORM, 0, 0},
		.SampleDesc = {1, 0},
		.BufferUsage = DXGI_USAGE_RENDER_TARGET_OUTPUT,
		.BufferCount = 1,
		.OutputWindow = (HWND)(uintptr_t)0x1234,
		.Windowed = TRUE,
	};
	IDXGISwapChain *chain = NULL;
	IDXGIFactory *factory;
	IDXGIAdapter *adapter;
	IDXGIDevice *device;

	ID3D11Device_QueryInterface(t->device, &IID_IDXGIDevice, (void **)&device);
	IDXGIDevice_GetAdapter(device, &adapter);
	IDXGIAdapter_GetParent(adapter, &IID_IDXGIFactory, (void **)&factory);
	IDXGIFactory_CreateSwapChain(factory, (IUnknown *)t->device, &desc, &chain);
	IDXGIFactory_Release(factory);
	IDXGIAdapter_Release(adapter);
	IDXGIDevice_Release(device);
	return chain;
}

/* A resize that cannot have new buffers leaves the old ones, on a lost device as well. */
static void test_lost_chain(IDXGISwapChain *chain)
{
	DXGI_SWAP_CHAIN_DESC desc;
	ID3D11Texture2D *buffer = NULL;

	tap_eq(IDXGISwapChain_ResizeBuffers(chain, 0, SIZE * 2, SIZE * 2, DXGI_FORMAT_UNKNOWN, 0),
	       DXGI_ERROR_DEVICE_REMOVED, "ResizeBuffers says so");
	tap_eq(IDXGISwapChain_Present(chain, 0, 0), DXGI_ERROR_DEVICE_REMOVED, "Present after it says so");
	tap_eq(IDXGISwapChain_GetBuffer(chain, 0, &IID_ID3D11Texture2D, (void **)&buffer), S_OK,
	       "the back buffer is still there");
	if (buffer)
		ID3D11Texture2D_Release(buffer);
	IDXGISwapChain_GetDesc(chain, &desc);
	tap_eq(desc.BufferDesc.Width, SIZE, "with its old size");
}

int main(void)
{
	IDXGISwapChain *chains[2];
	struct test11_color_pipe pipes[3];
	struct test11_target targets[3];
	struct test11 devices[3];
	unsigned victim, other;

	if (!child_can_choose_gpu()) {
		tap_skip("the workers are on the host", "a killed worker");
		return tap_done();
	}
	for (unsigned i = 0; i < 2; i++) {
		test11_must_open(&devices[i]);
		test11_target_create(&devices[i], SIZE, SIZE, DXGI_FORMAT_R8G8B8A8_UNORM, &targets[i]);
		test11_color_pipe(&devices[i], &pipes[i]);
		chains[i] = swap_chain(&devices[i]);
		tap_ok(chains[i] && draws(&devices[i], &targets[i], &pipes[i]), "device %u draws", i);
	}
	victim = kill_one(devices);
	if (!tap_ok(victim < 2, "a killed worker loses one device"))
		return tap_done();
	other = 1 - victim;
	test_lost_calls(&devices[victim], &targets[victim]);
	test_lost_chain(chains[victim]);
	tap_ok(draws(&devices[other], &targets[other], &pipes[other]), "the other device goes on");
	tap_eq(ID3D11Device_GetDeviceRemovedReason(devices[other].device), S_OK, "and knows nothing of it");
	test11_must_open(&devices[2]);
	test11_target_create(&devices[2], SIZE, SIZE, DXGI_FORMAT_R8G8B8A8_UNORM, &targets[2]);
	test11_color_pipe(&devices[2], &pipes[2]);
	tap_ok(draws(&devices[2], &targets[2], &pipes[2]), "a new device works at once");
	for (unsigned i = 0; i < 2; i++)
		IDXGISwapChain_Release(chains[i]);
	for (unsigned i = 0; i < 3; i++) {
		test11_color_pipe_destroy(&pipes[i]);
		test11_target_destroy(&targets[i]);
		test11_close(&devices[i]);
	}
	return tap_done();
}
