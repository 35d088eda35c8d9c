// SPDX-License-Identifier: MIT
// The scene's shaders for vs_4_0 and ps_4_0. The constant buffer is struct scene_constants of scene.h.
cbuffer constants : register(b0)
{
    float4 transform[4];
    float4 world[3];
    float4 color;
    float4 light;
    float4 eye;
};

struct varyings
{
    float4 position : SV_Position;
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

float4 ps_main(float4 position : SV_Position, float3 normal : TEXCOORD0, float3 view : TEXCOORD1) : SV_Target
{
    float3 n = normalize(normal);
    float3 h = normalize(normalize(view) + light.xyz);
    float diffuse = saturate(dot(n, light.xyz));
    float specular = pow(saturate(dot(n, h)), eye.w) * color.w;

    return float4(color.xyz * (light.w + diffuse) + specular, 1.0f);
}
