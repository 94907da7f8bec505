#include "models/bonded/bonded_model.h"

#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/record.h"
#include "models/bonded/bond_loads.h"
#include "models/bonded/element_stress/element_stress.h"
#include "models/bonded/network.h"
#include "points/elements.h"

#include <math.h>

static const sherd_points *points(const void *state)
{
    const sherd_bonded *b = state;
    return &b->elements->points;
}

static void set_loads(void *state, const sherd_point_advance *advance)
{
    sherd_bonded *b = state;
    sherd_bonds_apply(b->bonds, b->blocks, b->elements, &b->parallel, b->kernel, advance);
}

// ---------------------------------------------------------------- energies

static double stored_energy(const void *state)
{
    const sherd_bonded *b = state;
    return sherd_bonds_energy(b->bonds, b->elements, &b->parallel);
}

static double damping_power(const void *state)
{
    const sherd_bond_blocks *blocks = ((const sherd_bonded *)state)->blocks;
    double power = 0.0;
    for (int k = 0; k < blocks->count; ++k)
        power += blocks->blocks[k].damping_power;
    return power;
}

// ---------------------------------------------------------------- small motions

static bool is_stiff(const void *state)
{
    const sherd_bonds *bonds = ((const sherd_bonded *)state)->bonds;
    return bonds->count > bonds->broken_count;
}

static sherd_status prepare_stiffness(const void *state, double c, sherd_prepared_operator *product,
                                      sherd_error *error)
{
    const sherd_bonded *b = state;
    sherd_network network = {b->elements, b->bonds, b->adjacency, b->parallel};
    return sherd_network_prepare(&network, c, product, error);
}

static sherd_relaxation_range relaxation(const void *state)
{
    const sherd_bonded *b = state;
    sherd_relaxation_range range = {INFINITY, 0.0};
    for (int64_t k = 0; k < b->bonds->count; ++k) {
        if (b->bonds->broken[k]) continue;
        double beta = sherd_bond_constants_of(b->bonds, b->elements, k).beta;
        range.shortest = fmin(range.shortest, beta);
        range.longest = fmax(range.longest, beta);
    }
    return is_stiff(state) ? range : (sherd_relaxation_range){0};
}

// ---------------------------------------------------------------- stress

static sherd_model_measures measure(const void *state, float *ratio)
{
    return sherd_bonded_measure(state, ratio);
}

static void find_stresses(const void *state, sherd_stress *stress)
{
    const sherd_bonded *b = state;
    sherd_bonds_find_element_stress(b->bonds, b->elements, &b->parallel, stress);
}

// ---------------------------------------------------------------- state

static void find_components(const void *state, sherd_element_index *first)
{
    const sherd_bonded *b = state;
    sherd_find_components(b->bonds, b->elements->count, first);
}

static uint64_t hash_state(const void *state, uint64_t hash)
{
    const sherd_bonded *b = state;
    hash = sherd_points_hash(&b->elements->points, hash);
    size_t count = (size_t)b->bonds->count;
    hash = sherd_hash_bytes(hash, b->bonds->broken, count);
    if (b->bonds->opening != NULL)
        hash = sherd_hash_bytes(hash, b->bonds->opening, count * sizeof *b->bonds->opening);
    if (b->bonds->damage != NULL)
        hash = sherd_hash_bytes(hash, b->bonds->damage, count * sizeof *b->bonds->damage);
    if (b->bonds->history == NULL) return hash;
    size_t stride = (size_t)b->bonds->history_stride;
    return sherd_hash_bytes(hash, b->bonds->history, count * stride * sizeof *b->bonds->history);
}

// ---------------------------------------------------------------- saving

// Saved are columns of elements, and the section "bonds".

static sherd_record_column unlisted_of(const sherd_bonds *bonds, uint8_t *unlisted)
{
    return (sherd_record_column){"unlisted", &sherd_rows_u8, unlisted, (size_t)bonds->count, 0};
}

