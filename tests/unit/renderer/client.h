/* SPDX-License-Identifier: MIT */
/*
 * The device core's side of the worker protocol, for tests: starts a real worker, gives it a small VRAM, sends it
 * entries and takes its answers. VRAM is laid out by the tests themselves.
 */
#ifndef D3DGPU_TESTS_RENDERER_CLIENT_H
#define D3DGPU_TESTS_RENDERER_CLIENT_H

#include <stdbool.h>
#include <sys/types.h>

#include "protocol.h"

#define CLIENT_VRAM_SIZE (64u << 20)
#define CLIENT_CONTEXT 7
#define CLIENT_TIMEOUT_MS 60000		/* llvmpipe compiles shaders, and the machine may be busy */

struct client {
	pid_t pid;
	int socket;
	int vram_fd;
	uint8_t *vram;
	uint64_t fence;			/* of the entry sent last */
	struct worker_hello hello;
};

struct client_options {
	int shader_cache;		/* folder descriptor, 0 = none */
	bool no_context;		/* do not send CTX_CREATE */
	const int *refused_calls;	/* system calls that the worker gets EPERM for, ended by -1; NULL = none */
	uint64_t memory_limit;
};

/* Starts a worker, takes its hello and creates the context. Bails out of the test program when that fails. */
void client_start(struct client *client, const struct client_options *options);
/* Starts a worker without talking to it. */
void client_spawn(struct client *client, const struct client_options *options);
/* Sends the setup packet with the VRAM descriptor (-1 = none). */
bool client_send_setup(struct client *client, const struct worker_setup *setup, int vram_fd);
/* Closes the socket; waits for the process. Returns its exit status, or 128 + signal. */
int client_end(struct client *client);
/* Waits for the process while the socket stays open. Returns as client_end() does. */
int client_wait(struct client *client);

/* Sends an entry with the next fence number, or with the one it has. */
void client_send(struct client *client, struct d3dgpu_entry *entry);
/* Takes the next answer. Returns false when the worker is gone or says nothing in time. */
bool client_answer(struct client *client, struct worker_done *done);
/* Both. Returns the status, or UINT32_MAX without an answer. */
uint32_t client_run(struct client *client, struct d3dgpu_entry *entry);

/* Entries, each run with a fence; they return the status. */
uint32_t client_create(struct client *client, uint32_t id, const struct d3dgpu_resource_desc *desc, uint64_t backing);
uint32_t client_destroy(struct client *client, uint32_t id);
uint32_t client_transfer(struct client *client, enum d3dgpu_opcode opcode, uint32_t id, uint32_t first, uint32_t count);
uint32_t client_evict(struct client *client, uint32_t id, uint32_t flags);
uint32_t client_restore(struct client *client, uint32_t id, uint64_t backing, uint64_t size, uint32_t flags);
/* Copies a stream to VRAM and executes it there. */
uint32_t client_exec(struct client *client, uint64_t offset, const uint32_t *dwords, uint32_t count);

/* Descriptions. */
struct d3dgpu_resource_desc client_buffer(uint32_t bind, uint32_t size);
struct d3dgpu_resource_desc client_texture(uint32_t format, uint32_t bind, uint32_t width, uint32_t height);

/* A command stream under construction. */
struct stream {
	uint32_t dwords[4096];
	uint32_t count;
};
#define STREAM_HEADER(opcode, object, length) ((uint32_t)(opcode) | (uint32_t)(object) << 8 | (uint32_t)(length) << 16)
void stream_put(struct stream *stream, uint32_t count, const uint32_t *dwords);
#define stream_add(stream, ...) \
	stream_put(stream, sizeof((uint32_t[]){__VA_ARGS__}) / 4, (uint32_t[]){__VA_ARGS__})
/* CREATE_OBJECT SHADER in one packet. */
void stream_shader(struct stream *stream, uint32_t handle, uint32_t stage, const char *text);

/*
 * The scene of all tests here: a triangle with red (left), green (right) and blue (top) corners on (0.1, 0.2, 0.3),
 * drawn into a 256x256 target.
 */
#define SCENE_COLOR 1			/* B8G8R8A8 */
#define SCENE_DEPTH 3			/* D24S8 */
#define SCENE_VERTICES 4
#define SCENE_COLOR_AT 0x100000u	/* VRAM offsets */
#define SCENE_DEPTH_AT 0x200000u
#define SCENE_VERTICES_AT 0x300000u
#define SCENE_STREAM_AT 0x400000u
#define SCENE_SIZE 256u
/* Creates the three resources. Bails out when that fails. */
void scene_create(struct client *client);
/* The stream: state, clear and draw. Handles 1 to 8 are used. */
void scene_stream(struct stream *stream);

#endif
