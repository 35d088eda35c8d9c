/* SPDX-License-Identifier: MIT */
/*
 * The policy. A worker that a guest has taken over must be able to do no more than compute, read and write this VM's
 * VRAM, and talk nonsense to the core.
 *
 * Files. While GL comes up, Landlock (Linux 5.13 and later) lets the process read system folders only and write to the
 * shader cache's folder only; threads inherit that. Once GL is up the system call filter refuses every open, in every
 * thread and on every kernel; what is open stays usable.
 * Network, processes, programs, other processes' memory and signals: the filter has no call for them.
 * Privileges: capabilities are dropped, no_new_privs is set.
 * Memory: RLIMIT_AS. CPU time is not limited here: the firmware's hang watch ends a worker that takes too long.
 *
 * A refused call returns EPERM instead of killing the process, because libraries probe (glibc for the processors of a
 * new malloc arena, Mesa for thread priorities) and cope with a refusal. Calls of a foreign architecture kill it:
 * nobody innocent makes them.
 */
#include "sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/landlock.h>
#include <sched.h>
#include <seccomp.h>
#include <stdbool.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "log.h"
#include "protocol.h"

#define FILES_MAX 64			/* descriptors a worker may have */
#define CACHE_FILE_MAX (1ull << 30)	/* bytes of the shader cache's file */
#define ARRAY_LENGTH(array) (sizeof(array) / sizeof((array)[0]))

