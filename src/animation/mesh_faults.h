// Checks of a mesh before it is written to a file with materials and groups.
#pragma once

#include <stdint.h>

typedef struct sherd_material_mesh {
    int32_t vertex_count;
    const double *vertices; // (vertex_count x 3)
    int32_t triangle_count;
    const int32_t *triangles; // (triangle_count x 3)
    int outer_material, inner_material;
    const int32_t *group; // of triangles, -1: in none; NULL: none is in one
    int32_t group_count;
    const int *group_materials; // (group_count)
} sherd_material_mesh;

// Returns the first fault, given the number of materials in the file; NULL if there is none.
const char *sherd_mesh_fault(const sherd_material_mesh *mesh, int material_count);
