// Finds duplicate walls of a triangle soup.
#pragma once

#include "geometry/mesh/mesh_tree.h"
#include "geometry/mesh/mesh_work.h"

// Points nearer than this fraction of a mesh's diagonal count as equal.
#define WRAP_COINCIDENT 1e-5

// Connected components of a soup. Each has a unique rank, from 0.
typedef struct wrap_ranks {
    const int32_t *component; // of each triangle
    const int32_t *rank;      // of each component
    int32_t first;            // components of this rank and above may lose triangles
} wrap_ranks;

// Marks triangles that coincide with triangles of a component of lower rank and have the same
// orientation: they would count twice. Triangles of opposite orientation, such as a wall shared by
// two rooms, cancel and stay.
void sherd_wrap_find_duplicates(const sherd_mesh *mesh, const sherd_mesh_tree *tree,
                                const wrap_ranks *ranks, sherd_mesh_work *work, uint8_t *doubled);
