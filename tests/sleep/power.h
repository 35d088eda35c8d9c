/* SPDX-License-Identifier: MIT */
/* System sleep, as a program with the right to do so sees it. */
#ifndef TESTS_SLEEP_POWER_H
#define TESTS_SLEEP_POWER_H

#include <stdbool.h>

/* A way to sleep, and to wake up by itself. */
struct power_sleep {
	const char *name;
	const char *state;		/* what goes to /sys/power/state */
	const char *mem_sleep;		/* to /sys/power/mem_sleep, or NULL */
	const char *test;		/* to /sys/power/pm_test: how far it goes before it comes back, or NULL */
};

/* All that are tested: suspend to idle, to memory (the machine is reset), and the device's part of hibernation. */
#define POWER_SLEEPS 3
extern const struct power_sleep power_sleeps[POWER_SLEEPS];

/* Sleeps for some seconds. Returns 0 or -errno. */
int power_sleep(const struct power_sleep *sleep, unsigned seconds);

/* Whether this kernel can do it. */
bool power_can(const struct power_sleep *sleep);

#endif
