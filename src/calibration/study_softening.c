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

// What bars bear over those whose bonds snap: GAIN - LESS / sqrt(size). It is 1.70 at a size of 18, 1.82 at 31 and 1.88 at 39
// (random), 1.80 at 35 and 1.92 at 77 (hcp), 1.95 at 46 and 2.02 at 94 (tetrahedra), and never less than 1.
static const double GAIN = 2.12, LESS = 1.75;

// Within what d log strength / d log size is taken from trials, and is by that formula.
static const double SLOPE_LOW = 0.05, SLOPE_HIGH = 0.35;

// Differences of the logarithm of the solid's size from which a trial is carried on to the requested one by that slope: a
// slope that is wrong by 0.05 makes 1 % of strength of it. Below a size of DUCTILE slopes vary from 0.1 to 0.5, as bars begin to
// harden there.
static const double SIZE_NEAR = 0.2, SIZE_NEARER = 0.05, DUCTILE = 25.0, SIZE_MOST = 1e5;
enum { SIZE_TRIALS = 6, HALVINGS = 40 };

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

sherd_status sherd_study_pull_brittle(sherd_study *s, double ratio, double *strength)
{
    s->size = REDUCED * s->least;
    s->near = (sherd_strength_range){0.0, INFINITY};
    sherd_status status = sherd_study_pull(s, ratio, strength);
    if (status != SHERD_OK) return status;
    double floor = solid_size(s, *strength);
    s->out->strength_radius = 1.0 / floor;
    s->out_of_reach = requested_size(s) <= floor;
    return SHERD_OK;
}

static double gain(double size)
{
    return fmax(GAIN - LESS / sqrt(size), 1.0);
}

static double slope_within(double slope)
{
    return fmin(fmax(slope, SLOPE_LOW), SLOPE_HIGH);
}

double sherd_study_guess_size(sherd_study *s, double snapping)
{
    double low = log(REDUCED * s->least), high = log(SIZE_MOST);
    for (int k = 0; k < HALVINGS; ++k) {
        s->size = exp(0.5 * (low + high));
        *(solid_size(s, snapping * gain(s->size)) < requested_size(s) ? &low : &high) =
            0.5 * (low + high);
    }
    return snapping * gain(s->size);
}

typedef struct trial {
    double size, strength;
} trial;

// d log strength / d log size of bonds.
static double slope_of(const trial *last, const trial *at)
{
    double run = log(at->size / last->size);
    if (last->size > 0.0 && fabs(run) > 0.05)
        return slope_within(log(at->strength / last->strength) / run);
    return slope_within(0.5 * LESS / sqrt(at->size) / gain(at->size));
}

static double nearness(double size)
{
    return size < DUCTILE ? SIZE_NEARER : SIZE_NEAR;
}

// Strengths of bonds of s->size at which they are carried on.
static sherd_strength_range near_ones(const sherd_study *s)
{
    double near = 0.5 * nearness(s->size);
    double right = sqrt(s->taken * s->size / (s->out->full.youngs_modulus * requested_size(s)));
    return (sherd_strength_range){right * exp(-near), right * exp(near)};
}

static void carry_on(sherd_study *s, double size_by, double slope, double *strength)
{
    double by = pow(size_by, slope);
    s->size *= size_by;
    *strength *= by;
    s->out->stretched_strength *= by;
    for (int k = 0; k < 3; ++k)
        s->out->axis_strength[k] *= by;
}

sherd_status sherd_study_pull_softening(sherd_study *s, double ratio, double *strength)
{
    double asked = requested_size(s);
    sherd_status status = SHERD_OK;
    trial last = {0}, at = {.size = s->size};
    for (int k = 0; k < SIZE_TRIALS && status == SHERD_OK; ++k) {
        s->size = at.size;
        s->near = near_ones(s);
        status = sherd_study_pull(s, ratio, &at.strength);
        if (status != SHERD_OK) break;
        double missing = log(asked / solid_size(s, at.strength)), slope = slope_of(&last, &at);
        double by = exp(missing / (1.0 - 2.0 * slope));
        *strength = at.strength;
        if (fabs(missing) < nearness(s->size)) {
            carry_on(s, by, slope, strength);
            break;
        }
        last = at;
        at.size = fmax(at.size * by, REDUCED * s->least);
    }
    s->near = (sherd_strength_range){0.0, INFINITY};
    return status;
}
