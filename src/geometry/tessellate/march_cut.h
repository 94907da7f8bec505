// Intersection of a surface with a tetrahedron of a cell (kuhn.h): a triangle or a quadrilateral
// between its edges.
#pragma once

#include "geometry/tessellate/surface_build.h"

typedef struct sherd_march_cut {
    int count;      // of vertices: 0, 3 or 4
    int edge[4][2]; // the corners that each vertex lies between: one inside, one outside
    bool flip;      // the vertices are clockwise viewed from outside
} sherd_march_cut;

// corner[0] < ... < corner[3] as subsets of bits; bit k of `inside`: corner[k] is inside. `even` is
// the tetrahedron's orientation (kuhn_is_positive).
sherd_march_cut sherd_march_tetrahedron(const int corner[4], unsigned inside, bool even);

// Appends its triangles, between existing vertices.
void sherd_growth_march(sherd_mesh_growth *growth, const sherd_march_cut *cut,
                        const int32_t vertex[4]);
