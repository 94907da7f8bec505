#include "contact/cell_grid.h"

#include "base/error.h"
#include "base/memory.h"
#include "math/vec3.h"

#include <string.h>

enum { ELEMENT_CHUNK = 2048 };

static bool grow_all(sherd_cell_grid *grid, size_t count)
{
    return sherd_grow((void **)&grid->level_of, &grid->level_capacity, count,
                      sizeof *grid->level_of) &&
           sherd_grow((void **)&grid->cell_of, &grid->cell_capacity, count, sizeof *grid->cell_of);
}

// A whole number of units that keeps ranks exact: at most 2^20 units of 2^31.
static double choose_unit(const sherd_elements *e, const double *margin, double skin)
{
    double largest = 0.0;
    for (sherd_element_index k = 0; k < e->count; ++k)
        largest = margin[k] > largest && margin[k] < INFINITY ? margin[k] : largest;
    return fmax(skin / 128.0, largest / 1048576.0);
}

// Level of each element, and per level: count and bounds of the centres.
static void choose_levels(sherd_cell_grid *grid, const sherd_elements *e, const double *margin,
                          sherd_bounds *bounds)
{
    double largest = 0.0;
    for (sherd_element_index k = 0; k < e->count; ++k)
        largest = fmax(largest, sherd_element_radius(e, k));
    grid->level_count = 0;
    for (int l = 0; l < SHERD_GRID_LEVELS; ++l) {
        grid->levels[l].max_radius = ldexp(largest, -l);
        grid->levels[l].max_margin = 0.0;
        grid->levels[l].count = 0;
        bounds[l] = (sherd_bounds){vec3(INFINITY, INFINITY, INFINITY),
                                   vec3(-INFINITY, -INFINITY, -INFINITY)};
    }
    for (sherd_element_index k = 0; k < e->count; ++k) {
        int l = 0;
        grid->level_of[k] = SHERD_GRID_LEFT_OUT;
        if (margin[k] == INFINITY) continue;
        while (l + 1 < SHERD_GRID_LEVELS &&
               sherd_element_radius(e, k) <= grid->levels[l + 1].max_radius)
            ++l;
        grid->level_of[k] = (uint8_t)l;
        ++grid->levels[l].count;
        grid->levels[l].max_margin = fmax(grid->levels[l].max_margin, margin[k]);
        sherd_vec3 p = sherd_element_position(e, k);
        bounds[l].low = vec3_min(bounds[l].low, p);
        bounds[l].high = vec3_max(bounds[l].high, p);
        if (l >= grid->level_count) grid->level_count = l + 1;
    }
}

// Powers of two for each axis that cover the bounds if that takes at most about two cells per
// element; otherwise the longest axes wrap around.
static size_t choose_cells(sherd_grid_level *level, sherd_bounds bounds)
{
    double size[3] = {bounds.high.x - bounds.low.x, bounds.high.y - bounds.low.y,
                      bounds.high.z - bounds.low.z};
    int bits[3], total = 0;
    for (int a = 0; a < 3; ++a) {
        bits[a] = 2;
        while (bits[a] < 20 && ldexp(level->cell, bits[a]) < size[a] + level->cell)
            ++bits[a];
        total += bits[a];
    }
    int most = 6;
    while (most < 28 && ldexp(1.0, most) < 2.0 * (double)level->count)
        ++most;
    while (total > most) {
        int longest = bits[0] >= bits[1] && bits[0] >= bits[2] ? 0 : (bits[1] >= bits[2] ? 1 : 2);
        --bits[longest];
        --total;
    }
    for (int a = 0; a < 3; ++a)
        level->mask[a] = (INT64_C(1) << bits[a]) - 1;
    level->shift_y = bits[0];
    level->shift_z = bits[0] + bits[1];
    return (size_t)1 << total;
}

typedef struct cell_job {
    sherd_cell_grid *grid;
    const sherd_elements *elements;
} cell_job;

static void find_cells(void *context, size_t begin, size_t end)
{
    cell_job *job = context;
    const sherd_elements *e = job->elements;
    for (size_t k = begin; k < end; ++k) {
        if (job->grid->level_of[k] == SHERD_GRID_LEFT_OUT) continue;
        const sherd_grid_level *level = &job->grid->levels[job->grid->level_of[k]];
        job->grid->cell_of[k] =
            grid_cell(level, grid_coordinate(level, e->px[k]), grid_coordinate(level, e->py[k]),
                      grid_coordinate(level, e->pz[k]));
    }
}

