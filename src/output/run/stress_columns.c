#include "output/run/stress_columns.h"

#include <sherd/world_view.h>

#include <stdlib.h>

static const char *const NAMES[SHERD_STRESS_COLUMNS] = {
    "stress_xx_pa", "stress_yy_pa",   "stress_zz_pa",   "stress_xy_pa",   "stress_yz_pa",
    "stress_zx_pa", "principal_1_pa", "principal_2_pa", "principal_3_pa", "von_mises_pa"};

bool sherd_stress_columns_create(sherd_stress_columns *c, sherd_element_index elements)
{
    size_t n = (size_t)elements + 1; // malloc(0) may be NULL
    c->stress = malloc(n * sizeof *c->stress);
    c->values = malloc(n * SHERD_STRESS_COLUMNS * sizeof *c->values);
    for (int k = 0; k < SHERD_STRESS_COLUMNS && c->values != NULL; ++k)
        c->columns[k] =
            (sherd_run_column){NAMES[k], SHERD_RUN_PER_ELEMENT, c->values + (size_t)k * n};
    return c->stress != NULL && c->values != NULL;
}

void sherd_stress_columns_free(sherd_stress_columns *c)
{
    free(c->stress);
    free(c->values);
    *c = (sherd_stress_columns){0};
}

static void put(float *values, size_t stride, const sherd_stress *s)
{
    double principal[3];
    sherd_stress_principal(s, principal);
    const float row[SHERD_STRESS_COLUMNS] = {s->xx,
                                             s->yy,
                                             s->zz,
                                             s->xy,
                                             s->yz,
                                             s->zx,
                                             (float)principal[0],
                                             (float)principal[1],
                                             (float)principal[2],
                                             (float)sherd_stress_von_mises(s)};
    for (size_t k = 0; k < SHERD_STRESS_COLUMNS; ++k)
        values[k * stride] = row[k];
}

void sherd_stress_columns_fill(sherd_stress_columns *c, const sherd_world *world)
{
    sherd_element_index count = sherd_world_elements(world).count;
    sherd_world_stress(world, c->stress);
    for (sherd_element_index k = 0; k < count; ++k)
        put(c->values + k, (size_t)count + 1, &c->stress[k]);
}
