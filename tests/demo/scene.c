/* SPDX-License-Identifier: MIT */
#include "scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265f
#define RINGS 24		/* of sphere and torus */
#define SEGMENTS 48

struct matrix {
	float m[4][4];		/* rows; vectors are columns */
};

static struct matrix multiply(struct matrix a, struct matrix b)
{
	struct matrix r;

	for (int i = 0; i < 4; i++)
		for (int j = 0; j < 4; j++)
			r.m[i][j] = a.m[i][0] * b.m[0][j] + a.m[i][1] * b.m[1][j] + a.m[i][2] * b.m[2][j] + a.m[i][3] * b.m[3][j];
	return r;
}

static struct matrix translate(float x, float y, float z)
{
	return (struct matrix){ { { 1, 0, 0, x }, { 0, 1, 0, y }, { 0, 0, 1, z }, { 0, 0, 0, 1 } } };
}

static struct matrix scale(float x, float y, float z)
{
	return (struct matrix){ { { x, 0, 0, 0 }, { 0, y, 0, 0 }, { 0, 0, z, 0 }, { 0, 0, 0, 1 } } };
}

static struct matrix rotate_x(float a)
{
	return (struct matrix){ { { 1, 0, 0, 0 }, { 0, cosf(a), -sinf(a), 0 }, { 0, sinf(a), cosf(a), 0 }, { 0, 0, 0, 1 } } };
}

static struct matrix rotate_y(float a)
{
	return (struct matrix){ { { cosf(a), 0, sinf(a), 0 }, { 0, 1, 0, 0 }, { -sinf(a), 0, cosf(a), 0 }, { 0, 0, 0, 1 } } };
}

/* Left-handed, depth 0..1, as Direct3D has it. */
static struct matrix perspective(float field_of_view, float aspect, float near, float far)
{
	float y = 1 / tanf(field_of_view / 2), q = far / (far - near);

	return (struct matrix){ { { y / aspect, 0, 0, 0 }, { 0, y, 0, 0 }, { 0, 0, q, -q * near }, { 0, 0, 1, 0 } } };
}

/* ---- meshes ---- */

struct builder {
	struct scene *scene;
	struct scene_mesh *mesh;
};

static void begin_mesh(struct builder *builder, struct scene *scene, unsigned which)
{
	builder->scene = scene;
	builder->mesh = &scene->meshes[which];
	builder->mesh->first_index = scene->index_count;
	builder->mesh->base_vertex = (int32_t)scene->vertex_count;
}

static void add_vertex(struct builder *builder, float px, float py, float pz, float nx, float ny, float nz)
{
	struct scene_vertex *vertex = &builder->scene->vertices[builder->scene->vertex_count++];

	*vertex = (struct scene_vertex){ { px, py, pz }, { nx, ny, nz } };
	builder->mesh->vertex_count++;
}

static void add_triangle(struct builder *builder, unsigned a, unsigned b, unsigned c)
{
	uint16_t *index = &builder->scene->indices[builder->scene->index_count];

	index[0] = (uint16_t)a;
	index[1] = (uint16_t)b;
	index[2] = (uint16_t)c;
	builder->scene->index_count += 3;
	builder->mesh->index_count += 3;
}

/* Clockwise triangles face the viewer in Direct3D. */
static void build_box(struct builder *builder)
{
	for (unsigned face = 0; face < 6; face++) {
		unsigned axis = face / 2, u = (axis + 1) % 3, v = (axis + 2) % 3, first = builder->mesh->vertex_count;
		float side = face & 1 ? 1 : -1;

		for (unsigned corner = 0; corner < 4; corner++) {
			float p[3], n[3] = { 0 };

			p[axis] = n[axis] = side;
			p[u] = corner & 1 ? 1 : -1;
			p[v] = corner & 2 ? 1 : -1;
			add_vertex(builder, p[0], p[1], p[2], n[0], n[1], n[2]);
		}
		if (face & 1) {
			add_triangle(builder, first, first + 1, first + 2);
			add_triangle(builder, first + 1, first + 3, first + 2);
		} else {
			add_triangle(builder, first, first + 2, first + 1);
			add_triangle(builder, first + 1, first + 2, first + 3);
		}
	}
}

