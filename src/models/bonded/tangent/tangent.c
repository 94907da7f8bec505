#include "models/bonded/tangent/tangent.h"

#include "base/error.h"
#include "base/memory.h"
#include "models/bonded/tangent/tangent_state.h"

#include <math.h>
#include <string.h>

enum { CHUNK = 4096 };

// ---------------------------------------------------------------- lifetime

void sherd_tangent_use(sherd_tangent *tangent, sherd_simd kind)
{
    tangent->product = SHERD_KERNEL_AT(kind, sherd_tangent_product_single);
    tangent->diagonal = SHERD_KERNEL_AT(kind, sherd_tangent_blocks_single);
}

sherd_tangent *sherd_tangent_create(sherd_error *error)
{
    sherd_tangent *tangent = sherd_alloc(1, sizeof *tangent);
    if (tangent == NULL) {
        sherd_fail_memory(error, "tangent");
        return NULL;
    }
    sherd_tangent_use(tangent, sherd_cpu_level());
    return tangent;
}

void sherd_tangent_destroy(sherd_tangent *tangent)
{
    if (tangent == NULL) return;
    sherd_tangent_free_scratch(tangent);
    sherd_free(tangent);
}

size_t sherd_tangent_bytes(const sherd_tangent *t)
{
    return sizeof *t + t->block_bytes + t->scratch_count * t->scratch_bytes +
           t->class_capacity * sizeof *t->classes + t->number_capacity * sizeof *t->numbers +
           t->yielding_capacity * sizeof *t->yielding + t->mass_capacity * sizeof *t->mass +
           t->moment_capacity * sizeof *t->moment;
}

// ---------------------------------------------------------------- preparing

typedef struct preparation {
    sherd_tangent *tangent;
    const sherd_linear_system *system;
} preparation;

static void prepare_classes(sherd_tangent *t, const sherd_linear_system *system)
{
    const sherd_bonds *bonds = t->parts.bonds;
    for (int k = 0; k < bonds->class_count; ++k) {
        const double *n = bonds->classes[k].number;
        double half_l0 = n[SHERD_CLASS_HALF_L0];
        double weight = 1.0 + system->damping * 2.0 * half_l0 * n[SHERD_CLASS_DAMPING];
        float *to = t->classes + (size_t)k * TANGENT_NUMBERS;
        to[TANGENT_ALONG] = (float)(weight * n[SHERD_CLASS_STRETCH] * n[SHERD_CLASS_INVERSE_L0]);
        to[TANGENT_SHEAR] = (float)(0.5 * weight * n[SHERD_CLASS_HALF_SHEAR]);
        to[TANGENT_BEND] = (float)(0.5 * weight * n[SHERD_CLASS_BEND2]);
        to[TANGENT_TWIST_OVER] = (float)(-0.5 * weight * n[SHERD_CLASS_BEND_OVER_TWIST2]);
        to[TANGENT_HALF_L0] = (float)half_l0;
        to[TANGENT_TENSION] = (float)(n[SHERD_CLASS_STRETCH] * n[SHERD_CLASS_INVERSE_L0]);
        for (int c = 0; c < 3; ++c)
            to[TANGENT_D0 + c] = (float)n[SHERD_CLASS_D0 + c];
    }
}

static void set_position(const sherd_tangent_block *block, int32_t local, const sherd_elements *e,
                         sherd_element_index k, sherd_element_index middle)
{
    float *half = block->half + local;
    half[0] = (float)(0.5 * (e->px[k] - e->px[middle]));
    half[block->half_column] = (float)(0.5 * (e->py[k] - e->py[middle]));
    half[2 * block->half_column] = (float)(0.5 * (e->pz[k] - e->pz[middle]));
    if (block->orientation == NULL) return;
    const double q[4] = {e->qx[k], e->qy[k], e->qz[k], e->qw[k]};
    for (size_t c = 0; c < 4; ++c)
        block->orientation[c * block->half_column + (size_t)local] = (float)q[c];
}

