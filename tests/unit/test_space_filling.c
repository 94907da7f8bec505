// geometry: the Morton order is a permutation that keeps neighbours together.
#include "base/random.h"
#include "geometry/space_filling.h"

#include <criterion/criterion.h>
#include <math.h>

enum { SIDE = 16, POINTS = SIDE * SIDE * SIDE };

static double x[POINTS], y[POINTS], z[POINTS];
static uint32_t order[POINTS];

// Grid points in a scrambled order.
static void fill_grid(void)
{
    for (uint32_t k = 0; k < POINTS; ++k) {
        uint32_t cell = (k * 1237u) % POINTS; // 1237 is odd: a permutation of 2^12 numbers
        x[k] = cell % SIDE, y[k] = cell / SIDE % SIDE, z[k] = cell / (SIDE * SIDE);
    }
}

Test(space_filling, is_a_permutation_with_short_steps)
{
    fill_grid();
    cr_assert(sherd_morton_order(x, y, z, POINTS, order));
    static int seen[POINTS];
    double length = 0.0;
    for (int k = 0; k < POINTS; ++k) {
        cr_assert(order[k] < POINTS && seen[order[k]]++ == 0);
        if (k == 0) continue;
        uint32_t a = order[k - 1], b = order[k];
        length += sqrt((x[a] - x[b]) * (x[a] - x[b]) + (y[a] - y[b]) * (y[a] - y[b]) +
                       (z[a] - z[b]) * (z[a] - z[b]));
    }
    // The Z-order curve's mean step on a grid is about 1.6 cells; the scrambled order's is above 8.
    cr_assert(length / POINTS < 2.0);
}

Test(space_filling, coincident_points_keep_their_order)
{
    for (int k = 0; k < 10; ++k)
        x[k] = y[k] = z[k] = 5.0;
    cr_assert(sherd_morton_order(x, y, z, 10, order));
    for (uint32_t k = 0; k < 10; ++k)
        cr_assert(order[k] == k);
    cr_assert(sherd_morton_order(x, y, z, 0, order));
}
