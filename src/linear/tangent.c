#include "linear/tangent.h"

#include "base/error.h"
#include "base/memory.h"
#include "linear/tangent_check.h"
#include "linear/tangent_state.h"

#include <string.h>

enum { CHUNK = 4096, FREEDOMS = SHERD_NODE_FREEDOMS };

// ---------------------------------------------------------------- lifetime

void sherd_tangent_use(sherd_tangent *tangent, sherd_simd kind)
{
    tangent->product = sherd_tangent_product_single_baseline;
    tangent->diagonal = sherd_tangent_blocks_single_baseline;
#if defined(SHERD_CPU_X86)
    if (kind == SHERD_SIMD_AVX2) {
        tangent->product = sherd_tangent_product_single_avx2;
        tangent->diagonal = sherd_tangent_blocks_single_avx2;
    }
    if (kind == SHERD_SIMD_AVX512) {
        tangent->product = sherd_tangent_product_single_avx512;
        tangent->diagonal = sherd_tangent_blocks_single_avx512;
    }
#endif
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
    sherd_tangent_free_room(tangent);
    sherd_free(tangent->held);
    sherd_free(tangent->held_bits);
    sherd_spring_set_free(&tangent->springs);
    sherd_free(tangent);
}

const sherd_parallel *sherd_tangent_parallel(const sherd_tangent *tangent)
{
    return &tangent->parallel;
}

size_t sherd_tangent_part_count(const sherd_tangent *tangent)
{
    return tangent->block_count > 0 ? tangent->block_count : 1;
}

size_t sherd_tangent_part_length(const sherd_tangent *tangent)
{
    return tangent->block_count > 0 ? (size_t)tangent->bond_blocks->length : tangent->stride;
}

size_t sherd_tangent_bytes(const sherd_tangent *t)
{
    return sizeof *t + t->block_bytes + t->scratch_count * t->scratch_bytes +
           t->class_capacity * sizeof *t->classes + t->mass_capacity * sizeof *t->mass +
           t->moment_capacity * sizeof *t->moment + t->body_capacity * sizeof *t->bodies +
           t->held_capacity * sizeof *t->held + t->held_bits_capacity * sizeof *t->held_bits +
           sherd_spring_set_bytes(&t->springs);
}

// ---------------------------------------------------------------- preparing

typedef struct preparation {
    sherd_tangent *tangent;
    const sherd_linear_system *system;
} preparation;

static void prepare_classes(sherd_tangent *t, const sherd_linear_system *system)
{
    for (int k = 0; k < system->bonds->class_count; ++k) {
        const double *n = system->bonds->classes[k].number;
        double half_l0 = n[SHERD_CLASS_HALF_L0];
        double weight = 1.0 + system->damping * 2.0 * half_l0 * n[SHERD_CLASS_DAMPING];
        float *to = t->classes + (size_t)k * TANGENT_NUMBERS;
        to[TANGENT_ALONG] = (float)(weight * n[SHERD_CLASS_STRETCH] * n[SHERD_CLASS_INVERSE_L0]);
        to[TANGENT_SHEAR] = (float)(0.5 * weight * n[SHERD_CLASS_HALF_SHEAR]);
        to[TANGENT_BEND] = (float)(0.5 * weight * n[SHERD_CLASS_BEND2]);
        to[TANGENT_TWIST_OVER] = (float)(-0.5 * weight * n[SHERD_CLASS_BEND_OVER_TWIST2]);
        to[TANGENT_HALF_L0] = (float)half_l0;
        to[TANGENT_TENSION] = (float)(n[SHERD_CLASS_STRETCH] * n[SHERD_CLASS_INVERSE_L0]);
    }
}

static void place(const sherd_tangent_block *block, int32_t local, const sherd_elements *e,
                  sherd_element_index k, sherd_element_index middle)
{
    float *half = block->half + local;
    half[0] = (float)(0.5 * (e->px[k] - e->px[middle]));
    half[block->half_column] = (float)(0.5 * (e->py[k] - e->py[middle]));
    half[2 * block->half_column] = (float)(0.5 * (e->pz[k] - e->pz[middle]));
}

static void prepare_blocks(void *context, size_t begin, size_t end)
{
    const preparation *p = context;
    const sherd_elements *e = p->system->elements;
    for (size_t n = begin; n < end; ++n) {
        const sherd_bond_block *b = &p->system->blocks->blocks[n];
        sherd_tangent_block *block = &p->tangent->blocks[n];
        sherd_element_index middle = b->begin + (b->end - b->begin) / 2;
        int32_t own = b->end - b->begin;
        for (int32_t k = 0; k < own; ++k)
            place(block, k, e, b->begin + k, middle);
        for (int32_t h = 0; h < b->halo_count; ++h)
            place(block, own + h, e, b->halo[h], middle);
        bool runs = b->group_start[SHERD_BOND_KIND_COUNT] > 0 || b->slices.row_count > 0;
        block->bonds = b;
        // Making rows takes as long as a loose bond for every eighth element.
        block->with_rows = b->slices.count - b->slices.row_count > own / 8;
        block->with_columns = runs || !block->with_rows;
    }
}

