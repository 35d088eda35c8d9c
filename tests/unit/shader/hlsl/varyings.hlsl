// SPDX-License-Identifier: MIT
struct varyings
{
	float4 position : SV_Position;
	float4 a : TEXCOORD0;
	float4 b : TEXCOORD1;
	float4 c : TEXCOORD2;
};
