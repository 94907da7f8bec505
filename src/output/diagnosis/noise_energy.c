#include "output/diagnosis/noise_energy.h"

#include <math.h>

static const double STRAIN = 1e-10;

double sherd_noise_energy(const sherd_run_model *model, const sherd_scene *scene)
{
    if (scene == NULL) return 0.0;
    double stiffest = 0.0, volume = 0.0;
    for (int k = 0; k < scene->material_count; ++k)
        stiffest = fmax(stiffest, scene->materials[k].def.youngs_modulus);
    for (sherd_element_index k = 0; k < model->element_count; ++k)
        volume += pow(2.0 * model->radius[k], 3.0);
    return 0.5 * stiffest * volume * STRAIN * STRAIN;
}
