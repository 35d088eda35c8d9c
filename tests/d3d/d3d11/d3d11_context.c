/* SPDX-License-Identifier: MIT */
/* The immediate context: maps, updates, copies, bound state, hazards, queries. */
#include "test11.h"

#include <string.h>
#include <unistd.h>

#include "hlsl/color_vs.h"

#define RED 0xff0000ffu
#define BLUE 0xffff0000u

static ID3D11Buffer *buffer_of(struct test11 *t, UINT size, D3D11_USAGE usage, UINT bind, UINT cpu)
{
	D3D11_BUFFER_DESC desc = {size, usage, bind, cpu, 0, 0};
	ID3D11Buffer *buffer = NULL;

	if (FAILED(ID3D11Device_CreateBuffer(t->device, &desc, NULL, &buffer)))
		tap_bail("CreateBuffer");
	return buffer;
}

static HRESULT map(struct test11 *t, ID3D11Buffer *buffer, D3D11_MAP type, UINT flags)
{
	D3D11_MAPPED_SUBRESOURCE mapped;
	HRESULT hr = ID3D11DeviceContext_Map(t->context, (ID3D11Resource *)buffer, 0, type, flags, &mapped);

	if (SUCCEEDED(hr))
		ID3D11DeviceContext_Unmap(t->context, (ID3D11Resource *)buffer, 0);
	return hr;
}

static void test_map_rules(struct test11 *t)
{
	ID3D11Buffer *usual = buffer_of(t, 64, D3D11_USAGE_DEFAULT, D3D11_BIND_VERTEX_BUFFER, 0);
	ID3D11Buffer *dynamic = buffer_of(t, 64, D3D11_USAGE_DYNAMIC, D3D11_BIND_VERTEX_BUFFER, D3D11_CPU_ACCESS_WRITE);
	ID3D11Buffer *reads = buffer_of(t, 64, D3D11_USAGE_STAGING, 0, D3D11_CPU_ACCESS_READ);
	ID3D11Buffer *both = buffer_of(t, 64, D3D11_USAGE_STAGING, 0, D3D11_CPU_ACCESS_READ | D3D11_CPU_ACCESS_WRITE);
	D3D11_MAPPED_SUBRESOURCE mapped;

	tap_eq(map(t, usual, D3D11_MAP_READ, 0), E_INVALIDARG, "Map: a default buffer cannot be read");
	tap_eq(map(t, usual, D3D11_MAP_WRITE_DISCARD, 0), E_INVALIDARG, "Map: nor written");
	tap_eq(map(t, dynamic, D3D11_MAP_WRITE_DISCARD, 0), S_OK, "Map: a dynamic buffer with WRITE_DISCARD");
	tap_eq(map(t, dynamic, D3D11_MAP_WRITE_NO_OVERWRITE, 0), S_OK, "Map: with WRITE_NO_OVERWRITE");
	tap_eq(map(t, dynamic, D3D11_MAP_WRITE, 0), E_INVALIDARG, "Map: not with WRITE");
	tap_eq(map(t, dynamic, D3D11_MAP_READ, 0), E_INVALIDARG, "Map: not with READ");
	tap_eq(map(t, dynamic, D3D11_MAP_WRITE_DISCARD, D3D11_MAP_FLAG_DO_NOT_WAIT), E_INVALIDARG,
	       "Map: DO_NOT_WAIT with WRITE_DISCARD");
	tap_eq(map(t, reads, D3D11_MAP_READ, 0), S_OK, "Map: a staging buffer with READ");
	tap_eq(map(t, reads, D3D11_MAP_WRITE, 0), E_INVALIDARG, "Map: not with WRITE when it is for reading");
	tap_eq(map(t, both, D3D11_MAP_READ_WRITE, 0), S_OK, "Map: READ_WRITE when it is for both");
	tap_eq(map(t, both, (D3D11_MAP)6, 0), E_INVALIDARG, "Map: type 6");
	tap_eq(map(t, both, D3D11_MAP_READ, 1), E_INVALIDARG, "Map: flag 1");
	tap_eq(ID3D11DeviceContext_Map(t->context, (ID3D11Resource *)both, 1, D3D11_MAP_READ, 0, &mapped), E_INVALIDARG,
	       "Map: subresource 1 of a buffer");
	tap_eq(ID3D11DeviceContext_Map(t->context, (ID3D11Resource *)both, 0, D3D11_MAP_READ, 0, NULL), E_INVALIDARG,
	       "Map: no result");
	ID3D11DeviceContext_Map(t->context, (ID3D11Resource *)both, 0, D3D11_MAP_READ, 0, &mapped);
	tap_eq(map(t, both, D3D11_MAP_READ, 0), E_INVALIDARG, "Map: mapped already");
	ID3D11DeviceContext_Unmap(t->context, (ID3D11Resource *)both, 0);
	ID3D11DeviceContext_Unmap(t->context, (ID3D11Resource *)both, 0);
	tap_eq(map(t, both, D3D11_MAP_READ, 0), S_OK, "Unmap twice is harmless");
	ID3D11Buffer_Release(usual);
	ID3D11Buffer_Release(dynamic);
	ID3D11Buffer_Release(reads);
	ID3D11Buffer_Release(both);
}

