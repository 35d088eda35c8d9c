// SPDX-License-Identifier: MIT
struct Varyings {
	float4 position : SV_Position;
	float4 color : COLOR;
};

Varyings vs_main(float3 position : POSITION, float2 place : PLACE, float4 color : COLOR)
{
	Varyings o;

	o.position = float4(position.xy + place, position.z, 1);
	o.color = color;
	return o;
}
