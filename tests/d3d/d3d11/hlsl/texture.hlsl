// SPDX-License-Identifier: MIT
Texture2D picture : register(t0);
Texture2DArray pictures : register(t1);
TextureCube surroundings : register(t2);
Texture2D<float> depth : register(t3);
SamplerState plain : register(s0);
SamplerComparisonState compare : register(s1);

struct Varyings {
	float4 position : SV_Position;
	float3 coordinate : TEXCOORD;
};

Varyings vs_main(float3 position : POSITION, float3 coordinate : TEXCOORD)
{
	Varyings o;

	o.position = float4(position, 1);
	o.coordinate = coordinate;
	return o;
}

float4 ps_main(Varyings i) : SV_Target
{
	return picture.Sample(plain, i.coordinate.xy);
}

float4 ps_array(Varyings i) : SV_Target
{
	return pictures.Sample(plain, i.coordinate);
}

float4 ps_cube(Varyings i) : SV_Target
{
	return surroundings.Sample(plain, i.coordinate);
}

float4 ps_shadow(Varyings i) : SV_Target
{
	float lit = depth.SampleCmpLevelZero(compare, i.coordinate.xy, i.coordinate.z);

	return float4(lit, lit, lit, 1);
}
