/* SPDX-License-Identifier: MIT */
#include "driver.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tap.h"

#define DRIVER "/sys/bus/pci/drivers/d3dgpu/"

void driver_find_address(char address[32])
{
	DIR *folder = opendir(DRIVER);
	struct dirent *entry;

	address[0] = '\0';
	while (folder && (entry = readdir(folder)))
		if (!strncmp(entry->d_name, "0000:", 5))
			snprintf(address, 32, "%.31s", entry->d_name);
	if (folder)
		closedir(folder);
	if (!address[0])
		tap_bail("the driver has no device");
}

int driver_tell(const char *file, const char *address)
{
	char path[64];
	int fd, ret;

	snprintf(path, sizeof(path), DRIVER "%s", file);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	ret = fd < 0 || write(fd, address, strlen(address)) < 0 ? -errno : 0;
	close(fd);
	return ret;
}
