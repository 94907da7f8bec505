// A notched bar that is pulled apart, slowly and with bonds damped well: what its bonds take as they soften, over what a
// crack of the ligament's area is to take.
//
//   [######|          |           |######]      The notch is a cut across the middle, from a face up to a share of the
//   [ grip |          |           | grip ]      width. Bars are wider and shorter than those of other tests: the less
//   [######|         notch        |######]      they store, the slower a crack runs.
#pragma once

#include "calibration/strength_test.h"

typedef struct sherd_fracture_result {
    double taken; // energy of softening over G_f and the ligament's area [-]
    // E G_f / (sigma_c^2 r) of bonds and elements' radius r, below which strengths are reduced: bonds store more
    // than they are to take.
    double least;
} sherd_fracture_result;

sherd_status sherd_fracture_bar_init(sherd_bar *bar, const sherd_calibration_def *def, int axis,
                                     sherd_error *error);

// Of any bar, notched in one side (0 or 1, as sherd_bar_side). `elastic` is the same bar's, pulled, without a notch.
sherd_status sherd_fracture_test(const sherd_bar *bar, int side, const sherd_strength_bonds *bonds,
                                 const sherd_elastic_result *elastic, sherd_fracture_result *out,
                                 sherd_error *error);
