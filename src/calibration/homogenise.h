// Affine homogenisation: the moduli of a solid whose elements all follow the mean strain and don't
// turn. Exact for one-atom lattices in bulk; otherwise too stiff, as nothing may give way.
//
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

// Of a bar with the bonds it has in a world, surfaces included.
void sherd_affine_of(const sherd_bar *bar, const sherd_world *world, sherd_bond_radius radius,
                     sherd_affine *affine);

// What counts here of a material's bonds.
typedef struct sherd_affine_bonds {
    double g;                 // G / E, of what the bond law makes of them: shear over stretch
    sherd_bond_radius radius; // where the packing does not know their sections
} sherd_affine_bonds;
// Of such a material whose moduli have the ratio g, whatever its own have.
sherd_affine_bonds sherd_affine_bonds_of(const sherd_material_def *material, double g);

// Young's modulus and mean Poisson's ratio along an axis of a solid with free sides, for E = 1 and
// G = g. Directions in which nothing resists (across a single layer) are left out.
typedef struct sherd_affine_moduli {
    double youngs_modulus, poissons_ratio;
} sherd_affine_moduli;
sherd_affine_moduli sherd_affine_moduli_along(const sherd_affine *affine, double g, int axis);

// Stiffness of a packing along an axis by homogenisation: what a test of one bar
// says is referred to it, and so carried over to other bars and to bodies. Where a packing lists its
// bonds it is the affine Young's modulus (E = 1, G = g) of its middle half along the axis, without
// the ends, which lack bonds. Else, for lattices, the share of the shape that elements fill.
double sherd_packing_stiffness(const sherd_packing *packing, const sherd_affine_bonds *bonds,
                               int axis);

// A body's principal axes: those of a bar that lies askew in its rest frame are along and across it.
void sherd_body_axes(const sherd_packing *packing, sherd_vec3 axis[3]);

// The same of a body that may be of any shape: mean over its principal axes, weighted by the fourth
// power of its extents. That of a bar is the one along it, that of a plate the mean of two.
double sherd_body_stiffness(const sherd_packing *packing, const sherd_affine_bonds *bonds);
