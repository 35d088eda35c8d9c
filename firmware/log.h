/* SPDX-License-Identifier: MIT */
/* The log ring of the control block, which the kernel shows in debugfs. */
#ifndef D3DGPU_FIRMWARE_LOG_H
#define D3DGPU_FIRMWARE_LOG_H

/* One line, time stamp and newline added. Understands %u, %x (32 bits) and %s. */
void log_line(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
