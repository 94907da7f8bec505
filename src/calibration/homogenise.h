// Affine homogenisation: the moduli of a solid whose elements all follow the mean strain without
// rotation. Exact for monatomic lattices in bulk; otherwise an upper bound of stiffness.
// A bond of section S, length l and direction n has kn = E S / l and ks = G S / l (force over shear
// displacement, docs/theory/physics.md 2). Strain eps moves its ends apart by l eps n, so that its energy per
// volume V is
//   1/2 S l / V [ E (n.eps n)^2 + G (|eps n|^2 - (n.eps n)^2) ]
#pragma once

#include "calibration/bar.h"

// The energy's matrix in Voigt's order xx, yy, zz, yz, zx, xy with engineering shears is
// E along + G across.
typedef struct sherd_affine {
    double along[6][6], across[6][6]; // [-]
} sherd_affine;

// For a bar with the bonds it has in a world, surfaces included.
void sherd_affine_of(const sherd_bar *bar, const sherd_world *world, sherd_bond_radius radius,
                     sherd_affine *affine);

// The properties of a material's bonds that matter here.
typedef struct sherd_affine_bonds {
    double g;                 // G / E of the bond law: shear over stretch
    sherd_bond_radius radius; // if the packing does not give their sections
} sherd_affine_bonds;
// The properties for a material whose moduli have the ratio g, instead of its own.
sherd_affine_bonds sherd_affine_bonds_of(const sherd_material_def *material, double g);

// Young's modulus and mean Poisson's ratio along an axis of a solid with free sides, for E = 1 and
// G = g. Directions without stiffness (across a single layer) are omitted.
typedef struct sherd_affine_moduli {
    double youngs_modulus, poissons_ratio;
} sherd_affine_moduli;
sherd_affine_moduli sherd_affine_moduli_along(const sherd_affine *affine, double g, int axis);

// Stiffness of a packing along an axis by homogenisation. Results of bars are divided by it, and so
// transferred to other bars and to bodies. For a packing that lists its bonds it is the affine
// Young's modulus (E = 1, G = g) of its middle half along the axis, without the ends, which lack
// bonds. Otherwise, for lattices, it is the fraction of the shape that elements fill.
double sherd_packing_stiffness(const sherd_packing *packing, const sherd_affine_bonds *bonds,
                               int axis);

// A body's principal axes: for a bar at an angle in its reference frame they are along and across
// it.
void sherd_body_axes(const sherd_packing *packing, sherd_vec3 axis[3]);

// The same for a body of any shape: the mean over its principal axes, weighted by the fourth power
// of its extents. For a bar it is the stiffness along it, for a plate the mean of two.
double sherd_body_stiffness(const sherd_packing *packing, const sherd_affine_bonds *bonds);
