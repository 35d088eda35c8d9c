/* SPDX-License-Identifier: MIT */
/* Choice of the window system. */
#include "wsi.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Protects the two tables below. */
static pthread_mutex_t wsi_lock = PTHREAD_MUTEX_INITIALIZER;
static struct d3dgpu_wsi registered;	/* size 0: none */
static struct d3dgpu_wsi standard;	/* chosen by the environment at first use; size 0: not yet */

static bool wsi_complete(const struct d3dgpu_wsi *wsi)
{
	return wsi->size >= sizeof(*wsi) && wsi->source <= D3DGPU_WSI_BUFFER && wsi->client_size && wsi->visible &&
	       wsi->focused && wsi->mode_count && wsi->get_mode && wsi->current_mode && wsi->set_mode && wsi->present &&
	       wsi->wait_vblank && wsi->release;
}

__attribute__((visibility("default"))) int d3dgpu_wsi_register(const struct d3dgpu_wsi *wsi)
{
	if (wsi && !wsi_complete(wsi))
		return -EINVAL;
	pthread_mutex_lock(&wsi_lock);
	if (wsi)
		registered = *wsi;
	else
		memset(&registered, 0, sizeof(registered));
	pthread_mutex_unlock(&wsi_lock);
	return 0;
}

static void wsi_choose(struct d3dgpu_wsi *out)
{
	const char *name = getenv("D3DGPU_WSI");

	if (name && !strcmp(name, "kms")) {
		if (wsi_kms_open(out))
			return;
		fprintf(stderr, "d3dgpu: wsi: no display through KMS, going on without one\n");
	} else if (name && *name && strcmp(name, "headless")) {
		fprintf(stderr, "d3dgpu: wsi: D3DGPU_WSI=%s is unknown (kms, headless), going on without a display\n",
			name);
	}
	*out = wsi_headless;
}

__attribute__((visibility("default"))) void wsi_get(struct d3dgpu_wsi *out)
{
	pthread_mutex_lock(&wsi_lock);
	if (!registered.size && !standard.size)
		wsi_choose(&standard);
	*out = registered.size ? registered : standard;
	pthread_mutex_unlock(&wsi_lock);
}
