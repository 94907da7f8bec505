// box_clip: parts of triangles and tetrahedra within boxes.
#include "geometry/box_clip.h"

#include "base/random.h"
#include "geometry/tetra/tetra_mesh.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>

static sherd_vec3 random_point(uint64_t index)
{
    return vec3(sherd_random_uniform(1, 2, 3 * index), sherd_random_uniform(1, 2, 3 * index + 1),
                sherd_random_uniform(1, 2, 3 * index + 2));
}

// One of n x n x n boxes that the unit cube is cut into.
static sherd_clip_box cell(int n, int k)
{
    const int at[3] = {k % n, k / n % n, k / n / n};
    sherd_clip_box box;
    for (int a = 0; a < 3; ++a)
        box.low[a] = (double)at[a] / n, box.high[a] = (double)(at[a] + 1) / n;
    return box;
}

Test(box_clip, parts_add_up)
{
    enum { N = 3 };
    for (uint64_t trial = 0; trial < 200; ++trial) {
        sherd_vec3 p[4];
        for (uint64_t k = 0; k < 4; ++k)
            p[k] = random_point(4 * trial + k);
        double area = 0.5 * vec3_length(vec3_cross(vec3_sub(p[1], p[0]), vec3_sub(p[2], p[0])));
        double volume = fabs(tetra_volume_of(p)), areas = 0.0, volumes = 0.0;
        for (int k = 0; k < N * N * N; ++k) {
            sherd_clip_box box = cell(N, k);
            areas += sherd_clip_triangle(&box, p);
            volumes += sherd_clip_tetra(&box, p);
        }
        cr_assert(epsilon_eq(dbl, areas, area, 1e-12));
        cr_assert(epsilon_eq(dbl, volumes, volume, 1e-12));
    }
}

// A corner of a cube cut off, and what a box takes out of the middle of something larger.
Test(box_clip, parts_that_are_known)
{
    const sherd_vec3 p[4] = {{0, 0, 0}, {2, 0, 0}, {0, 2, 0}, {0, 0, 2}};
    const sherd_clip_box unit = {{0, 0, 0}, {1, 1, 1}};
    cr_expect(epsilon_eq(dbl, sherd_clip_tetra(&unit, p), 5.0 / 6.0, 1e-14));
    cr_expect(epsilon_eq(dbl, sherd_clip_triangle(&unit, p), 1.0, 1e-14));
    const sherd_vec3 wide[3] = {{-9, -9, 0.5}, {9, -9, 0.5}, {0, 9, 0.5}};
    cr_expect(epsilon_eq(dbl, sherd_clip_triangle(&unit, wide), 1.0, 1e-13));
    const sherd_clip_box away = {{3, 3, 3}, {4, 4, 4}};
    cr_expect(eq(dbl, sherd_clip_tetra(&away, p), 0.0));
    cr_expect(eq(dbl, sherd_clip_triangle(&away, p), 0.0));
}
