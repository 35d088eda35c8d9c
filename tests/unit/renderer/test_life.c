/* SPDX-License-Identifier: MIT */
/* Order and number of answers, and the ways in which a worker ends. */
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "client.h"
#include "tap.h"

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* Sends 1000 entries without taking an answer in between: draws with and without fences, and plain fences. */
static void test_order(void)
{
	struct d3dgpu_entry draw = {.opcode = D3DGPU_OP_EXEC};
	struct stream stream = {0};
	struct worker_done done;
	uint32_t wrong = 0;
	struct client client;

	client_start(&client, NULL);
	scene_create(&client);
	scene_stream(&stream);
	tap_eq(client_exec(&client, SCENE_STREAM_AT, stream.dwords, stream.count), D3DGPU_FAULT_NONE,
	       "the scene is set up");
	stream.count = 0;
	stream_add(&stream, STREAM_HEADER(8, 0, 12), 0, 3, 4, 0, 1, 0, 0, 0, 0, 0, 2, 0);
	memcpy(client.vram + SCENE_STREAM_AT, stream.dwords, stream.count * 4);
	draw.exec.offset = SCENE_STREAM_AT;
	draw.exec.size = stream.count * 4;
	for (uint32_t sent = 0, taken = 0; taken < 1000; taken++) {
		uint64_t fence = client.fence;

		/* No more on their way than a socket holds. */
		for (; sent < 1000 && sent - taken < 100; sent++) {
			struct d3dgpu_entry fence_entry = {.opcode = D3DGPU_OP_FENCE, .flags = D3DGPU_ENTRY_FENCE};

			draw.flags = sent % 3 ? 0 : D3DGPU_ENTRY_FENCE;
			client_send(&client, sent % 10 == 9 ? &fence_entry : &draw);
		}
		fence = client.fence - (sent - taken) + 1;
		if (!client_answer(&client, &done) || done.status || done.fence != fence)
			wrong++;
	}
	tap_eq(wrong, 0, "1000 entries are answered in order");
	tap_eq(client_end(&client), 0, "the worker leaves quietly");
}

static void test_destroy(void)
{
	struct d3dgpu_entry entry = {.opcode = D3DGPU_OP_CTX_DESTROY};
	struct client client;

	client_start(&client, NULL);
	scene_create(&client);
	tap_eq(client_run(&client, &entry), D3DGPU_FAULT_NONE, "the destruction of the context is answered");
	tap_eq(client_wait(&client), 0, "then the worker leaves by itself");
	client_end(&client);
}

/* A stream that keeps the GPU busy for minutes: llvmpipe ends each loop after 65536 rounds, so there are many
 * triangles. */
static void endless_stream(struct stream *stream)
{
	stream_shader(stream, 60, 1,
		      "FRAG\n"
		      "PROPERTY FS_COORD_ORIGIN UPPER_LEFT\n"
		      "DCL IN[0], GENERIC[0], PERSPECTIVE\n"
		      "DCL OUT[0], COLOR\n"
		      "DCL TEMP[0..1]\n"
		      "IMM[0] FLT32 {1.0, 0.0001, 1000000000.0, 0.0}\n"
		      "  0: MOV TEMP[0], IN[0]\n"
		      "  1: MOV TEMP[1], IMM[0].wwww\n"
		      "  2: BGNLOOP :0\n"
		      "  3: FSGE TEMP[1].y, TEMP[1].xxxx, IMM[0].zzzz\n"
		      "  4: UIF TEMP[1].yyyy :0\n"
		      "  5: BRK\n"
		      "  6: ENDIF\n"
		      "  7: MAD TEMP[0], TEMP[0], IMM[0].xxxx, IMM[0].yyyy\n"
		      "  8: ADD TEMP[1].x, TEMP[1].xxxx, IMM[0].yyyy\n"
		      "  9: ENDLOOP :0\n"
		      " 10: MOV OUT[0], TEMP[0]\n"
		      " 11: END\n");
	stream_add(stream, STREAM_HEADER(31, 0, 2), 60, 1);
	stream_add(stream, STREAM_HEADER(1, 3, 5), 61, 0, 0, 0, 0, STREAM_HEADER(2, 3, 1), 61);
	stream_add(stream, STREAM_HEADER(8, 0, 12), 0, 3, 4, 0, 100000, 0, 0, 0, 0, 0, 2, 0);
}

static void start_endless(struct client *client)
{
	struct d3dgpu_entry entry = {
		.opcode = D3DGPU_OP_EXEC,
		.flags = D3DGPU_ENTRY_FENCE,
		.exec = {.offset = SCENE_STREAM_AT},
	};
	struct stream stream = {0};

	client_start(client, NULL);
	scene_create(client);
	scene_stream(&stream);
	endless_stream(&stream);
	memcpy(client->vram + SCENE_STREAM_AT, stream.dwords, stream.count * 4);
	entry.exec.size = stream.count * 4;
	client_send(client, &entry);
	sleep(1);
}

static void test_ends(void)
{
	struct worker_done done;
	struct client client;
	double begin;

	start_endless(&client);
	begin = now();
	client_end(&client);
	tap_ok(now() - begin < 10, "a worker inside an endless shader ends when the socket closes (%.1f s)",
	       now() - begin);

	start_endless(&client);
	kill(client.pid, SIGKILL);
	tap_eq(client_wait(&client), 128 + SIGKILL, "a worker inside an endless shader can be killed");
	tap_ok(!client_answer(&client, &done), "then its socket is closed without an answer");
	client_end(&client);
}

int main(void)
{
	test_order();
	test_destroy();
	test_ends();
	return tap_done();
}
