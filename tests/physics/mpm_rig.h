// Boxes of material points for tests.
#pragma once

#include "models/mpm/mpm_diagnostics.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>

typedef struct mpm_box {
    sherd_vec3 low, size; // [m]
    sherd_vec3 velocity;  // [m/s]
} mpm_box;

typedef struct mpm_rig {
    sherd_mpm m;
    sherd_solid solids[8];
} mpm_rig;

static inline size_t mpm_rig_along(double length, double step)
{
    return (size_t)llround(length / step);
}

// Boxes become bodies 0, 1, ...: points on a lattice of half the spacing, all of the solid given.
static inline void mpm_rig_make(mpm_rig *r, const sherd_mpm_def *def, sherd_solid solid,
                                const mpm_box *boxes, int count)
{
    double step = 0.5 * def->spacing;
    size_t points = 0, k = 0;
    for (int i = 0; i < count; ++i)
        points += mpm_rig_along(boxes[i].size.x, step) * mpm_rig_along(boxes[i].size.y, step) *
                  mpm_rig_along(boxes[i].size.z, step);
    sherd_mpm_init(&r->m, def, r->solids);
    cr_assert(sherd_mpm_points_make(&r->m.points, points, def->affine));
    sherd_mpm_points *p = &r->m.points;
    for (int i = 0; i < count; ++i) {
        const mpm_box *b = &boxes[i];
        size_t nx = mpm_rig_along(b->size.x, step), ny = mpm_rig_along(b->size.y, step),
               nz = mpm_rig_along(b->size.z, step);
        r->solids[i] = solid;
        for (size_t n = 0; n < nx * ny * nz; ++n, ++k) {
            p->x[0][k] = b->low.x + step * ((double)(n % nx) + 0.5);
            p->x[1][k] = b->low.y + step * ((double)(n / nx % ny) + 0.5);
            p->x[2][k] = b->low.z + step * ((double)(n / nx / ny) + 0.5);
            p->v[0][k] = b->velocity.x, p->v[1][k] = b->velocity.y, p->v[2][k] = b->velocity.z;
            p->volume[k] = step * step * step;
            p->body[k] = (uint32_t)i;
            p->state[k] = solid.start;
        }
    }
}

static inline void mpm_rig_step(mpm_rig *r, double dt)
{
    sherd_error error = {0};
    cr_assert(eq(int, (int)sherd_mpm_step(&r->m, dt, &error), SHERD_OK), "%s", error.what);
}

static inline double mpm_rig_stable_dt(mpm_rig *r)
{
    sherd_error error = {0};
    double dt = 0.0;
    cr_assert(eq(int, (int)sherd_mpm_stable_dt(&r->m, &dt, &error), SHERD_OK), "%s", error.what);
    return dt;
}
