// A bar loaded slightly and at rest: one implicit step long enough that inertia plays no part. Strains
// are read from elements in the middle half, stresses from the grip.
#pragma once

#include "calibration/bar.h"
#include "calibration/homogenise.h"

static const double SHERD_BAR_BOND_MODULUS = 1e9; // E of bonds in test bars [Pa]

typedef struct sherd_elastic_result {
    double modulus;        // over that of bonds: Young's of PULL and BEND, shear of TWIST [-]
    double poissons_ratio; // PULL: mean of both sides
    // Response of the linear bar per unit of the grips' amount (sherd_bar_path):
    double strain; // PULL: along; BEND: of the outermost fibre; TWIST: largest shear
    double utmost; // the most stressed bond's largest stress over the bonds' E
} sherd_elastic_result;

// Bonds of shear modulus g times their Young's modulus. Of `absolute` breakage, `utmost` counts
// compression too. `shear_weight` = sigma_c / tau_c says what the largest of two kinds of stress is.
typedef struct sherd_elastic_bonds {
    sherd_bond_law law;
    double shear_correction;       // as sherd_material_def's
    sherd_bond_radius bond_radius; // likewise
    sherd_breakage breakage;
    double g, shear_weight;
} sherd_elastic_bonds;

// A material with them, without strengths; E = SHERD_BAR_BOND_MODULUS.
sherd_material_def sherd_elastic_material(const sherd_elastic_bonds *bonds);

// Strain along a pulled bar, and the mean of what both sides contract by over it.
double sherd_bar_gauge_strain(const sherd_bar *bar, const sherd_world *world,
                              double *poissons_ratio);

// `affine` may be NULL.
sherd_status sherd_elastic_test(const sherd_bar *bar, const sherd_elastic_bonds *bonds,
                                sherd_bar_load load, sherd_elastic_result *out,
                                sherd_affine *affine, sherd_error *error);
