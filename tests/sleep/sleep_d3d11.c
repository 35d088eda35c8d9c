/* SPDX-License-Identifier: MIT */
/*
 * A Direct3D 11 program binds its pipeline once and draws; then the machine sleeps; then it draws on, without binding
 * anything again. Its pixels show that contents and state are as they were.
 */
#include <stdio.h>

#include "power.h"
#include "test11.h"

#define SIZE 64u
#define SLEEP_SECONDS 4

static const float red[4] = {1, 0, 0, 1}, green[4] = {0, 1, 0, 1}, blue[4] = {0, 0, 1, 1};

/* Colours add up where the depth test lets them. */
static void bind_states(struct test11 *t)
{
	const D3D11_BLEND_DESC add = {.RenderTarget[0] = {TRUE, D3D11_BLEND_ONE, D3D11_BLEND_ONE, D3D11_BLEND_OP_ADD,
							  D3D11_BLEND_ONE, D3D11_BLEND_ONE, D3D11_BLEND_OP_ADD, 0xf}};
	const D3D11_DEPTH_STENCIL_DESC less = {.DepthEnable = TRUE,
					       .DepthWriteMask = D3D11_DEPTH_WRITE_MASK_ALL,
					       .DepthFunc = D3D11_COMPARISON_LESS};
	ID3D11DepthStencilState *depth = NULL;
	ID3D11BlendState *blend = NULL;

	ID3D11Device_CreateBlendState(t->device, &add, &blend);
	ID3D11Device_CreateDepthStencilState(t->device, &less, &depth);
	ID3D11DeviceContext_OMSetBlendState(t->context, blend, NULL, ~0u);
	ID3D11DeviceContext_OMSetDepthStencilState(t->context, depth, 0);
	ID3D11BlendState_Release(blend);
	ID3D11DepthStencilState_Release(depth);
}

static void check(const struct test11_target *target, uint32_t left, uint32_t right, const char *sleep, const char *name)
{
	char text[128];

	snprintf(text, sizeof(text), "%s: %s, left half", sleep, name);
	test11_check(target, SIZE / 4, SIZE / 2, left, 0, text);
	snprintf(text, sizeof(text), "%s: %s, right half", sleep, name);
	test11_check(target, SIZE * 3 / 4, SIZE / 2, right, 0, text);
}

/* The left half is red and near when the machine falls asleep. */
static void test_sleep(struct test11 *t, struct test11_target *target, ID3D11DepthStencilView *depth,
		       struct test11_color_pipe *pipe, const struct power_sleep *sleep)
{
	if (!power_can(sleep)) {
		tap_skip("this kernel cannot do that", sleep->name);
		return;
	}
	test11_clear(t, target, 0, 0, 0, 0);
	ID3D11DeviceContext_ClearDepthStencilView(t->context, depth, D3D11_CLEAR_DEPTH, 1, 0);
	test11_draw_rect(t, pipe, -1, 1, 0, -1, 0.5f, red);
	ID3D11DeviceContext_Flush(t->context);

	tap_eq(power_sleep(sleep, SLEEP_SECONDS), 0, "%s: the machine sleeps and wakes up", sleep->name);
	tap_eq(ID3D11Device_GetDeviceRemovedReason(t->device), S_OK, "%s: the device is there", sleep->name);
	test11_draw_rect(t, pipe, -1, 1, 1, -1, 0.7f, green);
	if (test11_read(t, target, NULL, 0))
		check(target, 0xff0000ff, 0xff00ff00, sleep->name, "something far is hidden by what was near before");
	test11_draw_rect(t, pipe, -1, 1, 1, -1, 0.3f, blue);
	if (test11_read(t, target, NULL, 0))
		check(target, 0xffff00ff, 0xffffff00, sleep->name, "something near adds up with what was there");
}

int main(void)
{
	struct test11_color_pipe pipe;
	struct test11_target target;
	ID3D11DepthStencilView *depth;
	struct test11 t;

	test11_must_open(&t);
	depth = test11_depth(&t, SIZE, SIZE, DXGI_FORMAT_D24_UNORM_S8_UINT, 1);
	if (!depth || !test11_color_pipe(&t, &pipe) ||
	    !test11_target_create(&t, SIZE, SIZE, DXGI_FORMAT_R8G8B8A8_UNORM, &target))
		tap_bail("no scene");
	test11_bind(&t, &target, depth);
	bind_states(&t);
	for (unsigned i = 0; i < POWER_SLEEPS; i++)
		test_sleep(&t, &target, depth, &pipe, &power_sleeps[i]);
	ID3D11DeviceContext_ClearState(t.context);
	ID3D11DepthStencilView_Release(depth);
	test11_target_destroy(&target);
	test11_color_pipe_destroy(&pipe);
	test11_close(&t);
	return tap_done();
}
