#include "neighbors/cell_grid.h"

#include "base/assertion.h"
#include "base/error.h"
#include "base/memory.h"
#include "math/vec3.h"

#include <string.h>

// PARTS_BITS: number of the upper bits of a cell index (at least 6 bits) that select its part. One
// thread sorts the cells of one part.
enum {
    ELEMENT_CHUNK = 2048,
    SUMMARY_CHUNK = 8192,
    PARTS_BITS = 3,
    PARTS = 1 << PARTS_BITS,
    LEFT_OUT_PART = PARTS
};

// Summary of a range of elements by level.
typedef struct sherd_grid_summary {
    uint32_t count[SHERD_GRID_LEVELS];
    double max_margin[SHERD_GRID_LEVELS];
    sherd_bounds bounds[SHERD_GRID_LEVELS]; // of centres
} sherd_grid_summary;

typedef struct grid_job {
    sherd_cell_grid *grid;
    const sherd_points *points;
    const double *margin;
    const sherd_parallel *parallel;
    size_t cells[SHERD_GRID_LEVELS];
    uint32_t items[PARTS][SHERD_GRID_LEVELS]; // number of items of each part, then their start
} grid_job;

static size_t summaries_of(size_t count)
{
    return count / SUMMARY_CHUNK + 1;
}

static bool grow_all(sherd_cell_grid *grid, size_t count)
{
    return sherd_grow((void **)&grid->level_of, &grid->level_capacity, count,
                      sizeof *grid->level_of) &&
           sherd_grow((void **)&grid->cell_of, &grid->cell_capacity, count,
                      sizeof *grid->cell_of) &&
           sherd_grow((void **)&grid->part_of, &grid->part_capacity, count,
                      sizeof *grid->part_of) &&
           sherd_grow((void **)&grid->summaries, &grid->summary_capacity, summaries_of(count),
                      sizeof *grid->summaries);
}

// ---------------------------------------------------------------- levels

// A unit for margins that keeps ranks exact: at most 2^20 units of 2^31.
static double choose_unit(const sherd_cell_grid *grid, double skin)
{
    double largest = 0.0;
    for (int l = 0; l < SHERD_GRID_LEVELS; ++l)
        largest = fmax(largest, grid->levels[l].max_margin);
    return fmax(skin / 128.0, largest / 1048576.0);
}

static double largest_radius(void *context, size_t begin, size_t end)
{
    const grid_job *job = context;
    double largest = 0.0;
    for (size_t k = begin; k < end; ++k)
        largest = fmax(largest, sherd_point_radius(job->points, k));
    return largest;
}

static sherd_grid_summary empty_summary(void)
{
    sherd_grid_summary summary = {.count = {0}};
    for (int l = 0; l < SHERD_GRID_LEVELS; ++l)
        summary.bounds[l] = (sherd_bounds){vec3(INFINITY, INFINITY, INFINITY),
                                           vec3(-INFINITY, -INFINITY, -INFINITY)};
    return summary;
}

static int level_of_radius(const sherd_cell_grid *grid, double radius)
{
    int l = 0;
    while (l + 1 < SHERD_GRID_LEVELS && radius <= grid->levels[l + 1].max_radius)
        ++l;
    return l;
}

static void summarise_range(void *context, size_t begin, size_t end)
{
    const grid_job *job = context;
    const sherd_points *e = job->points;
    sherd_grid_summary summary = empty_summary();
    for (size_t k = begin; k < end; ++k) {
        job->grid->level_of[k] = SHERD_GRID_LEFT_OUT;
        if (job->margin[k] == INFINITY) continue;
        int l = level_of_radius(job->grid, sherd_point_radius(e, k));
        job->grid->level_of[k] = (uint8_t)l;
        ++summary.count[l];
        summary.max_margin[l] = fmax(summary.max_margin[l], job->margin[k]);
        sherd_vec3 p = sherd_point_position(e, (sherd_element_index)k);
        summary.bounds[l].low = vec3_min(summary.bounds[l].low, p);
        summary.bounds[l].high = vec3_max(summary.bounds[l].high, p);
    }
    job->grid->summaries[begin / SUMMARY_CHUNK] = summary;
}

static void merge_summary(sherd_grid_summary *all, const sherd_grid_summary *some)
{
    for (int l = 0; l < SHERD_GRID_LEVELS; ++l) {
        all->count[l] += some->count[l];
        all->max_margin[l] = fmax(all->max_margin[l], some->max_margin[l]);
        all->bounds[l].low = vec3_min(all->bounds[l].low, some->bounds[l].low);
        all->bounds[l].high = vec3_max(all->bounds[l].high, some->bounds[l].high);
    }
}

