// SPDX-License-Identifier: MIT
// Flow control that the device does not have as such.
#include "varyings.hlsl"

float4 loops(varyings v) : SV_Target
{
	float4 sum = 0;

	for (int i = 0; i < 10; i++)
	{
		if (i == 3)
			continue;
		if (sum.x > 40)
			break;
		sum += v.b * i;
		if (v.a.x < -2)
			return -1;
	}
	return sum;
}

float4 nested(varyings v) : SV_Target
{
	float count = 0, inner = 0;

	[loop] for (int i = 0; i < 5; i++)
	{
		[loop] for (int j = 0; j < 5; j++)
		{
			if (j > i)
				break;
			if ((i + j) % 2)
				continue;
			inner += 1;
		}
		if (v.b.x * i > 6)
			break;
		count += 1;
	}
	return float4(count, inner, 0, 1);
}

float4 switches(varyings v) : SV_Target
{
	float4 result = 5;

	[forcecase] switch ((int)v.b.x)
	{
		case 0:
			result.x = 10;
			break;
		case 1:
		case 2:
			result.y = 20;
			if (v.a.x > 5)
				break;
			result.z = 30;
			break;
		case 3:
			return 7;
		default:
			result.w = 40;
			break;
	}
	return result;
}

float4 discards(varyings v) : SV_Target
{
	if (v.a.x < 0)
		discard;
	return v.a;
}

float4 early_return(varyings v) : SV_Target
{
	float4 result = v.a;

	if (v.a.x > 0)
	{
		if (v.a.x > 1)
			return v.b;
		result = v.c;
	}
	return result * 2;
}
