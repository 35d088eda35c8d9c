/* SPDX-License-Identifier: MIT */
#include "adapter.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xf86drm.h>

#include "debug.h"

#define MODULE_NAME "d3dgpu_umd.so"
#define FIRST_RENDER_NODE 128
#define RENDER_NODES 64

static bool is_our_node(int fd)
{
	drmVersion *version = drmGetVersion(fd);
	bool ours = version && version->name_len == 6 && !memcmp(version->name, "d3dgpu", 6);

	drmFreeVersion(version);
	return ours;
}

static int find_render_node(unsigned index, struct runtime_adapter *adapter)
{
	int denied = 0;

	for (int minor = FIRST_RENDER_NODE; minor < FIRST_RENDER_NODE + RENDER_NODES; minor++) {
		int fd;

		snprintf(adapter->node, sizeof(adapter->node), "/dev/dri/renderD%d", minor);
		fd = open(adapter->node, O_RDWR | O_CLOEXEC);
		if (fd < 0) {
			if (errno == EACCES)
				denied = -EACCES;
			continue;
		}
		if (is_our_node(fd) && !index--) {
			adapter->info.kind = D3DGPU_ADAPTER_DRM;
			adapter->info.fd = fd;
			return 0;
		}
		close(fd);
	}
	return denied ? denied : -ENOENT;
}

static int find_adapter(unsigned index, struct runtime_adapter *adapter)
{
	const char *winsys = secure_getenv("D3DGPU_WINSYS");
	const char *caps = secure_getenv("D3DGPU_CAPS");

	adapter->info.size = sizeof(adapter->info);
	adapter->info.fd = -1;
	if (!winsys || !*winsys || !strcmp(winsys, "drm"))
		return find_render_node(index, adapter);
	if (!strcmp(winsys, "loopback"))
		adapter->info.kind = D3DGPU_ADAPTER_LOOPBACK;
	else if (!strcmp(winsys, "null"))
		adapter->info.kind = D3DGPU_ADAPTER_NULL;
	if (!adapter->info.kind) {
		runtime_log("D3DGPU_WINSYS=%s is unknown (drm, loopback, null)", winsys);
		return -ENOENT;
	}
	snprintf(adapter->node, sizeof(adapter->node), "%s", winsys);
	if (caps &&
	    snprintf(adapter->info.caps, sizeof(adapter->info.caps), "%s", caps) >= (int)sizeof(adapter->info.caps)) {
		runtime_log("D3DGPU_CAPS is longer than %zu characters", sizeof(adapter->info.caps) - 1);
		return -EINVAL;
	}
	return index ? -ENOENT : 0;
}

/* The folder of the library that this code is linked into, with a slash; empty when unknown. */
static void own_folder(char *folder, size_t size)
{
	Dl_info here;
	char *slash;

	*folder = 0;
	if (!dladdr((void *)&runtime_adapter_open, &here) || !here.dli_fname)
		return;
	snprintf(folder, size, "%s", here.dli_fname);
	slash = strrchr(folder, '/');
	if (slash)
		slash[1] = 0;
	else
		*folder = 0;
}

static void *load_module(void)
{
	const char *named = secure_getenv("D3DGPU_UMD");
	char path[4096];
	void *module;
	size_t length;

	if (named && *named) {
		module = dlopen(named, RTLD_NOW | RTLD_LOCAL);
	} else {
		own_folder(path, sizeof(path) - sizeof(MODULE_NAME));
		length = strlen(path);
		memcpy(path + length, MODULE_NAME, sizeof(MODULE_NAME));
		module = access(path, F_OK) ? NULL : dlopen(path, RTLD_NOW | RTLD_LOCAL);
		if (!module)
			module = dlopen(MODULE_NAME, RTLD_NOW | RTLD_LOCAL);
	}
	if (!module)
		runtime_log("cannot load the user-mode driver: %s", dlerror());
	return module;
}

int runtime_adapter_open(unsigned index, struct runtime_adapter **out)
{
	struct runtime_adapter *adapter = calloc(1, sizeof(*adapter));
	int err;

	if (!adapter)
		return -ENOMEM;
	adapter->references = 1;
	err = find_adapter(index, adapter);
	if (err) {
		free(adapter);
		return err;
	}
	adapter->module = load_module();
	if (!adapter->module) {
		runtime_adapter_unref(adapter);
		return -ELIBACC;
	}
	*out = adapter;
	return 0;
}

struct runtime_adapter *runtime_adapter_ref(struct runtime_adapter *adapter)
{
	__atomic_fetch_add(&adapter->references, 1, __ATOMIC_RELAXED);
	return adapter;
}

/* The module stays loaded: code of a driver that once ran may be on other threads' stacks. */
void runtime_adapter_unref(struct runtime_adapter *adapter)
{
	if (__atomic_sub_fetch(&adapter->references, 1, __ATOMIC_ACQ_REL))
		return;
	if (adapter->info.fd >= 0)
		close(adapter->info.fd);
	free(adapter);
}

void *runtime_adapter_symbol(struct runtime_adapter *adapter, const char *name)
{
	return dlsym(adapter->module, name);
}

HRESULT runtime_adapter_query(HANDLE hAdapter, const D3DDDICB_QUERYADAPTERINFO *data)
{
	const struct runtime_adapter *adapter = hAdapter;

	if (!data || !data->pPrivateDriverData || data->PrivateDriverDataSize != sizeof(adapter->info))
		return E_INVALIDARG;
	memcpy(data->pPrivateDriverData, &adapter->info, sizeof(adapter->info));
	return S_OK;
}
