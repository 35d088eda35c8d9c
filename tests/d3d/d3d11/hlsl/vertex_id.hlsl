// SPDX-License-Identifier: MIT
// A triangle over the whole target, from the vertex number alone; the colour tells the number of the instance.
struct Varyings {
	float4 position : SV_Position;
	float4 color : COLOR;
};

Varyings vs_main(uint vertex : SV_VertexID, uint instance : SV_InstanceID)
{
	Varyings o;

	o.position = float4(vertex == 1 ? 3 : -1, vertex == 2 ? -3 : 1, 0, 1);
	o.color = instance == 0 ? float4(0, 1, 0, 1) : float4(0, 0, 1, 1);
	return o;
}
