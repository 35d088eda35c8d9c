/* SPDX-License-Identifier: MIT */
#include "client.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tap.h"

static bool under_sanitizer(void)
{
#if defined(__SANITIZE_ADDRESS__)
	return true;
#else
	return false;
#endif
}

/* Makes this process one on a host that lacks something. */
static bool refuse_calls(const int *calls)
{
	scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);

	for (; *calls >= 0; calls++)
		if (seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), *calls, 0))
			return false;
	return !seccomp_load(filter);
}

void client_spawn(struct client *client, const struct client_options *options)
{
	int pair[2];

	*client = (struct client){0};
	client->vram_fd = memfd_create("vram", MFD_CLOEXEC);
	if (client->vram_fd < 0 || ftruncate(client->vram_fd, CLIENT_VRAM_SIZE))
		tap_bail("no memfd: %s", strerror(errno));
	client->vram = mmap(NULL, CLIENT_VRAM_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, client->vram_fd, 0);
	if (client->vram == MAP_FAILED || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair))
		tap_bail("no socket: %s", strerror(errno));
	client->pid = fork();
	if (client->pid < 0)
		tap_bail("no process: %s", strerror(errno));
	if (!client->pid) {
		char socket_text[16], cache_text[16];

		snprintf(socket_text, sizeof(socket_text), "%d", pair[1]);
		snprintf(cache_text, sizeof(cache_text), "%d", options->shader_cache);
		fcntl(pair[1], F_SETFD, 0);
		if (options->refused_calls && !refuse_calls(options->refused_calls))
			_exit(125);
		if (options->shader_cache) {
			fcntl(options->shader_cache, F_SETFD, 0);
			execl(WORKER_PROGRAM, WORKER_PROGRAM, "--fd", socket_text, "--shader-cache", cache_text, NULL);
		} else {
			execl(WORKER_PROGRAM, WORKER_PROGRAM, "--fd", socket_text, NULL);
		}
		_exit(126);
	}
	close(pair[1]);
	client->socket = pair[0];
}

bool client_send_setup(struct client *client, const struct worker_setup *setup, int vram_fd)
{
	union {
		struct cmsghdr header;
		char room[CMSG_SPACE(sizeof(int))];
	} control = {0};
	struct iovec packet = {(void *)setup, sizeof(*setup)};
	struct msghdr message = {.msg_iov = &packet, .msg_iovlen = 1};

	if (vram_fd >= 0) {
		message.msg_control = &control;
		message.msg_controllen = sizeof(control);
		control.header.cmsg_level = SOL_SOCKET;
		control.header.cmsg_type = SCM_RIGHTS;
		control.header.cmsg_len = CMSG_LEN(sizeof(int));
		memcpy(CMSG_DATA(&control.header), &vram_fd, sizeof(int));
	}
	return sendmsg(client->socket, &message, MSG_NOSIGNAL) == sizeof(*setup);
}

/* Waits for a packet of exactly `size` bytes. */
static bool receive(struct client *client, void *packet, size_t size)
{
	struct pollfd socket = {.fd = client->socket, .events = POLLIN};

	if (poll(&socket, 1, CLIENT_TIMEOUT_MS) != 1)
		return false;
	return recv(client->socket, packet, size, MSG_TRUNC) == (ssize_t)size;
}

void client_start(struct client *client, const struct client_options *options)
{
	static const struct client_options none;
	struct worker_setup setup = {
		.version = WORKER_PROTOCOL_VERSION,
		.flags = under_sanitizer() ? WORKER_SETUP_NO_SANDBOX : 0,
		.vram_size = CLIENT_VRAM_SIZE,
	};
	struct d3dgpu_entry entry = {.opcode = D3DGPU_OP_CTX_CREATE, .ctx_create = {.name = "test"}};

	if (!options)
		options = &none;
	setup.memory_limit = options->memory_limit;
	client_spawn(client, options);
	if (!client_send_setup(client, &setup, client->vram_fd))
		tap_bail("the worker takes no setup");
	if (!receive(client, &client->hello, sizeof(client->hello)) || client->hello.status)
		tap_bail("the worker does not come up: status %u", client->hello.status);
	if (!options->no_context && client_run(client, &entry) != D3DGPU_FAULT_NONE)
		tap_bail("the worker creates no context");
}

