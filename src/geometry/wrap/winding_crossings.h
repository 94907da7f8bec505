// Winding numbers of surfaces that are closed, or nearly closed: the number of times an upward line
// from a point leaves the surface minus the number of times it enters, plus the solid angles
// between boundary edges and the direction straight down:
//
//     w(q) = sum over triangles that the line meets of +-1
//            + 1/(4 pi) sum over edges a -> b without a neighbour of A(a - q, b - q, -z),
//
// where A is the signed solid angle of a spherical triangle. Each side of a triangle forms a
// spherical triangle with -z; their sum is the triangle's own solid angle, except for 4 pi if z is
// inside it. Edges with a neighbour cancel. The result is exact, and with few boundary edges much
// faster than all solid angles among triangles that lie close to each other.
#pragma once

#include "geometry/bvh.h"

#include <sherd/mesh.h>

#include <stdbool.h>
#include <stdint.h>

// An edge that occurs in triangles more often in one direction than in the other.
typedef struct sherd_winding_edge {
    int32_t from, to;
    double times;
} sherd_winding_edge;

typedef struct sherd_winding_crossings {
    const sherd_mesh *mesh;
    const sherd_bvh *bvh;
    sherd_vec3 centre;
    double steps; // steps per metre of the lattice on which positions are projected along z
    int32_t (*projected)[2]; // lattice coordinates x and y of each vertex
    double top;              // upper bound of z [m]
    int64_t edge_count; // number of boundary edges; above the limit the structure must not be used
    sherd_winding_edge *edges;
    size_t edge_capacity;
} sherd_winding_crossings;

// Borrows mesh and tree. If there are more than `max_edges` boundary edges only their number is
// stored. Returns false when out of memory; call release in any case.
bool sherd_winding_crossings_init(sherd_winding_crossings *crossings, const sherd_mesh *mesh,
                                  const sherd_bvh *bvh, int64_t max_edges);
void sherd_winding_crossings_release(sherd_winding_crossings *crossings);

// The point must not be farther from the centre of the mesh's box than the length of its longest
// edge, along any axis. Adds the work done to *work (mesh_work.h).
double sherd_winding_by_crossings(const sherd_winding_crossings *crossings, sherd_vec3 q,
                                  int64_t *work);
