// SPDX-License-Identifier: MIT
// Shaders of the measurements, Direct3D 9. Positions come in clip space.

float4 constant : register(c0);
sampler2D image : register(s0);

float4 moved_vs(float4 position : POSITION) : POSITION
{
	return position + constant;
}

float4 tinted_ps() : COLOR
{
	return constant;
}

float4 inverted_ps() : COLOR
{
	return 1 - constant;
}

float4 textured_ps() : COLOR
{
	return tex2D(image, constant.xy);
}

// 0.123 is replaced in the bytecode: a shader that the driver has not seen.
float4 unseen_ps() : COLOR
{
	return constant * 0.123;
}
