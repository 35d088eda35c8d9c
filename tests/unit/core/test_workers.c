/* SPDX-License-Identifier: MIT */
/* How workers come and go: creation of the device with workers that fail, spares, a manager, what a worker inherits. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

/* ---- a manager ---- */

static const char *worker_path;

/* What a manager says when it has no more workers. */
enum last_word { REFUSAL, TWO_DESCRIPTORS };

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
			char room[CMSG_SPACE(sizeof(int))];
		} control = {0};
		uint8_t status = count ? 0 : EAGAIN;
		struct iovec packet = {&status, 1};
		struct msghdr message = {.msg_iov = &packet, .msg_iovlen = 1};
		int pair[2] = {-1, -1};

		if (!count && last == TWO_DESCRIPTORS) {
			send_two(socket);
			continue;
		}
		if (count) {
			count--;
			if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair))
				_exit(1);
			if (!fork()) {
				char number[16];

				close(pair[0]);
				snprintf(number, sizeof(number), "%d", pair[1]);
				execl(worker_path, worker_path, "--fd", number, NULL);
				_exit(1);
			}
			message.msg_control = &control;
			message.msg_controllen = sizeof(control);
			control.header.cmsg_level = SOL_SOCKET;
			control.header.cmsg_type = SCM_RIGHTS;
			control.header.cmsg_len = CMSG_LEN(sizeof(int));
			memcpy(CMSG_DATA(&control.header), &pair[0], sizeof(int));
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
	pid_t pid = managed_device(&device, TWO_DESCRIPTORS, &socket);

	device_create_context(&device, 1);
	before = descriptors(getpid());
	device_dispatch(&device, &entry);
	event = device_event(&device);
	tap_ok(event.type == D3DGPU_EVENT_CONTEXT_LOST && event.status == D3DGPU_FAULT_NO_WORKER && event.info == EPROTO,
	       "a manager that sends two descriptors breaks the protocol");
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

int main(int argc, char **argv)
{
	device_arguments(argc, argv);
	worker_path = argv[1];
	failing_creation();
	no_sandbox();
	spares();
	no_worker();
	inheritance();
	manager();
	bad_manager();
	return tap_done();
}
