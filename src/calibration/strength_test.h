// A bar pulled or twisted until it breaks: explicit steps, slowly, with bonds damped well.
#pragma once

#include "calibration/elastic_test.h"

typedef struct sherd_strength_bonds {
    sherd_elastic_bonds elastic; // shear_weight = sigma_c / tau_c; 0: tau_c is infinite
    double weibull_modulus;
} sherd_strength_bonds;

// `elastic` is the same bar's under the same load. *strength is the largest nominal stress, of
// twisted bars before it first falls by a tenth, over the bonds' tensile strength; `curve`, which may be
// NULL, likewise: stress over it, and strain times the bonds' E over it.
sherd_status sherd_strength_test(const sherd_bar *bar, const sherd_strength_bonds *bonds,
                                 sherd_bar_load load, const sherd_elastic_result *elastic,
                                 double *strength, sherd_calibration_curve *curve,
                                 sherd_error *error);
