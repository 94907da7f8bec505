#include "math/cell_rows.h"

#include "base/assertion.h"
#include "base/cpu.h"
#include "base/memory.h"
#include "math/vec3.h"

#include <math.h>

// More cells than this for each point would take more memory than time is saved.
enum { CELLS_PER_POINT = 32, LEAST_CELLS = 4096 };

// Adds points in their order; rows->source gives their numbers.
static bool use_grid(sherd_cell_rows *rows, const sherd_vec3 *point, const int32_t *added)
{
    rows->source = sherd_alloc(rows->count, sizeof *rows->source);
    if (rows->source == NULL || !sherd_point_grid_init(&rows->grid, rows->cell, rows->count))
        return false;
    for (size_t n = 0; n < rows->count; ++n)
        rows->source[added != NULL ? (size_t)added[n] : n] = (int32_t)n;
    for (size_t n = 0; n < rows->count; ++n)
        if (!sherd_point_grid_add(&rows->grid, point[rows->source[n]])) return false;
    return true;
}

static double part(sherd_vec3 p, int axis)
{
    return axis == 0 ? p.x : axis == 1 ? p.y : p.z;
}

// Finds the range of cells; false if there are too many.
static bool find_range(sherd_cell_rows *rows, const sherd_vec3 *point)
{
    double most = (double)CELLS_PER_POINT * (double)rows->count + LEAST_CELLS, cells = 1.0;
    for (int a = 0; a < 3; ++a) {
        double low = INFINITY, high = -INFINITY;
        for (size_t n = 0; n < rows->count; ++n) {
            double x = floor(part(point[n], a) / rows->cell);
            low = x < low ? x : low;
            high = x > high ? x : high;
        }
        if (!(fabs(low) < 1e15 && fabs(high) < 1e15)) return false;
        rows->low[a] = (int64_t)low;
        rows->size[a] = (int64_t)(high - low) + 1;
        cells *= high - low + 1.0;
    }
    return cells <= most;
}

static int64_t cell_along(const sherd_cell_rows *rows, int axis, double x)
{
    return (int64_t)floor(x / rows->cell) - rows->low[axis];
}

static int64_t cell_index(const sherd_cell_rows *rows, int64_t i, int64_t j, int64_t k)
{
    return (k * rows->size[1] + j) * rows->size[0] + i;
}

// Counting sort; the points of a cell in falling order.
static void sort_points(sherd_cell_rows *rows, const sherd_vec3 *point, int64_t cells)
{
    int32_t *start = rows->start;
    for (size_t n = 0; n < rows->count; ++n)
        ++start[cell_index(rows, cell_along(rows, 0, point[n].x), cell_along(rows, 1, point[n].y),
                           cell_along(rows, 2, point[n].z)) +
                1];
    for (int64_t c = 0; c < cells; ++c)
        start[c + 1] += start[c];
    // From here on start[c + 1] is the end of what is left of the cell, until it is its start.
    for (size_t n = 0; n < rows->count; ++n) {
        sherd_vec3 p = point[n];
        int64_t cell = cell_index(rows, cell_along(rows, 0, p.x), cell_along(rows, 1, p.y),
                                  cell_along(rows, 2, p.z));
        int32_t at = --start[cell + 1];
        rows->x[at] = p.x, rows->y[at] = p.y, rows->z[at] = p.z;
        rows->source[at] = (int32_t)n;
    }
    for (int64_t c = 0; c < cells; ++c)
        start[c] = start[c + 1];
    start[cells] = (int32_t)rows->count;
}

static void swap_points(sherd_cell_rows *rows, int32_t a, int32_t b)
{
    double x = rows->x[a], y = rows->y[a], z = rows->z[a];
    int32_t source = rows->source[a];
    rows->x[a] = rows->x[b], rows->y[a] = rows->y[b], rows->z[a] = rows->z[b];
    rows->source[a] = rows->source[b];
    rows->x[b] = x, rows->y[b] = y, rows->z[b] = z;
    rows->source[b] = source;
}

// Insertion sort of each cell, which has few points: the last added first.
static void order_cells(sherd_cell_rows *rows, const int32_t *added, int64_t cells)
{
    const int32_t *source = rows->source;
    for (int64_t c = 0; c < cells; ++c)
        for (int32_t n = rows->start[c] + 1; n < rows->start[c + 1]; ++n)
            for (int32_t at = n; at > rows->start[c] && added[source[at - 1]] < added[source[at]];
                 --at)
                swap_points(rows, at - 1, at);
}

bool sherd_cell_rows_build(sherd_cell_rows *rows, double cell, const sherd_vec3 *point,
                           const int32_t *added, size_t count)
{
    SHERD_ASSERT(cell > 0.0 && count <= INT32_MAX, "cells have a size, indices 32 bits");
    *rows = (sherd_cell_rows){.cell = cell, .count = count};
    if (count == 0 || !find_range(rows, point)) return use_grid(rows, point, added);
    int64_t cells = rows->size[0] * rows->size[1] * rows->size[2];
    rows->x = sherd_alloc(count, sizeof *rows->x);
    rows->y = sherd_alloc(count, sizeof *rows->y);
    rows->z = sherd_alloc(count, sizeof *rows->z);
    rows->source = sherd_alloc(count, sizeof *rows->source);
    rows->start = sherd_alloc((size_t)cells + 1, sizeof *rows->start);
    if (rows->x == NULL || rows->y == NULL || rows->z == NULL || rows->source == NULL ||
        rows->start == NULL)
        return false;
    sort_points(rows, point, cells);
    if (added != NULL) order_cells(rows, added, cells);
    return true;
}

