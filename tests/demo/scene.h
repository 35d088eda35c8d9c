/* SPDX-License-Identifier: MIT */
/*
 * The demonstration's scene, without any API: solids that run through each other, so that a wrong depth test is seen at once,
 * lit by one light, animated by time. Both Direct3D programs draw exactly this.
 */
#ifndef D3DGPU_DEMO_SCENE_H
#define D3DGPU_DEMO_SCENE_H

#include <stdint.h>

struct scene_vertex {
	float position[3];
	float normal[3];
};

/* A part of the vertex and index arrays. */
struct scene_mesh {
	uint32_t first_index, index_count;
	uint32_t vertex_count;
	int32_t base_vertex;
};

enum { SCENE_BOX, SCENE_SPHERE, SCENE_TORUS, SCENE_MESHES };

struct scene {
	struct scene_vertex *vertices;
	uint16_t *indices;
	uint32_t vertex_count, index_count;
	struct scene_mesh meshes[SCENE_MESHES];
};

/* What the shaders get for one object: rows of the matrices, so that a row times a column vector is a dp4. */
struct scene_constants {
	float transform[4][4];		/* object → clip space */
	float world[3][4];		/* object → world space */
	float color[4];			/* diffuse rgb, specular strength */
	float light[4];			/* direction to the light, world space; w = ambient */
	float eye[4];			/* camera position, world space; w = specular exponent */
};

struct scene_object {
	unsigned mesh;			/* SCENE_* */
	struct scene_constants constants;
};

#define SCENE_OBJECTS 6
#define SCENE_CLEAR_R 24		/* background, 0..255 */
#define SCENE_CLEAR_G 32
#define SCENE_CLEAR_B 48

/* Builds the meshes. Returns 0 or -1 (no memory). */
int scene_create(struct scene *scene);
void scene_destroy(struct scene *scene);
/* The objects at a time in seconds, for a picture of this width to height ratio. */
void scene_animate(float seconds, float aspect, struct scene_object objects[SCENE_OBJECTS]);

#endif
