// Access to a mesh's flat arrays as vectors, and validation.
#pragma once

#include <sherd/mesh.h>

#include "math/bounds.h"
#include "math/vec3.h"

#include <stddef.h>

static inline sherd_vec3 mesh_vertex(const sherd_mesh *mesh, int32_t v)
{
    const double *p = mesh->vertices + 3 * (size_t)v;
    return vec3(p[0], p[1], p[2]);
}

static inline void mesh_set_vertex(sherd_mesh *mesh, int32_t v, sherd_vec3 p)
{
    double *to = mesh->vertices + 3 * (size_t)v;
    to[0] = p.x, to[1] = p.y, to[2] = p.z;
}

// Position of corner k in {0, 1, 2} of triangle t.
static inline sherd_vec3 mesh_corner(const sherd_mesh *mesh, int32_t t, int k)
{
    return mesh_vertex(mesh, mesh->triangles[3 * (size_t)t + (size_t)k]);
}

static inline void mesh_set_triangle(sherd_mesh *mesh, int32_t t, int32_t a, int32_t b, int32_t c)
{
    int32_t *to = mesh->triangles + 3 * (size_t)t;
    to[0] = a, to[1] = b, to[2] = c;
}

// Reverses a triangle, including the texture coordinates of its corners.
static inline void mesh_flip_triangle(sherd_mesh *mesh, int32_t t)
{
    int32_t *c = mesh->triangles + 3 * (size_t)t;
    mesh_set_triangle(mesh, t, c[0], c[2], c[1]);
    for (size_t k = 6 * (size_t)t + 2; mesh->uv != NULL && k < 6 * (size_t)t + 4; ++k) {
        float swap = mesh->uv[k];
        mesh->uv[k] = mesh->uv[k + 2];
        mesh->uv[k + 2] = swap;
    }
}

// Copies triangle `from` over `to`, with all its attributes.
static inline void mesh_move_triangle(sherd_mesh *mesh, int32_t to, int32_t from)
{
    const int32_t *c = mesh->triangles + 3 * (size_t)from;
    mesh_set_triangle(mesh, to, c[0], c[1], c[2]);
    for (size_t k = 0; mesh->uv != NULL && k < 6; ++k)
        mesh->uv[6 * (size_t)to + k] = mesh->uv[6 * (size_t)from + k];
    if (mesh->face_kind != NULL) mesh->face_kind[to] = mesh->face_kind[from];
    if (mesh->group != NULL) mesh->group[to] = mesh->group[from];
}

// (b - a) x (c - a): along the outward normal, with twice the triangle's area as length.
static inline sherd_vec3 mesh_area_vector(const sherd_mesh *mesh, int32_t t)
{
    sherd_vec3 a = mesh_corner(mesh, t, 0);
    return vec3_cross(vec3_sub(mesh_corner(mesh, t, 1), a), vec3_sub(mesh_corner(mesh, t, 2), a));
}

static inline sherd_bounds mesh_triangle_bounds(const sherd_mesh *mesh, int32_t t)
{
    sherd_vec3 a = mesh_corner(mesh, t, 0);
    sherd_bounds bounds = {a, a};
    bounds_add(&bounds, mesh_corner(mesh, t, 1));
    bounds_add(&bounds, mesh_corner(mesh, t, 2));
    return bounds;
}

// Interior angle at corner k [rad]; atan2 keeps it accurate for needles.
static inline double mesh_corner_angle(const sherd_mesh *mesh, int32_t t, int k)
{
    sherd_vec3 at = mesh_corner(mesh, t, k);
    sherd_vec3 u = vec3_sub(mesh_corner(mesh, t, (k + 1) % 3), at);
    sherd_vec3 v = vec3_sub(mesh_corner(mesh, t, (k + 2) % 3), at);
    return atan2(vec3_length(vec3_cross(u, v)), vec3_dot(u, v));
}

// Copies the names of groups and their number, not the triangles' assignment. Returns false when
// out of memory.
bool sherd_mesh_copy_group_names(sherd_mesh *mesh, const sherd_mesh *from);

// Copies materials into a mesh without materials and with the same groups. Returns false when out
// of memory.
bool sherd_mesh_copy_materials(sherd_mesh *mesh, const sherd_mesh *from);

// Returns SHERD_ERROR_INPUT for a missing mesh, a corner index out of range, or a coordinate that
// is not finite.
sherd_status sherd_mesh_check_arrays(const sherd_mesh *mesh, const char *where, sherd_error *error);

// Returns the name of a group, counted from 0; "" if there is none.
const char *sherd_mesh_group_name(const sherd_mesh *mesh, int32_t group);

// Returns the mesh's notes in the same way.
const char *sherd_mesh_note(const sherd_mesh *mesh, int32_t note);
