// Bonds that soften are as strong as they are ductile. A solid of them is stronger than one of bonds that snap, since what
// a bond no longer bears is borne by others, and the more so the larger their size, E G_f / (sigma_c^2 r). The size of
// the solid follows from that of its bonds, and from what bars of them show, all over the bonds' E, sigma_c and G_f:
//
//      size of the solid = E taken / strength^2 x size of the bonds
//
// It grows with the bonds', and so the requested one is found in a few trials. It has a floor: bonds whose strengths are so
// high that they store more than they are to take are as strong as they can be without taking more.
#include "calibration/study.h"

#include <math.h>

// The floor is that of bonds all of which are reduced, those that scatter made weak, too: of this share of the size at
// which the first is.
static const double REDUCED = 0.25;

// d log strength / d log size of bonds to begin with (2 to 128: 0.1 to 0.3), and within what it is taken from trials.
static const double SLOPE = 0.2, SLOPE_LOW = 0.05, SLOPE_HIGH = 0.35;

// Tolerance of the logarithm of the solid's size: a fifth of that of the strength, or a third.
static const double SIZE_NEAR = 0.06;
enum { SIZE_TRIALS = 6 };

// Over the bonds' sigma_c and what bars are referred to, as are moduli and strengths.
static double solid_size(const sherd_study *s, double strength)
{
    return s->taken * s->size / (s->out->full.youngs_modulus * strength * strength);
}

static double requested_size(const sherd_study *s)
{
    return s->def->fracture_energy / SHERD_BAR_RADIUS;
}

double sherd_study_strongest(const sherd_study *s)
{
    return sqrt(s->out->full.youngs_modulus * requested_size(s) / (s->taken * s->size));
}

static sherd_status find_floor(sherd_study *s, double ratio, double *strength)
{
    s->size = REDUCED * s->least;
    sherd_status status = sherd_study_pull(s, ratio, strength);
    if (status != SHERD_OK) return status;
    double floor = solid_size(s, *strength);
    s->out->strength_radius = 1.0 / floor;
    s->out_of_reach = requested_size(s) <= floor;
    return SHERD_OK;
}

typedef struct trial {
    double size, strength;
} trial;

// The next one's size, when the solid's is to be exp(missing) times as large.
static double next_size(const trial *last, const trial *at, double missing)
{
    double slope = SLOPE;
    if (fabs(log(at->size / last->size)) > 0.05)
        slope = log(at->strength / last->strength) / log(at->size / last->size);
    slope = fmin(fmax(slope, SLOPE_LOW), SLOPE_HIGH);
    return at->size * exp(missing / (1.0 - 2.0 * slope));
}

sherd_status sherd_study_pull_softening(sherd_study *s, double ratio, double *strength)
{
    double asked = requested_size(s);
    sherd_status status = find_floor(s, ratio, strength);
    if (status != SHERD_OK || s->out_of_reach) return status;
    trial last = {s->size, *strength}, at = {0};
    at.size = next_size(&last, &last, log(asked / solid_size(s, *strength)));
    for (int k = 0; k < SIZE_TRIALS && status == SHERD_OK; ++k) {
        s->size = at.size;
        status = sherd_study_pull(s, ratio, &at.strength);
        double missing = log(asked / solid_size(s, at.strength));
        *strength = at.strength;
        if (fabs(missing) < SIZE_NEAR) break;
        double next = fmax(next_size(&last, &at, missing), REDUCED * s->least);
        last = at;
        at.size = next;
    }
    return status;
}
