// The world of benchmarks: a packing as a body, and a floor and four walls to drop it between.
#include "bench/benchmarks.h"

#include <sherd/world.h>

#include <math.h>
#include <stdlib.h>

sherd_packing *bench_pack(sherd_shape *shape, double jitter, int threads, sherd_error *error)
{
    if (shape == NULL) return NULL;
    sherd_packing_def def = sherd_packing_def_default();
    def.radius = BENCH_RADIUS;
    def.threads = threads;
    def.jitter = jitter;
    sherd_packing *packing = sherd_packing_create(shape, &def, error);
    sherd_shape_destroy(shape);
    return packing;
}

// Cells of two radii, their coordinates' bits in turn: a Morton curve.
typedef struct place {
    uint64_t cell;
    double x, y, z, radius;
} place;

static uint64_t spread_bits(double x)
{
    uint64_t whole = (uint64_t)fmax(x / (2.0 * BENCH_RADIUS) + 65536.0, 0.0), spread = 0;
    for (int bit = 0; bit < 21; ++bit)
        spread |= (whole >> bit & 1u) << 3 * bit;
    return spread;
}

static int by_cell(const void *a, const void *b)
{
    const place *p = a, *q = b;
    return p->cell != q->cell ? (p->cell > q->cell) - (p->cell < q->cell)
                              : (p->x > q->x) - (p->x < q->x);
}

bool bench_order_along_curve(sherd_packing *packing, sherd_error *error)
{
    size_t count = (size_t)packing->count;
    place *places = malloc(count * sizeof *places);
    if (places == NULL) {
        *error = (sherd_error){.status = SHERD_ERROR_MEMORY, .what = "not enough memory for order"};
        return false;
    }
    for (size_t k = 0; k < count; ++k) {
        double x = packing->x[k], y = packing->y[k], z = packing->z[k];
        uint64_t cell = spread_bits(x) | spread_bits(y) << 1 | spread_bits(z) << 2;
        places[k] = (place){cell, x, y, z, packing->radius[k]};
    }
    qsort(places, count, sizeof *places, by_cell);
    for (size_t k = 0; k < count; ++k) {
        packing->x[k] = places[k].x, packing->y[k] = places[k].y, packing->z[k] = places[k].z;
        packing->radius[k] = places[k].radius;
    }
    free(places);
    return true;
}

bool bench_add_body(sherd_world *world, sherd_packing *packing, const sherd_material_def *material,
                    sherd_body_def body, sherd_error *error)
{
    body.count = packing->count;
    body.x = packing->x, body.y = packing->y, body.z = packing->z, body.radius = packing->radius;
    body.material = sherd_world_add_material(world, material, error);
    bool added = body.material.index1 != 0 && sherd_world_add_body(world, &body, error).index1 != 0;
    sherd_packing_destroy(packing);
    return added;
}

bool bench_add_walls(sherd_world *world, double edge, sherd_error *error)
{
    const double h = sqrt(0.5), half = 0.5 * edge;
    const sherd_pose walls[] = {
        {{0, 0, -half}, {0, 0, 0, 1}}, {{-half, 0, 0}, {0, h, 0, h}},
        {{half, 0, 0}, {0, -h, 0, h}}, {{0, -half, 0}, {-h, 0, 0, h}},
        {{0, half, 0}, {h, 0, 0, h}},
    };
    for (size_t k = 0; k < sizeof walls / sizeof walls[0]; ++k) {
        sherd_obstacle_def wall = sherd_obstacle_def_default();
        wall.is_plane = true;
        wall.pose = walls[k];
        if (sherd_world_add_obstacle(world, &wall, error).index1 == 0) return false;
    }
    return true;
}
