/* SPDX-License-Identifier: MIT */
/*
 * Methods of stages that are not built: stream output, indirect draws, compute, unordered access, command lists,
 * resource clamps. Nothing that they need can be created; the call is logged with D3DGPU_DEBUG=calls and does nothing.
 * And event annotations, which nobody listens to.
 */
#include "d3d11_private.h"

static void refuse(const char *method)
{
	runtime_refused(method, "not built");
}

static void STDMETHODCALLTYPE context_SOSetTargets(ID3D11DeviceContext1 *iface, UINT count,
						   ID3D11Buffer *const *buffers, const UINT *offsets)
{
	if (count)
		refuse("SOSetTargets");
}

static void STDMETHODCALLTYPE context_SOGetTargets(ID3D11DeviceContext1 *iface, UINT count, ID3D11Buffer **buffers)
{
	for (UINT i = 0; buffers && i < count; i++)
		buffers[i] = NULL;
}

static void STDMETHODCALLTYPE context_DrawAuto(ID3D11DeviceContext1 *iface)
{
	refuse("DrawAuto");
}

static void STDMETHODCALLTYPE context_DrawIndexedInstancedIndirect(ID3D11DeviceContext1 *iface, ID3D11Buffer *args,
								   UINT offset)
{
	refuse("DrawIndexedInstancedIndirect");
}

static void STDMETHODCALLTYPE context_DrawInstancedIndirect(ID3D11DeviceContext1 *iface, ID3D11Buffer *args,
							    UINT offset)
{
	refuse("DrawInstancedIndirect");
}

static void STDMETHODCALLTYPE context_Dispatch(ID3D11DeviceContext1 *iface, UINT x, UINT y, UINT z)
{
	refuse("Dispatch");
}

static void STDMETHODCALLTYPE context_DispatchIndirect(ID3D11DeviceContext1 *iface, ID3D11Buffer *args, UINT offset)
{
	refuse("DispatchIndirect");
}

static void STDMETHODCALLTYPE context_CopyStructureCount(ID3D11DeviceContext1 *iface, ID3D11Buffer *dst, UINT offset,
							 ID3D11UnorderedAccessView *src)
{
	refuse("CopyStructureCount");
}

static void STDMETHODCALLTYPE context_ClearUnorderedAccessViewUint(ID3D11DeviceContext1 *iface,
								   ID3D11UnorderedAccessView *view,
								   const UINT values[4])
{
	refuse("ClearUnorderedAccessViewUint");
}

static void STDMETHODCALLTYPE context_ClearUnorderedAccessViewFloat(ID3D11DeviceContext1 *iface,
								    ID3D11UnorderedAccessView *view,
								    const FLOAT values[4])
{
	refuse("ClearUnorderedAccessViewFloat");
}

static void STDMETHODCALLTYPE context_CSSetUnorderedAccessViews(ID3D11DeviceContext1 *iface, UINT first, UINT count,
								ID3D11UnorderedAccessView *const *views,
								const UINT *initial)
{
	if (count)
		refuse("CSSetUnorderedAccessViews");
}

static void STDMETHODCALLTYPE context_CSGetUnorderedAccessViews(ID3D11DeviceContext1 *iface, UINT first, UINT count,
								ID3D11UnorderedAccessView **views)
{
	for (UINT i = 0; views && i < count; i++)
		views[i] = NULL;
}

static void STDMETHODCALLTYPE context_SetResourceMinLOD(ID3D11DeviceContext1 *iface, ID3D11Resource *resource,
							FLOAT lod)
{
	refuse("SetResourceMinLOD");
}

static FLOAT STDMETHODCALLTYPE context_GetResourceMinLOD(ID3D11DeviceContext1 *iface, ID3D11Resource *resource)
{
	return 0.0f;
}

static void STDMETHODCALLTYPE context_ExecuteCommandList(ID3D11DeviceContext1 *iface, ID3D11CommandList *list,
							 BOOL restore)
{
	refuse("ExecuteCommandList");
}

static void STDMETHODCALLTYPE context_SwapDeviceContextState(ID3D11DeviceContext1 *iface, ID3DDeviceContextState *state,
							     ID3DDeviceContextState **before)
{
	if (before)
		*before = NULL;
	refuse("SwapDeviceContextState");
}

void context_unbuilt_methods(ID3D11DeviceContext1Vtbl *vtbl)
{
	vtbl->SOSetTargets = context_SOSetTargets;
	vtbl->SOGetTargets = context_SOGetTargets;
	vtbl->DrawAuto = context_DrawAuto;
	vtbl->DrawIndexedInstancedIndirect = context_DrawIndexedInstancedIndirect;
	vtbl->DrawInstancedIndirect = context_DrawInstancedIndirect;
	vtbl->Dispatch = context_Dispatch;
	vtbl->DispatchIndirect = context_DispatchIndirect;
	vtbl->CopyStructureCount = context_CopyStructureCount;
	vtbl->ClearUnorderedAccessViewUint = context_ClearUnorderedAccessViewUint;
	vtbl->ClearUnorderedAccessViewFloat = context_ClearUnorderedAccessViewFloat;
	vtbl->CSSetUnorderedAccessViews = context_CSSetUnorderedAccessViews;
	vtbl->CSGetUnorderedAccessViews = context_CSGetUnorderedAccessViews;
	vtbl->SetResourceMinLOD = context_SetResourceMinLOD;
	vtbl->GetResourceMinLOD = context_GetResourceMinLOD;
	vtbl->ExecuteCommandList = context_ExecuteCommandList;
	vtbl->SwapDeviceContextState = context_SwapDeviceContextState;
}

/* ---- ID3DUserDefinedAnnotation ---- */

static struct d3d11_child *from_annotation(ID3DUserDefinedAnnotation *iface)
{
	return (struct d3d11_child *)((char *)iface - offsetof(struct d3d11_context, annotation));
}

static HRESULT STDMETHODCALLTYPE annotation_QueryInterface(ID3DUserDefinedAnnotation *iface, REFIID riid, void **out)
{
	return child_QueryInterface(from_annotation(iface), riid, out);
}

static ULONG STDMETHODCALLTYPE annotation_AddRef(ID3DUserDefinedAnnotation *iface)
{
	return child_AddRef(from_annotation(iface));
}

static ULONG STDMETHODCALLTYPE annotation_Release(ID3DUserDefinedAnnotation *iface)
{
	return child_Release(from_annotation(iface));
}

/* -1: no tool is listening. */
static INT STDMETHODCALLTYPE annotation_BeginEvent(ID3DUserDefinedAnnotation *iface, LPCWSTR name)
{
	return -1;
}

static INT STDMETHODCALLTYPE annotation_EndEvent(ID3DUserDefinedAnnotation *iface)
{
	return -1;
}

static void STDMETHODCALLTYPE annotation_SetMarker(ID3DUserDefinedAnnotation *iface, LPCWSTR name)
{
}

static BOOL STDMETHODCALLTYPE annotation_GetStatus(ID3DUserDefinedAnnotation *iface)
{
	return FALSE;
}

const ID3DUserDefinedAnnotationVtbl annotation_vtbl = {
	.QueryInterface = annotation_QueryInterface,
	.AddRef = annotation_AddRef,
	.Release = annotation_Release,
	.BeginEvent = annotation_BeginEvent,
	.EndEvent = annotation_EndEvent,
	.SetMarker = annotation_SetMarker,
	.GetStatus = annotation_GetStatus,
};