static void fill(uint32_t *words, unsigned count, uint32_t seed)
{
	for (unsigned i = 0; i < count; i++)
		words[i] = seed * 2654435761u + i;
}

static bool read_buffer(struct test11 *t, ID3D11Buffer *source, void *data, UINT size)
{
	ID3D11Buffer *staging = buffer_of(t, size, D3D11_USAGE_STAGING, 0, D3D11_CPU_ACCESS_READ);
	D3D11_MAPPED_SUBRESOURCE mapped;
	HRESULT hr;

	ID3D11DeviceContext_CopyResource(t->context, (ID3D11Resource *)staging, (ID3D11Resource *)source);
	hr = ID3D11DeviceContext_Map(t->context, (ID3D11Resource *)staging, 0, D3D11_MAP_READ, 0, &mapped);
	if (SUCCEEDED(hr)) {
		memcpy(data, mapped.pData, size);
		ID3D11DeviceContext_Unmap(t->context, (ID3D11Resource *)staging, 0);
	}
	ID3D11Buffer_Release(staging);
	return SUCCEEDED(hr);
}

static void test_buffers(struct test11 *t)
{
	uint32_t first[64], second[64], got[64] = {0};
	D3D11_BOX box = {64, 0, 0, 128, 1, 1};
	D3D11_MAPPED_SUBRESOURCE mapped;
	ID3D11Buffer *buffer,
		*dynamic = buffer_of(t, 256, D3D11_USAGE_DYNAMIC, D3D11_BIND_VERTEX_BUFFER, D3D11_CPU_ACCESS_WRITE);

	fill(first, 64, 1);
	fill(second, 64, 2);
	buffer = test11_buffer(t, D3D11_BIND_VERTEX_BUFFER, first, sizeof(first));
	read_buffer(t, buffer, got, sizeof(got));
	tap_mem(got, first, sizeof(got), "a buffer's initial data comes back");
	ID3D11DeviceContext_UpdateSubresource(t->context, (ID3D11Resource *)buffer, 0, &box, second, 0, 0);
	memcpy(&first[16], second, 64);
	read_buffer(t, buffer, got, sizeof(got));
	tap_mem(got, first, sizeof(got), "an update of a part changes that part");
	box.right = 300;
	ID3D11DeviceContext_UpdateSubresource(t->context, (ID3D11Resource *)buffer, 0, &box, second, 0, 0);
	read_buffer(t, buffer, got, sizeof(got));
	tap_mem(got, first, sizeof(got), "an update that goes beyond the end does nothing");
	if (SUCCEEDED(ID3D11DeviceContext_Map(t->context, (ID3D11Resource *)dynamic, 0, D3D11_MAP_WRITE_DISCARD, 0,
					      &mapped))) {
		memcpy(mapped.pData, second, sizeof(second));
		ID3D11DeviceContext_Unmap(t->context, (ID3D11Resource *)dynamic, 0);
	}
	read_buffer(t, dynamic, got, sizeof(got));
	tap_mem(got, second, sizeof(got), "what a WRITE_DISCARD map wrote comes back");
	if (SUCCEEDED(ID3D11DeviceContext_Map(t->context, (ID3D11Resource *)dynamic, 0, D3D11_MAP_WRITE_NO_OVERWRITE, 0,
					      &mapped))) {
		memcpy((char *)mapped.pData + 128, first, 16);
		ID3D11DeviceContext_Unmap(t->context, (ID3D11Resource *)dynamic, 0);
	}
	memcpy((char *)second + 128, first, 16);
	read_buffer(t, dynamic, got, sizeof(got));
	tap_mem(got, second, sizeof(got), "WRITE_NO_OVERWRITE keeps the rest");
	box = (D3D11_BOX){0, 0, 0, 64, 1, 1};
	ID3D11DeviceContext_CopySubresourceRegion(t->context, (ID3D11Resource *)buffer, 0, 192, 0, 0,
						  (ID3D11Resource *)dynamic, 0, &box);
	memcpy(&first[48], second, 64);
	read_buffer(t, buffer, got, sizeof(got));
	tap_mem(got, first, sizeof(got), "a region is copied between buffers");
	ID3D11DeviceContext_CopySubresourceRegion(t->context, (ID3D11Resource *)buffer, 0, 200, 0, 0,
						  (ID3D11Resource *)dynamic, 0, &box);
	read_buffer(t, buffer, got, sizeof(got));
	tap_mem(got, first, sizeof(got), "a region beyond the end is not");
	box = (D3D11_BOX){0, 0, 0, 200, 1, 1};
	ID3D11DeviceContext_CopySubresourceRegion(t->context, (ID3D11Resource *)buffer, 0, 16, 0, 0,
						  (ID3D11Resource *)buffer, 0, &box);
	memmove(&first[4], &first[0], 200);
	read_buffer(t, buffer, got, sizeof(got));
	tap_mem(got, first, sizeof(got), "regions of one buffer may overlap");
	ID3D11Buffer_Release(buffer);
	ID3D11Buffer_Release(dynamic);
}

