/* SPDX-License-Identifier: MIT */
/*
 * The Direct3D 9 user-mode driver interface: the entry point, what GetCaps answers, and the table of device functions, as
 * Microsoft documents them for WDDM 1.3 (entries 0..139). A driver exports OpenAdapter; everything else is reached from it.
 * The header is this project's own; names, order and layout are the published ones.
 */
#ifndef D3D9UMDDI_H
#define D3D9UMDDI_H

#include <windows.h>
#include <d3d9types.h>
#include <d3d9caps.h>

#include "d3d9umddi_args.h"
#include "d3dumddi.h"

/* ---- capabilities ---- */

/* D3DDDIARG_GETCAPS.Type. COUNT types write a UINT; DATA types an array of that many elements. */
typedef enum _D3DDDICAPS_TYPE {
	D3DDDICAPS_DDRAW = 1,
	D3DDDICAPS_DDRAW_MODE_SPECIFIC = 2,
	D3DDDICAPS_GETFORMATCOUNT = 3,
	D3DDDICAPS_GETFORMATDATA = 4,
	D3DDDICAPS_GETMULTISAMPLEQUALITYLEVELS = 5,
	D3DDDICAPS_GETD3DQUERYCOUNT = 6,
	D3DDDICAPS_GETD3DQUERYDATA = 7,
	D3DDDICAPS_GETD3D3CAPS = 8,
	D3DDDICAPS_GETD3D5CAPS = 9,
	D3DDDICAPS_GETD3D6CAPS = 10,
	D3DDDICAPS_GETD3D7CAPS = 11,
	D3DDDICAPS_GETD3D8CAPS = 12,
	D3DDDICAPS_GETD3D9CAPS = 13,
	D3DDDICAPS_GETDECODEGUIDCOUNT = 14,
	D3DDDICAPS_GETDECODEGUIDS = 15,
	D3DDDICAPS_GETDECODERTFORMATCOUNT = 16,
	D3DDDICAPS_GETDECODERTFORMATS = 17,
	D3DDDICAPS_GETDECODECOMPRESSEDBUFFERINFOCOUNT = 18,
	D3DDDICAPS_GETDECODECOMPRESSEDBUFFERINFO = 19,
	D3DDDICAPS_GETDECODECONFIGURATIONCOUNT = 20,
	D3DDDICAPS_GETDECODECONFIGURATIONS = 21,
	D3DDDICAPS_GETVIDEOPROCESSORDEVICEGUIDCOUNT = 22,
	D3DDDICAPS_GETVIDEOPROCESSORDEVICEGUIDS = 23,
	D3DDDICAPS_GETVIDEOPROCESSORRTFORMATCOUNT = 24,
	D3DDDICAPS_GETVIDEOPROCESSORRTFORMATS = 25,
	D3DDDICAPS_GETVIDEOPROCESSORRTSUBSTREAMFORMATCOUNT = 26,
	D3DDDICAPS_GETVIDEOPROCESSORRTSUBSTREAMFORMATS = 27,
	D3DDDICAPS_GETVIDEOPROCESSORCAPS = 28,
	D3DDDICAPS_GETPROCAMPRANGE = 29,
	D3DDDICAPS_FILTERPROPERTYRANGE = 30,
	D3DDDICAPS_GETEXTENSIONGUIDCOUNT = 31,
	D3DDDICAPS_GETEXTENSIONGUIDS = 32,
	D3DDDICAPS_GETEXTENSIONCAPS = 33,
	D3DDDICAPS_GETGAMMARAMPCAPS = 34,
	D3DDDICAPS_CHECKOVERLAYSUPPORT = 35,
	D3DDDICAPS_DXVAHD_GETVPDEVCAPS = 36,
	D3DDDICAPS_DXVAHD_GETVPOUTPUTFORMATS = 37,
	D3DDDICAPS_DXVAHD_GETVPINPUTFORMATS = 38,
	D3DDDICAPS_DXVAHD_GETVPCAPS = 39,
	D3DDDICAPS_DXVAHD_GETVPCUSTOMRATES = 40,
	D3DDDICAPS_DXVAHD_GETVPFILTERRANGE = 41,
	D3DDDICAPS_GETCONTENTPROTECTIONCAPS = 42,
	D3DDDICAPS_GETCERTIFICATESIZE = 43,
	D3DDDICAPS_GETCERTIFICATE = 44,
	D3DDDICAPS_GET_ARCHITECTURE_INFO = 45,
	D3DDDICAPS_GET_SHADER_MIN_PRECISION_SUPPORT = 46,
	D3DDDICAPS_GET_MULTIPLANE_OVERLAY_CAPS = 47,
	D3DDDICAPS_GET_MULTIPLANE_OVERLAY_FILTER_RANGE = 48,
	D3DDDICAPS_GET_MULTIPLANE_OVERLAY_GROUP_CAPS = 49,
	D3DDDICAPS_GET_SIMPLE_INSTANCING_SUPPORT = 50,
	D3DDDICAPS_GET_MARKER_CAPS = 51,
} D3DDDICAPS_TYPE;

