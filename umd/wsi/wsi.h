/* SPDX-License-Identifier: MIT */
/*
 * The runtimes' side of the window system: which table of d3dgpu_wsi.h is in use. The registered one; else by the
 * environment D3DGPU_WSI (kms, headless); else headless.
 */
#ifndef D3DGPU_UMD_WSI_H
#define D3DGPU_UMD_WSI_H

#include "d3dgpu_wsi.h"

/* A copy of the table in use, for a new device or factory. */
void wsi_get(struct d3dgpu_wsi *out);

/* no window system at all: modes of a virtual 60 Hz display; presents do not wait. */
extern const struct d3dgpu_wsi wsi_headless;
/* Full screen on the first connected display of a card node (D3DGPU_KMS_DEVICE, else the first that the d3dgpu driver
 * has). false, with a line in the log, when there is none or another program is its master. The table lives as long as
 * the process. */
bool wsi_kms_open(struct d3dgpu_wsi *out);

#endif
