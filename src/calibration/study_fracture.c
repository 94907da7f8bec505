// The fracture energy of bonds: the energy of cracks is proportional to it, so that one test of
// each kind is enough.
#include "calibration/study.h"

#include <math.h>

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