static void test_textures(struct test11 *t)
{
	D3D11_TEXTURE2D_DESC desc = {
		8, 8, 1, 1, DXGI_FORMAT_R8G8B8A8_UNORM, {1, 0}, D3D11_USAGE_DEFAULT, D3D11_BIND_SHADER_RESOURCE, 0, 0};
	uint32_t texels[64], part[4] = {RED, BLUE, BLUE, RED};
	D3D11_SUBRESOURCE_DATA data = {texels, 32, 0};
	D3D11_BOX box = {2, 4, 0, 4, 6, 1};
	struct test11_target view;
	ID3D11Texture2D *texture, *other;

	fill(texels, 64, 3);
	ID3D11Device_CreateTexture2D(t->device, &desc, &data, &texture);
	ID3D11Device_CreateTexture2D(t->device, &desc, NULL, &other);
	test11_target_create(t, 8, 8, DXGI_FORMAT_R8G8B8A8_UNORM, &view);
	if (test11_read(t, &view, texture, 0))
		tap_mem(view.pixels, texels, sizeof(texels), "a texture's initial data comes back");
	ID3D11DeviceContext_UpdateSubresource(t->context, (ID3D11Resource *)texture, 0, &box, part, 8, 0);
	memcpy(&texels[4 * 8 + 2], &part[0], 8);
	memcpy(&texels[5 * 8 + 2], &part[2], 8);
	if (test11_read(t, &view, texture, 0))
		tap_mem(view.pixels, texels, sizeof(texels), "an update of a box changes the box");
	ID3D11DeviceContext_CopyResource(t->context, (ID3D11Resource *)other, (ID3D11Resource *)texture);
	if (test11_read(t, &view, other, 0))
		tap_mem(view.pixels, texels, sizeof(texels), "CopyResource copies it");
	ID3D11DeviceContext_CopySubresourceRegion(t->context, (ID3D11Resource *)other, 0, 6, 0, 0,
						  (ID3D11Resource *)texture, 0, &box);
	memcpy(&texels[6], &part[0], 8);
	memcpy(&texels[8 + 6], &part[2], 8);
	if (test11_read(t, &view, other, 0))
		tap_mem(view.pixels, texels, sizeof(texels), "CopySubresourceRegion copies a box to a place");
	ID3D11DeviceContext_CopySubresourceRegion(t->context, (ID3D11Resource *)other, 0, 7, 0, 0,
						  (ID3D11Resource *)texture, 0, &box);
	if (test11_read(t, &view, other, 0))
		tap_mem(view.pixels, texels, sizeof(texels), "but not across the edge");
	box = (D3D11_BOX){0, 0, 0, 7, 6, 1};
	ID3D11DeviceContext_CopySubresourceRegion(t->context, (ID3D11Resource *)other, 0, 1, 2, 0,
						  (ID3D11Resource *)other, 0, &box);
	for (int row = 5; row >= 0; row--)
		memmove(&texels[(row + 2) * 8 + 1], &texels[row * 8], 7 * sizeof(texels[0]));
	if (test11_read(t, &view, other, 0))
		tap_mem(view.pixels, texels, sizeof(texels), "parts of one subresource may overlap (CopyWithOverlap)");
	test11_target_destroy(&view);
	ID3D11Texture2D_Release(texture);
	ID3D11Texture2D_Release(other);
}

