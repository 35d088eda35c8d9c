/* SPDX-License-Identifier: MIT */
#include "power.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define WAKE_ALARM "/sys/class/rtc/rtc0/wakealarm"

const struct power_sleep power_sleeps[POWER_SLEEPS] = {
	{.name = "suspend to idle", .state = "freeze", .test = "platform"},
	{.name = "suspend to memory", .state = "mem", .mem_sleep = "deep", .test = "core"},
	{.name = "hibernation", .state = "disk", .test = "devices"},
};

/* Writes a word to a file of the kernel: 0 or -errno. */
static int put(const char *path, const char *word)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC), ret = 0;

	if (fd < 0)
		return -errno;
	if (write(fd, word, strlen(word)) < 0)
		ret = -errno;
	close(fd);
	return ret;
}

static bool has(const char *path, const char *word)
{
	char text[256];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t length = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);

	close(fd);
	if (length < 0)
		return false;
	text[length] = '\0';
	return strstr(text, word);
}

bool power_can(const struct power_sleep *sleep)
{
	return has("/sys/power/state", sleep->state) && (!sleep->mem_sleep || has("/sys/power/mem_sleep", sleep->mem_sleep)) &&
	       (!sleep->test || has("/sys/power/pm_test", sleep->test)) && !access(WAKE_ALARM, W_OK);
}

/* A tested sleep comes back by itself, after some seconds of the kernel's choice. */
static int set_alarm(const struct power_sleep *sleep, unsigned seconds)
{
	char text[16];
	int ret = put(WAKE_ALARM, "0");

	if (ret || sleep->test)
		return ret;
	snprintf(text, sizeof(text), "+%u", seconds);
	return put(WAKE_ALARM, text);
}

int power_sleep(const struct power_sleep *sleep, unsigned seconds)
{
	int ret = put("/sys/power/pm_test", sleep->test ? sleep->test : "none");

	put("/sys/module/suspend/parameters/pm_test_delay", "1"); /* seconds; not every kernel has it */
	if (!ret && sleep->mem_sleep)
		ret = put("/sys/power/mem_sleep", sleep->mem_sleep);
	if (!ret)
		ret = set_alarm(sleep, seconds);
	return ret ? ret : put("/sys/power/state", sleep->state);
}
