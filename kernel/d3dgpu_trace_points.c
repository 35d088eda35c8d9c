// SPDX-License-Identifier: GPL-2.0-only
/* Makes the trace points that d3dgpu_trace.h declares. */
#include <linux/module.h>

#ifndef __CHECKER__
#define CREATE_TRACE_POINTS
#include "d3dgpu_trace.h"
#endif
