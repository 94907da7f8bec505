// The stiffness of a law for solvers, for single bonds.
#pragma once

#include <sherd/material.h>

#include <math.h>

// The moduli for stretching, shear, bending and twisting of a bond's section: the stiffnesses are
//   E_n S, G_s S, E_b I, G_t J   per reference length              [Pa]
// The parameters of a law enter here, e.g. the shear correction: {E, kappa G, E, G}.
typedef struct sherd_bond_moduli {
    double stretch, shear, bend, twist;
} sherd_bond_moduli;

// E and G are those of the bond, which may differ from its material's.
typedef sherd_bond_moduli sherd_bond_moduli_function(const sherd_material_def *material, double E,
                                                     double G);

// E and G, with the shear correction of the material or, if it has none, of the law.
static inline sherd_bond_moduli sherd_bond_corrected_moduli(const sherd_material_def *material,
                                                            double usual, double E, double G)
{
    double kappa = material->shear_correction > 0.0 ? material->shear_correction : usual;
    return (sherd_bond_moduli){E, kappa * G, E, G};
}

// The tension above which a stretched bond has no stiffness against shear [Pa]; INFINITY: never.
typedef double sherd_bond_stable_tension_function(const sherd_bond_moduli *m);

typedef struct sherd_bond_stiffness {
    double stretch, shear; // [N/m]
    double twist, bend;    // [N m]
} sherd_bond_stiffness;

// Multiplies *k by the ratio of stiffness to the undeformed stiffness of a bond that is stretched
// by the factor 1 / x.
typedef void sherd_bond_stiffness_function(double x, sherd_bond_stiffness *k);
