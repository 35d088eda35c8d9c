/* SPDX-License-Identifier: MIT */
/*
 * Puts a kernel into memory that this one hands the machine over to, or hands it over.
 *
 * usage: next_kernel load|load-for-panic KERNEL IMAGE COMMAND-LINE
 *        next_kernel start
 *
 * The exit status is 0, 77 when this kernel cannot do it, 1 for any other failure. With `start` it does not come back.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/kexec.h>
#include <linux/reboot.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int complain(const char *what)
{
	int status = errno == ENOSYS ? 77 : 1;

	fprintf(stderr, "next_kernel: %s: %s\n", what, strerror(errno));
	return status;
}

static int load(const char *kernel, const char *image, const char *command_line, unsigned long flags)
{
	int kernel_fd = open(kernel, O_RDONLY | O_CLOEXEC);
	int image_fd = open(image, O_RDONLY | O_CLOEXEC);

	if (kernel_fd < 0 || image_fd < 0)
		return complain(kernel_fd < 0 ? kernel : image);
	if (syscall(SYS_kexec_file_load, kernel_fd, image_fd, strlen(command_line) + 1, command_line, flags))
		return complain("kexec_file_load");
	return 0;
}

static int start(void)
{
	syscall(SYS_reboot, LINUX_REBOOT_MAGIC1, LINUX_REBOOT_MAGIC2, LINUX_REBOOT_CMD_KEXEC, NULL);
	return complain("reboot");
}

int main(int argc, char **argv)
{
	if (argc == 5 && !strcmp(argv[1], "load"))
		return load(argv[2], argv[3], argv[4], 0);
	if (argc == 5 && !strcmp(argv[1], "load-for-panic"))
		return load(argv[2], argv[3], argv[4], KEXEC_FILE_ON_CRASH);
	if (argc == 2 && !strcmp(argv[1], "start"))
		return start();
	fprintf(stderr, "usage: next_kernel load|load-for-panic KERNEL IMAGE COMMAND-LINE\n"
			"       next_kernel start\n");
	return 1;
}