static void test_staging_writes(struct test11 *t)
{
	D3D11_TEXTURE2D_DESC desc = {4,
				     4,
				     1,
				     1,
				     DXGI_FORMAT_R8G8B8A8_UNORM,
				     {1, 0},
				     D3D11_USAGE_STAGING,
				     0,
				     D3D11_CPU_ACCESS_WRITE | D3D11_CPU_ACCESS_READ,
				     0};
	D3D11_MAPPED_SUBRESOURCE mapped;
	struct test11_target target;
	ID3D11Texture2D *staging;

	ID3D11Device_CreateTexture2D(t->device, &desc, NULL, &staging);
	test11_target_create(t, 4, 4, DXGI_FORMAT_R8G8B8A8_UNORM, &target);
	if (tap_eq(ID3D11DeviceContext_Map(t->context, (ID3D11Resource *)staging, 0, D3D11_MAP_WRITE, 0, &mapped), S_OK,
		   "a staging texture is mapped for writing")) {
		for (UINT y = 0; y < 4; y++)
			for (UINT x = 0; x < 4; x++)
				((uint32_t *)((char *)mapped.pData + y * mapped.RowPitch))[x] = y * 16 + x;
		ID3D11DeviceContext_Unmap(t->context, (ID3D11Resource *)staging, 0);
	}
	ID3D11DeviceContext_CopyResource(t->context, (ID3D11Resource *)target.texture, (ID3D11Resource *)staging);
	if (test11_read(t, &target, NULL, 0))
		tap_eq(test11_pixel(&target, 3, 2), 0x23, "what was written arrives in the target");
	test11_target_destroy(&target);
	ID3D11Texture2D_Release(staging);
}

/* ---- other dimensions, formats and subresources come back as they went in ---- */

static void test_volume(struct test11 *t)
{
	D3D11_TEXTURE3D_DESC desc = {
		4, 4, 4, 1, DXGI_FORMAT_R8G8B8A8_UNORM, D3D11_USAGE_DEFAULT, D3D11_BIND_SHADER_RESOURCE, 0, 0};
	D3D11_BOX box = {1, 1, 1, 3, 3, 3};
	uint32_t texels[64], part[8];
	D3D11_SUBRESOURCE_DATA data = {texels, 16, 64};
	D3D11_MAPPED_SUBRESOURCE mapped;
	ID3D11Texture3D *volume, *staging;
	unsigned wrong = 0;

	fill(texels, 64, 5);
	fill(part, 8, 6);
	ID3D11Device_CreateTexture3D(t->device, &desc, &data, &volume);
	ID3D11DeviceContext_UpdateSubresource(t->context, (ID3D11Resource *)volume, 0, &box, part, 8, 16);
	for (unsigned i = 0; i < 8; i++)
		texels[(i / 4 + 1) * 16 + (i / 2 % 2 + 1) * 4 + i % 2 + 1] = part[i];
	desc.Usage = D3D11_USAGE_STAGING;
	desc.BindFlags = 0;
	desc.CPUAccessFlags = D3D11_CPU_ACCESS_READ;
	ID3D11Device_CreateTexture3D(t->device, &desc, NULL, &staging);
	ID3D11DeviceContext_CopyResource(t->context, (ID3D11Resource *)staging, (ID3D11Resource *)volume);
	if (tap_eq(ID3D11DeviceContext_Map(t->context, (ID3D11Resource *)staging, 0, D3D11_MAP_READ, 0, &mapped), S_OK,
		   "a volume is mapped")) {
		for (unsigned z = 0; z < 4; z++)
			for (unsigned y = 0; y < 4; y++)
				wrong += !!memcmp((char *)mapped.pData + z * mapped.DepthPitch + y * mapped.RowPitch,
						  &texels[z * 16 + y * 4], 16);
		tap_eq(wrong, 0, "all its rows are right, also those that a box updated");
		ID3D11DeviceContext_Unmap(t->context, (ID3D11Resource *)staging, 0);
	}
	ID3D11Texture3D_Release(volume);
	ID3D11Texture3D_Release(staging);
}

