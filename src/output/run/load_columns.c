#include "output/run/load_columns.h"

#include <math.h>
#include <stdlib.h>

static const char *const NAMES[SHERD_LOAD_COLUMNS] = {
    "force_x_n",        "force_y_n",         "force_z_n",     "moment_x_nm",   "moment_y_nm",
    "moment_z_nm",      "normal_force_n",    "shear_force_n", "bending_nm",    "twisting_nm",
    "elastic_energy_j", "bond_stress_ratio", "damage",        "plastic_strain"};

bool sherd_load_columns_create(sherd_load_columns *c, sherd_bond_index bonds)
{
    size_t m = (size_t)bonds + 1; // malloc(0) may be NULL
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

void sherd_load_columns_fill(sherd_load_columns *c, const sherd_world *world)
{
    sherd_bond_view bonds = sherd_world_bonds(world);
    sherd_world_bond_loads(world, c->loads);
    for (sherd_bond_index k = 0; k < bonds.count; ++k)
        put(c->values + k, (size_t)bonds.count + 1, &c->loads[k], bonds.broken[k] != 0);
}
