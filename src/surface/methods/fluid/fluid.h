// The surface of a body as if its elements were particles of a fluid.
//
// [IBDEM25] draws its results with "the conventional particle fluid surface method". This is the one
// with anisotropic kernels, J. Yu, G. Turk: Reconstructing Surfaces of Particle-Based Fluids Using
// Anisotropic Kernels, ACM Transactions on Graphics 32 (1), 2013: every element fills an ellipsoid
// stretched along the neighbours that its fragment has around it, so that faces are flat and edges do
// not melt away. The share of space that fragment k fills at X is
//
//     f_k(X) = sum_{e in k} m_e V_e W(|G_e (X - c_e)|),     W(s) = (1 - s^2)^4 / (0.4642 |G_e^-1|),
//
// with V_e the volume of an element's share of the body, so that f = 1 inside and 1/2 where a body
// ends. X belongs to the fragment with the largest f_k, or to the outside where none exceeds `level`:
// a fragment's surface is made of its own elements alone, rounded where it broke, and yet neighbours
// don't overlap, for what two of them want goes to the one with more. Elements of thin pieces, whose
// kernels alone fill too little, get a larger m_e.
#pragma once

#include "surface/partition/partition.h"

#include <sherd/surface.h>

typedef struct fluid_kernel {
    sherd_vec3 centre;             // c_e [m]
    double xx, yy, zz, xy, yz, zx; // of G^T G [1/m^2]
    sherd_vec3 extent;             // of its ellipsoid along x, y, z [m]
    double reach;                  // of its longest semi-axis, or more [m]
    double weight;                 // m_e V_e W(0)
} fluid_kernel;

// A body that is to be drawn as a fluid.
typedef struct fluid_source {
    double volume;             // 0: not known [m^3]
    sherd_element_index first; // its elements' offset in the bonds of all bodies
    sherd_bond_index bond_count;
    const sherd_element_index *bond_i, *bond_j; // borrowed
} fluid_source;

// Kernels again, sorted into bins by their centres and as whole vectors.
enum { FLUID_LANES = 8, FLUID_COLUMNS = 10 };
typedef struct fluid_store {
    sherd_point_bins centres;      // its source: places in the partition's bins
    double *column[FLUID_COLUMNS]; // x, y, z, xx, yy, zz, 2 xy, 2 yz, 2 zx, weight
    sherd_fragment_id *label;
} fluid_store;

typedef struct fluid {
    const partition *p; // where elements and their labels are; its kernels play no part
    fluid_source source;
    double volume_scale; // V_e = volume_scale r_e^3
    double level;        // at the surface
    double reach;        // of the largest kernel [m]
    fluid_store store;
    // In the order of the partition's bins.
    fluid_kernel *kernels;
    sherd_vec3 *lost; // sum of the directions of an element's broken bonds
} fluid;

// NULL when memory is short. The partition's labels are all the same yet.
fluid *sherd_fluid_create(partition *p, const fluid_source *source, const sherd_parallel *parallel);
void sherd_fluid_destroy(fluid *f);

// Brings kernels up to date with the labels of the partition, in which elements whose kernels or lost
// bonds are others than before are marked as changed. `broken` by bond of all bodies, NULL: none. False
// when memory is short.
bool sherd_fluid_update(fluid *f, partition *p, const uint8_t *broken,
                        const sherd_parallel *parallel);
