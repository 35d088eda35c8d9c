/* SPDX-License-Identifier: MIT */
#include "child.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tap.h"

bool child_can_choose_gpu(void)
{
	const char *winsys = getenv("D3DGPU_WINSYS");

	return winsys && !strcmp(winsys, "loopback");
}

/* One line of the child's TAP becomes a result or a comment here; its plan must agree with the number of results. */
static void take_line(char *line, const char *label, unsigned *results, unsigned *plan)
{
	bool passed = !strncmp(line, "ok ", 3);
	char *name;

	line[strcspn(line, "\n")] = 0;
	if (sscanf(line, "1..%u", plan) == 1)
		return;
	if (*line == '#') {
		tap_diag("%s:%s", label, line + 1);
		return;
	}
	if (!passed && strncmp(line, "not ok ", 7))
		return;
	name = strstr(line, " - ");
	++*results;
	tap_ok(passed, "%s: %s", label, name ? name + 3 : line);
}

void child_run(const char *caps, const char *part, const char *label)
{
	unsigned results = 0, plan = ~0u;
	int pipes[2], status = 0;
	char line[1024];
	FILE *output;
	pid_t pid;

	if (pipe(pipes))
		tap_bail("pipe");
	fflush(stdout);
	pid = fork();
	if (pid < 0)
		tap_bail("fork");
	if (!pid) {
		if (caps)
			setenv("D3DGPU_CAPS", caps, 1);
		dup2(pipes[1], 1);
		close(pipes[0]);
		close(pipes[1]);
		execl("/proc/self/exe", "child", part, (char *)NULL);
		_exit(127);
	}
	close(pipes[1]);
	output = fdopen(pipes[0], "r");
	while (output && fgets(line, sizeof(line), output))
		take_line(line, label, &results, &plan);
	if (output)
		fclose(output);
	waitpid(pid, &status, 0);
	/* Failed results make the child fail, too; they are counted already. */
	if (plan != results || !WIFEXITED(status) || WEXITSTATUS(status) > 1)
		tap_ok(false, "%s: child ends with its plan (%u of %u results, status %#x)", label, results, plan,
		       status);
}
