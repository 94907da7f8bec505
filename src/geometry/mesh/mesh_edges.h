// Which triangles share an edge. Edge k of a triangle runs from corner k to corner k + 1 (mod 3);
// "half-edge" 3 t + k is edge k as seen from triangle t.
#pragma once

#include <sherd/mesh.h>

enum {
    SHERD_EDGE_BOUNDARY = -1,    // no other triangle has this edge
    SHERD_EDGE_NON_MANIFOLD = -2 // three or more have it
};

typedef struct sherd_mesh_edges {
    // The other triangle's half-edge, or one of the values above  (triangle_count x 3).
    int32_t *twin;
    // Misoriented: both half-edges in the same direction.
    int64_t boundary_edges, non_manifold_edges, misoriented_edges;
    int64_t boundary_example, non_manifold_example, misoriented_example; // a half-edge; -1: none
} sherd_mesh_edges;

// At most 715 million triangles, so that half-edges fit in 31 bits. Returns false when out of
// memory.
bool sherd_mesh_edges_init(sherd_mesh_edges *edges, const sherd_mesh *mesh);
void sherd_mesh_edges_release(sherd_mesh_edges *edges);

static inline int32_t mesh_edge_from(const sherd_mesh *mesh, int32_t half_edge)
{
    return mesh->triangles[half_edge];
}

static inline int32_t mesh_edge_to(const sherd_mesh *mesh, int32_t half_edge)
{
    return mesh->triangles[half_edge % 3 == 2 ? half_edge - 2 : half_edge + 1];
}
