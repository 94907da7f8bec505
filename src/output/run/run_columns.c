#include "output/run/run_columns.h"

#include "base/assertion.h"

#include <sherd/given_columns.h>
#include <sherd/world_view.h>

#include <math.h>
#include <stdlib.h>

// ---------------------------------------------------------------- loads of bonds and glue

static const char *const LOAD_NAMES[SHERD_LOAD_COLUMNS] = {
    "force_x_n",        "force_y_n",         "force_z_n",     "moment_x_nm",   "moment_y_nm",
    "moment_z_nm",      "normal_force_n",    "shear_force_n", "bending_nm",    "twisting_nm",
    "elastic_energy_j", "bond_stress_ratio", "damage",        "plastic_strain"};

bool sherd_load_columns_create(sherd_load_columns *c, const sherd_run_bonds *bonds)
{
    size_t m = (size_t)bonds->count + 1; // malloc(0) may be NULL
    c->loads = malloc(m * sizeof *c->loads);
    c->values = malloc(m * SHERD_LOAD_COLUMNS * sizeof *c->values);
    for (int k = 0; k < SHERD_LOAD_COLUMNS && c->values != NULL; ++k)
        c->columns[k] =
            (sherd_run_column){LOAD_NAMES[k], SHERD_RUN_PER_BOND, c->values + (size_t)k * m};
    return c->loads != NULL && c->values != NULL;
}

void sherd_load_columns_free(sherd_load_columns *c)
{
    free(c->loads);
    free(c->values);
    *c = (sherd_load_columns){0};
}

static void put_load(float *values, size_t stride, const sherd_bond_load *l, bool broken)
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
        put_load(c->values + k, m + 1, &c->loads[k], bonds->broken[k] != 0);
    for (size_t k = first; k < m; ++k) {
        const sherd_glue_particle *g = &bonds->glue[k - first];
        sherd_bond_load load = load_of(g);
        put_load(c->values + k, m + 1, &load, g->broken || isnan(g->normal_traction));
    }
}

// ---------------------------------------------------------------- stresses of elements

static const char *const STRESS_NAMES[SHERD_STRESS_COLUMNS] = {
    "stress_xx_pa", "stress_yy_pa",   "stress_zz_pa",   "stress_xy_pa",   "stress_yz_pa",
    "stress_zx_pa", "principal_1_pa", "principal_2_pa", "principal_3_pa", "von_mises_pa"};

bool sherd_stress_columns_create(sherd_stress_columns *c, sherd_element_index elements)
{
    size_t n = (size_t)elements + 1; // malloc(0) may be NULL
    c->stress = malloc(n * sizeof *c->stress);
    c->values = malloc(n * SHERD_STRESS_COLUMNS * sizeof *c->values);
    for (int k = 0; k < SHERD_STRESS_COLUMNS && c->values != NULL; ++k)
        c->columns[k] =
            (sherd_run_column){STRESS_NAMES[k], SHERD_RUN_PER_ELEMENT, c->values + (size_t)k * n};
    return c->stress != NULL && c->values != NULL;
}

void sherd_stress_columns_free(sherd_stress_columns *c)
{
    free(c->stress);
    free(c->values);
    *c = (sherd_stress_columns){0};
}

static void put_stress(float *values, size_t stride, const sherd_stress *s)
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
        put_stress(c->values + k, (size_t)count + 1, &c->stress[k]);
}

// ---------------------------------------------------------------- given properties

static void fill_given(sherd_given_columns *c, const sherd_world *world, sherd_element_index count)
{
    for (sherd_element_index k = 0; k < count; ++k) {
        sherd_element_info info = sherd_world_element(world, k);
        c->rest_x[k] = info.rest.x, c->rest_y[k] = info.rest.y, c->rest_z[k] = info.rest.z;
        c->radius[k] = info.radius;
        c->mass[k] = info.mass;
        c->material[k] = info.material;
    }
}

bool sherd_given_columns_create(sherd_given_columns *columns, const sherd_world *world)
{
    sherd_element_index count = sherd_world_elements(world).count;
    size_t n = (size_t)count + 1; // malloc(0) may be NULL
    size_t m = (size_t)sherd_world_bonds(world).count + 1;
    *columns = (sherd_given_columns){malloc(n * sizeof(double)), malloc(n * sizeof(double)),
                                     malloc(n * sizeof(double)), malloc(n * sizeof(double)),
                                     malloc(n * sizeof(double)), malloc(n * sizeof(uint16_t)),
                                     malloc(m * sizeof(float))};
    if (columns->rest_x == NULL || columns->rest_y == NULL || columns->rest_z == NULL ||
        columns->radius == NULL || columns->mass == NULL || columns->material == NULL ||
        columns->bond_section == NULL)
        return false;
    fill_given(columns, world, count);
    sherd_world_bond_sections(world, columns->bond_section);
    return true;
}

void sherd_given_columns_free(sherd_given_columns *columns)
{
    free(columns->rest_x), free(columns->rest_y), free(columns->rest_z);
    free(columns->radius), free(columns->mass), free(columns->material);
    free(columns->bond_section);
    *columns = (sherd_given_columns){0};
}
