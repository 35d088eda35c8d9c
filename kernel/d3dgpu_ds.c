// SPDX-License-Identifier: GPL-2.0-only
#include "d3dgpu_bo.h"

/**
 * DOC: Depth-stencil surfaces
 *
 * The device's depth-stencil unit decides which depth-stencil surfaces there are, and how large
 * they are. It is asked through a mailbox in the control block, which costs one register write.
 * Nothing is decided here: the request goes there as it came, the answer becomes the buffer
 * object and goes back as it is.
 */

/* Locks the unit of a device that is up. */
static int d3dgpu_ds_lock(struct d3dgpu_device *gdev)
{
	int ret;

	for (;;) {
		ret = mutex_lock_interruptible(&gdev->dsu_lock);
		if (ret || !READ_ONCE(gdev->down))
			return ret;
		mutex_unlock(&gdev->dsu_lock);
		ret = d3dgpu_device_wait(gdev);
		if (ret)
			return ret;
	}
}

/* Runs the unit. The mailbox is read back as a whole, before anything in it is used. */
static int d3dgpu_ds_run(struct d3dgpu_device *gdev, struct d3dgpu_ds_mailbox *mailbox)
{
	int ret = d3dgpu_ds_lock(gdev);

	if (ret)
		return ret;
	gdev->ctrl->dsu = *mailbox;
	virt_wmb(); /* the request is there before the unit looks */
	d3dgpu_write(gdev, D3DGPU_REG_DSU_RUN, 1);
	virt_rmb(); /* and the answer when the write is done */
	*mailbox = gdev->ctrl->dsu;
	mutex_unlock(&gdev->dsu_lock);
	return 0;
}

static void d3dgpu_ds_desc(const struct d3dgpu_ds_mailbox *mailbox,
			   struct d3dgpu_resource_desc *desc)
{
	*desc = (struct d3dgpu_resource_desc){
		.format = mailbox->storage_format,
		.target = D3DGPU_TARGET_2D,
		.samples = mailbox->samples > 1 ? mailbox->samples : 0,
		.bind = D3DGPU_BIND_DEPTH_STENCIL,
		.width = mailbox->width,
		.height = mailbox->height,
		.depth = 1,
		.array_size = mailbox->layers,
		.last_level = mailbox->levels - 1,
	};
	if (mailbox->usage & D3DGPU_DS_USAGE_CUBE)
		desc->target = mailbox->layers == 6 ? D3DGPU_TARGET_CUBE : D3DGPU_TARGET_CUBE_ARRAY;
	else if (mailbox->layers > 1)
		desc->target = D3DGPU_TARGET_2D_ARRAY;
	if (mailbox->usage & D3DGPU_DS_USAGE_SAMPLE)
		desc->bind |= D3DGPU_BIND_SAMPLER_VIEW;
}

static void d3dgpu_ds_answer(const struct d3dgpu_ds_mailbox *mailbox,
			     struct drm_d3dgpu_ds_create *args)
{
	args->status = mailbox->status;
	args->handle = 0;
	args->res_id = 0;
	args->storage_format = mailbox->storage_format;
	args->pitch = mailbox->pitch;
	args->size = mailbox->size;
	args->stencil_offset = mailbox->stencil_offset;
	args->quality_levels = mailbox->quality_levels;
	args->ds_flags = mailbox->flags;
}

int d3dgpu_ds_create_ioctl(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_d3dgpu_ds_create *args = data;
	struct d3dgpu_device *gdev = to_d3dgpu(drm);
	struct d3dgpu_ds_mailbox mailbox = {
		.width = args->width,
		.height = args->height,
		.format = args->format,
		.samples = args->samples,
		.quality = args->quality,
		.usage = args->usage,
		.discard = args->discard,
		.layers = args->layers,
		.levels = args->levels,
	};
	struct d3dgpu_resource_desc desc;
	struct d3dgpu_bo *bo;
	u32 res_id;
	int ret;

	if (args->flags)
		return -EINVAL;
	ret = d3dgpu_ds_run(gdev, &mailbox);
	if (ret)
		return ret;
	d3dgpu_ds_answer(&mailbox, args);
	if (mailbox.status != D3DGPU_DS_OK)
		return -EINVAL;

	d3dgpu_ds_desc(&mailbox, &desc);
	if (!d3dgpu_resource_valid(&desc) || !is_power_of_2(mailbox.alignment) ||
	    mailbox.size < d3dgpu_linear_size(&desc)) {
		drm_err_once(drm, "the depth-stencil unit admitted a surface that cannot be\n");
		return -EIO;
	}
	bo = d3dgpu_bo_create(file, D3DGPU_KIND_DEPTH_STENCIL, mailbox.size, mailbox.alignment,
			      &desc);
	if (IS_ERR(bo))
		return PTR_ERR(bo);
	res_id = bo->res_id;
	ret = d3dgpu_bo_to_handle(bo, file, &args->handle);
	if (!ret)
		args->res_id = res_id;
	return ret;
}