/* Sphere (tube 0) or torus: a grid around two angles. */
static void build_round(struct builder *builder, float radius, float tube)
{
	for (unsigned ring = 0; ring <= RINGS; ring++) {
		float a = tube > 0 ? 2 * PI * (float)ring / RINGS : PI * (float)ring / RINGS;

		for (unsigned segment = 0; segment <= SEGMENTS; segment++) {
			float b = 2 * PI * (float)segment / SEGMENTS;
			float nx = sinf(a) * cosf(b), ny = cosf(a), nz = sinf(a) * sinf(b);

			if (tube > 0)
				add_vertex(builder, radius * cosf(b) + tube * nx, tube * ny, radius * sinf(b) + tube * nz, nx, ny, nz);
			else
				add_vertex(builder, radius * nx, radius * ny, radius * nz, nx, ny, nz);
		}
	}
	for (unsigned ring = 0; ring < RINGS; ring++) {
		for (unsigned segment = 0; segment < SEGMENTS; segment++) {
			unsigned i = ring * (SEGMENTS + 1) + segment, below = i + SEGMENTS + 1;

			add_triangle(builder, i, i + 1, below);
			add_triangle(builder, i + 1, below + 1, below);
		}
	}
}

int scene_create(struct scene *scene)
{
	struct builder builder;

	memset(scene, 0, sizeof(*scene));
	scene->vertices = calloc(24 + 2 * (RINGS + 1) * (SEGMENTS + 1), sizeof(*scene->vertices));
	scene->indices = calloc(36 + 2 * 6 * RINGS * SEGMENTS, sizeof(*scene->indices));
	if (!scene->vertices || !scene->indices) {
		scene_destroy(scene);
		return -1;
	}
	begin_mesh(&builder, scene, SCENE_BOX);
	build_box(&builder);
	begin_mesh(&builder, scene, SCENE_SPHERE);
	build_round(&builder, 1, 0);
	begin_mesh(&builder, scene, SCENE_TORUS);
	build_round(&builder, 1.6f, 0.35f);
	return 0;
}

void scene_destroy(struct scene *scene)
{
	free(scene->vertices);
	free(scene->indices);
	memset(scene, 0, sizeof(*scene));
}

/* ---- animation ---- */

static const float eye[3] = { 0, 2.6f, -7.5f };

static void place(struct scene_object *object, unsigned mesh, struct matrix view, struct matrix world, float r, float g,
		  float b, float specular)
{
	struct matrix clip = multiply(view, world);

	object->mesh = mesh;
	memcpy(object->constants.transform, clip.m, sizeof(object->constants.transform));
	memcpy(object->constants.world, world.m, sizeof(object->constants.world));
	memcpy(object->constants.color, (float[4]){ r, g, b, specular }, sizeof(object->constants.color));
	memcpy(object->constants.light, (float[4]){ -0.48f, 0.64f, -0.6f, 0.18f }, sizeof(object->constants.light));
	memcpy(object->constants.eye, (float[4]){ eye[0], eye[1], eye[2], 24 }, sizeof(object->constants.eye));
}

void scene_animate(float seconds, float aspect, struct scene_object objects[SCENE_OBJECTS])
{
	struct matrix view = multiply(perspective(PI / 4, aspect, 1, 40),
				      multiply(rotate_x(-0.3f), translate(-eye[0], -eye[1], -eye[2])));
	float orbit = seconds * 0.9f;

	/* floor; a box, a sphere and a torus that share one centre; two balls that pass through them */
	place(&objects[0], SCENE_BOX, view, multiply(translate(0, -1.7f, 0), scale(4.5f, 0.15f, 4.5f)), 0.42f, 0.44f, 0.48f, 0.1f);
	place(&objects[1], SCENE_BOX, view, multiply(rotate_y(seconds * 0.7f), multiply(rotate_x(seconds * 0.4f), scale(1, 1, 1))),
	      0.85f, 0.25f, 0.18f, 0.4f);
	place(&objects[2], SCENE_SPHERE, view, scale(1.3f, 1.3f, 1.3f), 0.95f, 0.75f, 0.2f, 0.7f);
	place(&objects[3], SCENE_TORUS, view, multiply(rotate_x(0.5f + seconds * 0.5f), scale(1.15f, 1.15f, 1.15f)), 0.2f, 0.55f, 0.9f, 0.8f);
	place(&objects[4], SCENE_SPHERE, view, multiply(translate(2.4f * cosf(orbit), -0.5f, 2.4f * sinf(orbit)), scale(0.6f, 0.6f, 0.6f)),
	      0.25f, 0.8f, 0.35f, 0.6f);
	place(&objects[5], SCENE_SPHERE, view, multiply(translate(-2.0f * cosf(orbit), -1.4f, -2.0f * sinf(orbit)), scale(0.7f, 0.7f, 0.7f)),
	      0.75f, 0.35f, 0.85f, 0.6f);
}
