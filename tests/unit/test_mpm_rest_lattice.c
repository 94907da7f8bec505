// Rotations of points from where their neighbours are: of pieces with corners and thin parts, and across glue that holds.
#include "math/quat.h"
#include "math/vec3.h"
#include "models/mpm/damage/mpm_rest_lattice.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>

enum { SIDE = 6, COUNT = SIDE * SIDE * SIDE };
static const double STEP = 0.1;

static sherd_elements make_points(void)
{
    sherd_elements e = {0};
    sherd_error error;
    cr_assert(eq(int, (int)sherd_elements_resize(&e, COUNT, &error), SHERD_OK));
    for (int k = 0; k < COUNT; ++k) {
        e.rx[k] = STEP * (k % SIDE), e.ry[k] = STEP * (k / SIDE % SIDE);
        e.rz[k] = STEP * (k / (SIDE * SIDE));
        e.px[k] = e.rx[k], e.py[k] = e.ry[k], e.pz[k] = e.rz[k], e.qw[k] = 1.0;
    }
    return e;
}

static void move_points(sherd_elements *e, const uint32_t *piece, uint32_t which, sherd_quat q)
{
    for (int k = 0; k < COUNT; ++k) {
        if (piece[k] != which) continue;
        sherd_vec3 x = quat_rotate(q, (sherd_vec3){e->rx[k], e->ry[k], e->rz[k]});
        e->px[k] = 3.0 + x.x, e->py[k] = x.y, e->pz[k] = x.z;
    }
}

static double angle_between(const sherd_elements *e, sherd_element_index k, sherd_quat q)
{
    double same = fabs(e->qx[k] * q.x + e->qy[k] * q.y + e->qz[k] * q.z + e->qw[k] * q.w);
    return 2.0 * sqrt(fmax(0.0, 2.0 * (1.0 - same)));
}

static void turn(sherd_elements *e, const uint32_t *piece, const sherd_mpm_glues *glue)
{
    sherd_mpm_lattice l = {.spacing = STEP};
    cr_assert(sherd_mpm_lattice_add(&l, e, 0, COUNT));
    sherd_mpm_lattice_divide(&l, piece, glue);
    sherd_mpm_lattice_find_rotations(&l, glue, e, &(sherd_parallel){0});
    sherd_mpm_lattice_free(&l);
}

static const sherd_quat QUARTER = {0.0, 0.0, 0.38268343236508977,
                                   0.92387953251128674}; // 45 degrees

// Stairs with a layer one point thick and a spike: a direction is missing at many points.
Test(mpm_turn, all_points_of_a_piece_turn_with_it)
{
    sherd_elements e = make_points();
    sherd_mpm_glues none = {0};
    uint32_t piece[COUNT];
    for (int k = 0; k < COUNT; ++k) {
        int x = k % SIDE, y = k / SIDE % SIDE, z = k / (SIDE * SIDE);
        piece[k] = x + y < 4 || z == 0 || (x == 3 && y == 3 && z < 3);
    }
    move_points(&e, piece, 1, QUARTER);
    turn(&e, piece, &none);
    for (int k = 0; k < COUNT; ++k) {
        double angle = angle_between(&e, k, piece[k] ? QUARTER : SHERD_QUAT_IDENTITY);
        cr_assert(lt(dbl, angle, 1e-6), "point %d of piece %u: %g", k, piece[k], angle);
    }
    sherd_elements_free(&e);
}

// Sheared along x with y: between two pieces of one layer each, direction y is known across glue alone.
Test(mpm_turn, glue_that_holds_is_as_if_there_were_no_wall)
{
    sherd_elements whole = make_points(), parted = make_points();
    sherd_mpm_glue items[COUNT];
    sherd_mpm_glues none = {0}, glue = {.items = items};
    uint32_t one[COUNT] = {0}, layers[COUNT];
    for (int k = 0; k < COUNT; ++k) {
        layers[k] = (uint32_t)(k / SIDE % SIDE);
        whole.px[k] = parted.px[k] += 0.8 * whole.ry[k] * whole.ry[k] / (STEP * SIDE);
        if (layers[k] + 1 < SIDE)
            items[glue.count++] =
                (sherd_mpm_glue){.a = layers[k], .b = layers[k] + 1, .low = k, .high = k + SIDE};
    }
    turn(&whole, one, &none), turn(&parted, layers, &glue);
    double most = 0.0;
    for (int k = 0; k < COUNT; ++k) {
        cr_assert(eq(dbl, whole.qz[k], parted.qz[k]));
        cr_assert(eq(dbl, whole.qw[k], parted.qw[k]));
        most = fmax(most, fabs(whole.qz[k]));
    }
    cr_assert(lt(dbl, 0.1, most));
    for (size_t k = 0; k < glue.count; ++k)
        items[k].damage = 1.0;
    turn(&parted, layers, &glue);
    for (int k = 0; k < COUNT; ++k) // of a flat layer: as it lies
        cr_assert(lt(dbl, angle_between(&parted, k, SHERD_QUAT_IDENTITY), 1e-6), "%d", k);
    sherd_elements_free(&whole), sherd_elements_free(&parted);
}

// R U, for rotations of which each component of the quaternion is the largest in turn, and stretches of 0.5 to 1.8 askew.
Test(mpm_turn, what_is_strained_turns_by_the_nearest_rotation)
{
    static const sherd_quat TURNS[5] = {{0.9, 0.2, -0.3, 0.1},
                                        {0.2, 0.9, 0.3, -0.1},
                                        {-0.3, 0.1, 0.9, 0.2},
                                        {0.1, 0.2, -0.3, 0.9},
                                        {0.6, -0.6, 0.4, 0.01}};
    const sherd_quat askew = quat_normalize((sherd_quat){0.3, -0.2, 0.5, 0.8});
    const sherd_quat back = {-askew.x, -askew.y, -askew.z, askew.w};
    sherd_mpm_glues none = {0};
    uint32_t one[COUNT] = {0};
    for (int t = 0; t < 5; ++t) {
        sherd_elements e = make_points();
        sherd_quat q = quat_normalize(TURNS[t]);
        for (int k = 0; k < COUNT; ++k) {
            sherd_vec3 x = quat_rotate(back, (sherd_vec3){e.rx[k], e.ry[k], e.rz[k]});
            x = quat_rotate(q, quat_rotate(askew, (sherd_vec3){0.5 * x.x, 1.8 * x.y, 1.1 * x.z}));
            e.px[k] = x.x, e.py[k] = x.y, e.pz[k] = x.z;
        }
        turn(&e, one, &none);
        for (int k = 0; k < COUNT; ++k) // of the half that the angle is: sqrt of rounding
            cr_assert(lt(dbl, angle_between(&e, k, q), 1e-6), "%d, point %d", t, k);
        sherd_elements_free(&e);
    }
}
