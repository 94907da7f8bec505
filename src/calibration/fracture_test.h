// Fracture test: a notched bar is pulled apart slowly, with strongly damped bonds. The energy
// dissipated by softening bonds is compared with the fracture energy of the ligament's area.
//
//   [######
//
//
// ######]      The notch is a cut across the middle, from one face up to a
//   [ grip
//
//
// grip ]      fraction of the width. Bars are wider and shorter than in other
//   [######
//          notch
// ######]      tests: the less energy they store, the slower a crack runs.
#pragma once

#include "calibration/strength_test.h"

typedef struct sherd_fracture_result {
    double taken; // energy dissipated by softening over G_f and the ligament's area [-]
    // E G_f / (sigma_c^2 r), with the elements' radius r, below which strengths are reduced because
    // bonds would store more than their fracture energy.
    double least;
} sherd_fracture_result;

sherd_status sherd_fracture_bar_init(sherd_bar *bar, const sherd_calibration_def *def, int axis,
                                     sherd_error *error);

// For any bar, notched in one side (0 or 1, as in sherd_bar_side). `elastic` is the result of the
// same bar in tension, without a notch.
sherd_status sherd_fracture_test(const sherd_bar *bar, int side, const sherd_strength_bonds *bonds,
                                 const sherd_elastic_result *elastic, sherd_fracture_result *out,
                                 sherd_error *error);