/* Every subresource of an array with levels keeps its own content. */
static void test_subresources(struct test11 *t)
{
	D3D11_TEXTURE2D_DESC desc = {
		8, 8, 3, 4, DXGI_FORMAT_R32_FLOAT, {1, 0}, D3D11_USAGE_DEFAULT, D3D11_BIND_SHADER_RESOURCE, 0, 0};
	D3D11_SUBRESOURCE_DATA data[12];
	D3D11_MAPPED_SUBRESOURCE mapped;
	ID3D11Texture2D *array, *staging;
	float texels[12][64];
	unsigned wrong = 0;

	for (unsigned i = 0; i < 12; i++) {
		for (unsigned k = 0; k < 64; k++)
			texels[i][k] = (float)(i * 100 + k) / 8;
		data[i] = (D3D11_SUBRESOURCE_DATA){texels[i], (8u >> i % 3) * 4, 0};
	}
	if (!tap_eq(ID3D11Device_CreateTexture2D(t->device, &desc, data, &array), S_OK,
		    "an array with levels and data"))
		return;
	desc.Usage = D3D11_USAGE_STAGING;
	desc.BindFlags = 0;
	desc.CPUAccessFlags = D3D11_CPU_ACCESS_READ;
	ID3D11Device_CreateTexture2D(t->device, &desc, NULL, &staging);
	ID3D11DeviceContext_CopyResource(t->context, (ID3D11Resource *)staging, (ID3D11Resource *)array);
	for (unsigned i = 0; i < 12; i++) {
		unsigned size = 8u >> i % 3;

		if (FAILED(ID3D11DeviceContext_Map(t->context, (ID3D11Resource *)staging, i, D3D11_MAP_READ, 0,
						   &mapped))) {
			wrong++;
			continue;
		}
		for (unsigned y = 0; y < size; y++)
			wrong += !!memcmp((char *)mapped.pData + y * mapped.RowPitch, &texels[i][y * size], size * 4);
		ID3D11DeviceContext_Unmap(t->context, (ID3D11Resource *)staging, i);
	}
	tap_eq(wrong, 0, "all twelve subresources come back");
	ID3D11Texture2D_Release(array);
	ID3D11Texture2D_Release(staging);
}

static void test_compressed(struct test11 *t)
{
	D3D11_TEXTURE2D_DESC desc = {
		16, 8, 1, 1, DXGI_FORMAT_BC1_UNORM, {1, 0}, D3D11_USAGE_DEFAULT, D3D11_BIND_SHADER_RESOURCE, 0, 0};
	D3D11_BOX box = {4, 4, 0, 8, 8, 1};
	uint32_t blocks[16], block[2] = {0x12345678, 0x9abcdef0};
	D3D11_SUBRESOURCE_DATA data = {blocks, 32, 0};
	D3D11_MAPPED_SUBRESOURCE mapped;
	ID3D11Texture2D *texture, *staging;

	fill(blocks, 16, 7);
	ID3D11Device_CreateTexture2D(t->device, &desc, &data, &texture);
	ID3D11DeviceContext_UpdateSubresource(t->context, (ID3D11Resource *)texture, 0, &box, block, 8, 0);
	memcpy(&blocks[8 + 2], block, sizeof(block));
	desc.Usage = D3D11_USAGE_STAGING;
	desc.BindFlags = 0;
	desc.CPUAccessFlags = D3D11_CPU_ACCESS_READ;
	ID3D11Device_CreateTexture2D(t->device, &desc, NULL, &staging);
	ID3D11DeviceContext_CopyResource(t->context, (ID3D11Resource *)staging, (ID3D11Resource *)texture);
	if (tap_eq(ID3D11DeviceContext_Map(t->context, (ID3D11Resource *)staging, 0, D3D11_MAP_READ, 0, &mapped), S_OK,
		   "a compressed texture is mapped")) {
		tap_mem(mapped.pData, blocks, 32, "its first row of blocks is right");
		tap_mem((char *)mapped.pData + mapped.RowPitch, &blocks[8], 32,
			"the second, too, with the block that a box updated");
		ID3D11DeviceContext_Unmap(t->context, (ID3D11Resource *)staging, 0);
	}
	ID3D11Texture2D_Release(texture);
	ID3D11Texture2D_Release(staging);
}

