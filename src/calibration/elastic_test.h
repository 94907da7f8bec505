// Elastic test: a bar under a small static load, by one implicit step that is so long that inertia
// is negligible. Strains are measured from elements in the middle half, stresses at the grip.
#pragma once

#include "calibration/bar.h"
#include "calibration/homogenise.h"

static const double SHERD_BAR_BOND_MODULUS = 1e9; // E of bonds in test bars [Pa]

typedef struct sherd_elastic_result {
    // relative to that of bonds: Young's for PULL and BEND, shear for TWIST [-]
    double modulus;
    double poissons_ratio; // PULL: mean of both sides
    // Response of the linear bar per unit of grip motion (sherd_bar_path):
    double strain; // PULL: along; BEND: of the outermost fibre; TWIST: largest shear
    double utmost; // largest stress of all bonds over the bonds' E
} sherd_elastic_result;

// Bonds with shear modulus g times their Young's modulus. With `absolute` breakage, `utmost`
// includes compression. `shear_weight` = sigma_c / tau_c compares the two kinds of stress.
typedef struct sherd_elastic_bonds {
    sherd_bond_law law;
    double shear_correction;       // as in sherd_material_def
    sherd_bond_radius bond_radius; // as in sherd_material_def
    sherd_breakage breakage;
    double g, shear_weight;
} sherd_elastic_bonds;

// A material with such bonds, without strengths; E = SHERD_BAR_BOND_MODULUS.
sherd_material_def sherd_elastic_material(const sherd_elastic_bonds *bonds);

// Strain along a pulled bar; *side is the mean contraction of both sides.
double sherd_bar_gauge_strain(const sherd_bar *bar, const sherd_world *world,
                              double *poissons_ratio);

// `affine` may be NULL.
sherd_status sherd_elastic_test(const sherd_bar *bar, const sherd_elastic_bonds *bonds,
                                sherd_bar_load load, sherd_elastic_result *out,
                                sherd_affine *affine, sherd_error *error);
