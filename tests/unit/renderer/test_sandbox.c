/* SPDX-License-Identifier: MIT */
/* The sandbox, tried from inside by the worker itself, and what hello says of it. */
#include <errno.h>
#include <fcntl.h>
#include <seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "client.h"
#include "tap.h"

/* One test for each line "attempt: result (error)" that the probe prints. */
static void test_probe(void)
{
	FILE *probe = popen(WORKER_PROGRAM " --sandbox-probe 2>/dev/null", "r");
	char line[256];
	unsigned attempts = 0;
	int status;

	if (!probe)
		tap_bail("the worker cannot be started");
	while (fgets(line, sizeof(line), probe)) {
		char *result = strstr(line, ": ");

		line[strcspn(line, "\n")] = '\0';
		if (!result || !strncmp(line, "in force", 8))
			continue;
		*result = '\0';
		result += 2;
		attempts++;
		tap_ok(!strncmp(result, "refused", 7) || !strncmp(result, "work", 4), "%s: %s", line, result);
	}
	status = pclose(probe);
	tap_ok(attempts >= 30, "the probe made all its attempts (%u)", attempts);
	tap_eq(WIFEXITED(status) ? WEXITSTATUS(status) : 255, 0, "and ended without a complaint");
}

static void test_hello(void)
{
	uint32_t wanted = WORKER_SANDBOX_NO_NEW_PRIVS | WORKER_SANDBOX_SECCOMP | WORKER_SANDBOX_RLIMITS |
			  WORKER_SANDBOX_NO_NETWORK;
	struct client client;
	char path[64], link[256] = "";
	struct rlimit limit;

	client_start(&client, NULL);
	tap_eq(client.hello.sandbox & wanted, wanted, "hello says that the sandbox is in force");
	if (!(client.hello.sandbox & WORKER_SANDBOX_LANDLOCK))
		tap_skip("this kernel has no Landlock", "Landlock is in force");
	else
		tap_ok(true, "Landlock is in force");
	/* VRAM's descriptor must not stay open: with it, the worker could not do more, but neither does it need it. */
	snprintf(path, sizeof(path), "/proc/%d/fd/3", (int)client.pid);
	if (readlink(path, link, sizeof(link) - 1) < 0)
		link[0] = '\0';
	tap_ok(!strstr(link, "vram"), "the worker has dropped VRAM's descriptor");
	tap_ok(!prlimit(client.pid, RLIMIT_CORE, NULL, &limit) && !limit.rlim_max, "it cannot leave a core file");
	tap_ok(!prlimit(client.pid, RLIMIT_AS, NULL, &limit) && limit.rlim_max == CLIENT_VRAM_SIZE + (4ull << 30),
	       "its address space is limited to VRAM and 4 GiB");
	client_end(&client);

	client_start(&client, &(struct client_options){.memory_limit = 1ull << 30});
	tap_ok(!prlimit(client.pid, RLIMIT_AS, NULL, &limit) && limit.rlim_max == CLIENT_VRAM_SIZE + (1ull << 30),
	       "or to what the core says");
	client_end(&client);
}

/* A texture that does not fit is refused; the process does not die of it. */
static void test_memory_limit(void)
{
	struct d3dgpu_resource_desc desc =
		client_texture(D3DGPU_FMT_R8G8B8A8_UNORM, D3DGPU_BIND_SAMPLER_VIEW, 2048, 2048);
	struct client client;
	uint32_t status = D3DGPU_FAULT_NONE;

	client_start(&client, &(struct client_options){.memory_limit = 700ull << 20});
	for (uint32_t id = 1; id < 100 && status == D3DGPU_FAULT_NONE; id++) {
		/* Ranges may overlap as far as the worker is concerned. */
		status = client_create(&client, id, &desc, 0x1000000);
		if (status == D3DGPU_FAULT_NONE)
			status = client_transfer(&client, D3DGPU_OP_LOAD, id, 0, 0);
	}
	tap_ok(status == D3DGPU_FAULT_NO_MEMORY || status == D3DGPU_FAULT_BAD_RESOURCE,
	       "a guest that takes too much memory is refused (fault %u)", status);
	client_end(&client);
}

static void test_poor_hosts(void)
{
	static const int no_seccomp[] = {SCMP_SYS(seccomp), -1};
	static const int no_landlock[] = {SCMP_SYS(landlock_create_ruleset), -1};
	struct worker_setup setup = {.version = WORKER_PROTOCOL_VERSION, .vram_size = CLIENT_VRAM_SIZE};
	struct client client;
	ssize_t size;

	client_spawn(&client, &(struct client_options){.refused_calls = no_seccomp});
	client_send_setup(&client, &setup, client.vram_fd);
	size = recv(client.socket, &client.hello, sizeof(client.hello), 0);
	tap_ok(size == sizeof(client.hello) && client.hello.status == EOPNOTSUPP,
	       "without seccomp the worker refuses to come up");
	tap_ok(!(client.hello.sandbox & WORKER_SANDBOX_SECCOMP), "and does not claim to have it");
	tap_eq(client_end(&client), 1, "and leaves");

	client_start(&client, &(struct client_options){.refused_calls = no_landlock});
	tap_ok(!(client.hello.sandbox & WORKER_SANDBOX_LANDLOCK) && (client.hello.sandbox & WORKER_SANDBOX_SECCOMP),
	       "without Landlock it comes up and says so");
	tap_eq(client_end(&client), 0, "and works");
}

static void test_shader_cache(void)
{
	char folder[] = "/tmp/d3dgpu-cache-XXXXXX", command[128];
	struct client_options options;
	struct stream stream = {0};
	struct client client;
	FILE *files;
	int count = 0;

	if (!mkdtemp(folder))
		tap_bail("no folder");
	options = (struct client_options){.shader_cache = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC)};
	client_start(&client, &options);
	scene_create(&client);
	scene_stream(&stream);
	tap_eq(client_exec(&client, SCENE_STREAM_AT, stream.dwords, stream.count), D3DGPU_FAULT_NONE,
	       "shaders compile with a cache");
	client_end(&client);
	snprintf(command, sizeof(command), "find %s -name '*.foz' -size +1k | wc -l", folder);
	files = popen(command, "r");
	tap_ok(files && fscanf(files, "%d", &count) == 1 && count >= 1, "and are in its file afterwards");
	if (files)
		pclose(files);
	snprintf(command, sizeof(command), "rm -rf %s", folder);
	if (system(command))
		tap_diag("%s stays", folder);
	close(options.shader_cache);
}

int main(void)
{
#if defined(__SANITIZE_ADDRESS__)
	tap_skip("sanitizers need more system calls than the sandbox has", "the sandbox");
	return tap_done();
#endif
	test_probe();
	test_hello();
	test_poor_hosts();
	test_memory_limit();
	test_shader_cache();
	return tap_done();
}