void sandbox_close_inherited(int socket, int cache)
{
	unsigned low = 3;

	for (unsigned next = 1; next; low = next) {
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

/* ---- files, while GL comes up ---- */

#define READ_ACCESS (LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR)
#define ALL_ACCESS (LANDLOCK_ACCESS_FS_MAKE_SYM * 2 - 1) /* all of the first version of the interface */
#define CACHE_ACCESS \
	(LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR | LANDLOCK_ACCESS_FS_WRITE_FILE | \
	 LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG)
#define DEVICE_ACCESS (LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE)

/* What GL needs while it comes up: libraries and their configuration, the description of the hardware, the GPU. */
static const struct {
	const char *path;
	uint64_t access;
} readable[] = {
	{"/usr", READ_ACCESS},
	{"/lib", READ_ACCESS},
	{"/lib64", READ_ACCESS},
	{"/opt", READ_ACCESS},
	{"/etc", READ_ACCESS},
	{"/sys", READ_ACCESS},
	{"/proc", READ_ACCESS},
	{"/dev/dri", DEVICE_ACCESS | LANDLOCK_ACCESS_FS_READ_DIR},
	{"/dev/null", DEVICE_ACCESS},
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
	for (size_t i = 0; i < ARRAY_LENGTH(readable); i++) {
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

/* A worker that was started by root has no use for root's powers. */
static void drop_capabilities(void)
{
	struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct none[2] = {0};

	for (int capability = 0; capability <= CAP_LAST_CAP; capability++)
		prctl(PR_CAPBSET_DROP, capability, 0, 0, 0);
	prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
	syscall(SYS_capset, &header, none);
}

uint32_t sandbox_prepare(int cache)
{
	uint32_t flags = 0;

	if (!prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		flags |= WORKER_SANDBOX_NO_NEW_PRIVS;
	else
		log_line("WARNING: the sandbox has no no_new_privs: %s", strerror(errno));
	if (restrict_files(cache))
		flags |= WORKER_SANDBOX_LANDLOCK;
	else
		log_line("WARNING: the sandbox has no Landlock (%s): files are readable while GL comes up",
			 strerror(errno));
	drop_capabilities();
	return flags;
}

/* ---- resource limits ---- */

static bool limit(int resource, uint64_t value)
{
	struct rlimit now;

	if (getrlimit((__rlimit_resource_t)resource, &now))
		return false;
	if (now.rlim_max < value)
		value = now.rlim_max;
	return !setrlimit((__rlimit_resource_t)resource, &(struct rlimit){value, value});
}

static bool limit_resources(uint64_t memory)
{
	return limit(RLIMIT_AS, memory) &&
	       limit(RLIMIT_NOFILE, FILES_MAX) &&
	       limit(RLIMIT_FSIZE, CACHE_FILE_MAX) &&
	       limit(RLIMIT_CORE, 0) &&		/* a core file would hold guest memory */
	       limit(RLIMIT_MEMLOCK, 0) &&
	       limit(RLIMIT_MSGQUEUE, 0) &&
	       limit(RLIMIT_RTPRIO, 0);
}

/* ---- system calls, once GL is up ---- */

static const int allowed[] = {
	/* The heap, textures, thread stacks; and llvmpipe's generated code, which needs PROT_EXEC. No memory files: what is
	 * written to one and not mapped does not count as address space. */
	SCMP_SYS(mmap), SCMP_SYS(munmap), SCMP_SYS(mprotect), SCMP_SYS(mremap), SCMP_SYS(madvise), SCMP_SYS(brk),
	/* Threads: llvmpipe and Mesa's queues make theirs at first use. Creation itself is among the narrow rules. */
	SCMP_SYS(futex), SCMP_SYS(set_robust_list), SCMP_SYS(rseq), SCMP_SYS(sched_yield), SCMP_SYS(sched_getaffinity),
	SCMP_SYS(gettid), SCMP_SYS(getpid), SCMP_SYS(getcpu), SCMP_SYS(membarrier), SCMP_SYS(exit),
	SCMP_SYS(exit_group),
	/* Their signal masks; abort(). No signal can be sent to others. */
	SCMP_SYS(rt_sigaction), SCMP_SYS(rt_sigprocmask), SCMP_SYS(rt_sigreturn), SCMP_SYS(sigaltstack),
	SCMP_SYS(restart_syscall),
	/* Time: normally no system call at all, but a host whose clock source does not allow that makes it one. */
	SCMP_SYS(clock_gettime), SCMP_SYS(clock_getres), SCMP_SYS(gettimeofday), SCMP_SYS(time), SCMP_SYS(nanosleep),
	SCMP_SYS(clock_nanosleep),
	/* What is open: the log, the socket, the shader cache's file. */
	SCMP_SYS(read), SCMP_SYS(write), SCMP_SYS(readv), SCMP_SYS(writev), SCMP_SYS(pread64), SCMP_SYS(pwrite64),
	SCMP_SYS(lseek), SCMP_SYS(fstat), SCMP_SYS(flock), SCMP_SYS(ftruncate), SCMP_SYS(fsync), SCMP_SYS(close),
	SCMP_SYS(poll), SCMP_SYS(ppoll), SCMP_SYS(recvfrom),
	/* Who and where am I: asked by Mesa's and LLVM's tables. */
	SCMP_SYS(getrandom), SCMP_SYS(sysinfo), SCMP_SYS(uname), SCMP_SYS(getrusage),
};

#define IOCTL_TYPE_MASK 0xff00u		/* of an ioctl request number */

/* Calls that are allowed with one kind of argument only. */
static int allow_narrowly(scmp_filter_ctx filter)
{
	const struct {
		int call;
		struct scmp_arg_cmp argument;
	} narrow[] = {
		/* Threads of this process, never a process. */
		{SCMP_SYS(clone), SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD | CLONE_VM, CLONE_THREAD | CLONE_VM)},
		/* abort() */
		{SCMP_SYS(tgkill), SCMP_A0(SCMP_CMP_EQ, (scmp_datum_t)getpid())},
		/* Names of threads. */
		{SCMP_SYS(prctl), SCMP_A0(SCMP_CMP_EQ, PR_SET_NAME)},
		/* send() to the core; sendto() to an address is not. */
		{SCMP_SYS(sendto), SCMP_A4(SCMP_CMP_EQ, 0)},
		/* Flags of what is open. */
		{SCMP_SYS(fcntl), SCMP_A1(SCMP_CMP_EQ, F_GETFD)},
		{SCMP_SYS(fcntl), SCMP_A1(SCMP_CMP_EQ, F_GETFL)},
		/* The host's GPU, where there is one: DRM's requests, and those of its fences. */
		{SCMP_SYS(ioctl), SCMP_A1(SCMP_CMP_MASKED_EQ, IOCTL_TYPE_MASK, 'd' << 8)},
		{SCMP_SYS(ioctl), SCMP_A1(SCMP_CMP_MASKED_EQ, IOCTL_TYPE_MASK, '>' << 8)},
	};
	int error = 0;

	for (size_t i = 0; i < ARRAY_LENGTH(narrow) && !error; i++)
		error = seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, narrow[i].call, 1, &narrow[i].argument);
	/* clone3's flags are in memory, where no filter sees them: without it, glibc takes clone. */
	return error ? error : seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);
}

/* Installs the filter in all threads. Returns 0 or an errno. */
static int filter_calls(void)
{
	scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
	int error;

	if (!filter)
		return ENOMEM;
	error = seccomp_attr_set(filter, SCMP_FLTATR_CTL_TSYNC, 1);
	if (!error)
		error = seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS);
	/* A tree instead of a list: a dozen comparisons per call instead of sixty. */
	if (!error)
		error = seccomp_attr_set(filter, SCMP_FLTATR_CTL_OPTIMIZE, 2);
	for (size_t i = 0; i < ARRAY_LENGTH(allowed) && !error; i++)
		error = seccomp_rule_add(filter, SCMP_ACT_ALLOW, allowed[i], 0);
	if (!error)
		error = allow_narrowly(filter);
	if (!error)
		error = seccomp_load(filter);
	seccomp_release(filter);
	return -error;
}

int sandbox_lock(uint64_t memory, uint32_t *flags)
{
	int error;

	/* No core file, and no look into this process for others of the same user. */
	prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
	if (limit_resources(memory))
		*flags |= WORKER_SANDBOX_RLIMITS;
	else
		log_line("WARNING: the sandbox has no resource limits: %s", strerror(errno));
	error = filter_calls();
	if (error) {
		log_line("the system call filter cannot be installed: %s", strerror(error));
		return error;
	}
	*flags |= WORKER_SANDBOX_SECCOMP | WORKER_SANDBOX_NO_NETWORK;
	return 0;
}
