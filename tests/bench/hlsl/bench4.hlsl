// SPDX-License-Identifier: MIT
// Shaders of the measurements, Direct3D 11. Positions come in clip space.

cbuffer Constants : register(b0) {
	float4 constant;
};
Texture2D image : register(t0);
SamplerState plain : register(s0);

float4 moved_vs(float4 position : POSITION) : SV_Position
{
	return position + constant;
}

float4 tinted_ps() : SV_Target
{
	return constant;
}

float4 inverted_ps() : SV_Target
{
	return 1 - constant;
}

float4 textured_ps() : SV_Target
{
	return image.Sample(plain, constant.xy);
}
