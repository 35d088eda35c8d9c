// SPDX-License-Identifier: MIT
struct Varyings {
	float4 position : SV_Position;
	float4 color : COLOR;
};

Varyings vs_main(float3 position : POSITION, float4 color : COLOR)
{
	Varyings o;

	o.position = float4(position, 1);
	o.color = color;
	return o;
}

float4 ps_main(Varyings i) : SV_Target
{
	return i.color;
}
