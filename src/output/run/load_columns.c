#include "output/run/load_columns.h"

#include "base/assertion.h"

#include <sherd/world_view.h>

#include <math.h>
#include <stdlib.h>

static const char *const NAMES[SHERD_LOAD_COLUMNS] = {
    "force_x_n",        "force_y_n",         "force_z_n",     "moment_x_nm",   "moment_y_nm",
    "moment_z_nm",      "normal_force_n",    "shear_force_n", "bending_nm",    "twisting_nm",
    "elastic_energy_j", "bond_stress_ratio", "damage",        "plastic_strain"};

bool sherd_load_columns_create(sherd_load_columns *c, const sherd_run_bonds *bonds)
{
    size_t m = (size_t)bonds->count + 1; // malloc(0) may be NULL
    c->loads = malloc(m * sizeof *c->loads);
    c->values = malloc(m * SHERD_LOAD_COLUMNS * sizeof *c->values);
    for (int k = 0; k < SHERD_LOAD_COLUMNS && c->values != NULL; ++k)
        c->columns[k] = (sherd_run_column){NAMES[k], SHERD_RUN_PER_BOND, c->values + (size_t)k * m};
    return c->loads != NULL && c->values != NULL;
}

void sherd_load_columns_free(sherd_load_columns *c)
{
    free(c->loads);
    free(c->values);
    *c = (sherd_load_columns){0};
}

static void put(float *values, size_t stride, const sherd_bond_load *l, bool broken)
{
    const double row[SHERD_LOAD_COLUMNS] = {
        l->force.x,  l->force.y,      l->force.z,     l->moment.x,       l->moment.y,
        l->moment.z, l->normal_force, l->shear_force, l->bending_moment, l->twisting_moment,
        l->energy,   l->stress_ratio, l->damage,      l->plastic_strain};
    for (size_t k = 0; k < SHERD_LOAD_COLUMNS; ++k)
        values[k * stride] = broken ? NAN : (float)row[k];
}

// Force on point j: traction times rest area. No moments and no history.
static sherd_bond_load load_of(const sherd_glue_particle *g)
{
    double a = g->area;
    return (sherd_bond_load){.force = {-a * g->traction.x, -a * g->traction.y, -a * g->traction.z},
                             .normal_force = a * g->normal_traction,
                             .shear_force = a * g->shear_traction,
                             .stress_ratio =
                                 fmax(fmax(g->normal_traction, 0.0) / g->tensile_strength,
                                      g->shear_traction / g->shear_strength)};
}

void sherd_load_columns_fill(sherd_load_columns *c, const sherd_world *world,
                             const sherd_run_bonds *bonds)
{
    SHERD_ASSERT(bonds->glue_count >= 0 && bonds->glue_count <= bonds->count,
                 "glue is counted among the bonds");
    size_t m = (size_t)bonds->count, first = m - (size_t)bonds->glue_count;
    sherd_world_bond_loads(world, c->loads);
    for (size_t k = 0; k < first; ++k)
        put(c->values + k, m + 1, &c->loads[k], bonds->broken[k] != 0);
    for (size_t k = first; k < m; ++k) {
        const sherd_glue_particle *g = &bonds->glue[k - first];
        sherd_bond_load load = load_of(g);
        put(c->values + k, m + 1, &load, g->broken || isnan(g->normal_traction));
    }
}
