// Bonds of the law CENTRAL, which join all elements of a body within a reach.
//
// d is the spacing, twice the mean radius of the body's elements, delta = reach d, and l0 a bond's
// length. Bonds have the sections
//
//   springs         that of elements that touch, by the material's bond_radius; l0 <= delta
//   equal springs   that section times l0 / d: k = E S / d for all; l0 <= delta
//   peridynamics    c V_i V_j v / E, V the volumes of the packing's cells;
//                   l0 <= delta + d/2
//
// v = v_1 (1 - (1 - v_1) d / (2 l0)): v_1 = (delta + d/2 - l0) / d, at most 1, is the part of an
// element of the size d that lies within the horizon, taken along the bond (Hu, Ha and Bobaru 2010),
// and the factor moves its weight to that part's centroid (Seleson 2014): without it, E of a
// close-packed solid is 6 % too large at delta = 3 d, with it 2.4 %. A solid has c = 12 E / (pi
// delta^4), nu = 1/4; a layer of thickness d, c = 9 E / (pi d delta^3), nu = 1/3.
#pragma once

#include "models/bonded/storage/bonds.h"

typedef struct sherd_bond_horizon {
    sherd_element_index first, count; // elements of the body
    double volume_per_mass;           // [m^3/kg]
} sherd_bond_horizon;

// Adds the bonds in order of (i, j). They break at the material's critical stretch.
sherd_status sherd_bonds_add_horizon(sherd_bonds *bonds, const sherd_elements *elements,
                                     const sherd_material_def *material,
                                     const sherd_bond_horizon *horizon,
                                     const sherd_parallel *parallel, sherd_error *error);
