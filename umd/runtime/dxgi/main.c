/* SPDX-License-Identifier: MIT */
/* The exports of libdxgi.so. */
#include "dxgi_private.h"

DXGI_EXPORT HRESULT WINAPI CreateDXGIFactory(REFIID riid, void **factory)
{
	return dxgi_factory_create(false, riid, factory);
}

DXGI_EXPORT HRESULT WINAPI CreateDXGIFactory1(REFIID riid, void **factory)
{
	return dxgi_factory_create(true, riid, factory);
}

DXGI_EXPORT HRESULT WINAPI CreateDXGIFactory2(UINT flags, REFIID riid, void **factory)
{
	/* The debug factory needs a debug layer, which is not there. */
	if (flags & DXGI_CREATE_FACTORY_DEBUG)
		return DXGI_ERROR_SDK_COMPONENT_MISSING;
	if (flags)
		return DXGI_ERROR_INVALID_CALL;
	return dxgi_factory_create(true, riid, factory);
}
