// SPDX-License-Identifier: MIT
// Shaders of the Direct3D 9 tests. Positions come in clip space.

float4 constant : register(c0);
float4 scale : register(c0);
float4 offset : register(c1);
sampler2D image : register(s0);
samplerCUBE cube : register(s0);
sampler3D volume : register(s0);

struct color_vertex {
	float4 position : POSITION;
	float4 color : COLOR0;
};

struct textured_vertex {
	float4 position : POSITION;
	float4 coordinate : TEXCOORD0;
};

struct instanced_vertex {
	float4 position : POSITION;
	float4 color : COLOR0;
	float4 place : TEXCOORD1;
};

color_vertex color_vs(color_vertex v)
{
	return v;
}

float4 color_ps(float4 color : COLOR0) : COLOR
{
	return color;
}

color_vertex moved_vs(color_vertex v)
{
	color_vertex o;
	o.position = v.position * scale + offset;
	o.color = v.color;
	return o;
}

color_vertex instanced_vs(instanced_vertex v)
{
	color_vertex o;
	o.position = v.position + v.place;
	o.color = v.color;
	return o;
}

textured_vertex textured_vs(textured_vertex v)
{
	return v;
}

float4 constant_ps() : COLOR
{
	return constant;
}

float4 textured_ps(float4 coordinate : TEXCOORD0) : COLOR
{
	return tex2D(image, coordinate.xy);
}

float4 projected_ps(float4 coordinate : TEXCOORD0) : COLOR
{
	return tex2Dproj(image, coordinate);
}

float4 cube_ps(float4 coordinate : TEXCOORD0) : COLOR
{
	return texCUBE(cube, coordinate.xyz);
}

float4 volume_ps(float4 coordinate : TEXCOORD0) : COLOR
{
	return tex3D(volume, coordinate.xyz);
}

struct targets {
	float4 first : COLOR0;
	float4 second : COLOR1;
};

targets two_ps(float4 color : COLOR0)
{
	targets o;
	o.first = color;
	o.second = 1 - color;
	return o;
}
