// Extra tests of a calibration (`with_table`): bending and torsion moduli, and modulus, Poisson's
// ratio and strength along the other axes, with the calibrated bonds.
#include "calibration/study.h"

#include <math.h>

// Modulus under one load in units of the requested E, for bonds made for the bar's fraction of
// solid.
static sherd_status show(sherd_study *s, const sherd_bar *bar, sherd_bar_load load, double *modulus,
                         double *poissons_ratio)
{
    sherd_elastic_bonds bonds = sherd_study_elastic_bonds(s, s->g, 1.0);
    sherd_elastic_result r;
    sherd_status status = sherd_elastic_test(bar, &bonds, load, &r, NULL, s->error);
    if (status != SHERD_OK) return status;
    ++s->out->tests;
    *modulus = r.modulus / sherd_study_stiffness(s, bar, s->g) * s->out->full.youngs_modulus;
    if (poissons_ratio != NULL) *poissons_ratio = r.poissons_ratio;
    return SHERD_OK;
}

// Strength of a bar with the calibrated bonds, in tension.
static sherd_status show_strength(sherd_study *s, const sherd_bar *bar, double *strength)
{
    const sherd_calibration_bonds *full = &s->out->full;
    if (!isfinite(full->tensile_strength)) return SHERD_OK;
    sherd_strength_result over = {0};
    sherd_status status = sherd_study_break_bar(
        s, bar, full->shear_strength / full->tensile_strength, SHERD_BAR_PULL, &over, NULL);
    *strength = over.strength * full->tensile_strength;
    return status;
}

static sherd_status show_direction(sherd_study *s, int axis)
{
    sherd_calibration *out = s->out;
    sherd_bar bar;
    sherd_status status = sherd_bar_init(&bar, s->def, axis, s->error);
    if (status != SHERD_OK) return status;
    status =
        show(s, &bar, SHERD_BAR_PULL, &out->axis_modulus[axis], &out->axis_poissons_ratio[axis]);
    if (status == SHERD_OK) status = show_strength(s, &bar, &out->axis_strength[axis]);
    sherd_bar_free(&bar);
    return status;
}

sherd_status sherd_study_show_more(sherd_study *s)
{
    sherd_calibration *out = s->out;
    sherd_status status = show(s, &s->bar[0], SHERD_BAR_BEND, &out->bending_modulus, NULL);
    if (status == SHERD_OK)
        status = show(s, &s->bar[0], SHERD_BAR_TWIST, &out->torsion_modulus, NULL);
    int directions = s->def->layers > 0 ? 2 : 3; // there is no bar across a plate
    if (out->own_bars) directions = s->bar_count;
    for (int axis = s->bar_count; axis < directions && status == SHERD_OK; ++axis)
        status = show_direction(s, axis);
    return status;
}
