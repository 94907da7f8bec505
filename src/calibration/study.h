// One search for bonds: the bars, their measured results and the bonds found, in units of the requested E and of
// a strength.
#pragma once

#include "calibration/fracture_test.h"
#include "calibration/homogenise.h"
#include "calibration/strength_test.h"
#include "calibration/yield_test.h"

typedef struct sherd_study {
    const sherd_calibration_def *def; // without units
    int bar_count;                    // those that decide
    sherd_bar bar[2];                 // along x and y
    sherd_bar narrow[2];              // cut out of the body too: breaking wide ones takes long
    const sherd_bar *broken[2];       // those that strengths are found of
    sherd_affine affine[2];
    sherd_calibration *out;
    sherd_elastic_result pulled[2]; // of the bonds chosen
    double g;                       // G / E of bonds
    // Of bonds that soften: E G_f / (sigma_c^2 r), 0 where they snap; what cracks take over their G_f; and the size below
    // which the world reduces strengths.
    double size, taken, least;
    bool out_of_reach;         // the strength, beside the fracture energy
    sherd_strength_range near; // worth stretching bars farther
    sherd_error *error;
} sherd_study;

sherd_elastic_bonds sherd_study_elastic_bonds(const sherd_study *s, double g, double shear_weight);
// What the bar is referred to; 1 for one cut out of the body.
double sherd_study_stiffness(const sherd_study *s, const sherd_bar *bar, double g);

// Finds s->g and stores the results of the bars.
sherd_status sherd_study_elastic(sherd_study *s);

bool sherd_study_softens(const sherd_study *s);
// The bar's until it breaks, after its elastic answer: over the bonds' sigma_c and the root of
// its stiffness, of bonds with tau_c = ratio sigma_c.
sherd_status sherd_study_break_bar(sherd_study *s, const sherd_bar *bar, double ratio,
                                   sherd_bar_load load, sherd_strength_result *out,
                                   sherd_calibration_curve *curve);
// Mean of the bars that decide, pulled: likewise.
sherd_status sherd_study_pull(sherd_study *s, double ratio, double *strength);
// Of bonds that soften, after sherd_study_tear: the least ductile ones, which say what is out of reach; a guess of the size at
// which the solid's is the requested one, with the strength, by that of bars whose bonds snap; and the search from there.
sherd_status sherd_study_pull_brittle(sherd_study *s, double ratio, double *strength);
double sherd_study_guess_size(sherd_study *s, double snapping);
sherd_status sherd_study_pull_softening(sherd_study *s, double ratio, double *strength);
// Bonds' strength, over the requested one, of `size`.
double sherd_study_strongest(const sherd_study *s);
sherd_status sherd_study_strengths(sherd_study *s);
void sherd_study_no_strengths(sherd_calibration *out);

// Bonds that yield, and none that do.
sherd_status sherd_study_yielding(sherd_study *s);
void sherd_study_no_yielding(sherd_calibration *out);

// What cracks take of bonds that soften.
sherd_status sherd_study_tear(sherd_study *s, double ratio);
void sherd_study_keep_fracture(sherd_study *s);

// Bending, torsion, and bars along the other axes.
sherd_status sherd_study_show_more(sherd_study *s);
