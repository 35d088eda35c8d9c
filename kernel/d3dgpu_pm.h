/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef D3DGPU_PM_H
#define D3DGPU_PM_H

struct d3dgpu_device;
struct device;

void d3dgpu_pm_init(struct d3dgpu_device *gdev);
int d3dgpu_pm_suspend(struct device *dev);
int d3dgpu_pm_resume(struct device *dev);

#endif
