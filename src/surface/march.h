// Marching tetrahedra with many owners: the surface of one fragment in the shared grid.
//
// Every cell is cut into the six tetrahedra around its main diagonal (Kuhn's subdivision; cells agree
// on their faces). Inside a tetrahedron each corner's owner takes the part nearest to it, bounded by
// points on edges, on faces (where three owners meet) and inside (four owners):
//
//        a                     An edge with two owners has one point, a triangle with three owners one
//       / \                    more, a tetrahedron with four owners one more. What bounds owner a is
//      .-. .                   always a disc, so each fragment's surface is a closed 2-manifold without
//     /   '.\                  any case left to chance; and the parts fill the tetrahedron, so fragments
//    b---.---c                 tile the body and share their vertices exactly.
//
// Compared with [BDEM21] section 3.2 (marching cubes for each group separately) neighbours can't
// disagree, and the line where a crack meets the outer surface is a line of mesh edges.
#pragma once

#include "surface/grid.h"

// A field near a vertex, to first order: value + gradient . (x - at).
typedef struct field_model {
    sherd_vec3 at, gradient;
    double value;
} field_model;

typedef struct shell_vertex {
    sherd_fragment_id owners[4]; // who meets here, ascending
    int owner_count;             // 2 to 4
    sherd_vec3 base;             // centre of its grid simplex [m]
    sherd_vec3 position;         // [m]
    // What it lies on, as last evaluated (place.h).
    field_model shape;  // distance [m], where it borders the outside
    field_model crack;  // between two fragments, or of a slit's side; zero gradient: none found
    sherd_vec3 slit_up; // away from the slit's middle on the side the base is on; 0: not known
} shell_vertex;

typedef struct shell_triangle {
    int32_t corner[3];
    sherd_fragment_id other; // who is on the outer side
} shell_triangle;

// One fragment's surface.
typedef struct shell {
    sherd_fragment_id label;
    int32_t vertex_count, triangle_count;
    shell_vertex *vertices;
    shell_triangle *triangles;
} shell;

// Makes the surface of `label` in the given blocks of the grid: all that hold some of it, in ascending
// order. False when memory is short; release in any case.
bool sherd_shell_march(shell *s, sherd_fragment_id label, const grid *g, const int32_t *blocks,
                       int32_t block_count, const sherd_parallel *parallel);
void sherd_shell_release(shell *s);
