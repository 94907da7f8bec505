// Calibration of softening bonds. The strength of a solid increases with the ductility of its
// bonds, as other bonds carry the load that a softening bond loses, the more the larger their size,
// E G_f / (sigma_c^2 r). The size of the solid follows from that of its bonds and from the results
// of bars, relative to the bonds' E, sigma_c and G_f:
//
//      size of the solid = E taken / strength^2 x size of the bonds
//
// It increases with the bonds' size, so the requested one is found in a few trials. It has a lower
// bound: bonds with strengths so high that they would store more than their fracture energy can't
// be made stronger.
#include "calibration/study.h"

#include <math.h>

// ---------------------------------------------------------------- fracture energy

// The fracture energy of bonds: the energy of cracks is proportional to it, so that one test of
// each kind is enough.

// The notch is in each side from which a crack may come: plates have one.
static sherd_status tear_bar(sherd_study *s, const sherd_bar *bar, double ratio,
                             sherd_fracture_result *sum)
{
    double weight = isfinite(ratio) ? 1.0 / ratio : 0.0;
    sherd_strength_bonds bonds = {sherd_study_elastic_bonds(s, s->g, weight),
                                  s->def->weibull_modulus, 0.0};
    sherd_elastic_result elastic;
    sherd_status status =
        sherd_elastic_test(bar, &bonds.elastic, SHERD_BAR_PULL, &elastic, NULL, s->error);
    ++s->out->tests;
    int count = 0;
    for (int side = 0; side < 2 && status == SHERD_OK; ++side) {
        if (s->def->layers > 0 && (bar->axis + 1 + side) % 3 == 2) continue;
        sherd_fracture_result r;
        status = sherd_fracture_test(bar, side, &bonds, &elastic, &r, s->error);
        ++s->out->tests, ++count;
        sum->taken += r.taken;
        sum->least = fmax(sum->least, r.least);
    }
    sum->taken /= count > 0 ? count : 1;
    return status;
}

static sherd_status tear(sherd_study *s, int k, double ratio, sherd_fracture_result *out)
{
    *out = (sherd_fracture_result){0};
    if (s->out->own_bars) return tear_bar(s, s->broken[k], ratio, out);
    sherd_bar bar;
    sherd_status status = sherd_fracture_bar_init(&bar, s->def, k, s->error);
    if (status != SHERD_OK) return status;
    status = tear_bar(s, &bar, ratio, out);
    sherd_bar_free(&bar);
    return status;
}

sherd_status sherd_study_tear(sherd_study *s, double ratio)
{
    sherd_status status = SHERD_OK;
    s->taken = s->least = 0.0;
    for (int k = 0; k < s->bar_count && status == SHERD_OK; ++k) {
        sherd_fracture_result r;
        status = tear(s, k, ratio, &r);
        s->taken += r.taken / s->bar_count;
        s->least = fmax(s->least, r.least);
    }
    return status;
}

void sherd_study_keep_fracture(sherd_study *s)
{
    sherd_calibration *out = s->out;
    out->full.fracture_energy = out->bar.fracture_energy = 1.0 / s->taken;
    out->guess.fracture_energy = 1.0;
    out->guess_fracture_energy = s->taken;
    out->fracture_energy = 1.0;
    const sherd_calibration_bonds *bonds =
        &out->bar; // a body's E and strengths have the same ratio
    out->fracture_radius = bonds->youngs_modulus * bonds->fracture_energy /
                           (bonds->tensile_strength * bonds->tensile_strength * s->least);
}

// ---------------------------------------------------------------- softening

// At the lower bound all strengths are reduced, including those that scatter made small: it is at
// this fraction of the size at which the first is reduced.
static const double REDUCED = 0.25;

// Strength of bars over those of brittle bonds: GAIN - LESS / sqrt(size). It is 1.70 at a size of
// 18, 1.82 at 31 and 1.88 at 39 (random), 1.80 at 35 and 1.92 at 77 (hcp), 1.95 at 46 and 2.02 at
// 94 (tetrahedra), and at least 1.
static const double GAIN = 2.12, LESS = 1.75;

// Range of d log strength / d log size from trials or from this formula.
static const double SLOPE_LOW = 0.05, SLOPE_HIGH = 0.35;

// Differences of the logarithm of the solid's size below which a trial is extrapolated to the
// requested one by that slope: an error of 0.05 in the slope gives 1 % of strength. Below a size of
// DUCTILE slopes vary from 0.1 to 0.5, as bars begin to harden there.
static const double SIZE_NEAR = 0.2, SIZE_NEARER = 0.05, DUCTILE = 25.0, MAX_SIZE = 1e5;
enum { SIZE_TRIALS = 6, HALVINGS = 40 };

// Relative to the bonds' sigma_c and to the bars' stiffness, as are moduli and strengths.
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
    double low = log(REDUCED * s->least), high = log(MAX_SIZE);
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

// Strengths of bonds of s->size at which extrapolation is possible.
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