void sherd_cell_rows_free(sherd_cell_rows *rows)
{
    sherd_free(rows->x);
    sherd_free(rows->y);
    sherd_free(rows->z);
    sherd_free(rows->source);
    sherd_free(rows->start);
    sherd_point_grid_free(&rows->grid);
    *rows = (sherd_cell_rows){0};
}

// The cells along an axis that come within the distance; low > high if there are none.
typedef struct cell_range {
    int64_t low, high;
} cell_range;

static inline cell_range range_along(const sherd_cell_rows *rows, int axis, double x,
                                     double distance)
{
    double low = floor((x - distance) / rows->cell) - (double)rows->low[axis];
    double high = floor((x + distance) / rows->cell) - (double)rows->low[axis];
    double last = (double)(rows->size[axis] - 1);
    low = low > 0.0 ? low : 0.0;
    high = high < last ? high : last;
    return low <= high ? (cell_range){(int64_t)low, (int64_t)high} : (cell_range){1, 0};
}

// Points at once: rows of three cells have about nine.
enum { TOGETHER = 16 };

// Appends the points [begin, end) that are close; at most `most` in all.
static inline __attribute__((always_inline)) int near_in_row(const sherd_cell_rows *rows,
                                                             int32_t begin, int32_t end,
                                                             sherd_vec3 at, double squared,
                                                             int32_t *near, int found, int most)
{
    for (int32_t first = begin; first < end && found < most; first += TOGETHER) {
        int32_t count = end - first < TOGETHER ? end - first : TOGETHER;
        double apart[TOGETHER];
        for (int32_t n = 0; n < count; ++n) {
            double x = rows->x[first + n] - at.x, y = rows->y[first + n] - at.y,
                   z = rows->z[first + n] - at.z;
            apart[n] = x * x + y * y + z * z;
        }
        for (int32_t n = 0; n < count && found < most; ++n) {
            // Without a branch, which could not be predicted.
            near[found] = rows->source[first + n];
            found += apart[n] < squared;
        }
    }
    return found;
}

SHERD_WIDE(static, int, find_near,
           (const sherd_cell_rows *rows, sherd_vec3 at, double distance, int32_t *near, int most),
           (rows, at, distance, near, most))
{
    cell_range x = range_along(rows, 0, at.x, distance), y = range_along(rows, 1, at.y, distance),
               z = range_along(rows, 2, at.z, distance);
    int found = 0;
    for (int64_t k = z.low; k <= z.high && x.low <= x.high; ++k)
        for (int64_t j = y.low; j <= y.high; ++j) {
            int64_t row = cell_index(rows, 0, j, k);
            found = near_in_row(rows, rows->start[row + x.low], rows->start[row + x.high + 1], at,
                                distance * distance, near, found, most);
        }
    return found;
}

int sherd_cell_rows_near(const sherd_cell_rows *rows, sherd_vec3 at, double distance, int32_t *near,
                         int most)
{
    if (rows->start == NULL) {
        int found = sherd_point_grid_near(&rows->grid, at, distance, near, most);
        for (int n = 0; n < found; ++n)
            near[n] = rows->source[near[n]];
        return found;
    }
    return find_near(rows, at, distance, near, most);
}

static inline int64_t within(int64_t k, cell_range range)
{
    return k < range.low ? range.low : k > range.high ? range.high : k;
}

// Whatever is close is most likely in the same row.
SHERD_WIDE(static, bool, find_any, (const sherd_cell_rows *rows, sherd_vec3 at, double distance),
           (rows, at, distance))
{
    cell_range x = range_along(rows, 0, at.x, distance), y = range_along(rows, 1, at.y, distance),
               z = range_along(rows, 2, at.z, distance);
    if (x.low > x.high || y.low > y.high || z.low > z.high) return false;
    int64_t own = cell_index(rows, 0, within(cell_along(rows, 1, at.y), y),
                             within(cell_along(rows, 2, at.z), z));
    double squared = distance * distance;
    int32_t one;
    if (near_in_row(rows, rows->start[own + x.low], rows->start[own + x.high + 1], at, squared,
                    &one, 0, 1) > 0)
        return true;
    int found = 0;
    for (int64_t k = z.low; k <= z.high && found == 0; ++k)
        for (int64_t j = y.low; j <= y.high && found == 0; ++j) {
            int64_t row = cell_index(rows, 0, j, k);
            if (row == own) continue;
            found = near_in_row(rows, rows->start[row + x.low], rows->start[row + x.high + 1], at,
                                squared, &one, 0, 1);
        }
    return found > 0;
}

bool sherd_cell_rows_is_taken(const sherd_cell_rows *rows, sherd_vec3 at, double distance)
{
    if (rows->start == NULL) return sherd_point_grid_is_taken(&rows->grid, at, distance);
    return find_any(rows, at, distance);
}
