// SPDX-License-Identifier: MIT
// Relative addressing of constants, temporaries and immediate arrays.
#include "varyings.hlsl"

float4 table[8];

static const float4 immediate[4] = {
	float4(1, 2, 3, 4), float4(5, 6, 7, 8), float4(9, 10, 11, 12), float4(13, 14, 15, 16),
};

float4 constants(varyings v) : SV_Target
{
	return table[(uint)v.b.z % 8] + table[0];
}

float4 immediates(varyings v) : SV_Target
{
	return immediate[(uint)v.b.z % 4];
}

float4 temporaries(varyings v) : SV_Target
{
	float4 values[4];

	for (uint i = 0; i < 4; i++)
		values[i] = v.a * (float)i;
	values[(uint)v.b.z % 4] += 1;
	return values[(uint)v.b.z % 4] + values[1];
}

varyings vertex(float4 position : POSITION, float4 a : TEXCOORD0, float4 b : TEXCOORD1, float4 c : TEXCOORD2)
{
	varyings result;

	result.position = position;
	result.a = table[(int)abs(b.z) % 8];
	result.b = b;
	result.c = c;
	return result;
}