static void prepare_blocks(void *context, size_t begin, size_t end)
{
    const preparation *p = context;
    const sherd_elements *e = p->tangent->parts.elements;
    for (size_t n = begin; n < end; ++n) {
        const sherd_bond_block *b = &p->tangent->parts.blocks->blocks[n];
        sherd_tangent_block *block = &p->tangent->blocks[n];
        sherd_element_index middle = b->begin + (b->end - b->begin) / 2;
        int32_t own = b->end - b->begin;
        for (int32_t k = 0; k < own; ++k)
            set_position(block, k, e, b->begin + k, middle);
        for (int32_t h = 0; h < b->halo_count; ++h)
            set_position(block, own + h, e, b->halo[h], middle);
        bool runs = b->group_start[SHERD_BOND_KIND_COUNT] > 0 || b->slices.row_count > 0;
        block->bonds = b;
        // Rows pay off if there is more than one loose bond for every eight elements.
        block->with_rows = b->slices.count - b->slices.row_count > own / 8;
        block->with_columns = runs || !block->with_rows;
    }
}

static void prepare_elements(void *context, size_t begin, size_t end)
{
    const preparation *p = context;
    const sherd_elements *e = p->tangent->parts.elements;
    for (size_t k = begin; k < end; ++k) {
        double inertia = sherd_element_inertia(e, (sherd_element_index)k);
        p->tangent->mass[k] = (float)(p->system->inertia * sherd_element_mass(e, k));
        p->tangent->moment[k] = (float)(p->system->inertia * inertia);
    }
}

// Damping still has the elastic stiffness: (1 + c' beta) K becomes (theta + c' beta) K.
static void prepare_yielding(void *context, size_t begin, size_t end)
{
    const preparation *p = context;
    const sherd_tangent_parts *parts = &p->tangent->parts;
    for (size_t k = begin; k < end; ++k) {
        float *to = p->tangent->yielding + k * TANGENT_YIELD_NUMBERS;
        double tangent[SHERD_BOND_YIELD_TANGENT];
        memset(to, 0, TANGENT_YIELD_NUMBERS * sizeof *to);
        to[TANGENT_YIELD_FRACTION] = 1.0F;
        if (parts->bonds->broken[k] ||
            !sherd_bond_yield_tangent(parts->bonds, parts->elements, (int64_t)k, tangent))
            continue;
        double beta = sherd_bond_constants_of(parts->bonds, parts->elements, (int64_t)k).beta;
        double damped = p->system->damping * beta;
        for (int n = TANGENT_YIELD_FORCE; n < TANGENT_YIELD_NUMBERS; ++n)
            to[n] = (float)tangent[n];
        to[TANGENT_YIELD_FRACTION] =
            (float)((tangent[TANGENT_YIELD_FRACTION] + damped) / (1.0 + damped));
    }
}

// Lanes beyond the last element multiply whatever follows in the vector by zero inertia.
static void clear_padding(sherd_tangent *t)
{
    memset(t->mass + t->elements, 0, (t->mass_capacity - t->elements) * sizeof *t->mass);
    memset(t->moment + t->elements, 0, (t->moment_capacity - t->elements) * sizeof *t->moment);
}

static bool wants_orientations(const sherd_bonds *bonds)
{
    bool wants = false;
    for (int m = 0; m < bonds->material_count; ++m)
        wants |= sherd_bond_law_functions_of(bonds->materials[m].law)->about_sections;
    return wants;
}

static bool some_yield(const sherd_bonds *bonds)
{
    for (int m = 0; m < bonds->material_count; ++m)
        if (isfinite(bonds->materials[m].yield_stress)) return true;
    return false;
}

static double count_lost(void *context, size_t begin, size_t end)
{
    const sherd_elements *e = context;
    double lost = 0.0;
    for (size_t k = begin; k < end; ++k)
        lost += isfinite(e->px[k] + e->py[k] + e->pz[k]) ? 0.0 : 1.0;
    return lost;
}