/* What a format can be used for: element of GETFORMATDATA. Masks of sample types: bit (D3DDDIMULTISAMPLE_TYPE - 1). */
typedef struct _FORMATOP {
	D3DDDIFORMAT Format;
	UINT Operations;		/* FORMATOP_* */
	UINT FlipMsTypes;		/* full screen */
	UINT BltMsTypes;		/* windowed */
	UINT PrivateFormatBitCount;	/* with FORMATOP_PIXELSIZE */
} FORMATOP;

#define FORMATOP_TEXTURE 0x00000001u
#define FORMATOP_VOLUMETEXTURE 0x00000002u
#define FORMATOP_CUBETEXTURE 0x00000004u
#define FORMATOP_OFFSCREEN_RENDERTARGET 0x00000008u
#define FORMATOP_SAME_FORMAT_RENDERTARGET 0x00000010u
#define FORMATOP_ZSTENCIL 0x00000040u
#define FORMATOP_ZSTENCIL_WITH_ARBITRARY_COLOR_DEPTH 0x00000080u
#define FORMATOP_SAME_FORMAT_UP_TO_ALPHA_RENDERTARGET 0x00000100u
#define FORMATOP_DISPLAYMODE 0x00000400u
#define FORMATOP_3DACCELERATION 0x00000800u
#define FORMATOP_PIXELSIZE 0x00001000u
#define FORMATOP_CONVERT_TO_ARGB 0x00002000u
#define FORMATOP_OFFSCREENPLAIN 0x00004000u
#define FORMATOP_SRGBREAD 0x00008000u
#define FORMATOP_BUMPMAP 0x00010000u
#define FORMATOP_DMAP 0x00020000u
#define FORMATOP_NOFILTER 0x00040000u
#define FORMATOP_MEMBEROFGROUP_ARGB 0x00080000u
#define FORMATOP_SRGBWRITE 0x00100000u
#define FORMATOP_NOALPHABLEND 0x00200000u
#define FORMATOP_AUTOGENMIPMAP 0x00400000u
#define FORMATOP_VERTEXTEXTURE 0x00800000u
#define FORMATOP_NOTEXCOORDWRAPNORMIP 0x01000000u
#define FORMATOP_PLANAR 0x02000000u
#define FORMATOP_OVERLAY 0x04000000u
#define FORMATOP_CAPTURE 0x08000000u
#define FORMATOP_VIDEO_ENCODER 0x10000000u
#define FORMATOP_MULTIPLANE_OVERLAY 0x20000000u

typedef struct _DDIMULTISAMPLEQUALITYLEVELSDATA {
	D3DDDIFORMAT Format;
	BOOL Flip;			/* full screen */
	D3DDDIMULTISAMPLE_TYPE MsType;
	UINT QualityLevels;		/* answer */
} DDIMULTISAMPLEQUALITYLEVELSDATA;

typedef struct _D3DDDICAPS_SIMPLE_INSTANCING_SUPPORT {
	BOOL SimpleInstancingSupported;
} D3DDDICAPS_SIMPLE_INSTANCING_SUPPORT;

typedef struct _D3DDDICAPS_ARCHITECTURE_INFO {
	BOOL TileBasedDeferredRenderer;
} D3DDDICAPS_ARCHITECTURE_INFO;

