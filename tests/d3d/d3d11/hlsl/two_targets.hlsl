// SPDX-License-Identifier: MIT
struct Outputs {
	float4 first : SV_Target0;
	float4 second : SV_Target1;
};

struct Varyings {
	float4 position : SV_Position;
	float4 color : COLOR;
};

Outputs ps_main(Varyings i)
{
	Outputs o;

	o.first = i.color;
	o.second = 1 - i.color;
	return o;
}
