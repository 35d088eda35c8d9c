// SPDX-License-Identifier: MIT
// A geometry shader: each point becomes itself and a copy, one row further down, with another colour.
#include "varyings.hlsl"

[maxvertexcount(2)]
void main(point varyings input[1], inout PointStream<varyings> output)
{
	varyings vertex = input[0];

	output.Append(vertex);
	vertex.position.y -= 1;
	vertex.a = input[0].a + input[0].b;
	output.Append(vertex);
	output.RestartStrip();
}

float4 show(varyings v) : SV_Target
{
	return v.a;
}

// Each point with its number.
[maxvertexcount(1)]
void numbers(point varyings input[1], uint primitive_id : SV_PrimitiveID, inout PointStream<varyings> output)
{
	varyings vertex = input[0];

	vertex.a = float4(primitive_id, 0, 0, 1);
	output.Append(vertex);
}
