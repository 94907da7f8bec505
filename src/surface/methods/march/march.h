// Marching tetrahedra with many owners: surfaces of all fragments on the shared grid.
//
// Every cell is divided into six tetrahedra around its main diagonal (Kuhn's subdivision;
// neighbouring cells agree on their faces). Inside a tetrahedron each corner's owner takes the part
// nearest to it, bounded by points on edges, on faces (between three owners) and inside (four
// owners):
//
//        a                     An edge with two owners has one point, a triangle with three owners one
//       / \                    more, a tetrahedron with four owners one more. What bounds owner a is
//      .-. .                   always a disc, so each fragment's surface is a closed 2-manifold without
//     /   '.\                  any case left to chance; and the parts fill the tetrahedron, so fragments
//    b---.---c                 tile the body and share their vertices exactly.
//
// In [BDEM21] section 3.2 each group is marched separately (marching cubes). Here neighbours cannot
// disagree, and the line where a crack ends on the outer surface is a line of mesh edges.
#pragma once

#include "surface/methods/march/grid.h"

// Surfaces through the vertex other than the shape's, to first order about `at`: for each fragment
// the logarithm of its density, for a slit the height above its side. In the order of the vertex's
// owners.
typedef struct crack_model {
    sherd_vec3 at;
    double value[4];
    sherd_vec3 gradient[4]; // [1/m]
    sherd_vec3 slit_up;     // from the slit's middle to the side of the base; 0: not known
} crack_model;

typedef struct shell_vertex {
    sherd_fragment_id owners[4]; // fragments that share the vertex, ascending
    int32_t piece[4];            // piece of each owner, -1: not built
    int32_t local[4];            // index of the vertex in each piece
    int32_t owner_count;         // 2 to 4
    // Index of its crack model, -1: the vertex lies between one fragment and the outside.
    int32_t crack;
    sherd_vec3 base;     // centre of its grid simplex [m]
    sherd_vec3 position; // [m]
    sherd_vec3 normal;   // of the shape, where it was last evaluated
    double plane;        // tangent plane of the shape there: normal . x = plane [m]
} shell_vertex;

typedef struct shell_triangle {
    int32_t corner[3];
    int32_t piece;
    sherd_fragment_id other; // the fragment on the outer side
} shell_triangle;

// The surfaces of some pieces of a body, which share vertices.
typedef struct shell {
    int32_t vertex_count, triangle_count, crack_count;
    shell_vertex *vertices; // in the grid's order
    shell_triangle *triangles;
    crack_model *cracks;
} shell;

// Selects the pieces to march.
typedef struct march_plan {
    const grid *g;
    const int32_t *blocks; // that contain parts of the pieces, ascending
    int32_t block_count;
    const key_map *number; // maps a fragment to its piece
    const uint8_t *wanted; // by piece
    bool all_models;       // also vertices between one fragment and the outside get a crack model
} march_plan;

// Returns false when out of memory; call release in any case.
bool sherd_shell_march(shell *s, const march_plan *plan, const sherd_parallel *parallel);
void sherd_shell_release(shell *s);
