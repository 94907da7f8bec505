// A lattice of tetrahedra (Kuhn's subdivision) that displaces rough faces: the displacement is
// linear within each tetrahedron, so a triangle inside one stays a triangle. Six families of planes
// bound the tetrahedra.
#pragma once

#include "math/vec3.h"

enum { ROUGH_FAMILIES = 6 };

// Offset in units of a cell's edge: moves the lattice off planes along which cracks often run.
static inline sherd_vec3 rough_lattice_coordinates(double cell, sherd_vec3 x)
{
    return vec3(x.x / cell + 0.37, x.y / cell + 0.19, x.z / cell + 0.71);
}

static inline sherd_vec3 rough_lattice_point(double cell, sherd_vec3 coordinates)
{
    return vec3(cell * (coordinates.x - 0.37), cell * (coordinates.y - 0.19),
                cell * (coordinates.z - 0.71));
}

// Returns coordinates that are integers on the planes of a family.
static inline double rough_lattice_level(double cell, int family, sherd_vec3 x)
{
    sherd_vec3 p = rough_lattice_coordinates(cell, x);
    const double level[ROUGH_FAMILIES] = {p.x, p.y, p.z, p.x - p.y, p.y - p.z, p.x - p.z};
    return level[family];
}
