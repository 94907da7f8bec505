// A law's stiffness for solvers, one bond at a time.
#pragma once

#include <sherd/material.h>

#include <math.h>

// The moduli that a bond's section resists stretch, shear, bending and twisting with: the stiffnesses are
//   E_n S, G_s S, E_b I, G_t J   per rest length                   [Pa]
// Here a law's parameters enter, e.g. the shear correction: {E, kappa G, E, G}.
typedef struct sherd_bond_moduli {
    double stretch, shear, bend, twist;
} sherd_bond_moduli;

// E and G: those of the bond, which may differ from its material's.
typedef sherd_bond_moduli sherd_bond_moduli_function(const sherd_material_def *material, double E,
                                                     double G);

// E and G, with the material's shear correction where it has one and the law's where not.
static inline sherd_bond_moduli sherd_bond_corrected_moduli(const sherd_material_def *material,
                                                            double usual, double E, double G)
{
    double kappa = material->shear_correction > 0.0 ? material->shear_correction : usual;
    return (sherd_bond_moduli){E, kappa * G, E, G};
}

// The tension from which on a stretched bond has no stiffness against shear left [Pa]; INFINITY: there is none.
typedef double sherd_bond_stable_tension_function(const sherd_bond_moduli *m);

typedef struct sherd_bond_stiffness {
    double stretch, shear; // [N/m]
    double twist, bend;    // [N m]
} sherd_bond_stiffness;

// Multiplies *k by the ratio of a bond's stiffnesses to those at rest when it is 1 / x times as long.
typedef void sherd_bond_stiffness_function(double x, sherd_bond_stiffness *k);
