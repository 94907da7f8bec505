// Cells that the surface cannot reach, because |distance| at the centre exceeds half the diagonal,
// count fully or not at all; other cells are divided into eight. A smallest cell counts the
// fraction that a plane perpendicular to an axis at the centre's distance cuts off. The error is
// odd in the distance, so it averages out along a surface that crosses the grid.
#include "geometry/shape/grid_volume.h"

#include "base/parallel.h"
#include "geometry/shape/shape_kind.h"
#include "math/vec3.h"

enum { COARSE_BITS = 4, COARSE = 1 << COARSE_BITS, FEWEST_BITS = 6, MAX_BITS = 10 };

typedef struct volume_grid {
    const sherd_shape *shape;
    sherd_vec3 low;
    double coarse_size; // [m]
    int levels;         // subdivisions below the coarse cells
} volume_grid;

// Returns the shape's volume in the cube at `centre`, in units of the cube's volume.
static double filled_fraction(const sherd_shape *shape, sherd_vec3 centre, double size, int levels)
{
    double distance = shape->kind->distance(shape, centre, NULL);
    double half_diagonal = 0.8660254037844386 * size; // sqrt(3) / 2
    if (distance >= half_diagonal) return 0.0;
    if (distance <= -half_diagonal) return 1.0;
    if (levels == 0) return fmin(fmax(0.5 - distance / size, 0.0), 1.0);
    double sum = 0.0, quarter = 0.25 * size;
    for (int k = 0; k < 8; ++k) {
        sherd_vec3 offset = vec3(k & 1 ? quarter : -quarter, k & 2 ? quarter : -quarter,
                                 k & 4 ? quarter : -quarter);
        sum += filled_fraction(shape, vec3_add(centre, offset), 0.5 * size, levels - 1);
    }
    return 0.125 * sum;
}

static double sum_cells(void *context, size_t begin, size_t end)
{
    const volume_grid *grid = context;
    double sum = 0.0;
    for (size_t k = begin; k < end; ++k) {
        sherd_vec3 cell = vec3((double)(k % COARSE) + 0.5, (double)(k / COARSE % COARSE) + 0.5,
                               (double)(k / COARSE / COARSE) + 0.5);
        sherd_vec3 centre = vec3_add_scaled(grid->low, grid->coarse_size, cell);
        sum += filled_fraction(grid->shape, centre, grid->coarse_size, grid->levels);
    }
    return sum;
}

double sherd_grid_volume(const sherd_shape *shape)
{
    const sherd_parallel parallel = {0};
    sherd_vec3 size = vec3_sub(shape->bounds.high, shape->bounds.low);
    double extent = fmax(size.x, fmax(size.y, size.z));
    volume_grid grid = {.shape = shape, .low = shape->bounds.low, .coarse_size = extent / COARSE};
    double coarse_volume = grid.coarse_size * grid.coarse_size * grid.coarse_size;
    double volume = 0.0;
    for (int bits = FEWEST_BITS; bits <= MAX_BITS; ++bits) {
        grid.levels = bits - COARSE_BITS;
        double coarser = volume;
        volume = coarse_volume * sherd_parallel_sum(&parallel, (size_t)COARSE * COARSE * COARSE, 16,
                                                    sum_cells, &grid);
        if (bits > FEWEST_BITS && fabs(volume - coarser) <= 5e-4 * volume) break;
    }
    return volume;
}
