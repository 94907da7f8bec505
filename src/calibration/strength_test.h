// A bar pulled or twisted until it breaks: explicit steps, slowly, with bonds damped well.
#pragma once

#include "calibration/elastic_test.h"

typedef struct sherd_strength_bonds {
    sherd_elastic_bonds elastic; // shear_weight = sigma_c / tau_c; 0: tau_c is infinite
    double weibull_modulus;
    double size; // E G_f / (sigma_c^2 r) of bonds that soften, r the elements' radius; 0: they snap
} sherd_strength_bonds;

// Of bonds that soften: a bar is stretched beyond what counts only where its strength is within this, to save time.
typedef struct sherd_strength_range {
    double low, high;
} sherd_strength_range;

// Nominal stresses over the bonds' tensile strength.
typedef struct sherd_strength_result {
    // The largest, of twisted bars before it first falls by a tenth; of bonds that soften the mean of strength_test.c.
    double strength;
    double
        most; // the same, but of bonds that soften also where the bar is stretched to several times its strain
    bool
        sheared; // bonds broke by shear or twisting before it failed: the answer depends on their tau_c
} sherd_strength_result;

// `elastic` is the same bar's under the same load. `curve`, which may be NULL, likewise: stress over the bonds' tensile
// strength, and strain times the bonds' E over it.
sherd_status sherd_strength_test(const sherd_bar *bar, const sherd_strength_bonds *bonds,
                                 sherd_bar_load load, const sherd_elastic_result *elastic,
                                 const sherd_strength_range *near, sherd_strength_result *out,
                                 sherd_calibration_curve *curve, sherd_error *error);

// A bar pressed until it is crushed, a little faster, or bears `enough`: its strength likewise. `elastic` is of the bar
// pulled.
sherd_status sherd_crush_test(const sherd_bar *bar, const sherd_strength_bonds *bonds,
                              const sherd_elastic_result *elastic, double enough, double *strength,
                              sherd_error *error);