typedef struct _D3DDDICAPS_SHADER_MIN_PRECISION_SUPPORT {
	UINT VertexShaderMinPrecision;	/* 1 = 10 bits, 2 = 16 bits; 0 = full precision only */
	UINT PixelShaderMinPrecision;
} D3DDDICAPS_SHADER_MIN_PRECISION_SUPPORT;

typedef struct _DDIGAMMACAPS {
	UINT GammaCaps;
} DDIGAMMACAPS;

typedef struct _D3DDDIARG_GETCAPS {
	D3DDDICAPS_TYPE Type;
	VOID *pInfo;
	VOID *pData;
	UINT DataSize;
} D3DDDIARG_GETCAPS;

/* ---- device functions ---- */

/*
 * Every entry takes the driver's device handle first. State setters return S_OK always; others what their line says, and each may
 * return D3DDDIERR_DEVICEREMOVED or D3DDDIERR_DEVICEHUNG when the GPU context is lost.
 */
typedef struct _D3DDDI_DEVICEFUNCS {
	HRESULT (*pfnSetRenderState)(HANDLE hDevice, const D3DDDIARG_RENDERSTATE *pData);
	HRESULT (*pfnUpdateWInfo)(HANDLE hDevice, const D3DDDIARG_WINFO *pData);
	HRESULT (*pfnValidateDevice)(HANDLE hDevice, D3DDDIARG_VALIDATETEXTURESTAGESTATE *pData);
	HRESULT (*pfnSetTextureStageState)(HANDLE hDevice, const D3DDDIARG_TEXTURESTAGESTATE *pData);
	HRESULT (*pfnSetTexture)(HANDLE hDevice, UINT Stage, HANDLE hTexture);
	HRESULT (*pfnSetPixelShader)(HANDLE hDevice, HANDLE hShaderHandle);
	HRESULT (*pfnSetPixelShaderConst)(HANDLE hDevice, const D3DDDIARG_SETPIXELSHADERCONST *pData,
		const FLOAT *pRegisters);
	HRESULT (*pfnSetStreamSourceUm)(HANDLE hDevice, const D3DDDIARG_SETSTREAMSOURCEUM *pData,
		const VOID *pUMBuffer);
	HRESULT (*pfnSetIndices)(HANDLE hDevice, const D3DDDIARG_SETINDICES *pData);
	HRESULT (*pfnSetIndicesUm)(HANDLE hDevice, UINT IndexSize, const VOID *pUMBuffer);
	HRESULT (*pfnDrawPrimitive)(HANDLE hDevice, const D3DDDIARG_DRAWPRIMITIVE *pData, const UINT *pFlagBuffer);
	HRESULT (*pfnDrawIndexedPrimitive)(HANDLE hDevice, const D3DDDIARG_DRAWINDEXEDPRIMITIVE *pData);
	HRESULT (*pfnDrawRectPatch)(HANDLE hDevice, const D3DDDIARG_DRAWRECTPATCH *pData,
		const D3DDDIRECTPATCH_INFO *pInfo, const FLOAT *pPatch);
	HRESULT (*pfnDrawTriPatch)(HANDLE hDevice, const D3DDDIARG_DRAWTRIPATCH *pData,
		const D3DDDITRIPATCH_INFO *pInfo, const FLOAT *pPatch);
	HRESULT (*pfnDrawPrimitive2)(HANDLE hDevice, const D3DDDIARG_DRAWPRIMITIVE2 *pData);
	HRESULT (*pfnDrawIndexedPrimitive2)(HANDLE hDevice, const D3DDDIARG_DRAWINDEXEDPRIMITIVE2 *pData,
		UINT dwIndicesSize, const VOID *pIndexBuffer, const UINT *pFlagBuffer);
	HRESULT (*pfnVolBlt)(HANDLE hDevice, const D3DDDIARG_VOLUMEBLT *pData);
	HRESULT (*pfnBufBlt)(HANDLE hDevice, const D3DDDIARG_BUFFERBLT *pData);
	HRESULT (*pfnTexBlt)(HANDLE hDevice, const D3DDDIARG_TEXBLT *pData);
	HRESULT (*pfnStateSet)(HANDLE hDevice, D3DDDIARG_STATESET *pData);
	HRESULT (*pfnSetPriority)(HANDLE hDevice, const D3DDDIARG_SETPRIORITY *pData);
	HRESULT (*pfnClear)(HANDLE hDevice, const D3DDDIARG_CLEAR *pData, UINT NumRect, const RECT *pRect);
	HRESULT (*pfnUpdatePalette)(HANDLE hDevice, const D3DDDIARG_UPDATEPALETTE *pData,
		const PALETTEENTRY *pPaletteData);
	HRESULT (*pfnSetPalette)(HANDLE hDevice, const D3DDDIARG_SETPALETTE *pData);
	HRESULT (*pfnSetVertexShaderConst)(HANDLE hDevice, const D3DDDIARG_SETVERTEXSHADERCONST *pData,
		const VOID *pRegisters);
	HRESULT (*pfnMultiplyTransform)(HANDLE hDevice, const D3DDDIARG_MULTIPLYTRANSFORM *pData);
	HRESULT (*pfnSetTransform)(HANDLE hDevice, const D3DDDIARG_SETTRANSFORM *pData);
	HRESULT (*pfnSetViewport)(HANDLE hDevice, const D3DDDIARG_VIEWPORTINFO *pData);
	HRESULT (*pfnSetZRange)(HANDLE hDevice, const D3DDDIARG_ZRANGE *pData);
	HRESULT (*pfnSetMaterial)(HANDLE hDevice, const D3DDDIARG_SETMATERIAL *pData);
	HRESULT (*pfnSetLight)(HANDLE hDevice, const D3DDDIARG_SETLIGHT *pData, const D3DDDI_LIGHT *pLightProperties);
	HRESULT (*pfnCreateLight)(HANDLE hDevice, const D3DDDIARG_CREATELIGHT *pData);
	HRESULT (*pfnDestroyLight)(HANDLE hDevice, const D3DDDIARG_DESTROYLIGHT *pData);
	HRESULT (*pfnSetClipPlane)(HANDLE hDevice, const D3DDDIARG_SETCLIPPLANE *pData);
	HRESULT (*pfnGetInfo)(HANDLE hDevice, UINT DevInfoID, VOID *pDevInfoStruct, UINT DevInfoSize);
	HRESULT (*pfnLock)(HANDLE hDevice, D3DDDIARG_LOCK *pData);
	HRESULT (*pfnUnlock)(HANDLE hDevice, const D3DDDIARG_UNLOCK *pData);
	HRESULT (*pfnCreateResource)(HANDLE hDevice, D3DDDIARG_CREATERESOURCE *pResource);
	HRESULT (*pfnDestroyResource)(HANDLE hDevice, HANDLE hResource);
	HRESULT (*pfnSetDisplayMode)(HANDLE hDevice, const D3DDDIARG_SETDISPLAYMODE *pData);
	HRESULT (*pfnPresent)(HANDLE hDevice, const D3DDDIARG_PRESENT *pData);
	HRESULT (*pfnFlush)(HANDLE hDevice);
	HRESULT (*pfnCreateVertexShaderFunc)(HANDLE hDevice, D3DDDIARG_CREATEVERTEXSHADERFUNC *pData,
		const UINT *pCode);
	HRESULT (*pfnDeleteVertexShaderFunc)(HANDLE hDevice, HANDLE hShaderHandle);
	HRESULT (*pfnSetVertexShaderFunc)(HANDLE hDevice, HANDLE hShaderHandle);
	HRESULT (*pfnCreateVertexShaderDecl)(HANDLE hDevice, D3DDDIARG_CREATEVERTEXSHADERDECL *pData,
		const D3DDDIVERTEXELEMENT *pVertexElements);
	HRESULT (*pfnDeleteVertexShaderDecl)(HANDLE hDevice, HANDLE hShaderHandle);
	HRESULT (*pfnSetVertexShaderDecl)(HANDLE hDevice, HANDLE hShaderHandle);
	HRESULT (*pfnSetVertexShaderConstI)(HANDLE hDevice, const D3DDDIARG_SETVERTEXSHADERCONST *pData,
		const INT *pRegisters);
	HRESULT (*pfnSetVertexShaderConstB)(HANDLE hDevice, const D3DDDIARG_SETVERTEXSHADERCONST *pData,
		const BOOL *pRegisters);
	HRESULT (*pfnSetScissorRect)(HANDLE hDevice, const RECT *pRect);
	HRESULT (*pfnSetStreamSource)(HANDLE hDevice, const D3DDDIARG_SETSTREAMSOURCE *pData);
	HRESULT (*pfnSetStreamSourceFreq)(HANDLE hDevice, const D3DDDIARG_SETSTREAMSOURCEFREQ *pData);
	HRESULT (*pfnSetConvolutionKernelMono)(HANDLE hDevice, const D3DDDIARG_SETCONVOLUTIONKERNELMONO *pData);
	HRESULT (*pfnComposeRects)(HANDLE hDevice, const D3DDDIARG_COMPOSERECTS *pData);
	HRESULT (*pfnBlt)(HANDLE hDevice, const D3DDDIARG_BLT *pData);
	HRESULT (*pfnColorFill)(HANDLE hDevice, const D3DDDIARG_COLORFILL *pData);
	HRESULT (*pfnDepthFill)(HANDLE hDevice, const D3DDDIARG_DEPTHFILL *pData);
	HRESULT (*pfnCreateQuery)(HANDLE hDevice, D3DDDIARG_CREATEQUERY *pData);
	HRESULT (*pfnDestroyQuery)(HANDLE hDevice, const HANDLE hQuery);
	HRESULT (*pfnIssueQuery)(HANDLE hDevice, const D3DDDIARG_ISSUEQUERY *pData);
	HRESULT (*pfnGetQueryData)(HANDLE hDevice, const D3DDDIARG_GETQUERYDATA *pData);
	HRESULT (*pfnSetRenderTarget)(HANDLE hDevice, const D3DDDIARG_SETRENDERTARGET *pData);
	HRESULT (*pfnSetDepthStencil)(HANDLE hDevice, const D3DDDIARG_SETDEPTHSTENCIL *pData);
	HRESULT (*pfnGenerateMipSubLevels)(HANDLE hDevice, const D3DDDIARG_GENERATEMIPSUBLEVELS *pData);
	HRESULT (*pfnSetPixelShaderConstI)(HANDLE hDevice, const D3DDDIARG_SETPIXELSHADERCONST *pData,
		const INT *pRegisters);
	HRESULT (*pfnSetPixelShaderConstB)(HANDLE hDevice, const D3DDDIARG_SETPIXELSHADERCONSTB *pData,
		const BOOL *pRegisters);
	HRESULT (*pfnCreatePixelShader)(HANDLE hDevice, D3DDDIARG_CREATEPIXELSHADER *pData, const UINT *pCode);
	HRESULT (*pfnDeletePixelShader)(HANDLE hDevice, HANDLE hShaderHandle);
	HRESULT (*pfnCreateDecodeDevice)(HANDLE hDevice, D3DDDIARG_CREATEDECODEDEVICE *pData);
	HRESULT (*pfnDestroyDecodeDevice)(HANDLE hDevice, HANDLE hDecodeDevice);
	HRESULT (*pfnSetDecodeRenderTarget)(HANDLE hDevice, const D3DDDIARG_SETDECODERENDERTARGET *pData);
	HRESULT (*pfnDecodeBeginFrame)(HANDLE hDevice, D3DDDIARG_DECODEBEGINFRAME *pData);
	HRESULT (*pfnDecodeEndFrame)(HANDLE hDevice, D3DDDIARG_DECODEENDFRAME *pData);
	HRESULT (*pfnDecodeExecute)(HANDLE hDevice, const D3DDDIARG_DECODEEXECUTE *pData);
	HRESULT (*pfnDecodeExtensionExecute)(HANDLE hDevice, const D3DDDIARG_DECODEEXTENSIONEXECUTE *pData);
	HRESULT (*pfnCreateVideoProcessDevice)(HANDLE hDevice, D3DDDIARG_CREATEVIDEOPROCESSDEVICE *pData);
	HRESULT (*pfnDestroyVideoProcessDevice)(HANDLE hDevice, HANDLE hVideoProcessor);
	HRESULT (*pfnVideoProcessBeginFrame)(HANDLE hDevice, HANDLE hVideoProcessor);
	HRESULT (*pfnVideoProcessEndFrame)(HANDLE hDevice, D3DDDIARG_VIDEOPROCESSENDFRAME *pData);
	HRESULT (*pfnSetVideoProcessRenderTarget)(HANDLE hDevice, const D3DDDIARG_SETVIDEOPROCESSRENDERTARGET *pData);
	HRESULT (*pfnVideoProcessBlt)(HANDLE hDevice, const D3DDDIARG_VIDEOPROCESSBLT *pData);
	HRESULT (*pfnCreateExtensionDevice)(HANDLE hDevice, D3DDDIARG_CREATEEXTENSIONDEVICE *pData);
	HRESULT (*pfnDestroyExtensionDevice)(HANDLE hDevice, HANDLE hExtension);
	HRESULT (*pfnExtensionExecute)(HANDLE hDevice, const D3DDDIARG_EXTENSIONEXECUTE *pData);
	HRESULT (*pfnCreateOverlay)(HANDLE hDevice, D3DDDIARG_CREATEOVERLAY *pData);
	HRESULT (*pfnUpdateOverlay)(HANDLE hDevice, const D3DDDIARG_UPDATEOVERLAY *pData);
	HRESULT (*pfnFlipOverlay)(HANDLE hDevice, const D3DDDIARG_FLIPOVERLAY *pData);
	HRESULT (*pfnGetOverlayColorControls)(HANDLE hDevice, D3DDDIARG_GETOVERLAYCOLORCONTROLS *pData);
	HRESULT (*pfnSetOverlayColorControls)(HANDLE hDevice, const D3DDDIARG_SETOVERLAYCOLORCONTROLS *pData);
	HRESULT (*pfnDestroyOverlay)(HANDLE hDevice, const D3DDDIARG_DESTROYOVERLAY *pData);
	HRESULT (*pfnDestroyDevice)(HANDLE hDevice);
	HRESULT (*pfnQueryResourceResidency)(HANDLE hDevice, const D3DDDIARG_QUERYRESOURCERESIDENCY *pData);
	HRESULT (*pfnOpenResource)(HANDLE hDevice, D3DDDIARG_OPENRESOURCE *pResource);
	HRESULT (*pfnGetCaptureAllocationHandle)(HANDLE hDevice, D3DDDIARG_GETCAPTUREALLOCATIONHANDLE *pData);
	HRESULT (*pfnCaptureToSysMem)(HANDLE hDevice, const D3DDDIARG_CAPTURETOSYSMEM *pData);
	HRESULT (*pfnLockAsync)(HANDLE hDevice, D3DDDIARG_LOCKASYNC *pData);
	HRESULT (*pfnUnlockAsync)(HANDLE hDevice, const D3DDDIARG_UNLOCKASYNC *pData);
	HRESULT (*pfnRename)(HANDLE hDevice, const D3DDDIARG_RENAME *pData);
	/* since Windows 7 */
	HRESULT (*pfnCreateVideoProcessor)(HANDLE hDevice, D3DDDIARG_DXVAHD_CREATEVIDEOPROCESSOR *pData);
	HRESULT (*pfnSetVideoProcessBltState)(HANDLE hDevice, const D3DDDIARG_DXVAHD_SETVIDEOPROCESSBLTSTATE *pData);
	HRESULT (*pfnGetVideoProcessBltStatePrivate)(HANDLE hDevice,
		D3DDDIARG_DXVAHD_GETVIDEOPROCESSBLTSTATEPRIVATE *pData);
	HRESULT (*pfnSetVideoProcessStreamState)(HANDLE hDevice,
		const D3DDDIARG_DXVAHD_SETVIDEOPROCESSSTREAMSTATE *pData);
	HRESULT (*pfnGetVideoProcessStreamStatePrivate)(HANDLE hDevice,
		D3DDDIARG_DXVAHD_GETVIDEOPROCESSSTREAMSTATEPRIVATE *pData);
	HRESULT (*pfnVideoProcessBltHD)(HANDLE hDevice, const D3DDDIARG_DXVAHD_VIDEOPROCESSBLTHD *pData);
	HRESULT (*pfnDestroyVideoProcessor)(HANDLE hDevice, HANDLE hVideoProcessor);
	HRESULT (*pfnCreateAuthenticatedChannel)(HANDLE hDevice, D3DDDIARG_CREATEAUTHENTICATEDCHANNEL *pData);
	HRESULT (*pfnAuthenticatedChannelKeyExchange)(HANDLE hDevice,
		D3DDDIARG_AUTHENTICATEDCHANNELKEYEXCHANGE *pData);
	HRESULT (*pfnQueryAuthenticatedChannel)(HANDLE hDevice, const D3DDDIARG_QUERYAUTHENTICATEDCHANNEL *pData);
	HRESULT (*pfnConfigureAuthenticatedChannel)(HANDLE hDevice,
		const D3DDDIARG_CONFIGUREAUTHENTICATEDCHANNEL *pData);
	HRESULT (*pfnDestroyAuthenticatedChannel)(HANDLE hDevice, const D3DDDIARG_DESTROYAUTHENTICATEDCHANNEL *pData);
	HRESULT (*pfnCreateCryptoSession)(HANDLE hDevice, D3DDDIARG_CREATECRYPTOSESSION *pData);
	HRESULT (*pfnCryptoSessionKeyExchange)(HANDLE hDevice, D3DDDIARG_CRYPTOSESSIONKEYEXCHANGE *pData);
	HRESULT (*pfnDestroyCryptoSession)(HANDLE hDevice, const D3DDDIARG_DESTROYCRYPTOSESSION *pData);
	HRESULT (*pfnEncryptionBlt)(HANDLE hDevice, const D3DDDIARG_ENCRYPTIONBLT *pData);
	HRESULT (*pfnGetPitch)(HANDLE hDevice, D3DDDIARG_GETPITCH *pData);
	HRESULT (*pfnStartSessionKeyRefresh)(HANDLE hDevice, const D3DDDIARG_STARTSESSIONKEYREFRESH *pData);
	HRESULT (*pfnFinishSessionKeyRefresh)(HANDLE hDevice, const D3DDDIARG_FINISHSESSIONKEYREFRESH *pData);
	HRESULT (*pfnGetEncryptionBltKey)(HANDLE hDevice, const D3DDDIARG_GETENCRYPTIONBLTKEY *pData);
	HRESULT (*pfnDecryptionBlt)(HANDLE hDevice, const D3DDDIARG_DECRYPTIONBLT *pData);
	HRESULT (*pfnResolveSharedResource)(HANDLE hDevice, const D3DDDIARG_RESOLVESHAREDRESOURCE *pData);
	/* since Windows 8 */
	HRESULT (*pfnVolBlt1)(HANDLE hDevice, const D3DDDIARG_VOLUMEBLT1 *pData);
	HRESULT (*pfnBufBlt1)(HANDLE hDevice, const D3DDDIARG_BUFFERBLT1 *pData);
	HRESULT (*pfnTexBlt1)(HANDLE hDevice, const D3DDDIARG_TEXBLT1 *pData);
	HRESULT (*pfnDiscard)(HANDLE hDevice, const D3DDDIARG_DISCARD *pData);
	HRESULT (*pfnOfferResources)(HANDLE hDevice, const D3DDDIARG_OFFERRESOURCES *pData);
	HRESULT (*pfnReclaimResources)(HANDLE hDevice, const D3DDDIARG_RECLAIMRESOURCES *pData);
	HRESULT (*pfnCheckDirectFlipSupport)(HANDLE hDevice, const D3DDDIARG_CHECKDIRECTFLIPSUPPORT *pData);
	HRESULT (*pfnCreateResource2)(HANDLE hDevice, D3DDDIARG_CREATERESOURCE2 *pResource2);
	HRESULT (*pfnCheckMultiPlaneOverlaySupport)(HANDLE hDevice, D3DDDIARG_CHECKMULTIPLANEOVERLAYSUPPORT *pSupport);
	HRESULT (*pfnPresentMultiPlaneOverlay)(HANDLE hDevice, const D3DDDIARG_PRESENTMULTIPLANEOVERLAY *pPresent);
	/* since WDDM 1.3 */
	VOID *pfnReserved1;
	HRESULT (*pfnFlush1)(HANDLE hDevice, UINT FlushFlags);
	VOID (*pfnCheckCounterInfo)(HANDLE hDevice, D3DDDIARG_COUNTER_INFO *pCounterInfo);
	HRESULT (*pfnCheckCounter)(HANDLE hDevice, D3DDDIQUERYTYPE Counter, D3DDDI_COUNTER_TYPE *pType,
		UINT *pActiveCounters, LPSTR pszName, UINT *pNameLength, LPSTR pszUnits, UINT *pUnitsLength,
		LPSTR pszDescription, UINT *pDescriptionLength);
	HRESULT (*pfnUpdateSubresourceUP)(HANDLE hDevice, const D3DDDIARG_UPDATESUBRESOURCEUP *pCounterInfo);
	HRESULT (*pfnPresent1)(HANDLE hDevice, const D3DDDIARG_PRESENT1 *pPresentData);
	HRESULT (*pfnCheckPresentDurationSupport)(HANDLE hDevice,
		D3DDDIARG_CHECKPRESENTDURATIONSUPPORT *pPresentDurationSupport);
	HRESULT (*pfnSetMarker)(HANDLE hDevice);
	HRESULT (*pfnSetMarkerMode)(HANDLE hDevice, D3DDDI_MARKERTYPE Type, UINT Flags);
} D3DDDI_DEVICEFUNCS;

