// SPDX-License-Identifier: MIT
// Two constant buffers per stage; the vertex shader's second holds an offset, the pixel shader's a tint.
cbuffer Transform : register(b0) {
	float4 scale;
};
cbuffer Offset : register(b1) {
	float4 offset;
};
cbuffer Tint : register(b0) {
	float4 tint;
};

float4 vs_main(float3 position : POSITION) : SV_Position
{
	return float4(position, 1) * scale + offset;
}

cbuffer Bias : register(b2) {
	float4 bias;
};

float4 ps_main() : SV_Target
{
	return tint + bias;
}
