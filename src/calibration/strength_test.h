// Strength test: a bar is pulled, twisted or compressed until it breaks, slowly, in explicit steps
// with strongly damped bonds.
#pragma once

#include "calibration/elastic_test.h"

typedef struct sherd_strength_bonds {
    sherd_elastic_bonds elastic; // shear_weight = sigma_c / tau_c; 0: tau_c is infinite
    double weibull_modulus;
    // E G_f / (sigma_c^2 r) of softening bonds, r the elements' radius; 0: brittle bonds
    double size;
} sherd_strength_bonds;

// For softening bonds: a bar is loaded beyond the first value of strength_test.c only if its
// strength is in this range, to save time.
typedef struct sherd_strength_range {
    double low, high;
} sherd_strength_range;

// Nominal stresses over the bonds' tensile strength.
typedef struct sherd_strength_result {
    // The largest stress; for twisted bars before it first falls by a tenth; for softening bonds
    // the mean of strength_test.c.
    double strength;
    double
        most; // the same, but of bonds that soften also where the bar is stretched to several times its strain
    bool
        sheared; // bonds broke by shear or twisting before it failed: the answer depends on their tau_c
} sherd_strength_result;

// `elastic` is the result of the same bar under the same load. `curve` may be NULL; it contains
// stress over the bonds' tensile strength, and strain times the bonds' E over it.
sherd_status sherd_strength_test(const sherd_bar *bar, const sherd_strength_bonds *bonds,
                                 sherd_bar_load load, const sherd_elastic_result *elastic,
                                 const sherd_strength_range *near, sherd_strength_result *out,
                                 sherd_calibration_curve *curve, sherd_error *error);

// Compresses a bar until it is crushed or carries `enough`, and returns its strength. `elastic` is
// the result of the bar in tension.
sherd_status sherd_crush_test(const sherd_bar *bar, const sherd_strength_bonds *bonds,
                              const sherd_elastic_result *elastic, double enough, double *strength,
                              sherd_error *error);
