/* SPDX-License-Identifier: MIT */
/* How workers come and go: creation of the device with workers that fail, spares, a manager, what a worker inherits. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "device.h"
#include "tap.h"

static void fails(const char *mode, const char *properties, int error, const char *part)
{
	struct device device;
	int got;

	setenv("FAKE_WORKER", mode, 1);
	got = device_try(&device, properties);
	unsetenv("FAKE_WORKER");
	tap_ok(got == error && strstr(device.last_line, part), "no device with %s%s: %d, \"%s\"", mode, properties, got,
	       device.last_line);
	if (!got)
		device_destroy(&device);
}

static void failing_creation(void)
{
	fails("", "worker=/nowhere/d3dgpu-worker", -ENOENT, "/nowhere/d3dgpu-worker");
	fails("", "worker=/bin/false", -EIO, "ended or hung before it came up");
	fails("no-hello", "", -EIO, "ended or hung before it came up");
	fails("bad-hello", "", -EIO, "another protocol version");
	fails("status=13", "", -EIO, "Permission denied");
	fails("garbage", "", -EIO, "cannot carry Direct3D");
	fails("", "shader-cache=/proc/nothing", -EINVAL, "/proc/nothing");
	fails("", "worker-socket=987", -EINVAL, "worker-socket");
}

static void no_sandbox(void)
{
	struct device device;

	setenv("FAKE_WORKER", "bare", 1);
	device_create(&device, "");
	unsetenv("FAKE_WORKER");
	tap_ok(device.error_lines == 1 && strstr(device.last_line, "sandbox is not complete"), "a missing sandbox is reported: %s",
	       device.last_line);
	device_destroy(&device);
}

/* Workers of this process that are alive: children whose parent we are. */
static unsigned children(void)
{
	char path[64], line[256];
	unsigned count = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/self/task/%d/children", (int)getpid());
	file = fopen(path, "r");
	if (file) {
		while (fscanf(file, "%255s", line) == 1)
			count++;
		fclose(file);
	}
	/* the device thread's children are listed under its own task */
	DIR *tasks = opendir("/proc/self/task");
	struct dirent *task;

	while (tasks && (task = readdir(tasks))) {
		if (task->d_name[0] == '.' || atoi(task->d_name) == getpid())
			continue;
		snprintf(path, sizeof(path), "/proc/self/task/%.20s/children", task->d_name);
		file = fopen(path, "r");
		while (file && fscanf(file, "%255s", line) == 1)
			count++;
		if (file)
			fclose(file);
	}
	if (tasks)
		closedir(tasks);
	return count;
}

static unsigned wait_children(unsigned want)
{
	for (unsigned i = 0; i < 5000 && children() != want; i++)
		usleep(1000);
	return children();
}

static void spares(void)
{
	struct device device;

	device_create(&device, "warm-workers=2");
	tap_eq(wait_children(2), 2, "warm-workers=2: two workers wait");
	tap_eq(device_create_context(&device, 1), D3DGPU_FAULT_NONE, "a context takes one");
	tap_eq(wait_children(3), 3, "it is replaced");
	device_kill_worker(&device, 1);
	tap_eq(device_event(&device).status, D3DGPU_FAULT_WORKER_DIED, "it dies");
	tap_eq(wait_children(2), 2, "and is reaped");
	device_destroy(&device);
	tap_eq(children(), 0, "destroying the device leaves no process behind");
	device_create(&device, "warm-workers=0");
	tap_eq(wait_children(0), 0, "warm-workers=0: none waits");
	device_destroy(&device);
}

static void no_worker(void)
{
	struct device device;
	struct d3dgpu_engine_event event;
	struct d3dgpu_entry entry = {.opcode = D3DGPU_OP_CTX_CREATE, .context = 1, .fence = 1};

	device_create(&device, "warm-workers=0");
	setenv("FAKE_WORKER", "no-hello", 1);
	tap_eq(device_dispatch(&device, &entry), D3DGPU_FAULT_NONE, "a context whose worker fails is accepted first");
	event = device_event(&device);
	tap_ok(event.type == D3DGPU_EVENT_CONTEXT_LOST && event.status == D3DGPU_FAULT_NO_WORKER && event.fence == 1,
	       "then lost: NO_WORKER");
	unsetenv("FAKE_WORKER");
	tap_eq(device_create_context(&device, 1), D3DGPU_FAULT_NONE, "the next one works");
	device_destroy(&device);
}