static sherd_status check_elements(const sherd_elements *e, const sherd_parallel *parallel,
                                   sherd_error *error)
{
    size_t count = (size_t)e->count, k = 0;
    double lost = sherd_parallel_sum(parallel, count, 4096, count_lost, (void *)e);
    if (lost == 0.0) return SHERD_OK;
    while (isfinite(e->px[k] + e->py[k] + e->pz[k]))
        ++k;
    return sherd_fail(error, SHERD_ERROR_UNSTABLE, "sherd_tangent_parts.elements", NULL,
                      "the position of element %d is (%g, %g, %g)",
                      sherd_element_number(e, (sherd_element_index)k), e->px[k], e->py[k],
                      e->pz[k]);
}

static sherd_status check_laws(const sherd_bonds *bonds, sherd_error *error)
{
    for (int m = 0; m < bonds->material_count; ++m) {
        const sherd_bond_law_info *law = sherd_bond_law_describe(bonds->materials[m].law);
        if (law == NULL || !law->has_energy)
            return sherd_fail(error, SHERD_ERROR_INPUT, "sherd_tangent_parts.bonds",
                              "step explicitly", "bonds of law %s have no stiffness",
                              law != NULL ? law->word : "none");
    }
    return SHERD_OK;
}

// Rejects models whose tangent can't be computed.
static sherd_status check_parts(const sherd_tangent_parts *parts, const sherd_parallel *parallel,
                                sherd_error *error)
{
    if (parts->blocks->precision != SHERD_PRECISION_MIXED)
        return sherd_fail(error, SHERD_ERROR_INPUT, "sherd_tangent_parts.blocks", NULL,
                          "must be arranged in mixed precision");
    sherd_status status = check_laws(parts->bonds, error);
    return status == SHERD_OK ? check_elements(parts->elements, parallel, error) : status;
}

static sherd_status prepare(void *state, const sherd_linear_system *system, sherd_error *error)
{
    sherd_tangent *t = state;
    sherd_status status = check_parts(&t->parts, &system->parallel, error);
    if (status != SHERD_OK) return status;
    t->parallel = system->parallel;
    t->elements = (size_t)t->parts.elements->count;
    t->stride = sherd_node_stride(sherd_node_count(system));
    t->damping = (float)system->damping;
    t->tension = system->tension;
    t->oriented = wants_orientations(t->parts.bonds);
    t->yields = some_yield(t->parts.bonds);
    status = sherd_tangent_make_scratch(t, error);
    if (status != SHERD_OK) return status;
    preparation p = {t, system};
    prepare_classes(t, system);
    sherd_tangent_prepare_numbers(t);
    clear_padding(t);
    sherd_parallel_for(&t->parallel, t->block_count, 1, prepare_blocks, &p);
    sherd_parallel_for(&t->parallel, t->elements, CHUNK, prepare_elements, &p);
    if (t->yields)
        sherd_parallel_for(&t->parallel, (size_t)t->parts.bonds->count, CHUNK, prepare_yielding,
                           &p);
    return SHERD_OK;
}

// ---------------------------------------------------------------- the operator

// One part of the operator is one block of bonds.
static sherd_linear_parts parts(const void *state)
{
    const sherd_tangent *t = state;
    if (t->block_count == 0) return (sherd_linear_parts){1, t->stride};
    return (sherd_linear_parts){t->block_count, (size_t)t->bond_blocks->length};
}

static const sherd_linear_operator OPERATOR = {
    .prepare = prepare,
    .parts = parts,
    .multiply = sherd_tangent_multiply,
    .finish_product = sherd_tangent_finish_product,
    .diagonal = sherd_tangent_diagonal,
    .finish_diagonal = sherd_tangent_finish_diagonal,
    .add_springs = sherd_tangent_add_springs,
    .hold = sherd_tangent_hold_stiffness,
};

void sherd_tangent_fill(sherd_tangent *tangent, const sherd_tangent_parts *from,
                        sherd_linear_system *system)
{
    const sherd_bonds *bonds = from->bonds;
    tangent->parts = *from;
    system->model = &OPERATOR;
    system->state = tangent;
    system->points = &from->elements->points;
    system->graph = (sherd_point_graph){.count = bonds->count,
                                        .i = bonds->i,
                                        .j = bonds->j,
                                        .broken = bonds->broken,
                                        .start = from->adjacency->start,
                                        .edge = from->adjacency->bond};
}
