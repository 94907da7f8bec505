// Winding numbers of surfaces that are closed, or nearly: how often a line from a point upwards comes out of the surface,
// less how often it goes in, and for the edges that bound the surface the solid angles between them and straight down:
//
//     w(q) = sum over triangles that the line meets of +-1
//            + 1/(4 pi) sum over edges a -> b without a neighbour of A(a - q, b - q, -z),
//
// where A is the signed solid angle of a spherical triangle. The sides of a triangle cut the sphere into three triangles
// with -z, whose sum is its own but for 4 pi where z is inside of it; and what edges with a neighbour give cancels out.
// Exact, and with few such edges far quicker than all solid angles among triangles that lie close to each other.
#pragma once

#include "geometry/bvh.h"

#include <sherd/mesh.h>

#include <stdbool.h>
#include <stdint.h>

// An edge that triangles have more often in one direction than in the other.
typedef struct sherd_winding_edge {
    int32_t from, to;
    double times;
} sherd_winding_edge;

typedef struct sherd_winding_crossings {
    const sherd_mesh *mesh;
    const sherd_bvh *bvh;
    sherd_vec3 centre;
    double steps;        // of the lattice on which places are seen from above, per metre
    int32_t (*place)[2]; // of each vertex: lattice, x and y
    double top;          // nothing is higher [m]
    int64_t edge_count;  // without a neighbour; more than asked for: not to be used
    sherd_winding_edge *edges;
    size_t edge_capacity;
} sherd_winding_crossings;

// Borrows mesh and tree. Of more than `most_edges` edges without a neighbour only the number is kept. False when memory
// is short; release in any case.
bool sherd_winding_crossings_init(sherd_winding_crossings *crossings, const sherd_mesh *mesh,
                                  const sherd_bvh *bvh, int64_t most_edges);
void sherd_winding_crossings_release(sherd_winding_crossings *crossings);

// Of a point no farther from the middle of the mesh's box than the length of its longest edge, along any axis. Adds
// what it takes to *work (mesh_work.h).
double sherd_winding_by_crossings(const sherd_winding_crossings *crossings, sherd_vec3 q,
                                  int64_t *work);
