/* SPDX-License-Identifier: MIT */
/* The driver as sysfs shows it, for tests that take the device away from it. */
#ifndef TESTS_KERNEL_DRIVER_H
#define TESTS_KERNEL_DRIVER_H

/* The PCI address of the device that the driver has. */
void driver_find_address(char address[32]);

/* Writes the address to a file of the driver: "bind" or "unbind". Returns 0 or -errno. */
int driver_tell(const char *file, const char *address);

#endif
