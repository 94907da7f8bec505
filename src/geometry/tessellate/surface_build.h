// Tessellation of shapes (lathes, prisms, grids) and the growing mesh that it writes to.
#pragma once

#include "geometry/polygon.h"
#include "geometry/shape/shape_kind.h"

// A mesh under construction. Append triangles, then take the mesh; `failed` is set when out of
// memory.
typedef struct sherd_mesh_growth {
    size_t vertex_count, triangle_count, vertex_capacity, triangle_capacity, uv_capacity;
    double *vertices;   // (vertex_count x 3)
    int32_t *triangles; // (triangle_count x 3)
    bool has_uv;        // set before the first triangle is appended
    float *uv;          // of corners, in metres along the surface  (triangle_count x 3 x 2)
    bool failed;
} sherd_mesh_growth;

int32_t sherd_growth_vertex(sherd_mesh_growth *growth, double x, double y, double z);
// `uv` may be NULL if the mesh has none.
void sherd_growth_triangle(sherd_mesh_growth *growth, int32_t a, int32_t b, int32_t c,
                           const float uv[6]);
// Returns the finished mesh; frees the builder. NULL with SHERD_ERROR_MEMORY.
sherd_mesh *sherd_growth_finish(sherd_mesh_growth *growth, sherd_error *error);

// The closed surface that a counter-clockwise (r, z) polygon sweeps about z.
sherd_mesh *sherd_surface_lathe(const sherd_vec2 *profile, int count, double edge_length,
                                sherd_error *error);
// The prism of an (x, y) polygon, with its holes, from z = -half_height to half_height. Edges are
// at most about twice `edge_length`, unless the mesh would get very large.
sherd_mesh *sherd_surface_prism(const sherd_polygon *outline, double half_height,
                                double edge_length, sherd_error *error);
// Any shape, from its distance on a grid: marching tetrahedra with vertices projected onto the
// surface.
sherd_mesh *sherd_surface_grid(const sherd_shape *shape, double edge_length, sherd_error *error);
