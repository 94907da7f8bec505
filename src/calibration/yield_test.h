// Yield test: a bar is pulled until it yields, in static equilibrium in every state, by a sequence
// of long implicit steps.
//
//   stress |            ___----     slope  H, over plastic strain
//          |    ___----'|     |
//          |  .'        |     |     The line through the states at FROM and TO of plastic strain: at none it is at the
//          | /|         |     |     yield stress.
//          |/_|_________|_____|____ plastic strain = strain - stress / E
//
// Single bonds yield one after the other, near faces first: the line describes a body in which all
// bonds yield.
#pragma once

#include "calibration/elastic_test.h"

static const double SHERD_YIELD_FROM = 3.0,
                    SHERD_YIELD_TO = 9.0; // plastic strains over the bonds' yield strain

typedef struct sherd_yield_bonds {
    sherd_elastic_bonds elastic;
    double hardening;       // H_m over the bonds' E
    double weibull_modulus; // scatter of their yield stresses
} sherd_yield_bonds;

typedef struct sherd_yield_result {
    double yield;     // stress over the bonds' yield stress [-]
    double hardening; // H over the bonds' E [-]
} sherd_yield_result;

// `elastic` is the result of the same bar in tension. `curve` may be NULL; it contains stresses
// over the bonds' yield stress, and strains times their E over it.
sherd_status sherd_yield_test(const sherd_bar *bar, const sherd_yield_bonds *bonds,
                              const sherd_elastic_result *elastic, sherd_yield_result *out,
                              sherd_calibration_curve *curve, sherd_error *error);