// Level of each element, and per level: count, largest margin and bounds of the centres.
static void choose_levels(grid_job *job, sherd_bounds *bounds)
{
    sherd_cell_grid *grid = job->grid;
    size_t n = (size_t)job->points->count;
    double largest = sherd_parallel_max(job->parallel, n, SUMMARY_CHUNK, largest_radius, job);
    for (int l = 0; l < SHERD_GRID_LEVELS; ++l)
        grid->levels[l].max_radius = ldexp(largest, -l);
    sherd_parallel_for(job->parallel, n, SUMMARY_CHUNK, summarise_range, job);
    sherd_grid_summary all = empty_summary();
    for (size_t at = 0; at < n; at += SUMMARY_CHUNK)
        merge_summary(&all, &grid->summaries[at / SUMMARY_CHUNK]);
    grid->level_count = 0;
    for (int l = 0; l < SHERD_GRID_LEVELS; ++l) {
        grid->levels[l].count = all.count[l];
        grid->levels[l].max_margin = all.max_margin[l];
        bounds[l] = all.bounds[l];
        if (all.count[l] > 0) grid->level_count = l + 1;
    }
}

// ---------------------------------------------------------------- cells

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

static void find_cells(void *context, size_t begin, size_t end)
{
    const grid_job *job = context;
    const sherd_points *e = job->points;
    sherd_cell_grid *grid = job->grid;
    for (size_t k = begin; k < end; ++k) {
        grid->part_of[k] = LEFT_OUT_PART;
        if (grid->level_of[k] == SHERD_GRID_LEFT_OUT) continue;
        const sherd_grid_level *level = &grid->levels[grid->level_of[k]];
        uint32_t cell =
            grid_cell(level, grid_coordinate(level, e->px[k]), grid_coordinate(level, e->py[k]),
                      grid_coordinate(level, e->pz[k]));
        grid->cell_of[k] = cell;
        grid->part_of[k] = (uint8_t)(cell / (job->cells[grid->level_of[k]] >> PARTS_BITS));
    }
}

// ---------------------------------------------------------------- counting sort

// Number of items in each cell of a part, and on each level.
static void count_part(void *context, size_t part, size_t end)
{
    grid_job *job = context;
    sherd_cell_grid *grid = job->grid;
    uint32_t *items = job->items[part];
    (void)end;
    for (int l = 0; l < grid->level_count; ++l) {
        size_t cells = job->cells[l] >> PARTS_BITS;
        memset(grid->levels[l].start + part * cells, 0, cells * sizeof(uint32_t));
        items[l] = 0;
    }
    for (sherd_element_index k = 0; k < job->points->count; ++k) {
        if (grid->part_of[k] != part) continue;
        ++grid->levels[grid->level_of[k]].start[grid->cell_of[k]];
        ++items[grid->level_of[k]];
    }
}

// Parts are consecutive.
static void begin_parts(grid_job *job)
{
    for (int l = 0; l < job->grid->level_count; ++l) {
        uint32_t sum = 0;
        for (int p = 0; p < PARTS; ++p) {
            uint32_t items = job->items[p][l];
            job->items[p][l] = sum;
            sum += items;
        }
        job->grid->levels[l].start[job->cells[l]] = sum;
    }
}

static void set_item(const sherd_cell_grid *grid, sherd_grid_level *level, uint32_t at,
                     const sherd_points *e, double margin, sherd_element_index k)
{
    level->x[at] = e->px[k], level->y[at] = e->py[k], level->z[at] = e->pz[k];
    level->reach[at] = sherd_point_radius(e, k) + margin;
    level->rank[at] = grid_rank(grid, margin, k);
    level->element[at] = k;
}

static void place_item(const grid_job *job, sherd_element_index k)
{
    sherd_grid_level *level = &job->grid->levels[job->grid->level_of[k]];
    uint32_t at = --level->start[job->grid->cell_of[k]];
    set_item(job->grid, level, at, job->points, job->margin[k], k);
}

// Computes the ends of cells, then inserts items from the last to the first.
static void sort_part(void *context, size_t part, size_t end)
{
    const grid_job *job = context;
    (void)end;
    for (int l = 0; l < job->grid->level_count; ++l) {
        size_t cells = job->cells[l] >> PARTS_BITS;
        uint32_t *start = job->grid->levels[l].start + part * cells, sum = job->items[part][l];
        for (size_t c = 0; c < cells; ++c)
            start[c] = sum += start[c];
    }
    for (sherd_element_index k = job->points->count - 1; k >= 0; --k)
        if (job->grid->part_of[k] == part) place_item(job, k);
}

static void sort_items(grid_job *job)
{
    sherd_parallel_for(job->parallel, PARTS, 1, count_part, job);
    begin_parts(job);
    sherd_parallel_for(job->parallel, PARTS, 1, sort_part, job);
}

static void free_items(sherd_grid_level *level)
{
    void *arrays[] = {level->x, level->y, level->z, level->reach, level->rank, level->element};
    for (size_t a = 0; a < sizeof arrays / sizeof arrays[0]; ++a)
        sherd_free(arrays[a]);
    level->item_capacity = 0;
}

