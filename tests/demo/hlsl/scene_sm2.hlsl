// SPDX-License-Identifier: MIT
// The scene's shaders for vs_2_0 and ps_2_0. Registers: struct scene_constants of scene.h, from c0.
float4 transform[4] : register(c0);
float4 world[3] : register(c4);
float4 color : register(c7);
float4 light : register(c8);
float4 eye : register(c9);

struct varyings
{
    float4 position : POSITION;
    float3 normal : TEXCOORD0;
    float3 view : TEXCOORD1;
};

varyings vs_main(float4 position : POSITION, float3 normal : NORMAL)
{
    varyings o;
    float3 at = float3(dot(world[0], position), dot(world[1], position), dot(world[2], position));

    o.position = float4(dot(transform[0], position), dot(transform[1], position),
                        dot(transform[2], position), dot(transform[3], position));
    o.normal = float3(dot(world[0].xyz, normal), dot(world[1].xyz, normal), dot(world[2].xyz, normal));
    o.view = eye.xyz - at;
    return o;
}

float4 ps_main(float3 normal : TEXCOORD0, float3 view : TEXCOORD1) : COLOR0
{
    float3 n = normalize(normal);
    float3 h = normalize(normalize(view) + light.xyz);
    float diffuse = saturate(dot(n, light.xyz));
    float specular = pow(saturate(dot(n, h)), eye.w) * color.w;

    return float4(color.xyz * (light.w + diffuse) + specular, 1.0f);
}