/* Descriptors of a process. */
static unsigned descriptors(int pid)
{
	char path[64];
	unsigned count = 0;
	struct dirent *entry;
	DIR *folder;

	snprintf(path, sizeof(path), "/proc/%d/fd", pid);
	folder = opendir(path);
	while (folder && (entry = readdir(folder)))
		count += entry->d_name[0] != '.';
	if (folder)
		closedir(folder);
	return count;
}

static void inheritance(void)
{
	int leaked = open("/dev/null", O_RDONLY); /* without O_CLOEXEC */
	char folder[] = "/tmp/d3dgpu-cache-XXXXXX", properties[128];
	struct device device;

	if (!mkdtemp(folder))
		tap_bail("no folder");
	snprintf(properties, sizeof(properties), "warm-workers=0,shader-cache=%s", folder);
	device_create(&device, properties);
	device_create_context(&device, 1);
	tap_eq(descriptors(d3dgpu_core_worker_pid(device.core, 1)), 5,
	       "a worker has 0, 1, 2, its socket and the cache, nothing else (VRAM's is closed once mapped)");
	tap_ok(getpgid(d3dgpu_core_worker_pid(device.core, 1)) != getpgrp(), "and is not in the terminal's process group");
	device_destroy(&device);
	close(leaked);
	rmdir(folder);
}

/* ---- what workers say ---- */

/* Standard error of this process, into a file from now on. Returns what it was. */
static int capture_stderr(FILE *file)
{
	int before = dup(STDERR_FILENO);

	fflush(stderr);
	dup2(fileno(file), STDERR_FILENO);
	return before;
}

static void chatter(void)
{
	unsigned lines = 0, controls = 0, notices = 0;
	FILE *file = tmpfile();
	int before = capture_stderr(file);
	struct device device;
	char line[2000];

	setenv("FAKE_WORKER", "chatty", 1);
	device_create(&device, "warm-workers=0");
	device_create_context(&device, 1);
	sleep(1);
	setenv("FAKE_WORKER", "", 1);
	device_create_context(&device, 2);
	device_destroy(&device);
	unsetenv("FAKE_WORKER");
	dup2(before, STDERR_FILENO);
	close(before);
	rewind(file);
	while (fgets(line, sizeof(line), file)) {
		lines += !strncmp(line, "chatter ", 8);
		controls += !!strchr(line, 033);
		notices += !!strstr(line, "lines of workers dropped");
	}
	fclose(file);
	tap_ok(lines >= 100 && lines < 900, "of 10000 lines that workers say %u reach our standard error", lines);
	tap_eq(controls, 0, "without their control characters");
	tap_diag("%u notices of dropped lines", notices);
}

/* ---- too many starts ---- */

static void waste(void)
{
	struct d3dgpu_entry create = {.opcode = D3DGPU_OP_CTX_CREATE, .context = 1, .fence = 1};
	struct d3dgpu_entry kill_entry = {.opcode = D3DGPU_OP_CTX_KILL, .context = 1};
	unsigned started = 0, waiting = 0;
	struct device device;

	device_create(&device, "warm-workers=0");
	setenv("FAKE_WORKER", "mute", 1);
	for (unsigned i = 0; i < 200; i++) {
		device_dispatch(&device, &create);
		if (d3dgpu_core_worker_pid(device.core, 1) > 0)
			started++;
		else
			waiting++;
		device_dispatch(&device, &kill_entry);
		device_event(&device);
	}
	unsetenv("FAKE_WORKER");
	tap_ok(started >= 60 && waiting >= 50, "200 contexts killed before their workers are up start %u workers", started);
	tap_eq(device_create_context(&device, 1), D3DGPU_FAULT_NONE, "who comes after them waits, and gets one");
	device_destroy(&device);
}

