/* SPDX-License-Identifier: MIT */
/*
 * Fixed-width types and compile-time layout checks for the hardware headers. The only file in hw/ that knows where it
 * is compiled: kernel, QEMU, firmware (freestanding RV32) or user space. All shared structures are little-endian.
 */
#ifndef D3DGPU_TYPES_H
#define D3DGPU_TYPES_H

#ifdef __KERNEL__
#include <linux/types.h>
#include <linux/stddef.h>
#include <linux/build_bug.h>
#else
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#endif

#define D3DGPU_ASSERT_SIZE(type, size) _Static_assert(sizeof(type) == (size), #type " has another size")
#define D3DGPU_ASSERT_OFFSET(type, field, offset) \
	_Static_assert(offsetof(type, field) == (offset), #type "." #field " is elsewhere")

#endif
