// SPDX-License-Identifier: MIT
// Values that the device generates, and outputs that it takes.
struct varyings
{
	float4 position : SV_Position;
	float4 a : TEXCOORD0;
};

varyings ids(float4 position : POSITION, uint vertex : SV_VertexID, uint instance : SV_InstanceID)
{
	varyings result;

	result.position = position;
	result.a = float4(vertex, instance, 0, 1);
	return result;
}

float4 show(varyings v) : SV_Target
{
	return v.a;
}

float4 position(varyings v) : SV_Target
{
	return v.position;
}

float4 face(varyings v, bool front : SV_IsFrontFace) : SV_Target
{
	return front ? float4(1, 2, 3, 4) : float4(5, 6, 7, 8);
}

struct targets
{
	float4 colour : SV_Target;
	float depth : SV_Depth;
};

targets depth(varyings v)
{
	targets result;

	result.colour = v.a;
	result.depth = 0.25;
	return result;
}

struct clipped
{
	float4 position : SV_Position;
	float4 a : TEXCOORD0;
	float distance : SV_ClipDistance0;
};

clipped clip(float4 position : POSITION, float4 a : TEXCOORD0)
{
	clipped result;

	result.position = position;
	result.a = a;
	result.distance = a.x;
	return result;
}

struct several
{
	float4 first : SV_Target0;
	float4 third : SV_Target2;
};

several outputs(varyings v)
{
	several result;

	result.first = v.a;
	result.third = v.a * 2;
	return result;
}

float4 primitives(varyings v, uint id : SV_PrimitiveID) : SV_Target
{
	return float4(id, 0, 0, 1);
}
