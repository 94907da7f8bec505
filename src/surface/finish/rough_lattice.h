// A lattice of tetrahedra, Kuhn's, in which rough faces are moved: linearly within each, so that a
// triangle inside one stays a triangle. Six families of planes bound its tetrahedra.
#pragma once

#include "math/vec3.h"

enum { ROUGH_FAMILIES = 6 };

// In edges of a cell, the lattice being moved off planes in which cracks like to lie.
static inline sherd_vec3 rough_lattice_place(double cell, sherd_vec3 x)
{
    return vec3(x.x / cell + 0.37, x.y / cell + 0.19, x.z / cell + 0.71);
}

static inline sherd_vec3 rough_lattice_point(double cell, sherd_vec3 place)
{
    return vec3(cell * (place.x - 0.37), cell * (place.y - 0.19), cell * (place.z - 0.71));
}

// Whole numbers on the planes of a family.
static inline double rough_lattice_level(double cell, int family, sherd_vec3 x)
{
    sherd_vec3 p = rough_lattice_place(cell, x);
    const double level[ROUGH_FAMILIES] = {p.x, p.y, p.z, p.x - p.y, p.y - p.z, p.x - p.z};
    return level[family];
}
