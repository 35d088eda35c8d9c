/* SPDX-License-Identifier: MIT */
/* Finding and starting the worker program. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "workers.h"

#ifndef D3DGPU_LIBEXECDIR
#define D3DGPU_LIBEXECDIR "/usr/local/libexec"
#endif

/* Where the worker lies, seen from the folder of the program or library that this code is in: installed, and built. */
static const char *const places[] = {
	"d3dgpu-worker",
	"../libexec/d3dgpu-worker",
	"../../libexec/d3dgpu-worker",
	"../../../libexec/d3dgpu-worker",
	"qemu-device/renderer/d3dgpu-worker",
	"../qemu-device/renderer/d3dgpu-worker",
	"../../qemu-device/renderer/d3dgpu-worker",
	"../../../qemu-device/renderer/d3dgpu-worker",
};

static bool is_program(const char *path)
{
	return !access(path, X_OK);
}

/* Looks in the places around a file. */
static bool find_around(const char *file, char *path, size_t size)
{
	const char *slash = strrchr(file, '/');

	if (!slash)
		return false;
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		int length = snprintf(path, size, "%.*s/%s", (int)(slash - file), file, places[i]);

		if (length > 0 && (size_t)length < size && is_program(path))
			return true;
	}
	return false;
}

/* The file that holds this code: a library, or the program itself. */
static bool find_default(char *path, size_t size)
{
	char program[1024];
	Dl_info info;
	ssize_t length;

	if (dladdr((const void *)core_worker_find, &info) && info.dli_fname && find_around(info.dli_fname, path, size))
		return true;
	length = readlink("/proc/self/exe", program, sizeof(program) - 1);
	if (length > 0) {
		program[length] = '\0';
		if (find_around(program, path, size))
			return true;
	}
	snprintf(path, size, "%s/d3dgpu-worker", D3DGPU_LIBEXECDIR);
	return is_program(path);
}

int core_worker_find(const char *wanted, char *path, size_t size, char *message, size_t message_size)
{
	if (*wanted) {
		snprintf(path, size, "%s", wanted);
		if (is_program(path))
			return 0;
		snprintf(message, message_size, "no worker program '%s': %s", wanted, strerror(errno));
		return -ENOENT;
	}
	if (find_default(path, size))
		return 0;
	snprintf(message, message_size,
		 "no worker program: d3dgpu-worker is neither beside this program nor in %s (property 'worker' names it)",
		 D3DGPU_LIBEXECDIR);
	return -ENOENT;
}

/* Descriptors in the child. */
enum { CHILD_SOCKET = 3, CHILD_CACHE = 4 };

/* What the child inherits: /dev/null as 0, the log as 1 and 2, its socket, the cache; nothing else. */
static int plan_descriptors(posix_spawn_file_actions_t *actions, const struct core_worker_files *files)
{
	int error = posix_spawn_file_actions_addopen(actions, 0, "/dev/null", O_RDONLY, 0);

	if (!error)
		error = posix_spawn_file_actions_adddup2(actions, files->log, 1);
	if (!error)
		error = posix_spawn_file_actions_adddup2(actions, files->log, 2);
	if (!error)
		error = posix_spawn_file_actions_adddup2(actions, files->socket, CHILD_SOCKET);
	if (!error && files->cache >= 0)
		error = posix_spawn_file_actions_adddup2(actions, files->cache, CHILD_CACHE);
	if (!error)
		error = posix_spawn_file_actions_addclosefrom_np(actions, files->cache >= 0 ? CHILD_CACHE + 1 : CHILD_CACHE);
	return error;
}

/* Signals as a fresh program expects them, and a process group of its own: a Ctrl-C at the terminal is for our program. */
static int plan_attributes(posix_spawnattr_t *attributes)
{
	sigset_t none, all;
	int error;

	sigemptyset(&none);
	sigfillset(&all);
	error = posix_spawnattr_setsigmask(attributes, &none);
	if (!error)
		error = posix_spawnattr_setsigdefault(attributes, &all);
	if (!error)
		error = posix_spawnattr_setpgroup(attributes, 0);
	if (!error)
		error = posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF |
								     POSIX_SPAWN_SETPGROUP);
	return error;
}

/* Copies above the numbers that they get in the child, so that one does not overwrite the other. 0 or -errno. */
static int raise_files(const struct core_worker_files *files, struct core_worker_files *high)
{
	*high = (struct core_worker_files){
		.socket = fcntl(files->socket, F_DUPFD_CLOEXEC, CHILD_CACHE + 1),
		.log = fcntl(files->log, F_DUPFD_CLOEXEC, CHILD_CACHE + 1),
		.cache = files->cache < 0 ? -1 : fcntl(files->cache, F_DUPFD_CLOEXEC, CHILD_CACHE + 1),
	};
	return high->socket < 0 || high->log < 0 || (high->cache < 0 && files->cache >= 0) ? -EMFILE : 0;
}

static void close_files(const struct core_worker_files *files)
{
	if (files->socket >= 0)
		close(files->socket);
	if (files->log >= 0)
		close(files->log);
	if (files->cache >= 0)
		close(files->cache);
}

int core_worker_spawn(const char *path, const struct core_worker_files *files, pid_t *pid)
{
	char *arguments[] = {(char *)path, "--fd", "3", files->cache >= 0 ? "--shader-cache" : NULL, "4", NULL};
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	struct core_worker_files high;
	int error = raise_files(files, &high);

	if (error) {
		close_files(&high);
		return error;
	}
	posix_spawn_file_actions_init(&actions);
	posix_spawnattr_init(&attributes);
	error = plan_descriptors(&actions, &high);
	if (!error)
		error = plan_attributes(&attributes);
	if (!error)
		error = posix_spawn(pid, path, &actions, &attributes, arguments, environ);
	posix_spawnattr_destroy(&attributes);
	posix_spawn_file_actions_destroy(&actions);
	close_files(&high);
	return -error;
}
