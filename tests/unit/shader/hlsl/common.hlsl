// SPDX-License-Identifier: MIT
// The vertex shader of pixel shader tests: the position and three operands, as they come.
struct varyings
{
	float4 position : SV_Position;
	float4 a : TEXCOORD0;
	float4 b : TEXCOORD1;
	float4 c : TEXCOORD2;
};

varyings main(float4 position : POSITION, float4 a : TEXCOORD0, float4 b : TEXCOORD1, float4 c : TEXCOORD2)
{
	varyings result;

	result.position = position;
	result.a = a;
	result.b = b;
	result.c = c;
	return result;
}
