#include "packing/shape_samples.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "geometry/shape/shape_range.h"
#include "math/vec3.h"

#include <string.h>

enum {
    FIRST_GRID = 100000,  // points of the first sampling grid
    LAST_GRID = 8000000,  // the finest grid, for thin shapes
    ENOUGH_SAMPLES = 400, // requested number of interior points
    BLOCK = 8,            // points along each side of a block that is tested at once
};

typedef struct grid_job {
    const sherd_shape *shape;
    sherd_vec3 low, step;
    size_t nx, ny, nz;
    double *x;        // of the points of a row [m] (nx)
    double *distance; // any positive number if outside [m]
} grid_job;

static sherd_vec3 grid_point(const grid_job *grid, size_t k)
{
    double i = (double)(k % grid->nx) + 0.5;
    double j = (double)(k / grid->nx % grid->ny) + 0.5;
    double l = (double)(k / (grid->nx * grid->ny)) + 0.5;
    return vec3(grid->low.x + i * grid->step.x, grid->low.y + j * grid->step.y,
                grid->low.z + l * grid->step.z);
}

// A block of points: `side` along each axis from `at` on, limited by the grid.
typedef struct block {
    size_t at[3], side;
} block;

// Whether the distance of a block's middle to the surface shows that all of its points are outside:
// most blocks around a thin wall.
static bool is_outside(const grid_job *grid, const block *b)
{
    double half = 0.5 * (double)(b->side - 1);
    sherd_vec3 middle = vec3(grid->low.x + ((double)b->at[0] + 0.5 + half) * grid->step.x,
                             grid->low.y + ((double)b->at[1] + 0.5 + half) * grid->step.y,
                             grid->low.z + ((double)b->at[2] + 0.5 + half) * grid->step.z);
    double reach = half * vec3_length(grid->step) * (1.0 + 1e-9);
    const sherd_distance_range range = {reach, reach};
    return sherd_shape_distance_between(grid->shape, middle, range, NULL, NULL) >= reach;
}

// Recursion depth: log2 of BLOCK.
static void find_distances(grid_job *grid, const block *b)
{
    if (b->at[0] >= grid->nx || b->at[1] >= grid->ny || b->at[2] >= grid->nz) return;
    size_t k = (b->at[2] * grid->ny + b->at[1]) * grid->nx + b->at[0];
    if (b->side == 1) {
        grid->distance[k] = sherd_shape_distance(grid->shape, grid_point(grid, k));
        return;
    }
    if (is_outside(grid, b)) return; // initial value
    size_t half = b->side / 2;
    for (size_t part = 0; part < 8; ++part) {
        const block smaller = {{b->at[0] + (part & 1) * half, b->at[1] + (part >> 1 & 1) * half,
                                b->at[2] + (part >> 2) * half},
                               half};
        find_distances(grid, &smaller);
    }
}

static size_t blocks_along(size_t points)
{
    return (points + BLOCK - 1) / BLOCK;
}

static void grid_distances(void *context, size_t begin, size_t end)
{
    grid_job *grid = context;
    size_t nx = blocks_along(grid->nx), ny = blocks_along(grid->ny);
    for (size_t k = begin; k < end; ++k) {
        const block b = {{k % nx * BLOCK, k / nx % ny * BLOCK, k / (nx * ny) * BLOCK}, BLOCK};
        find_distances(grid, &b);
    }
}

static size_t cells_along(double extent, double spacing)
{
    // At least 9 (odd, so that a mid-plane is sampled), at most what the total allows.
    double n = floor(extent / spacing);
    return n < 9.0 ? 9 : (size_t)n;
}

static grid_job grid_over(const sherd_shape *shape, sherd_bounds bounds, double total)
{
    sherd_vec3 extent = vec3_sub(bounds.high, bounds.low);
    double spacing = cbrt(extent.x * extent.y * extent.z / total);
    grid_job grid = {.shape = shape, .low = bounds.low};
    grid.nx = cells_along(extent.x, spacing);
    grid.ny = cells_along(extent.y, spacing);
    grid.nz = cells_along(extent.z, spacing);
    grid.step =
        vec3(extent.x / (double)grid.nx, extent.y / (double)grid.ny, extent.z / (double)grid.nz);
    return grid;
}

// ---- Rows of shapes that know better ---------------------------------------------------------