static bool reserve_items(sherd_grid_level *level, size_t count)
{
    if (count + SHERD_GRID_PADDING <= level->item_capacity) return true;
    free_items(level);
    size_t capacity = count + count / 8 + SHERD_GRID_PADDING;
    double **columns[] = {&level->x, &level->y, &level->z, &level->reach, &level->rank};
    bool fits = true;
    for (size_t a = 0; a < sizeof columns / sizeof columns[0]; ++a)
        fits &= (*columns[a] = sherd_alloc(capacity, sizeof **columns[a])) != NULL;
    level->element = sherd_alloc(capacity, sizeof *level->element);
    if (!fits || level->element == NULL) return false;
    level->item_capacity = capacity;
    return true;
}

__attribute__((unused)) static bool items_ascend(const sherd_grid_level *level, size_t cells)
{
    for (size_t c = 0; c < cells; ++c)
        for (uint32_t at = level->start[c]; at + 1 < level->start[c + 1]; ++at)
            if (level->element[at] >= level->element[at + 1]) return false;
    return true;
}

sherd_status sherd_cell_grid_build(sherd_cell_grid *grid, const sherd_points *points,
                                   const double *margin, double skin,
                                   const sherd_parallel *parallel, sherd_error *error)
{
    SHERD_ASSERT(points->count >= 0 && !(skin < 0.0), "the skin is not negative");
    sherd_bounds bounds[SHERD_GRID_LEVELS];
    size_t most_moved = SHERD_GRID_MAX_MOVED;
    grid_job job = {.grid = grid, .points = points, .margin = margin, .parallel = parallel};
    if (most_moved > (size_t)points->count) most_moved = (size_t)points->count;
    if (!grow_all(grid, (size_t)points->count) || !reserve_items(&grid->moved, most_moved))
        return sherd_fail_memory(error, "contact cells");
    grid->moved.count = 0;
    choose_levels(&job, bounds);
    grid->margin_unit = choose_unit(grid, skin);
    for (int l = 0; l < grid->level_count; ++l) {
        sherd_grid_level *level = &grid->levels[l];
        level->cell = 2.0 * level->max_radius + skin;
        level->per_metre = 1.0 / level->cell;
        if (level->count == 0) bounds[l] = (sherd_bounds){{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
        job.cells[l] = choose_cells(level, bounds[l]);
        if (!sherd_grow((void **)&level->start, &level->start_capacity, job.cells[l] + 1,
                        sizeof *level->start) ||
            !reserve_items(level, level->count))
            return sherd_fail_memory(error, "contact cells");
    }
    sherd_parallel_for(parallel, (size_t)points->count, ELEMENT_CHUNK, find_cells, &job);
    sort_items(&job);
    for (int l = 0; l < grid->level_count; ++l)
        SHERD_ASSERT(
            sherd_unsigned_rows_follow(grid->levels[l].start, job.cells[l], grid->levels[l].count),
            "each element lies in one cell");
    for (int l = 0; l < grid->level_count; ++l)
        SHERD_ASSERT(items_ascend(&grid->levels[l], job.cells[l]), "elements of a cell are sorted");
    return SHERD_OK;
}

// ---------------------------------------------------------------- moving elements

// Moves its item far away from everything.
static void leave_cell(sherd_cell_grid *grid, sherd_element_index k)
{
    sherd_grid_level *level = &grid->levels[grid->level_of[k]];
    uint32_t at = level->start[grid->cell_of[k]];
    while (level->element[at] != k)
        ++at;
    level->x[at] = INFINITY;
}

bool sherd_cell_grid_move(sherd_cell_grid *grid, const sherd_points *points, double margin,
                          sherd_element_index k)
{
    SHERD_ASSERT(k >= 0 && k < points->count && grid->level_of[k] != SHERD_GRID_LEFT_OUT,
                 "a moved element is in the grid");
    if (grid->level_of[k] != SHERD_GRID_MOVED) {
        if (grid->moved.count == SHERD_GRID_MAX_MOVED) return false;
        leave_cell(grid, k);
        grid->level_of[k] = SHERD_GRID_MOVED;
        grid->cell_of[k] = grid->moved.count++;
    }
    set_item(grid, &grid->moved, grid->cell_of[k], points, margin, k);
    return true;
}

void sherd_cell_grid_free(sherd_cell_grid *grid)
{
    free_items(&grid->moved);
    for (int l = 0; l < SHERD_GRID_LEVELS; ++l) {
        sherd_free(grid->levels[l].start);
        free_items(&grid->levels[l]);
    }
    sherd_free(grid->level_of);
    sherd_free(grid->cell_of);
    sherd_free(grid->part_of);
    sherd_free(grid->summaries);
    *grid = (sherd_cell_grid){0};
}

size_t sherd_cell_grid_bytes(const sherd_cell_grid *grid)
{
    size_t bytes = grid->level_capacity * sizeof *grid->level_of +
                   grid->cell_capacity * sizeof *grid->cell_of +
                   grid->part_capacity * sizeof *grid->part_of +
                   grid->summary_capacity * sizeof *grid->summaries;
    const size_t item = 5 * sizeof(double) + sizeof(sherd_element_index);
    for (int l = 0; l < SHERD_GRID_LEVELS; ++l)
        bytes += grid->levels[l].start_capacity * sizeof(uint32_t) +
                 grid->levels[l].item_capacity * item;
    return bytes + grid->moved.item_capacity * item;
}