/* ---- a manager ---- */

static const char *worker_path;

/* What a manager says when it has no more workers. */
enum last_word { REFUSAL, WRONG_DESCRIPTORS };

/* A worker's socket and a pidfd would be right. */
static void send_two(int socket)
{
	union {
		struct cmsghdr header;
		char room[CMSG_SPACE(2 * sizeof(int))];
	} control = {0};
	uint8_t status = 0;
	struct iovec packet = {&status, 1};
	struct msghdr message = {.msg_iov = &packet, .msg_iovlen = 1, .msg_control = &control,
				 .msg_controllen = sizeof(control)};

	control.header.cmsg_level = SOL_SOCKET;
	control.header.cmsg_type = SCM_RIGHTS;
	control.header.cmsg_len = CMSG_LEN(2 * sizeof(int));
	memcpy(CMSG_DATA(&control.header), (int[2]){0, 1}, 2 * sizeof(int));
	sendmsg(socket, &message, 0);
}

/* Hands out `count` workers, then says something else. Runs in a process of its own. */
static void manage(int socket, unsigned count, enum last_word last)
{
	struct worker_request request;

	while (recv(socket, &request, sizeof(request), 0) == sizeof(request)) {
		union {
			struct cmsghdr header;
			char room[CMSG_SPACE(2 * sizeof(int))];
		} control = {0};
		uint8_t status = count ? 0 : EAGAIN;
		struct iovec packet = {&status, 1};
		struct msghdr message = {.msg_iov = &packet, .msg_iovlen = 1};
		int pair[2] = {-1, -1}, sent[2];
		pid_t worker;

		if (!count && last == WRONG_DESCRIPTORS) {
			send_two(socket);
			continue;
		}
		if (count) {
			count--;
			if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair))
				_exit(1);
			worker = fork();
			if (!worker) {
				char number[16];

				close(pair[0]);
				snprintf(number, sizeof(number), "%d", pair[1]);
				execl(worker_path, worker_path, "--fd", number, NULL);
				_exit(1);
			}
			sent[0] = pair[0];
			sent[1] = pidfd_open(worker, 0);
			message.msg_control = &control;
			message.msg_controllen = sizeof(control);
			control.header.cmsg_level = SOL_SOCKET;
			control.header.cmsg_type = SCM_RIGHTS;
			control.header.cmsg_len = CMSG_LEN(sizeof(sent));
			memcpy(CMSG_DATA(&control.header), sent, sizeof(sent));
		}
		sendmsg(socket, &message, 0);
		close(pair[0]);
		close(pair[1]);
	}
	_exit(0);
}

/* A device with a manager of two workers, the first of which is used up by the device's creation. */
static pid_t managed_device(struct device *device, enum last_word last, int *socket)
{
	char properties[64];
	int pair[2];
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair))
		tap_bail("no socket");
	pid = fork();
	if (pid < 0)
		tap_bail("no process");
	if (!pid) {
		close(pair[0]);
		manage(pair[1], 2, last);
	}
	close(pair[1]);
	snprintf(properties, sizeof(properties), "warm-workers=0,worker-socket=%d", pair[0]);
	device_create(device, properties);
	*socket = pair[0];
	return pid;
}

static void bad_manager(void)
{
	struct d3dgpu_entry entry = {.opcode = D3DGPU_OP_CTX_CREATE, .context = 2, .fence = 1};
	struct d3dgpu_engine_event event;
	struct device device;
	unsigned before;
	int socket;
	pid_t pid = managed_device(&device, WRONG_DESCRIPTORS, &socket);

	device_create_context(&device, 1);
	before = descriptors(getpid());
	device_dispatch(&device, &entry);
	event = device_event(&device);
	tap_ok(event.type == D3DGPU_EVENT_CONTEXT_LOST && event.status == D3DGPU_FAULT_NO_WORKER && event.info == EPROTO,
	       "a manager whose second descriptor is no pidfd breaks the protocol");
	tap_eq(descriptors(getpid()), before, "neither of them stays open");
	entry.context = 3;
	tap_eq(device_dispatch(&device, &entry), D3DGPU_FAULT_NO_WORKER, "nothing is asked of it any more");
	device_destroy(&device);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	close(socket);
}

