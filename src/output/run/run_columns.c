#include "output/run/run_columns.h"

#include "base/assertion.h"

#include <sherd/given_columns.h>
#include <sherd/world_view.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------- bonds as files number them

// Elements without glue belong to the first piece.
static void append_glue(const sherd_run_bonds *b, const sherd_bond_view *bonds,
                        const float *of_bonds, sherd_element_index *i, sherd_element_index *j,
                        float *section, int32_t *piece)
{
    size_t m = (size_t)bonds->count;
    if (m > 0) {
        memcpy(i, bonds->i, m * sizeof *i);
        memcpy(j, bonds->j, m * sizeof *j);
        memcpy(section, of_bonds, m * sizeof *section);
    }
    for (size_t k = 0; k < (size_t)b->glue_count; ++k) {
        const sherd_glue_particle *g = &b->glue[k];
        i[m + k] = g->i, j[m + k] = g->j;
        section[m + k] = (float)g->area;
        piece[g->i] = g->piece_i, piece[g->j] = g->piece_j;
    }
}

static bool allocate(sherd_run_bonds *b, sherd_element_index elements)
{
    size_t m = (size_t)b->count, n = (size_t)elements;
    const size_t bytes[] = {m * sizeof *b->i, m * sizeof *b->j, m * sizeof *b->section,
                            n * sizeof *b->piece, m * sizeof *b->broken};
    bool ok = (b->glue = malloc((size_t)b->glue_count * sizeof *b->glue)) != NULL;
    for (size_t k = 0; k < sizeof bytes / sizeof *bytes; ++k)
        ok = (b->owned[k] = calloc(1, bytes[k])) != NULL && ok;
    return ok;
}

bool sherd_run_bonds_create(sherd_run_bonds *b, const sherd_world *world, const float *section)
{
    sherd_bond_view bonds = sherd_world_bonds(world);
    sherd_bond_index glue = sherd_world_glue_count(world);
    *b = (sherd_run_bonds){.count = bonds.count + glue, .glue_count = glue};
    if (glue > 0) {
        if (!allocate(b, sherd_world_elements(world).count)) return false;
        sherd_world_glue(world, b->glue);
        append_glue(b, &bonds, section, b->owned[0], b->owned[1], b->owned[2], b->owned[3]);
        b->i = b->owned[0], b->j = b->owned[1], b->section = b->owned[2], b->piece = b->owned[3];
    } else {
        b->i = bonds.i, b->j = bonds.j, b->section = section;
    }
    sherd_run_bonds_update(b, world);
    return true;
}

void sherd_run_bonds_free(sherd_run_bonds *b)
{
    free(b->glue);
    for (size_t k = 0; k < sizeof b->owned / sizeof *b->owned; ++k)
        free(b->owned[k]);
    *b = (sherd_run_bonds){0};
}

void sherd_run_bonds_update(sherd_run_bonds *b, const sherd_world *world)
{
    sherd_bond_view bonds = sherd_world_bonds(world);
    SHERD_ASSERT(bonds.count + b->glue_count == b->count, "a world keeps its bonds");
    b->broken = bonds.broken;
    if (b->glue_count == 0) return;
    uint8_t *broken = b->owned[4];
    sherd_world_glue(world, b->glue);
    if (bonds.count > 0) memcpy(broken, bonds.broken, (size_t)bonds.count);
    for (sherd_bond_index k = 0; k < b->glue_count; ++k)
        broken[bonds.count + k] = b->glue[k].broken;
    b->broken = broken;
}

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
