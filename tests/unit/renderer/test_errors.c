/* SPDX-License-Identifier: MIT */
/* What a guest can get wrong: each costs the context, with the right fault, and no more. */
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "client.h"
#include "tap.h"

#define EXIT_FAULT 2
#define EXIT_NOT_UP 1

/* After a fault the worker says nothing more and leaves. */
static void check_left(struct client *client, const char *name)
{
	struct worker_done done;

	tap_ok(!client_answer(client, &done), "%s: nothing is answered afterwards", name);
	tap_eq(client_end(client), EXIT_FAULT, "%s: the worker leaves with the status of a fault", name);
}

/* Runs one entry in a worker of its own, with the scene's resources there. */
static void check_entry(const char *name, struct d3dgpu_entry entry, uint32_t fault)
{
	struct client client;

	client_start(&client, NULL);
	scene_create(&client);
	tap_eq(client_run(&client, &entry), fault, "%s", name);
	check_left(&client, name);
}

/* Runs the scene with something appended. */
static void check_stream(const char *name, const struct stream *tail, bool with_scene)
{
	struct stream stream = {0};
	struct client client;

	client_start(&client, NULL);
	scene_create(&client);
	if (with_scene)
		scene_stream(&stream);
	stream_put(&stream, tail->count, tail->dwords);
	tap_eq(client_exec(&client, SCENE_STREAM_AT, stream.dwords, stream.count), D3DGPU_FAULT_BAD_STREAM, "%s", name);
	check_left(&client, name);
}

#define check_words(name, with_scene, ...) \
	check_stream(name, &(struct stream){{__VA_ARGS__}, sizeof((uint32_t[]){__VA_ARGS__}) / 4}, with_scene)

/* A copy between formats that GL takes for different ones. */
static void test_gl_error(void)
{
	static const uint32_t copy[] = {STREAM_HEADER(17, 0, 13), 11, 0, 0, 0, 0, 12, 0, 0, 0, 0, 16, 16, 1};
	struct d3dgpu_resource_desc desc = client_texture(D3DGPU_FMT_R32_FLOAT, D3DGPU_BIND_SAMPLER_VIEW, 16, 16);
	struct client client;

	client_start(&client, NULL);
	client_create(&client, 11, &desc, 0x600000);
	desc.format = D3DGPU_FMT_R32_UINT;
	client_create(&client, 12, &desc, 0x700000);
	tap_eq(client_exec(&client, SCENE_STREAM_AT, copy, 14), D3DGPU_FAULT_BAD_STREAM, "error of the host's GL");
	check_left(&client, "error of the host's GL");
}

/* What the engine complains of in its log does not always cost the context. */
static void test_harmless_complaint(void)
{
	static const uint32_t query[] = {STREAM_HEADER(1, 9, 4), 30, 3, 0, 12};
	struct d3dgpu_resource_desc results = client_buffer(D3DGPU_BIND_CUSTOM, 64);
	struct client client;

	client_start(&client, NULL);
	client_create(&client, 12, &results, 0x600000);
	tap_eq(client_exec(&client, SCENE_STREAM_AT, query, 5), D3DGPU_FAULT_NONE,
	       "query type that the engine only complains of");
	tap_eq(client_end(&client), 0, "the worker goes on");
}

/* The engine reports success for these. */
static void test_silent_errors(void)
{
	static const char broken[] = "VERT\n"
				     "DCL IN[0]\n"
				     "DCL OUT[0], POSITION\n"
				     "PROPERTY NUM_CLIPDIST_ENABLED 4\n"
				     "  0: MOV OUT[0], IN[0]\n"
				     "  1: END\n";
	struct stream stream = {0};

	check_words("framebuffer of one target without a surface", true, STREAM_HEADER(5, 0, 3), 1, 0, 0);
	check_words("vertex elements that do not exist", true, STREAM_HEADER(2, 5, 1), 77);
	check_words("surface handle that does not exist", true, STREAM_HEADER(5, 0, 3), 1, 0, 99);
	/* the shader translates, but the host's compiler refuses the result at the draw */
	stream_shader(&stream, 20, 0, broken);
	stream_add(&stream, STREAM_HEADER(31, 0, 2), 20, 0);
	stream_add(&stream, STREAM_HEADER(8, 0, 12), 0, 3, 4, 0, 1, 0, 0, 0, 0, 0, 2, 0);
	check_stream("shader that does not compile at the draw", &stream, true);
}

static void test_refused_streams(void)
{
	struct stream stream = {0};

	check_words("unknown opcode", false, STREAM_HEADER(200, 0, 0));
	check_words("command longer than the stream", true, STREAM_HEADER(13, 0, 1));
	check_words("sub-context", false, STREAM_HEADER(29, 0, 1), 1);
	check_words("memory info, which crashes the engine", true, STREAM_HEADER(50, 0, 1), SCENE_COLOR);
	check_words("resource creation by the stream", false, STREAM_HEADER(48, 0, 11), 0, 64, 16, 64, 1, 1, 1, 0, 0, 0,
		    1);
	check_words("resource that does not exist", false, STREAM_HEADER(1, 8, 5), 1, 1234, 1, 0, 0);
	stream_shader(&stream, 20, 0, "VERT\nDCL OUT[1], GENERIC[64]\n0: END\n");
	check_stream("semantic index that the engine has no room for", &stream, false);
	stream.count = 0;
	stream_shader(&stream, 20, 0, "VERT\nDCL OUT[0], POSITION\nthis is no shader\n");
	check_stream("text that is no shader", &stream, false);
}