static void prepare_elements(void *context, size_t begin, size_t end)
{
    const preparation *p = context;
    const sherd_elements *e = p->system->elements;
    for (size_t k = begin; k < end; ++k) {
        double inertia = sherd_element_inertia(e, (sherd_element_index)k);
        p->tangent->mass[k] = (float)(p->system->inertia * sherd_element_mass(e, k));
        p->tangent->moment[k] = (float)(p->system->inertia * inertia);
    }
}

// Lanes beyond the last element multiply what bodies have there: by no inertia.
static void clear_padding(sherd_tangent *t)
{
    memset(t->mass + t->elements, 0, (t->mass_capacity - t->elements) * sizeof *t->mass);
    memset(t->moment + t->elements, 0, (t->moment_capacity - t->elements) * sizeof *t->moment);
}

static void prepare_bodies(sherd_tangent *t, const sherd_linear_system *system)
{
    for (size_t b = 0; b < t->body_count; ++b) {
        t->bodies[b].mass = system->inertia * system->bodies[b].mass;
        for (int r = 0; r < 3; ++r)
            for (int c = 0; c < 3; ++c)
                t->bodies[b].moment[r][c] = system->inertia * system->bodies[b].moment[r][c];
    }
}

static sherd_status list_held(sherd_tangent *t, const sherd_elements *e, sherd_error *error)
{
    t->held_count = 0;
    for (sherd_element_index k = 0; k < e->count; ++k) {
        if (e->held[k] == 0) continue;
        size_t at = t->held_count++;
        bool room = sherd_grow((void **)&t->held, &t->held_capacity, at + 1, sizeof *t->held) &&
                    sherd_grow((void **)&t->held_bits, &t->held_bits_capacity, at + 1,
                               sizeof *t->held_bits);
        if (!room) return sherd_fail_memory(error, "held elements");
        t->held[at] = k;
        t->held_bits[at] = e->held[k];
    }
    return SHERD_OK;
}

sherd_status sherd_tangent_prepare(sherd_tangent *t, const sherd_linear_system *system,
                                   sherd_error *error)
{
    sherd_status status = sherd_tangent_check(system, error);
    if (status != SHERD_OK) return status;
    t->parallel = system->parallel;
    t->elements = (size_t)system->elements->count;
    t->body_count = (size_t)system->body_count;
    t->nodes = sherd_node_count(system);
    t->stride = sherd_node_stride(t->nodes);
    t->damping = (float)system->damping;
    t->tension = system->tension;
    status = sherd_tangent_make_room(t, system, error);
    if (status == SHERD_OK) status = list_held(t, system->elements, error);
    if (status == SHERD_OK) status = sherd_spring_set_build(&t->springs, system, error);
    if (status != SHERD_OK) return status;
    preparation p = {t, system};
    prepare_classes(t, system);
    prepare_bodies(t, system);
    clear_padding(t);
    sherd_parallel_for(&t->parallel, t->block_count, 1, prepare_blocks, &p);
    sherd_parallel_for(&t->parallel, t->elements, CHUNK, prepare_elements, &p);
    return SHERD_OK;
}

// ---------------------------------------------------------------- held freedoms

static const uint8_t HELD_BIT[FREEDOMS] = {SHERD_HELD_X,    SHERD_HELD_Y,    SHERD_HELD_Z,
                                           SHERD_HELD_TURN, SHERD_HELD_TURN, SHERD_HELD_TURN};

// The first of the held elements that is not below `node`.
static size_t first_held(const sherd_tangent *t, size_t node)
{
    size_t low = 0, high = t->held_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if ((size_t)t->held[middle] < node)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void sherd_tangent_hold(const sherd_tangent *t, float *x, size_t begin, size_t end)
{
    for (size_t h = first_held(t, begin); h < t->held_count && (size_t)t->held[h] < end; ++h)
        for (size_t c = 0; c < FREEDOMS; ++c)
            if (t->held_bits[h] & HELD_BIT[c]) x[c * t->stride + (size_t)t->held[h]] = 0.0F;
}

void sherd_tangent_hold_blocks(const sherd_tangent *t, float *blocks, size_t begin, size_t end)
{
    for (size_t h = first_held(t, begin); h < t->held_count && (size_t)t->held[h] < end; ++h)
        for (int r = 0, at = 0; r < FREEDOMS; ++r)
            for (int c = 0; c <= r; ++c, ++at)
                if (t->held_bits[h] & (HELD_BIT[r] | HELD_BIT[c]))
                    blocks[(size_t)at * t->stride + (size_t)t->held[h]] = r == c ? 1.0F : 0.0F;
}

void sherd_tangent_clear_held(const sherd_tangent *t, float *x)
{
    sherd_tangent_hold(t, x, 0, t->nodes);
    for (size_t c = 0; c < FREEDOMS; ++c)
        memset(x + c * t->stride + t->nodes, 0, (t->stride - t->nodes) * sizeof *x);
}
