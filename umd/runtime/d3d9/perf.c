/* SPDX-License-Identifier: MIT */
/* D3DPERF_*: markers for profilers. No profiler is attached: events only nest. */
#include <windows.h>
#include <d3d9.h>

static __thread int depth;	/* of BeginEvent in this thread */

__attribute__((visibility("default"))) int WINAPI D3DPERF_BeginEvent(D3DCOLOR color, const WCHAR *name)
{
	return depth++;
}

__attribute__((visibility("default"))) int WINAPI D3DPERF_EndEvent(void)
{
	if (!depth)
		return -1;
	return --depth;
}

__attribute__((visibility("default"))) DWORD WINAPI D3DPERF_GetStatus(void)
{
	return 0;
}

__attribute__((visibility("default"))) BOOL WINAPI D3DPERF_QueryRepeatFrame(void)
{
	return FALSE;
}

__attribute__((visibility("default"))) void WINAPI D3DPERF_SetMarker(D3DCOLOR color, const WCHAR *name)
{
}

__attribute__((visibility("default"))) void WINAPI D3DPERF_SetOptions(DWORD options)
{
}

__attribute__((visibility("default"))) void WINAPI D3DPERF_SetRegion(D3DCOLOR color, const WCHAR *name)
{
}
