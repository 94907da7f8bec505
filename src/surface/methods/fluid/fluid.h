// The surface of a body whose elements are treated as particles of a fluid.
//
// [IBDEM25] draws its results with "the conventional particle fluid surface method". This is the
// variant with anisotropic kernels, J. Yu, G. Turk: Reconstructing Surfaces of Particle-Based
// Fluids Using Anisotropic Kernels, ACM Transactions on Graphics 32 (1), 2013: every element fills
// an ellipsoid that is stretched along its neighbours of the same fragment, so that faces are flat
// and edges stay sharp. The volume fraction that fragment k fills at X is
//
//     f_k(X) = sum_{e in k} m_e V_e W(|G_e (X - c_e)|),     W(s) = (1 - s^2)^4 / (0.4642 |G_e^-1|),
//
// where V_e is the volume of the body per element, so that f = 1 inside and 1/2 at the body's
// boundary. X belongs to the fragment with the largest f_k, or to the outside if none exceeds
// `level`. A fragment's surface depends on its own elements alone and is rounded where it broke;
// yet neighbours do not overlap, because a point that two fragments fill goes to the one with the
// larger f_k. Elements of thin pieces, whose kernels alone fill too little, get a larger m_e.
//
// `blobs` are what is called naive in [BDEM21] Fig. 13: the same sum with round kernels and m_e = 1.
#pragma once

#include "surface/partition/partition.h"

#include <sherd/surface.h>

typedef struct fluid_kernel {
    sherd_vec3 centre;             // c_e [m]
    double xx, yy, zz, xy, yz, zx; // of G^T G [1/m^2]
    sherd_vec3 extent;             // of its ellipsoid along x, y, z [m]
    double reach;                  // upper bound of its longest semi-axis [m]
    double weight;                 // m_e V_e W(0)
} fluid_kernel;

// A body to be drawn as a fluid.
typedef struct fluid_source {
    double volume;             // 0: not known [m^3]
    bool blobs;                // round kernels of one width, centred at elements; fixed level
    sherd_element_index first; // index of its first element in the bond lists
    sherd_bond_index bond_count;
    const sherd_element_index *bond_i, *bond_j; // borrowed
} fluid_source;

// A copy of the kernels, sorted into bins by their centres and padded to whole vectors.
enum { FLUID_LANES = 8, FLUID_COLUMNS = 10 };
typedef struct fluid_store {
    sherd_point_bins centres;      // its sources are indices into the partition's bins
    double *column[FLUID_COLUMNS]; // x, y, z, xx, yy, zz, 2 xy, 2 yz, 2 zx, weight
    sherd_fragment_id *label;
} fluid_store;

typedef struct fluid {
    const partition *p; // element positions and labels; the partition's own kernels are not used
    fluid_source source;
    double volume_scale; // V_e = volume_scale r_e^3
    double level;        // at the surface
    double reach;        // of the largest kernel [m]
    fluid_store store;
    // In the order of the partition's bins.
    fluid_kernel *kernels;
    sherd_vec3 *lost; // sum of the directions of an element's broken bonds
} fluid;

// Returns NULL when out of memory. The labels of the partition must all be equal.
fluid *sherd_fluid_create(partition *p, const fluid_source *source, const sherd_parallel *parallel);
void sherd_fluid_destroy(fluid *f);

// Updates kernels to the labels of the partition, and marks as changed there the elements whose
// kernels or broken bonds changed. `broken` is by bond of all bodies, NULL: none. Returns false
// when out of memory.
bool sherd_fluid_update(fluid *f, partition *p, const uint8_t *broken,
                        const sherd_parallel *parallel);
