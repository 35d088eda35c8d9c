// SPDX-License-Identifier: MIT
// A usual pair: transform, one directional light, texture.
float4x4 transform;
float4 light;		// direction, w = ambient
sampler2D image;

struct varyings
{
	float4 position : SV_Position;
	float4 colour : COLOR0;
	float2 coordinate : TEXCOORD0;
};

varyings vertex(float4 position : POSITION, float3 normal : TEXCOORD0, float2 coordinate : TEXCOORD1)
{
	varyings result;

	result.position = mul(transform, position);
	result.colour = max(dot(normal, light.xyz), 0) + light.w;
	result.coordinate = coordinate;
	return result;
}

float4 pixel(varyings input) : SV_Target
{
	return tex2D(image, input.coordinate) * input.colour;
}
