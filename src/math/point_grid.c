#include "math/point_grid.h"

#include "base/assertion.h"
#include "base/memory.h"
#include "math/vec3.h"

// 21 bits per axis. Cells 2^21 apart have the same key; the distance distinguishes them.
enum { AXIS_BITS = 21 };
static const double MAX_CELLS = 4e18; // fits int64_t

static uint64_t cell_key(int64_t i, int64_t j, int64_t k)
{
    const uint64_t low = (UINT64_C(1) << AXIS_BITS) - 1;
    return ((uint64_t)i & low) | ((uint64_t)j & low) << AXIS_BITS |
           ((uint64_t)k & low) << 2 * AXIS_BITS;
}

// Adjacent cells along x have adjacent buckets, in one cache line.
static size_t bucket_of(const sherd_point_grid *grid, uint64_t key)
{
    uint64_t row = key >> AXIS_BITS;
    // Fibonacci hashing: 2^64 / golden ratio.
    uint64_t mixed = row * UINT64_C(0x9e3779b97f4a7c15);
    return (size_t)((mixed ^ mixed >> 29) + key) & grid->mask;
}

static int64_t cell_of(double x, double cell)
{
    return (int64_t)fmin(fmax(floor(x / cell), -MAX_CELLS), MAX_CELLS);
}

static void link_point(sherd_point_grid *grid, size_t n)
{
    size_t bucket = bucket_of(grid, grid->point[n].key);
    grid->point[n].next = grid->head[bucket];
    grid->head[bucket] = (int32_t)n;
}

// Twice as many buckets as points, so that most contain one cell.
static bool make_buckets(sherd_point_grid *grid, size_t points)
{
    size_t buckets = 64;
    while (buckets < 2 * points)
        buckets *= 2;
    sherd_free(grid->head);
    grid->head = sherd_alloc(buckets, sizeof *grid->head);
    if (grid->head == NULL) return false;
    grid->mask = buckets - 1;
    for (size_t b = 0; b < buckets; ++b)
        grid->head[b] = -1;
    for (size_t n = 0; n < grid->count; ++n)
        link_point(grid, n);
    return true;
}

static bool make_room(sherd_point_grid *grid, size_t points)
{
    return sherd_grow((void **)&grid->point, &grid->capacity, points, sizeof *grid->point) &&
           make_buckets(grid, grid->capacity);
}

bool sherd_point_grid_init(sherd_point_grid *grid, double cell, size_t expected)
{
    SHERD_ASSERT(cell > 0.0, "cells have a size");
    *grid = (sherd_point_grid){.cell = cell};
    if (make_room(grid, expected > 64 ? expected : 64)) return true;
    sherd_point_grid_free(grid);
    return false;
}

void sherd_point_grid_free(sherd_point_grid *grid)
{
    sherd_free(grid->point);
    sherd_free(grid->head);
    *grid = (sherd_point_grid){0};
}

bool sherd_point_grid_add(sherd_point_grid *grid, sherd_vec3 point)
{
    if (grid->count == grid->capacity && !make_room(grid, grid->count + 1)) return false;
    size_t n = grid->count++;
    uint64_t key = cell_key(cell_of(point.x, grid->cell), cell_of(point.y, grid->cell),
                            cell_of(point.z, grid->cell));
    grid->point[n] = (sherd_grid_point){.at = point, .key = key};
    link_point(grid, n);
    return true;
}

// Appends the points of a cell that are closer than `distance` to the `found` ones.
static int near_in_cell(const sherd_point_grid *grid, uint64_t key, sherd_vec3 at, double distance,
                        int32_t *near, int found, int most)
{
    for (int32_t n = grid->head[bucket_of(grid, key)]; n >= 0; n = grid->point[n].next) {
        const sherd_grid_point *point = &grid->point[n];
        sherd_vec3 way = vec3_sub(point->at, at);
        // Without a branch, which could not be predicted: most points of a cell are not that close.
        near[found] = n;
        found += (point->key == key) & (vec3_dot(way, way) < distance * distance);
        if (found == most) break;
    }
    return found;
}

int sherd_point_grid_near(const sherd_point_grid *grid, sherd_vec3 at, double distance,
                          int32_t *near, int most)
{
    int64_t low[3] = {cell_of(at.x - distance, grid->cell), cell_of(at.y - distance, grid->cell),
                      cell_of(at.z - distance, grid->cell)};
    int64_t high[3] = {cell_of(at.x + distance, grid->cell), cell_of(at.y + distance, grid->cell),
                       cell_of(at.z + distance, grid->cell)};
    int found = 0;
    for (int64_t k = low[2]; k <= high[2]; ++k)
        for (int64_t j = low[1]; j <= high[1]; ++j)
            for (int64_t i = low[0]; i <= high[0] && found < most; ++i)
                found = near_in_cell(grid, cell_key(i, j, k), at, distance, near, found, most);
    return found;
}

bool sherd_point_grid_is_taken(const sherd_point_grid *grid, sherd_vec3 at, double distance)
{
    int32_t one;
    // Whatever is close is most likely in the same cell.
    uint64_t own =
        cell_key(cell_of(at.x, grid->cell), cell_of(at.y, grid->cell), cell_of(at.z, grid->cell));
    return near_in_cell(grid, own, at, distance, &one, 0, 1) > 0 ||
           sherd_point_grid_near(grid, at, distance, &one, 1) > 0;
}