static void test_bad_entries(void)
{
	struct d3dgpu_entry exec = {.opcode = D3DGPU_OP_EXEC, .exec = {.offset = SCENE_STREAM_AT, .size = 4}};
	struct d3dgpu_entry entry;

	entry = exec;
	entry.exec.offset = CLIENT_VRAM_SIZE - 4;
	entry.exec.size = 8;
	check_entry("stream that ends outside VRAM", entry, D3DGPU_FAULT_BAD_ENTRY);
	entry = exec;
	entry.exec.offset = UINT64_MAX - 3;
	check_entry("stream far outside VRAM", entry, D3DGPU_FAULT_BAD_ENTRY);
	entry = exec;
	entry.exec.size = D3DGPU_MAX_STREAM + 4;
	check_entry("stream that is too long", entry, D3DGPU_FAULT_BAD_ENTRY);
	entry = exec;
	entry.exec.size = 6;
	check_entry("stream that is no multiple of 4", entry, D3DGPU_FAULT_BAD_ENTRY);
	entry = exec;
	entry.exec.offset += 2;
	check_entry("stream at an odd place", entry, D3DGPU_FAULT_BAD_ENTRY);
	entry = exec;
	entry.flags = 0x80;
	check_entry("unknown flag", entry, D3DGPU_FAULT_BAD_ENTRY);
	entry = exec;
	entry.payload[47] = 1;
	check_entry("unused byte that is not 0", entry, D3DGPU_FAULT_BAD_ENTRY);
	entry = exec;
	entry.context = CLIENT_CONTEXT + 1;
	check_entry("entry of another context", entry, D3DGPU_FAULT_BAD_ENTRY);
	check_entry("copy engine's entry", (struct d3dgpu_entry){.opcode = D3DGPU_OP_COPY}, D3DGPU_FAULT_BAD_ENTRY);
	check_entry("unknown opcode", (struct d3dgpu_entry){.opcode = 77}, D3DGPU_FAULT_BAD_ENTRY);
	check_entry("second context", (struct d3dgpu_entry){.opcode = D3DGPU_OP_CTX_CREATE}, D3DGPU_FAULT_BAD_ENTRY);
	check_entry("flush of an unknown resource",
		    (struct d3dgpu_entry){.opcode = D3DGPU_OP_FLUSH, .transfer = {.resource = 1000}},
		    D3DGPU_FAULT_BAD_RESOURCE);
	check_entry("flush of a subresource that is not there",
		    (struct d3dgpu_entry){.opcode = D3DGPU_OP_FLUSH, .transfer = {.resource = SCENE_COLOR, .first = 1}},
		    D3DGPU_FAULT_BAD_ENTRY);
	check_entry("flush of more subresources than there are",
		    (struct d3dgpu_entry){.opcode = D3DGPU_OP_FLUSH,
					  .transfer = {.resource = SCENE_COLOR, .count = UINT32_MAX}},
		    D3DGPU_FAULT_BAD_ENTRY);
}

static void test_protocol(void)
{
	static const struct client_options no_context = {.no_context = true};
	struct worker_setup setup = {.version = WORKER_PROTOCOL_VERSION, .vram_size = CLIENT_VRAM_SIZE};
	struct d3dgpu_entry entry = {.opcode = D3DGPU_OP_FENCE};
	struct worker_done done;
	struct client client;

	client_start(&client, &no_context);
	tap_eq(client_run(&client, &entry), D3DGPU_FAULT_NO_CONTEXT, "entry before the context");
	check_left(&client, "entry before the context");

	client_start(&client, NULL);
	send(client.socket, "short", 5, 0);
	tap_ok(client_answer(&client, &done) && done.status == D3DGPU_FAULT_BAD_ENTRY && !done.fence && done.info == 5,
	       "a packet of another size is answered as a bad entry");
	check_left(&client, "short packet");

	client_spawn(&client, &no_context);
	client_send_setup(&client, &setup, -1);
	tap_ok(recv(client.socket, &client.hello, sizeof(client.hello), 0) == sizeof(client.hello) &&
		       client.hello.status,
	       "setup without VRAM is answered with an error");
	tap_eq(client_end(&client), EXIT_NOT_UP, "and the worker leaves");

	client_spawn(&client, &no_context);
	setup.vram_size = CLIENT_VRAM_SIZE + 1;
	client_send_setup(&client, &setup, client.vram_fd);
	tap_ok(recv(client.socket, &client.hello, sizeof(client.hello), 0) == sizeof(client.hello) &&
		       client.hello.status,
	       "VRAM that is smaller than announced is refused");
	tap_eq(client_end(&client), EXIT_NOT_UP, "and the worker leaves");

	client_spawn(&client, &no_context);
	tap_eq(client_end(&client), 0, "a spare worker that is not needed leaves quietly");
}

int main(void)
{
	signal(SIGPIPE, SIG_IGN);
	test_silent_errors();
	test_gl_error();
	test_harmless_complaint();
	test_refused_streams();
	test_bad_entries();
	test_protocol();
	return tap_done();
}