#define D3DDDI_DEVICEFUNC_COUNT 140
_Static_assert(sizeof(D3DDDI_DEVICEFUNCS) == D3DDDI_DEVICEFUNC_COUNT * sizeof(void *), "WDDM 1.3 has entries 0..139");

/* ---- entry point ---- */

typedef struct _D3DDDI_CREATEDEVICEFLAGS {
	union {
		struct {
			UINT AllowMultithreading : 1;
			UINT AllowFlipBatching : 1;
			UINT Reserved : 30;
		};
		UINT Value;
	};
} D3DDDI_CREATEDEVICEFLAGS;

typedef struct _D3DDDIARG_CREATEDEVICE {
	HANDLE hDevice;
	UINT Interface;
	UINT Version;
	const D3DDDI_DEVICECALLBACKS *pCallbacks;
	VOID *pCommandBuffer;
	UINT CommandBufferSize;
	D3DDDI_ALLOCATIONLIST *pAllocationList;
	UINT AllocationListSize;
	D3DDDI_PATCHLOCATIONLIST *pPatchLocationList;
	UINT PatchLocationListSize;
	D3DDDI_DEVICEFUNCS *pDeviceFuncs;
	D3DDDI_CREATEDEVICEFLAGS Flags;
	D3DGPU_VIRTUAL_ADDRESS CommandBuffer;
} D3DDDIARG_CREATEDEVICE;

