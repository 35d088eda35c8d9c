/* SPDX-License-Identifier: MIT */
#include "log.h"

#include <stdarg.h>

#include "port.h"

static uint32_t position;	/* bytes written since start; the ring keeps the last D3DGPU_LOG_SIZE */

static void put(char c)
{
	port_ctrl()->log[position++ % D3DGPU_LOG_SIZE] = c;
}

static void put_number(uint32_t value, uint32_t base, unsigned min_digits)
{
	char digits[10];
	unsigned count = 0;

	do {
		digits[count++] = "0123456789abcdef"[value % base];
		value /= base;
	} while (value || count < min_digits);
	while (count)
		put(digits[--count]);
}

static void put_format(const char *format, va_list args)
{
	for (; *format; format++) {
		if (*format != '%') {
			put(*format);
			continue;
		}
		switch (*++format) {
		case 'u':
			put_number(va_arg(args, unsigned), 10, 1);
			break;
		case 'x':
			put_number(va_arg(args, unsigned), 16, 1);
			break;
		case 's':
			for (const char *text = va_arg(args, const char *); *text; text++)
				put(*text);
			break;
		default:
			put(*format);
		}
		if (!*format)
			return;
	}
}

void log_line(const char *format, ...)
{
	va_list args;

	put('[');
	put_number(port_read(D3DGPU_GCP_TIME_HI), 16, 8);
	put_number(port_read(D3DGPU_GCP_TIME_LO), 16, 8);
	put(']');
	put(' ');
	va_start(args, format);
	put_format(format, args);
	va_end(args);
	put('\n');
	shared_store(&port_ctrl()->log_tail, position);
}
