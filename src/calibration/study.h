// State of a calibration: the bars, their results and the bonds found, in units of the requested E
// and of a strength.
#pragma once

#include "calibration/fracture_test.h"
#include "calibration/homogenise.h"
#include "calibration/strength_test.h"
#include "calibration/yield_test.h"

typedef struct sherd_study {
    const sherd_calibration_def *def; // without units
    int bar_count;                    // those used for calibration
    sherd_bar bar[2];                 // along x and y
    sherd_bar narrow[2];              // the same for cut bars: breaking wide ones takes long
    const sherd_bar *broken[2];       // those whose strengths are measured
    sherd_affine affine[2];
    sherd_calibration *out;
    sherd_elastic_result pulled[2]; // with the chosen bonds
    double g;                       // G / E of bonds
    // For softening bonds: E G_f / (sigma_c^2 r), 0 for brittle ones; energy of cracks over the
    // bonds' G_f; and the size below which strengths are reduced.
    double size, taken, least;
    bool out_of_reach;         // the strength can't be reached with this fracture energy
    sherd_strength_range near; // strengths for which bars are loaded further
    sherd_error *error;
} sherd_study;

sherd_elastic_bonds sherd_study_elastic_bonds(const sherd_study *s, double g, double shear_weight);
// The stiffness by which a bar's results are divided; 1 for one cut out of the body.
double sherd_study_stiffness(const sherd_study *s, const sherd_bar *bar, double g);

// Finds s->g and stores the results of the bars.
sherd_status sherd_study_elastic(sherd_study *s);

bool sherd_study_softens(const sherd_study *s);
// Strength of a bar, after its elastic test: over the bonds' sigma_c and the square root of its
// stiffness, for bonds with tau_c = ratio sigma_c.
sherd_status sherd_study_break_bar(sherd_study *s, const sherd_bar *bar, double ratio,
                                   sherd_bar_load load, sherd_strength_result *out,
                                   sherd_calibration_curve *curve);
// The same, as the mean of the calibration bars in tension.
sherd_status sherd_study_pull(sherd_study *s, double ratio, double *strength);
// For softening bonds, after sherd_study_tear: the least ductile ones, which tell what is out of
// reach; an estimate of the size at which the solid has the requested size and strength, from bars
// of brittle bonds; and the search that starts there.
sherd_status sherd_study_pull_brittle(sherd_study *s, double ratio, double *strength);
double sherd_study_guess_size(sherd_study *s, double snapping);
sherd_status sherd_study_pull_softening(sherd_study *s, double ratio, double *strength);
// Strength of bonds of `size`, over the requested one.
double sherd_study_strongest(const sherd_study *s);
sherd_status sherd_study_strengths(sherd_study *s);
void sherd_study_no_strengths(sherd_calibration *out);

// Calibrates yielding, if requested.
sherd_status sherd_study_yielding(sherd_study *s);
void sherd_study_no_yielding(sherd_calibration *out);

// Measures the energy of cracks in softening bonds.
sherd_status sherd_study_tear(sherd_study *s, double ratio);
void sherd_study_keep_fracture(sherd_study *s);

// Bending, torsion, and bars along the other axes.
sherd_status sherd_study_show_more(sherd_study *s);
