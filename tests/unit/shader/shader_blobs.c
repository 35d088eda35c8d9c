/* SPDX-License-Identifier: MIT */
#include "shader_blobs.h"

#include "hlsl/clip_vs_4.h"
#include "hlsl/common_vs_3.h"
#include "hlsl/common_vs_4.h"
#include "hlsl/constants_ps_4.h"
#include "hlsl/depth_ps_4.h"
#include "hlsl/discards_ps_2.h"
#include "hlsl/discards_ps_4.h"
#include "hlsl/early_return_ps_4.h"
#include "hlsl/face_ps_4.h"
#include "hlsl/gather_offset_ps_5.h"
#include "hlsl/gather_ps_5.h"
#include "hlsl/geometry_gs_4.h"
#include "hlsl/ids_vs_4.h"
#include "hlsl/immediates_ps_4.h"
#include "hlsl/indexing_vs_2.h"
#include "hlsl/indexing_vs_4.h"
#include "hlsl/lit_ps_2.h"
#include "hlsl/lit_ps_3.h"
#include "hlsl/lit_ps_4.h"
#include "hlsl/lit_ps_5.h"
#include "hlsl/lit_vs_2.h"
#include "hlsl/lit_vs_3.h"
#include "hlsl/lit_vs_4.h"
#include "hlsl/lit_vs_5.h"
#include "hlsl/load_buffer_ps_4.h"
#include "hlsl/load_ps_4.h"
#include "hlsl/loops_ps_4.h"
#include "hlsl/nested_ps_4.h"
#include "hlsl/numbers_gs_4.h"
#include "hlsl/outputs_ps_4.h"
#include "hlsl/position_ps_4.h"
#include "hlsl/primitives_ps_4.h"
#include "hlsl/sample_array_ps_4.h"
#include "hlsl/sample_compare_ps_4.h"
#include "hlsl/sample_cube_ps_4.h"
#include "hlsl/sample_gradient_ps_4.h"
#include "hlsl/sample_implicit_ps_4.h"
#include "hlsl/sample_level_ps_4.h"
#include "hlsl/sample_volume_ps_4.h"
#include "hlsl/show_a_ps_4.h"
#include "hlsl/show_ps_4.h"
#include "hlsl/size_ps_4.h"
#include "hlsl/switches_ps_4.h"
#include "hlsl/temporaries_ps_4.h"

#define BLOB(name) {#name, name, sizeof(name)}

const struct blob blobs[] = {
	BLOB(clip_vs_4),
	BLOB(common_vs_3),
	BLOB(common_vs_4),
	BLOB(constants_ps_4),
	BLOB(depth_ps_4),
	BLOB(discards_ps_2),
	BLOB(discards_ps_4),
	BLOB(early_return_ps_4),
	BLOB(face_ps_4),
	BLOB(gather_offset_ps_5),
	BLOB(gather_ps_5),
	BLOB(geometry_gs_4),
	BLOB(ids_vs_4),
	BLOB(immediates_ps_4),
	BLOB(indexing_vs_2),
	BLOB(indexing_vs_4),
	BLOB(lit_ps_2),
	BLOB(lit_ps_3),
	BLOB(lit_ps_4),
	BLOB(lit_ps_5),
	BLOB(lit_vs_2),
	BLOB(lit_vs_3),
	BLOB(lit_vs_4),
	BLOB(lit_vs_5),
	BLOB(load_buffer_ps_4),
	BLOB(load_ps_4),
	BLOB(loops_ps_4),
	BLOB(nested_ps_4),
	BLOB(numbers_gs_4),
	BLOB(outputs_ps_4),
	BLOB(position_ps_4),
	BLOB(primitives_ps_4),
	BLOB(sample_array_ps_4),
	BLOB(sample_compare_ps_4),
	BLOB(sample_cube_ps_4),
	BLOB(sample_gradient_ps_4),
	BLOB(sample_implicit_ps_4),
	BLOB(sample_level_ps_4),
	BLOB(sample_volume_ps_4),
	BLOB(show_a_ps_4),
	BLOB(show_ps_4),
	BLOB(size_ps_4),
	BLOB(switches_ps_4),
	BLOB(temporaries_ps_4),
};

const unsigned blob_count = sizeof(blobs) / sizeof(blobs[0]);