/* Depth values can be read by a copy. */
static void test_depth_copy(struct test11 *t)
{
	D3D11_TEXTURE2D_DESC desc = {
		8, 8, 1, 1, DXGI_FORMAT_D32_FLOAT, {1, 0}, D3D11_USAGE_STAGING, 0, D3D11_CPU_ACCESS_READ, 0};
	ID3D11DepthStencilView *view = test11_depth(t, 8, 8, DXGI_FORMAT_D32_FLOAT, 1);
	D3D11_MAPPED_SUBRESOURCE mapped;
	ID3D11Resource *depth;
	ID3D11Texture2D *staging;

	ID3D11DepthStencilView_GetResource(view, &depth);
	if (tap_eq(ID3D11Device_CreateTexture2D(t->device, &desc, NULL, &staging), S_OK,
		   "a staging texture of D32_FLOAT")) {
		ID3D11DeviceContext_ClearDepthStencilView(t->context, view, D3D11_CLEAR_DEPTH, 0.375f, 0);
		ID3D11DeviceContext_CopyResource(t->context, (ID3D11Resource *)staging, depth);
		if (tap_eq(ID3D11DeviceContext_Map(t->context, (ID3D11Resource *)staging, 0, D3D11_MAP_READ, 0,
						   &mapped),
			   S_OK, "is mapped"))
			tap_near(((float *)((char *)mapped.pData + 3 * mapped.RowPitch))[5], 0.375, 0,
				 "and has the cleared depth");
		ID3D11DeviceContext_Unmap(t->context, (ID3D11Resource *)staging, 0);
		ID3D11Texture2D_Release(staging);
	}
	ID3D11Resource_Release(depth);
	ID3D11DepthStencilView_Release(view);
}

/* ---- bound state ---- */

static void test_getters(struct test11 *t)
{
	D3D11_VIEWPORT viewports[2] = {{0, 0, 8, 8, 0, 1}, {1, 2, 3, 4, 0.25f, 0.5f}}, got[16];
	ID3D11Buffer *constants = test11_buffer(t, D3D11_BIND_CONSTANT_BUFFER, NULL, 64), *buffer;
	ID3D11Buffer *vertices = test11_buffer(t, D3D11_BIND_VERTEX_BUFFER, NULL, 64);
	ID3D11VertexShader *vs = TEST11_VS(t, color_vs), *shader;
	D3D11_PRIMITIVE_TOPOLOGY topology;
	FLOAT factor[4] = {0.1f, 0.2f, 0.3f, 0.4f}, got_factor[4];
	ID3D11BlendState *blend = (void *)1;
	UINT count = 16, mask = 0;

	ID3D11DeviceContext_VSSetShader(t->context, vs, NULL, 0);
	ID3D11DeviceContext_VSGetShader(t->context, &shader, NULL, NULL);
	tap_ok(shader == vs, "the vertex shader is read back");
	ID3D11VertexShader_Release(shader);
	ID3D11DeviceContext_PSSetConstantBuffers(t->context, 13, 1, &constants);
	ID3D11DeviceContext_PSGetConstantBuffers(t->context, 13, 1, &buffer);
	tap_ok(buffer == constants, "constant buffer 13 is read back");
	ID3D11Buffer_Release(buffer);
	ID3D11DeviceContext_PSSetConstantBuffers(t->context, 13, 1, &vertices);
	ID3D11DeviceContext_PSGetConstantBuffers(t->context, 13, 1, &buffer);
	tap_ok(!buffer, "a vertex buffer is no constant buffer");
	ID3D11DeviceContext_IASetPrimitiveTopology(t->context, D3D11_PRIMITIVE_TOPOLOGY_LINESTRIP);
	ID3D11DeviceContext_IAGetPrimitiveTopology(t->context, &topology);
	tap_eq(topology, D3D11_PRIMITIVE_TOPOLOGY_LINESTRIP, "the topology is read back");
	ID3D11DeviceContext_RSSetViewports(t->context, 2, viewports);
	ID3D11DeviceContext_RSGetViewports(t->context, &count, NULL);
	tap_eq(count, 2, "two viewports are set");
	ID3D11DeviceContext_RSGetViewports(t->context, &count, got);
	tap_mem(got, viewports, sizeof(viewports), "and read back");
	ID3D11DeviceContext_OMSetBlendState(t->context, NULL, factor, 0x1234);
	ID3D11DeviceContext_OMGetBlendState(t->context, &blend, got_factor, &mask);
	tap_ok(!blend && mask == 0x1234 && !memcmp(factor, got_factor, sizeof(factor)),
	       "blend state, factor and mask are read back");
	ID3D11DeviceContext_ClearState(t->context);
	count = 0;
	ID3D11DeviceContext_RSGetViewports(t->context, &count, NULL);
	ID3D11DeviceContext_VSGetShader(t->context, &shader, NULL, NULL);
	ID3D11DeviceContext_IAGetPrimitiveTopology(t->context, &topology);
	ID3D11DeviceContext_OMGetBlendState(t->context, NULL, got_factor, &mask);
	tap_ok(!count && !shader && topology == D3D11_PRIMITIVE_TOPOLOGY_UNDEFINED && mask == ~0u && got_factor[2] == 1,
	       "ClearState brings back the defaults");
	ID3D11Buffer_Release(constants);
	ID3D11Buffer_Release(vertices);
	ID3D11VertexShader_Release(vs);
}

