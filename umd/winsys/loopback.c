/* SPDX-License-Identifier: MIT */
/* Loads the loopback library when it is asked for: nobody else needs the device model and the worker. */
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "loopback/loopback_entry.h"

/* The library lies beside the one that this code is in, or where the build folder has it, or where the loader looks. */
static void *load(char *message, size_t size)
{
	static const char *const places[] = {"", "../winsys/", "../umd/winsys/", "../../umd/winsys/",
					     "../../../umd/winsys/"};
	char path[PATH_MAX];
	void *library = NULL;
	const char *slash;
	Dl_info info;

	if (dladdr((void *)(uintptr_t)winsys_loopback_open, &info) && info.dli_fname) {
		slash = strrchr(info.dli_fname, '/');
		for (size_t i = 0; !library && i < sizeof(places) / sizeof(places[0]); i++) {
			snprintf(path, sizeof(path), "%.*s/%s" LOOPBACK_LIBRARY,
				 slash ? (int)(slash - info.dli_fname) : 1, slash ? info.dli_fname : ".", places[i]);
			library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
		}
	}
	if (!library)
		library = dlopen(LOOPBACK_LIBRARY, RTLD_NOW | RTLD_LOCAL);
	if (!library)
		snprintf(message, size, "%s", dlerror());
	return library;
}

int winsys_loopback_open(const char *caps, struct winsys **out, char *message, size_t size)
{
	int (*open)(const char *, struct winsys **, char *, size_t);
	void *library = load(message, size);

	if (!library)
		return -ENOENT;
	/* The library stays loaded: its device may outlive this caller. */
	*(void **)&open = dlsym(library, LOOPBACK_ENTRY);
	if (!open) {
		snprintf(message, size, LOOPBACK_LIBRARY " has no " LOOPBACK_ENTRY);
		return -ENOENT;
	}
	return open(caps, out, message, size);
}
