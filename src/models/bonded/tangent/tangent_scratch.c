// Memory of the blocks of a tangent and of its threads.
#include "base/error.h"
#include "base/memory.h"
#include "models/bonded/tangent/tangent_state.h"

// A vector may begin at the last node of a block and reach WIDTH beyond it, and so may a group.
enum { PADDING = 2 * SHERD_BOND_WIDTH_MIXED, ROW = 16, LOAD_ROW = 8 };

static int32_t local_count(const sherd_bond_block *b)
{
    return b->end - b->begin + b->halo_count;
}

// An odd number of cache lines: with a power of two all columns would compete for the same cache
// sets.
static size_t column_size(int32_t local)
{
    return (((size_t)local + PADDING) / 16 | 1) * 16;
}

// ---------------------------------------------------------------- blocks

static void free_blocks(sherd_tangent *t)
{
    for (size_t b = 0; b < t->block_count && t->blocks != NULL; ++b) {
        sherd_free(t->blocks[b].half);
        sherd_free(t->blocks[b].orientation);
        sherd_free(t->blocks[b].halo_load);
    }
    sherd_free(t->blocks);
    t->blocks = NULL;
    t->block_count = t->block_bytes = 0;
}

static bool make_block(sherd_tangent *t, sherd_tangent_block *block, const sherd_bond_block *bonds)
{
    size_t column = column_size(local_count(bonds));
    block->halo_column = column_size(bonds->halo_count);
    size_t halo = TANGENT_DIAGONAL_SUMS * block->halo_column, turned = t->oriented ? 4 * column : 0;
    block->local = local_count(bonds);
    block->halo = bonds->halo_count;
    block->half = sherd_alloc(3 * column, sizeof(float));
    block->halo_load = sherd_alloc(halo, sizeof(float));
    if (block->half == NULL || block->halo_load == NULL) return false;
    if (t->oriented) {
        block->orientation = sherd_alloc(turned, sizeof(float));
        if (block->orientation == NULL) return false;
    }
    block->half_column = column;
    if (block->local > t->max_local) t->max_local = block->local;
    t->block_bytes += sizeof *block + (3 * column + turned + halo) * sizeof(float);
    return true;
}

static bool blocks_fit(const sherd_tangent *t, const sherd_bond_blocks *bonds)
{
    bool fit = t->blocks != NULL && t->block_count == (size_t)bonds->count;
    for (size_t b = 0; b < t->block_count && fit; ++b)
        fit = t->blocks[b].local == local_count(&bonds->blocks[b]) &&
              (t->blocks[b].orientation != NULL) == t->oriented &&
              t->blocks[b].halo == bonds->blocks[b].halo_count;
    return fit;
}

static bool make_blocks(sherd_tangent *t, const sherd_bond_blocks *bonds)
{
    if (t->bond_blocks == bonds && blocks_fit(t, bonds)) return true;
    free_blocks(t);
    t->max_local = 0;
    t->block_count = (size_t)bonds->count;
    t->blocks = sherd_alloc(t->block_count, sizeof *t->blocks);
    if (t->blocks == NULL) return false;
    for (size_t b = 0; b < t->block_count; ++b)
        if (!make_block(t, &t->blocks[b], &bonds->blocks[b])) return false;
    return true;
}

// ---------------------------------------------------------------- scratch

static void free_scratch(sherd_tangent *t)
{
    for (size_t k = 0; k < t->scratch_count && t->scratch != NULL; ++k)
        sherd_free(t->scratch[k].memory);
    sherd_free(t->scratch);
    t->scratch = NULL;
    t->scratch_count = t->scratch_bytes = 0;
}

static bool make_one_scratch(sherd_tangent_scratch *s, size_t column)
{
    enum { COLUMNS = TANGENT_PRODUCT_SUMS + TANGENT_DIAGONAL_SUMS };
    s->memory = sherd_alloc((COLUMNS + ROW + LOAD_ROW) * column, sizeof *s->memory);
    if (s->memory == NULL) return false;
    s->column = column;
    s->x = s->memory;
    s->load = s->x + TANGENT_PRODUCT_SUMS * column;
    s->rows = s->memory + COLUMNS * column;
    s->load_rows = s->rows + ROW * column;
    return true;
}

static bool make_scratch(sherd_tangent *t)
{
    enum { ARRAYS = TANGENT_PRODUCT_SUMS + TANGENT_DIAGONAL_SUMS + ROW + LOAD_ROW };
    size_t count = (size_t)sherd_parallel_threads(&t->parallel);
    size_t column = column_size(t->max_local), bytes = ARRAYS * column * sizeof(float);
    if (count <= t->scratch_count && bytes <= t->scratch_bytes) return true;
    free_scratch(t);
    t->scratch = sherd_alloc(count, sizeof *t->scratch);
    if (t->scratch == NULL) return false;
    t->scratch_count = count;
    t->scratch_bytes = bytes;
    for (size_t k = 0; k < count; ++k)
        if (!make_one_scratch(&t->scratch[k], column)) return false;
    return true;
}

// ---------------------------------------------------------------- all of it

sherd_status sherd_tangent_make_scratch(sherd_tangent *t, sherd_error *error)
{
    size_t classes = (size_t)t->parts.bonds->class_count;
    size_t yielding = t->yields ? (size_t)t->parts.bonds->count : 0;
    bool done =
        make_blocks(t, t->parts.blocks) && make_scratch(t) &&
        sherd_grow((void **)&t->classes, &t->class_capacity, TANGENT_NUMBERS * classes,
                   sizeof *t->classes) &&
        sherd_grow((void **)&t->numbers, &t->number_capacity, classes, sizeof *t->numbers) &&
        sherd_grow((void **)&t->yielding, &t->yielding_capacity, TANGENT_YIELD_NUMBERS * yielding,
                   sizeof *t->yielding) &&
        // Whole vectors are read beyond the last element.
        sherd_grow((void **)&t->mass, &t->mass_capacity, t->elements + PADDING, sizeof *t->mass) &&
        sherd_grow((void **)&t->moment, &t->moment_capacity, t->elements + PADDING,
                   sizeof *t->moment);
    t->bond_blocks = done ? t->parts.blocks : NULL;
    return done ? SHERD_OK : sherd_fail_memory(error, "tangent");
}

void sherd_tangent_free_scratch(sherd_tangent *t)
{
    free_blocks(t);
    free_scratch(t);
    sherd_free(t->classes);
    sherd_free(t->numbers);
    sherd_free(t->yielding);
    sherd_free(t->mass);
    sherd_free(t->moment);
}