static ID3D11ShaderResourceView *bound_view(struct test11 *t, UINT slot)
{
	ID3D11ShaderResourceView *view;

	ID3D11DeviceContext_PSGetShaderResources(t->context, slot, 1, &view);
	if (view)
		ID3D11ShaderResourceView_Release(view);
	return view;
}

static void test_hazards(struct test11 *t)
{
	D3D11_TEXTURE2D_DESC desc = {8,
				     8,
				     2,
				     1,
				     DXGI_FORMAT_R8G8B8A8_UNORM,
				     {1, 0},
				     D3D11_USAGE_DEFAULT,
				     D3D11_BIND_SHADER_RESOURCE | D3D11_BIND_RENDER_TARGET,
				     0,
				     0};
	D3D11_RENDER_TARGET_VIEW_DESC second = {.ViewDimension = D3D11_RTV_DIMENSION_TEXTURE2D, .Texture2D = {1}};
	D3D11_SHADER_RESOURCE_VIEW_DESC top = {.ViewDimension = D3D11_SRV_DIMENSION_TEXTURE2D, .Texture2D = {0, 1}};
	ID3D11RenderTargetView *targets[2], *got;
	ID3D11ShaderResourceView *view;
	ID3D11Texture2D *texture;
	ID3D11Resource *resource;

	top.Format = second.Format = desc.Format;
	ID3D11Device_CreateTexture2D(t->device, &desc, NULL, &texture);
	resource = (ID3D11Resource *)texture;
	ID3D11Device_CreateRenderTargetView(t->device, resource, NULL, &targets[0]);
	ID3D11Device_CreateRenderTargetView(t->device, resource, &second, &targets[1]);
	ID3D11Device_CreateShaderResourceView(t->device, resource, &top, &view);
	ID3D11DeviceContext_PSSetShaderResources(t->context, 3, 1, &view);
	ID3D11DeviceContext_OMSetRenderTargets(t->context, 1, &targets[1], NULL);
	tap_ok(bound_view(t, 3) == view, "another level of the same texture may be a target");
	ID3D11DeviceContext_OMSetRenderTargets(t->context, 1, &targets[0], NULL);
	tap_ok(!bound_view(t, 3), "the same level becoming a target unbinds the shader view");
	ID3D11DeviceContext_PSSetShaderResources(t->context, 3, 1, &view);
	tap_ok(!bound_view(t, 3), "while it is a target it cannot be bound");
	ID3D11DeviceContext_OMGetRenderTargets(t->context, 1, &got, NULL);
	tap_ok(got == targets[0], "the target stays");
	ID3D11RenderTargetView_Release(got);
	ID3D11DeviceContext_OMSetRenderTargets(t->context, 0, NULL, NULL);
	ID3D11DeviceContext_PSSetShaderResources(t->context, 3, 1, &view);
	tap_ok(bound_view(t, 3) == view, "afterwards it can");
	targets[1]->lpVtbl->AddRef(targets[1]);
	got = targets[1];
	targets[1] = targets[0];
	ID3D11DeviceContext_OMSetRenderTargets(t->context, 2, targets, NULL);
	targets[1] = got;
	ID3D11DeviceContext_OMGetRenderTargets(t->context, 1, &got, NULL);
	tap_ok(!got, "one view in two slots is refused: what was bound stays");
	ID3D11RenderTargetView_Release(targets[1]);
	ID3D11DeviceContext_ClearState(t->context);
	ID3D11RenderTargetView_Release(targets[0]);
	ID3D11RenderTargetView_Release(targets[1]);
	ID3D11ShaderResourceView_Release(view);
	ID3D11Texture2D_Release(texture);
}

/* ---- queries ---- */

static HRESULT wait_data(struct test11 *t, ID3D11Query *query, void *data, UINT size)
{
	HRESULT hr;

	while ((hr = ID3D11DeviceContext_GetData(t->context, (ID3D11Asynchronous *)query, data, size, 0)) == S_FALSE)
		usleep(200);
	return hr;
}

