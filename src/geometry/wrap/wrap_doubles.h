// Walls that a triangle soup has twice in one place.
#pragma once

#include "geometry/mesh/mesh_tree.h"
#include "geometry/mesh/mesh_work.h"

// Places nearer than this share of a mesh's diagonal are the same.
#define WRAP_SAME_PLACE 1e-5

// Pieces of a soup: what hangs together. Each has a rank of its own, from 0.
typedef struct wrap_ranks {
    const int32_t *component; // of each triangle
    const int32_t *rank;      // of each piece
    int32_t first;            // rank from which on pieces may lose triangles
} wrap_ranks;

// Marks triangles that lie on others of a piece of lower rank which face the same way: they would count twice. Those that
// face the other way, as where two rooms share a wall, cancel, and stay.
void sherd_wrap_find_doubles(const sherd_mesh *mesh, const sherd_mesh_tree *tree,
                             const wrap_ranks *ranks, sherd_mesh_work *work, uint8_t *doubled);