int client_wait(struct client *client)
{
	int status;

	if (waitpid(client->pid, &status, 0) != client->pid)
		return -1;
	client->pid = 0;
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

int client_end(struct client *client)
{
	int status = 0;

	close(client->socket);
	if (client->pid)
		status = client_wait(client);
	munmap(client->vram, CLIENT_VRAM_SIZE);
	close(client->vram_fd);
	return status;
}

void client_send(struct client *client, struct d3dgpu_entry *entry)
{
	entry->context = entry->context ? entry->context : CLIENT_CONTEXT;
	client->fence++;
	entry->fence = client->fence;
	if (send(client->socket, entry, sizeof(*entry), MSG_NOSIGNAL) != sizeof(*entry))
		tap_diag("an entry could not be sent: %s", strerror(errno));
}

bool client_answer(struct client *client, struct worker_done *done)
{
	return receive(client, done, sizeof(*done));
}

uint32_t client_run(struct client *client, struct d3dgpu_entry *entry)
{
	struct worker_done done;

	entry->flags |= D3DGPU_ENTRY_FENCE;
	client_send(client, entry);
	if (!client_answer(client, &done))
		return UINT32_MAX;
	if (done.fence != entry->fence || done.opcode != entry->opcode || done.reserved || done.reserved2)
		tap_bail("the answer is to another entry");
	return done.status;
}

uint32_t client_create(struct client *client, uint32_t id, const struct d3dgpu_resource_desc *desc, uint64_t backing)
{
	struct d3dgpu_entry entry = {
		.opcode = D3DGPU_OP_RES_CREATE,
		.res_create = {.resource = id, .backing = backing, .size = d3dgpu_linear_size(desc), .desc = *desc},
	};

	return client_run(client, &entry);
}

uint32_t client_destroy(struct client *client, uint32_t id)
{
	struct d3dgpu_entry entry = {.opcode = D3DGPU_OP_RES_DESTROY, .res_destroy = {.resource = id}};

	return client_run(client, &entry);
}

uint32_t client_transfer(struct client *client, enum d3dgpu_opcode opcode, uint32_t id, uint32_t first, uint32_t count)
{
	struct d3dgpu_entry entry = {.opcode = (uint8_t)opcode,
				     .transfer = {.resource = id, .first = first, .count = count}};

	return client_run(client, &entry);
}

uint32_t client_evict(struct client *client, uint32_t id, uint32_t flags)
{
	struct d3dgpu_entry entry = {.opcode = D3DGPU_OP_EVICT, .evict = {.resource = id, .flags = flags}};

	return client_run(client, &entry);
}

uint32_t client_restore(struct client *client, uint32_t id, uint64_t backing, uint64_t size, uint32_t flags)
{
	struct d3dgpu_entry entry = {
		.opcode = D3DGPU_OP_RESTORE,
		.restore = {.resource = id, .flags = flags, .backing = backing, .size = size},
	};

	return client_run(client, &entry);
}

uint32_t client_exec(struct client *client, uint64_t offset, const uint32_t *dwords, uint32_t count)
{
	struct d3dgpu_entry entry = {.opcode = D3DGPU_OP_EXEC, .exec = {.offset = offset, .size = count * 4}};

	memcpy(client->vram + offset, dwords, count * 4);
	return client_run(client, &entry);
}

struct d3dgpu_resource_desc client_buffer(uint32_t bind, uint32_t size)
{
	return (struct d3dgpu_resource_desc){
		.format = D3DGPU_FMT_R8_UNORM,
		.target = D3DGPU_TARGET_BUFFER,
		.bind = bind,
		.width = size,
		.height = 1,
		.depth = 1,
		.array_size = 1,
	};
}

struct d3dgpu_resource_desc client_texture(uint32_t format, uint32_t bind, uint32_t width, uint32_t height)
{
	return (struct d3dgpu_resource_desc){
		.format = (uint16_t)format,
		.target = D3DGPU_TARGET_2D,
		.bind = bind,
		.width = width,
		.height = (uint16_t)height,
		.depth = 1,
		.array_size = 1,
	};
}