// Counting sort of every level at once: counts, ends, then items from the last to the first.
static void sort_items(sherd_cell_grid *grid, const sherd_elements *e, const double *margin,
                       const size_t *cells)
{
    for (int l = 0; l < grid->level_count; ++l)
        memset(grid->levels[l].start, 0, (cells[l] + 1) * sizeof(uint32_t));
    for (sherd_element_index k = 0; k < e->count; ++k)
        if (grid->level_of[k] != SHERD_GRID_LEFT_OUT)
            ++grid->levels[grid->level_of[k]].start[grid->cell_of[k]];
    for (int l = 0; l < grid->level_count; ++l) {
        uint32_t *start = grid->levels[l].start, sum = 0;
        for (size_t c = 0; c <= cells[l]; ++c)
            start[c] = sum += start[c];
    }
    for (sherd_element_index k = e->count - 1; k >= 0; --k) {
        if (grid->level_of[k] == SHERD_GRID_LEFT_OUT) continue;
        sherd_grid_level *level = &grid->levels[grid->level_of[k]];
        uint32_t at = --level->start[grid->cell_of[k]];
        level->x[at] = e->px[k], level->y[at] = e->py[k], level->z[at] = e->pz[k];
        level->reach[at] = sherd_element_radius(e, k) + margin[k];
        level->rank[at] = grid_rank(grid, margin[k], k);
        level->element[at] = k;
    }
}

static void free_items(sherd_grid_level *level)
{
    void *arrays[] = {level->x, level->y, level->z, level->reach, level->rank, level->element};
    for (size_t a = 0; a < sizeof arrays / sizeof arrays[0]; ++a)
        sherd_free(arrays[a]);
    level->item_capacity = 0;
}

static bool reserve_items(sherd_grid_level *level)
{
    if (level->count + SHERD_GRID_PADDING <= level->item_capacity) return true;
    free_items(level);
    size_t capacity = level->count + level->count / 8 + SHERD_GRID_PADDING;
    double **columns[] = {&level->x, &level->y, &level->z, &level->reach, &level->rank};
    bool fits = true;
    for (size_t a = 0; a < sizeof columns / sizeof columns[0]; ++a)
        fits &= (*columns[a] = sherd_alloc(capacity, sizeof **columns[a])) != NULL;
    level->element = sherd_alloc(capacity, sizeof *level->element);
    if (!fits || level->element == NULL) return false;
    level->item_capacity = capacity;
    return true;
}

sherd_status sherd_cell_grid_build(sherd_cell_grid *grid, const sherd_elements *elements,
                                   const double *margin, double skin,
                                   const sherd_parallel *parallel, sherd_error *error)
{
    sherd_bounds bounds[SHERD_GRID_LEVELS];
    size_t cells[SHERD_GRID_LEVELS];
    if (!grow_all(grid, (size_t)elements->count)) return sherd_fail_memory(error, "contact cells");
    choose_levels(grid, elements, margin, bounds);
    grid->margin_unit = choose_unit(elements, margin, skin);
    for (int l = 0; l < grid->level_count; ++l) {
        sherd_grid_level *level = &grid->levels[l];
        level->cell = 2.0 * level->max_radius + skin;
        level->per_metre = 1.0 / level->cell;
        if (level->count == 0) bounds[l] = (sherd_bounds){{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
        cells[l] = choose_cells(level, bounds[l]);
        if (!sherd_grow((void **)&level->start, &level->start_capacity, cells[l] + 1,
                        sizeof *level->start) ||
            !reserve_items(level))
            return sherd_fail_memory(error, "contact cells");
    }
    cell_job job = {grid, elements};
    sherd_parallel_for(parallel, (size_t)elements->count, ELEMENT_CHUNK, find_cells, &job);
    sort_items(grid, elements, margin, cells);
    return SHERD_OK;
}

void sherd_cell_grid_free(sherd_cell_grid *grid)
{
    for (int l = 0; l < SHERD_GRID_LEVELS; ++l) {
        sherd_free(grid->levels[l].start);
        free_items(&grid->levels[l]);
    }
    sherd_free(grid->level_of);
    sherd_free(grid->cell_of);
    *grid = (sherd_cell_grid){0};
}

size_t sherd_cell_grid_bytes(const sherd_cell_grid *grid)
{
    size_t bytes =
        grid->level_capacity * sizeof *grid->level_of + grid->cell_capacity * sizeof *grid->cell_of;
    for (int l = 0; l < SHERD_GRID_LEVELS; ++l)
        bytes += grid->levels[l].start_capacity * sizeof(uint32_t) +
                 grid->levels[l].item_capacity * (5 * sizeof(double) + sizeof(sherd_element_index));
    return bytes;
}