static void row_distances(void *context, size_t begin, size_t end)
{
    grid_job *grid = context;
    for (size_t row = begin; row < end; ++row) {
        sherd_vec3 first = grid_point(grid, row * grid->nx);
        sherd_shape_row(grid->shape, grid->x, first.y, first.z, grid->nx,
                        grid->distance + row * grid->nx);
    }
}

static void find_all_distances(grid_job *grid, int threads)
{
    enum { ROWS_A_CHUNK = 64 };
    const sherd_parallel parallel = {threads};
    size_t points = grid->nx * grid->ny * grid->nz;
    if (sherd_shape_row(grid->shape, NULL, 0.0, 0.0, 0, NULL)) {
        sherd_parallel_for(&parallel, grid->ny * grid->nz, ROWS_A_CHUNK, row_distances, grid);
        return;
    }
    for (size_t k = 0; k < points; ++k)
        grid->distance[k] = INFINITY;
    size_t blocks = blocks_along(grid->nx) * blocks_along(grid->ny) * blocks_along(grid->nz);
    sherd_parallel_for(&parallel, blocks, 1, grid_distances, grid);
}

// ---- Points inside ---------------------------------------------------------------------------

static size_t count_inside(const double *distance, size_t count)
{
    size_t inside = 0;
    for (size_t k = 0; k < count; ++k)
        inside += distance[k] < 0.0;
    return inside;
}

// Appends the points of a row that are inside.
static void keep_row(const grid_job *grid, size_t row, sherd_samples *inside)
{
    const double *distance = grid->distance + row * grid->nx;
    size_t count = count_inside(distance, grid->nx), at = inside->count;
    sherd_vec3 first = grid_point(grid, row * grid->nx);
    for (size_t k = 0; k < count; ++k)
        inside->y[at + k] = first.y, inside->z[at + k] = first.z;
    inside->count += count;
    if (count == grid->nx) {
        memcpy(inside->x + at, grid->x, count * sizeof *inside->x);
        for (size_t k = 0; k < count; ++k)
            inside->depth[at + k] = -distance[k];
        return;
    }
    for (size_t k = 0; k < grid->nx && at < inside->count; ++k) {
        if (!(distance[k] < 0.0)) continue;
        inside->x[at] = grid->x[k];
        inside->depth[at++] = -distance[k];
    }
}

// Collects the grid points inside. Returns false if memory runs short.
static bool keep_interior(const grid_job *grid, sherd_samples *inside)
{
    size_t rows = grid->ny * grid->nz, count = count_inside(grid->distance, grid->nx * rows);
    inside->x = sherd_alloc(count, sizeof *inside->x);
    inside->y = sherd_alloc(count, sizeof *inside->y);
    inside->z = sherd_alloc(count, sizeof *inside->z);
    inside->depth = sherd_alloc(count, sizeof *inside->depth);
    if (inside->x == NULL || inside->y == NULL || inside->z == NULL || inside->depth == NULL)
        return false;
    for (size_t row = 0; row < rows; ++row)
        keep_row(grid, row, inside);
    inside->spacing = fmax(grid->step.x, fmax(grid->step.y, grid->step.z));
    return true;
}

void sherd_samples_free(sherd_samples *inside)
{
    sherd_free(inside->x);
    sherd_free(inside->y);
    sherd_free(inside->z);
    sherd_free(inside->depth);
    *inside = (sherd_samples){0};
}

bool sherd_samples_take(const sherd_shape *shape, sherd_bounds bounds, int threads,
                        sherd_samples *inside)
{
    for (double total = FIRST_GRID; total <= LAST_GRID; total *= 8.0) {
        grid_job grid = grid_over(shape, bounds, total);
        grid.distance = sherd_alloc(grid.nx * grid.ny * grid.nz, sizeof *grid.distance);
        grid.x = sherd_alloc(grid.nx, sizeof *grid.x);
        sherd_samples_free(inside);
        bool kept = grid.distance != NULL && grid.x != NULL;
        for (size_t k = 0; k < grid.nx && kept; ++k)
            grid.x[k] = grid_point(&grid, k).x;
        if (kept) find_all_distances(&grid, threads);
        kept = kept && keep_interior(&grid, inside);
        sherd_free(grid.distance);
        sherd_free(grid.x);
        if (!kept) return false;
        if (inside->count >= ENOUGH_SAMPLES) break;
    }
    return true;
}
