#include "packing/shape_samples.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "math/vec3.h"

enum {
    FIRST_GRID = 100000,  // points of the first sampling grid
    LAST_GRID = 8000000,  // and of the finest one tried on thin shapes
    ENOUGH_SAMPLES = 400, // interior points wanted
    CHUNK = 1024,
};

typedef struct grid_job {
    const sherd_shape *shape;
    sherd_vec3 low, step;
    size_t nx, ny, nz;
    double *distance;
} grid_job;

static sherd_vec3 grid_point(const grid_job *grid, size_t k)
{
    double i = (double)(k % grid->nx) + 0.5;
    double j = (double)(k / grid->nx % grid->ny) + 0.5;
    double l = (double)(k / (grid->nx * grid->ny)) + 0.5;
    return vec3(grid->low.x + i * grid->step.x, grid->low.y + j * grid->step.y,
                grid->low.z + l * grid->step.z);
}

static void grid_distances(void *context, size_t begin, size_t end)
{
    grid_job *grid = context;
    for (size_t k = begin; k < end; ++k)
        grid->distance[k] = sherd_shape_distance(grid->shape, grid_point(grid, k));
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

// Keeps the grid points inside. False when memory is short.
static bool keep_interior(const grid_job *grid, sherd_samples *inside)
{
    size_t total = grid->nx * grid->ny * grid->nz;
    size_t count = 0;
    for (size_t k = 0; k < total; ++k)
        count += grid->distance[k] < 0.0;
    inside->point = sherd_alloc(count, sizeof *inside->point);
    inside->depth = sherd_alloc(count, sizeof *inside->depth);
    if (inside->point == NULL || inside->depth == NULL) return false;
    for (size_t k = 0; k < total; ++k) {
        if (!(grid->distance[k] < 0.0)) continue;
        inside->point[inside->count] = grid_point(grid, k);
        inside->depth[inside->count++] = -grid->distance[k];
    }
    inside->spacing = fmax(grid->step.x, fmax(grid->step.y, grid->step.z));
    return true;
}

void sherd_samples_free(sherd_samples *inside)
{
    sherd_free(inside->point);
    sherd_free(inside->depth);
    *inside = (sherd_samples){0};
}

bool sherd_samples_take(const sherd_shape *shape, sherd_bounds bounds, int threads,
                        sherd_samples *inside)
{
    for (double total = FIRST_GRID; total <= LAST_GRID; total *= 8.0) {
        grid_job grid = grid_over(shape, bounds, total);
        size_t points = grid.nx * grid.ny * grid.nz;
        grid.distance = sherd_alloc(points, sizeof *grid.distance);
        if (grid.distance == NULL) return false;
        sherd_parallel_for(&(sherd_parallel){threads}, points, CHUNK, grid_distances, &grid);
        sherd_samples_free(inside);
        bool kept = keep_interior(&grid, inside);
        sherd_free(grid.distance);
        if (!kept) return false;
        if (inside->count >= ENOUGH_SAMPLES) break;
    }
    return true;
}
