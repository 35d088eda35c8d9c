// SPDX-License-Identifier: MIT
// Texture instructions of shader model 4 and later.
#include "varyings.hlsl"

Texture2D image : register(t0);
Texture2D other : register(t1);
TextureCube cube : register(t2);
Texture2DArray layers : register(t3);
Texture3D volume : register(t4);
Buffer<float4> list : register(t5);
Texture2D<float> depth : register(t6);
SamplerState plain : register(s0);
SamplerComparisonState compare : register(s1);

float4 sample_level(varyings v) : SV_Target
{
	return image.SampleLevel(plain, v.a.xy, v.a.z);
}

float4 sample_gradient(varyings v) : SV_Target
{
	return image.SampleGrad(plain, v.a.xy, v.a.zz, v.a.zz);
}

float4 sample_implicit(varyings v) : SV_Target
{
	return image.Sample(plain, v.a.xy) + image.SampleBias(plain, v.a.xy, -8);
}

float4 load(varyings v) : SV_Target
{
	return image.Load(int3((int)(v.a.x * 4), (int)(v.a.y * 4), 0)) + image.Load(int3(0, 0, 1), int2(1, 1));
}

float4 gather(varyings v) : SV_Target
{
	return image.Gather(plain, v.a.xy);
}

float4 size(varyings v) : SV_Target
{
	uint width, height, levels;

	image.GetDimensions(0, width, height, levels);
	return float4(width, height, levels, 1);
}

float4 sample_compare(varyings v) : SV_Target
{
	return float4(depth.SampleCmpLevelZero(compare, v.a.xy, v.a.z), depth.SampleCmp(compare, v.a.xy, v.a.z), 0, 1);
}

float4 sample_cube(varyings v) : SV_Target
{
	return cube.SampleLevel(plain, v.a.xyz, 0);
}

float4 sample_array(varyings v) : SV_Target
{
	return layers.SampleLevel(plain, v.a.xyz, 0);
}

float4 sample_volume(varyings v) : SV_Target
{
	return volume.SampleLevel(plain, v.a.xyz, 0);
}

float4 load_buffer(varyings v) : SV_Target
{
	return list.Load((int)v.a.x);
}

float4 gather_offset(varyings v) : SV_Target
{
	return image.Gather(plain, v.a.xy, int2(v.b.xy));
}