static void manager(void)
{
	struct device device;
	struct d3dgpu_entry entry = {.opcode = D3DGPU_OP_CTX_CREATE, .context = 2, .fence = 1};
	struct d3dgpu_engine_event event;
	int socket;
	pid_t pid = managed_device(&device, REFUSAL, &socket);

	tap_eq(device_create_context(&device, 1), D3DGPU_FAULT_NONE, "a manager's worker serves a context");
	tap_eq(d3dgpu_core_worker_pid(device.core, 1), -1, "its process is the manager's business");
	entry.context = 2;
	tap_eq(device_dispatch(&device, &entry), D3DGPU_FAULT_NONE, "when the manager refuses");
	event = device_event(&device);
	tap_ok(event.type == D3DGPU_EVENT_CONTEXT_LOST && event.status == D3DGPU_FAULT_NO_WORKER && event.info == EAGAIN,
	       "the context is lost, with the manager's errno");
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	usleep(20000);
	entry = (struct d3dgpu_entry){.opcode = D3DGPU_OP_FENCE, .context = 1, .fence = 2};
	device_dispatch(&device, &entry);
	tap_eq(device_event(&device).type, D3DGPU_EVENT_DONE, "when the manager dies, its workers serve on");
	entry = (struct d3dgpu_entry){.opcode = D3DGPU_OP_CTX_CREATE, .context = 3, .fence = 1};
	tap_eq(device_dispatch(&device, &entry), D3DGPU_FAULT_NO_WORKER, "and new contexts are refused");
	device_destroy(&device);
	close(socket);
}

/* Whether the manager has this many children that have ended: it does not wait for them, so they stay as zombies. */
static bool has_died(pid_t manager, unsigned count)
{
	char path[64], state;
	unsigned zombies = 0;
	FILE *file, *stat;
	int child;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/children", (int)manager, (int)manager);
	file = fopen(path, "r");
	while (file && fscanf(file, "%d", &child) == 1) {
		snprintf(path, sizeof(path), "/proc/%d/stat", child);
		stat = fopen(path, "r");
		zombies += stat && fscanf(stat, "%*d %*s %c", &state) == 1 && state == 'Z';
		if (stat)
			fclose(stat);
	}
	if (file)
		fclose(file);
	return zombies >= count;
}

/* A worker that does not look at its socket any more: only its pidfd reaches it. */
static void hanging_managed_worker(void)
{
	struct d3dgpu_entry entry = {.opcode = D3DGPU_OP_FENCE, .context = 1, .fence = 2};
	struct device device;
	bool dead = false;
	int socket;
	pid_t pid;

	setenv("FAKE_WORKER", "hang=2", 1);
	pid = managed_device(&device, REFUSAL, &socket);
	unsetenv("FAKE_WORKER");
	device_create_context(&device, 1);
	device_dispatch(&device, &entry);
	tap_ok(!has_died(pid, 2), "a manager's worker hangs");
	entry = (struct d3dgpu_entry){.opcode = D3DGPU_OP_CTX_KILL, .context = 1};
	device_dispatch(&device, &entry);
	for (unsigned i = 0; i < 5000 && !(dead = has_died(pid, 2)); i++)
		usleep(1000);
	tap_ok(dead, "CTX_KILL ends it by the pidfd that the manager sent");
	device_destroy(&device);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	close(socket);
}

int main(int argc, char **argv)
{
	device_arguments(argc, argv);
	worker_path = argv[1];
	failing_creation();
	no_sandbox();
	spares();
	no_worker();
	inheritance();
	chatter();
	waste();
	manager();
	bad_manager();
	hanging_managed_worker();
	return tap_done();
}