// Saves the state of bonds, and which broken bonds have been removed from the lists of loose bonds:
// the order in which loads are added depends on these lists.
static sherd_status save_bonds(const sherd_bonded *b, sherd_byte_buffer *out, sherd_error *error)
{
    uint8_t *unlisted = sherd_alloc((size_t)b->bonds->count, 1);
    if (unlisted == NULL) return sherd_fail_memory(error, "checkpoint");
    sherd_bond_blocks_unlisted(b->blocks, b->bonds, unlisted);
    sherd_record_column columns[SHERD_BOND_STATE_COLUMNS], column = unlisted_of(b->bonds, unlisted);
    size_t begun = sherd_record_begin(out, "bonds");
    sherd_record_write_all(out, columns, sherd_bonds_state(b->bonds, columns));
    sherd_record_write(out, &column);
    sherd_record_end(out, begun);
    sherd_free(unlisted);
    return SHERD_OK;
}

static sherd_status save(const void *state, sherd_byte_buffer *out, sherd_error *error)
{
    const sherd_bonded *bonded = state;
    sherd_record_column columns[SHERD_STATE_COLUMNS];
    sherd_record_write_all(out, columns, sherd_elements_state(bonded->elements, columns));
    return save_bonds(bonded, out, error);
}

// ---------------------------------------------------------------- restoring

// Counts the elements and bonds that were saved.
static void count_saved(const sherd_record_reader *in, size_t *elements, size_t *bonds)
{
    sherd_record_reader look = *in, part;
    *elements = sherd_record_rows(&look, "px");
    part = sherd_record_enter(&look, "bonds");
    *bonds = sherd_record_rows(&part, "broken");
}

static sherd_status check_owner(const sherd_bonded *b, const sherd_record_reader *in,
                                sherd_error *error)
{
    size_t elements, bonds;
    count_saved(in, &elements, &bonds);
    if (elements == (size_t)b->elements->count && bonds == (size_t)b->bonds->count) return SHERD_OK;
    return sherd_fail(error, SHERD_ERROR_INPUT, "checkpoint",
                      "resume with the scene, variant and settings it was started with",
                      "belongs to another scene: %lld elements and %lld bonds, not %d and %lld",
                      (long long)elements, (long long)bonds, b->elements->count,
                      (long long)b->bonds->count);
}

static sherd_status restore_bonds(const sherd_bonded *b, sherd_record_reader *in,
                                  sherd_error *error)
{
    size_t count = (size_t)b->bonds->count;
    uint8_t *unlisted = sherd_alloc(count, 1);
    if (unlisted == NULL) return sherd_fail_memory(error, "checkpoint");
    sherd_record_column columns[SHERD_BOND_STATE_COLUMNS], column = unlisted_of(b->bonds, unlisted);
    sherd_record_reader part = sherd_record_enter(in, "bonds");
    sherd_record_read_all(&part, columns, sherd_bonds_state(b->bonds, columns));
    sherd_record_read(&part, &column);
    sherd_status status = sherd_record_leave(&part);
    for (size_t k = 0; k < count; ++k)
        unlisted[k] = unlisted[k] && b->bonds->broken[k]; // a damaged file may say anything
    if (status == SHERD_OK)
        status = sherd_bond_blocks_refresh(b->blocks, b->bonds, b->elements, unlisted, error);
    sherd_free(unlisted);
    return status;
}

// Fails with SHERD_ERROR_INPUT and changes nothing if the numbers of elements or bonds differ.
static sherd_status restore(void *state, sherd_record_reader *in, sherd_error *error)
{
    const sherd_bonded *bonded = state;
    sherd_status status = check_owner(bonded, in, error);
    if (status != SHERD_OK) return status;
    sherd_record_column columns[SHERD_STATE_COLUMNS];
    sherd_record_read_all(in, columns, sherd_elements_state(bonded->elements, columns));
    return in->status == SHERD_OK ? restore_bonds(bonded, in, error) : in->status;
}

const sherd_model sherd_model_bonded = {
    .points = points,
    .set_loads = set_loads,
    .stored_energy = stored_energy,
    .damping_power = damping_power,
    .is_stiff = is_stiff,
    .relaxation = relaxation,
    .prepare_stiffness = prepare_stiffness,
    .measure = measure,
    .find_stresses = find_stresses,
    .find_components = find_components,
    .hash = hash_state,
    .save = save,
    .restore = restore,
};