typedef struct _D3DDDI_ADAPTERFUNCS {
	HRESULT (*pfnGetCaps)(HANDLE hAdapter, const D3DDDIARG_GETCAPS *pData);
	HRESULT (*pfnCreateDevice)(HANDLE hAdapter, D3DDDIARG_CREATEDEVICE *pData);
	HRESULT (*pfnCloseAdapter)(HANDLE hAdapter);
} D3DDDI_ADAPTERFUNCS;

typedef struct _D3DDDIARG_OPENADAPTER {
	HANDLE hAdapter;		/* in: for callbacks; out: the driver's */
	UINT Interface;			/* 9 */
	UINT Version;			/* the runtime's own */
	const D3DDDI_ADAPTERCALLBACKS *pAdapterCallbacks;
	D3DDDI_ADAPTERFUNCS *pAdapterFuncs; /* filled by the driver */
	UINT DriverVersion;		/* out: D3D_UMD_INTERFACE_VERSION_* */
} D3DDDIARG_OPENADAPTER;

typedef HRESULT (*PFND3DDDI_OPENADAPTER)(D3DDDIARG_OPENADAPTER *pOpenData);
/* Exported by the driver. */
HRESULT OpenAdapter(D3DDDIARG_OPENADAPTER *pOpenData);

_Static_assert(sizeof(D3DDDIARG_CREATEDEVICE) == 96, "layout of D3DDDIARG_CREATEDEVICE");
_Static_assert(sizeof(D3DDDIARG_OPENADAPTER) == 40, "layout of D3DDDIARG_OPENADAPTER");
_Static_assert(sizeof(FORMATOP) == 20, "layout of FORMATOP");

#endif
