// Calibration of yielding: H_m of bonds for the requested slope of stress over plastic strain, then
// sigma_y.
#include "calibration/study.h"

#include <math.h>

// Tolerance of the slope, and its largest accepted error.
static const double SLOPE_NEAR = 0.03, SLOPE_FAR = 0.1;

// Range of H_m / E: with less, plastic flow may localise. Bars of bonds without hardening have a
// slope of 0.4 to 0.6 % of E in any case, as their bonds yield one after the other.
static const double H_LOW = 0.002, H_HIGH = 2.0;
enum { TRIALS = 5 };

// For bonds with H_m = h E: sigma over sigma_y and `stiffness`; slope over the solid's E.
typedef struct flow {
    double h, yield, slope;
} flow;

static sherd_status pull_bar(sherd_study *s, int k, double h, flow *sum)
{
    const sherd_bar *bar = s->broken[k];
    sherd_yield_bonds bonds = {sherd_study_elastic_bonds(s, s->g, 1.0), h, s->def->weibull_modulus};
    sherd_elastic_result elastic = s->pulled[k];
    sherd_status status = SHERD_OK;
    if (bar != &s->bar[k]) {
        status = sherd_elastic_test(bar, &bonds.elastic, SHERD_BAR_PULL, &elastic, NULL, s->error);
        ++s->out->tests;
    }
    sherd_yield_result r;
    if (status == SHERD_OK) status = sherd_yield_test(bar, &bonds, &elastic, &r, NULL, s->error);
    if (status != SHERD_OK) return status;
    ++s->out->tests;
    double stiffness = sherd_study_stiffness(s, bar, s->g);
    sum->yield += r.yield / stiffness / s->bar_count;
    sum->slope += r.hardening / stiffness * s->out->full.youngs_modulus / s->bar_count;
    return SHERD_OK;
}

static sherd_status pull_bars(sherd_study *s, double h, flow *out)
{
    sherd_status status = SHERD_OK;
    *out = (flow){.h = h};
    for (int k = 0; k < s->bar_count && status == SHERD_OK; ++k)
        status = pull_bar(s, k, h, out);
    return status;
}

// The slope is nearly linear in h. The first step assumes that it equals the bonds' slope.
static double next_h(const flow *last, const flow *at, double asked)
{
    double rise = 1.0;
    if (last->h != at->h) rise = fmax((at->slope - last->slope) / (at->h - last->h), 0.2);
    return fmin(fmax(at->h + (asked - at->slope) / rise, H_LOW), H_HIGH);
}

static bool is_near(double slope, double asked, double share)
{
    return fabs(slope - asked) <= share * asked;
}

static sherd_status find_flow(sherd_study *s, flow *found)
{
    double asked = s->def->hardening_modulus, h = fmin(fmax(asked, H_LOW), H_HIGH);
    flow at = {.h = h}, last;
    double nearest = INFINITY;
    sherd_status status = SHERD_OK;
    for (int k = 0; k < TRIALS && status == SHERD_OK; ++k) {
        last = k > 0 ? at : (flow){.h = h};
        status = pull_bars(s, h, &at);
        if (k == 0) last = at;
        if (fabs(at.slope - asked) < nearest) *found = at, nearest = fabs(at.slope - asked);
        double next = next_h(&last, &at, asked);
        if (is_near(at.slope, asked, SLOPE_NEAR) || fabs(next - h) < 1e-3 * h) break;
        h = next;
    }
    return status;
}

static void keep_flow(sherd_study *s, const flow *found)
{
    sherd_calibration *out = s->out;
    double asked = s->def->hardening_modulus;
    // If no hardening is requested, the smallest h tried is replaced by 0.
    double h = found->h > H_LOW || asked > 0.0 ? found->h : 0.0;
    out->full.yield_stress = 1.0 / found->yield;
    out->full.hardening_modulus = h * out->full.youngs_modulus;
    out->bar.yield_stress = out->full.yield_stress / out->bar_stiffness;
    out->bar.hardening_modulus = out->full.hardening_modulus / out->bar_stiffness;
    out->guess.yield_stress = INFINITY;
    out->yield_stress = 1.0;
    out->hardening_modulus = found->slope;
    // Without hardening of bonds the slope can't be smaller.
    out->hardening_reached = asked == 0.0 || is_near(found->slope, asked, SLOPE_FAR);
}

sherd_status sherd_study_yielding(sherd_study *s)
{
    flow found = {0};
    sherd_status status = find_flow(s, &found);
    if (status == SHERD_OK) keep_flow(s, &found);
    return status;
}

void sherd_study_no_yielding(sherd_calibration *out)
{
    sherd_calibration_bonds *bonds[3] = {&out->full, &out->bar, &out->guess};
    for (int k = 0; k < 3; ++k)
        bonds[k]->yield_stress = INFINITY, bonds[k]->hardening_modulus = 0.0;
    out->yield_stress = INFINITY;
    out->hardening_modulus = 0.0;
    out->hardening_reached = true;
}