static void test_queries(struct test11 *t)
{
	D3D11_QUERY_DESC event_desc = {D3D11_QUERY_EVENT, 0}, occlusion_desc = {D3D11_QUERY_OCCLUSION, 0};
	struct test11_color_pipe pipe;
	struct test11_target target;
	const float white[4] = {1, 1, 1, 1};
	ID3D11Query *event, *occlusion;
	UINT64 samples = 0;
	BOOL done = 7;

	ID3D11Device_CreateQuery(t->device, &event_desc, &event);
	tap_eq(ID3D11Query_GetDataSize(event), sizeof(BOOL), "an event's data is a BOOL");
	tap_eq(ID3D11DeviceContext_GetData(t->context, (ID3D11Asynchronous *)event, &done, sizeof(done), 0),
	       DXGI_ERROR_INVALID_CALL, "data of a query that was never issued");
	ID3D11DeviceContext_End(t->context, (ID3D11Asynchronous *)event);
	tap_eq(ID3D11DeviceContext_GetData(t->context, (ID3D11Asynchronous *)event, &done, 3, 0), E_INVALIDARG,
	       "data of a wrong size");
	tap_eq(wait_data(t, event, &done, sizeof(done)), S_OK, "the event comes");
	tap_eq(done, TRUE, "and is TRUE");
	ID3D11Query_Release(event);
	if (t->level < D3D_FEATURE_LEVEL_9_2)
		return;
	tap_eq(ID3D11Device_CreateQuery(t->device, &occlusion_desc, &occlusion), S_OK, "an occlusion query");
	test11_target_create(t, 16, 16, DXGI_FORMAT_R8G8B8A8_UNORM, &target);
	test11_color_pipe(t, &pipe);
	test11_bind(t, &target, NULL);
	ID3D11DeviceContext_Begin(t->context, (ID3D11Asynchronous *)occlusion);
	test11_draw_rect(t, &pipe, -1, 1, 0, -1, 0, white);
	tap_eq(ID3D11DeviceContext_GetData(t->context, (ID3D11Asynchronous *)occlusion, NULL, 0, 0),
	       DXGI_ERROR_INVALID_CALL, "data between Begin and End");
	ID3D11DeviceContext_End(t->context, (ID3D11Asynchronous *)occlusion);
	test11_draw_rect(t, &pipe, -1, 1, 1, -1, 0, white);
	tap_eq(wait_data(t, occlusion, &samples, sizeof(samples)), S_OK, "the count comes");
	tap_eq(samples, 8 * 16, "half of 16x16 pixels were drawn in between");
	test11_color_pipe_destroy(&pipe);
	test11_target_destroy(&target);
	ID3D11Query_Release(occlusion);
}

static void test_timestamps(struct test11 *t)
{
	D3D11_QUERY_DESC stamp_desc = {D3D11_QUERY_TIMESTAMP, 0}, disjoint_desc = {D3D11_QUERY_TIMESTAMP_DISJOINT, 0};
	D3D11_QUERY_DATA_TIMESTAMP_DISJOINT clock = {0};
	ID3D11Query *stamps[2], *disjoint;
	UINT64 times[2] = {0};

	ID3D11Device_CreateQuery(t->device, &disjoint_desc, &disjoint);
	ID3D11DeviceContext_Begin(t->context, (ID3D11Asynchronous *)disjoint);
	for (unsigned i = 0; i < 2; i++) {
		ID3D11Device_CreateQuery(t->device, &stamp_desc, &stamps[i]);
		ID3D11DeviceContext_End(t->context, (ID3D11Asynchronous *)stamps[i]);
	}
	ID3D11DeviceContext_End(t->context, (ID3D11Asynchronous *)disjoint);
	tap_eq(wait_data(t, disjoint, &clock, sizeof(clock)), S_OK, "the clock's frequency comes");
	tap_ok(clock.Frequency > 0 && !clock.Disjoint, "is not 0 and the clock is steady");
	for (unsigned i = 0; i < 2; i++) {
		wait_data(t, stamps[i], &times[i], sizeof(times[i]));
		ID3D11Query_Release(stamps[i]);
	}
	tap_ok(times[0] && times[1] >= times[0], "time goes forward");
	ID3D11Query_Release(disjoint);
}

int main(void)
{
	struct test11 t;

	test11_must_open(&t);
	tap_diag("feature level %s", test11_level_name(t.level));
	test_map_rules(&t);
	test_buffers(&t);
	test_textures(&t);
	test_staging_writes(&t);
	test_volume(&t);
	test_compressed(&t);
	if (t.level >= D3D_FEATURE_LEVEL_10_0) {
		test_subresources(&t);
		test_depth_copy(&t);
	}
	test_getters(&t);
	test_hazards(&t);
	test_queries(&t);
	test_timestamps(&t);
	test11_close(&t);
	return tap_done();
}
