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

typedef struct shell_vertex {
    uint64_t key;                // of its grid simplex, the same in every fragment that has it
    sherd_fragment_id owners[4]; // who meets here, ascending
    int owner_count;             // 2 to 4
    sherd_vec3 base;             // centre of its grid simplex [m]
    sherd_vec3 position;         // [m]
} shell_vertex;

typedef struct shell_triangle {
    int32_t corner[3];
    sherd_fragment_id other; // who is on the outer side
} shell_triangle;

// One fragment's surface.
typedef struct shell {
    sherd_fragment_id label;
    int32_t vertex_count, triangle_count;
    size_t vertex_capacity, triangle_capacity;
    shell_vertex *vertices;
    shell_triangle *triangles;
    key_map index; // of vertices by key
} shell;

// Adds the part of the surface in one block. False when memory is short.
bool sherd_march_block(shell *s, const grid *g, const grid_block *block,
                       const sherd_fragment_id owner[PATCH_CORNERS]);
void sherd_shell_release(shell *s);
