#include "output/diagnosis/energy_errors.h"

#include <sherd/error.h>

#include <math.h>
#include <stdio.h>

// Balance errors of this size are reported as well.
static const double WORTH_REPORTING = 0.005;

double sherd_largest_store(const sherd_energy *e)
{
    return fmax(fmax(e->kinetic, e->elastic), fmax(fabs(e->gravity), e->contact));
}

const char *sherd_integration_text(double taken, double largest_store,
                                   char text[SHERD_RUN_ENERGY_TEXT])
{
    text[0] = '\0';
    if (!(fabs(taken) > WORTH_REPORTING * largest_store)) return text;
    char percent[SHERD_PERCENT_TEXT];
    snprintf(text, SHERD_RUN_ENERGY_TEXT, "integration %s %s of the largest stored energy",
             taken > 0.0 ? "took" : "gave",
             sherd_percent_text(fabs(taken) / largest_store, percent));
    return text;
}

static const double NOISE_STRAIN = 1e-10;

double sherd_noise_energy(const sherd_run_model *model, const sherd_scene *scene)
{
    if (scene == NULL) return 0.0;
    double stiffest = 0.0, volume = 0.0;
    for (int k = 0; k < scene->material_count; ++k)
        stiffest = fmax(stiffest, scene->materials[k].def.youngs_modulus);
    for (sherd_element_index k = 0; k < model->element_count; ++k)
        volume += pow(2.0 * model->radius[k], 3.0);
    return 0.5 * stiffest * volume * NOISE_STRAIN * NOISE_STRAIN;
}
