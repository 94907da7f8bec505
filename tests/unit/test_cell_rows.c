// Sorted rows of cells find what the hashed grid finds, in its order.
#include "math/cell_rows.h"

#include "base/memory.h"
#include "base/random.h"
#include "math/vec3.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

enum { COUNT = 3000, MOST = 40 };

static sherd_vec3 random_point(uint64_t stream, uint64_t k, sherd_vec3 low, sherd_vec3 size)
{
    return vec3(low.x + size.x * sherd_random_uniform(1, stream, 3 * k),
                low.y + size.y * sherd_random_uniform(1, stream, 3 * k + 1),
                low.z + size.z * sherd_random_uniform(1, stream, 3 * k + 2));
}

// Points in a box, some queries beyond it; `most` cuts some answers short.
static void compare(sherd_vec3 low, sherd_vec3 size, double cell)
{
    sherd_vec3 *point = sherd_alloc(COUNT, sizeof *point);
    sherd_point_grid grid;
    sherd_cell_rows rows;
    cr_assert(sherd_point_grid_init(&grid, cell, 8));
    for (size_t k = 0; k < COUNT; ++k) {
        point[k] = random_point(0, k, low, size);
        cr_assert(sherd_point_grid_add(&grid, point[k]));
    }
    cr_assert(sherd_cell_rows_build(&rows, cell, point, NULL, COUNT));
    int64_t found = 0, taken = 0;
    for (size_t k = 0; k < COUNT; ++k) {
        sherd_vec3 at = random_point(1, k, vec3_add_scaled(low, -0.1, size), vec3_scale(1.2, size));
        double distance = cell * (0.3 + 0.7 * sherd_random_uniform(2, 0, k));
        int most = k % 3 == 0 ? 4 : MOST;
        int32_t near[MOST], expected[MOST];
        int count = sherd_cell_rows_near(&rows, at, distance, near, most);
        cr_assert(eq(int, count, sherd_point_grid_near(&grid, at, distance, expected, most)));
        for (int n = 0; n < count; ++n)
            cr_assert(eq(int, near[n], expected[n]));
        bool is_taken = sherd_cell_rows_is_taken(&rows, at, distance);
        cr_assert_eq(is_taken, count > 0);
        cr_assert_eq(is_taken, sherd_point_grid_is_taken(&grid, at, distance));
        found += count, taken += is_taken;
    }
    cr_assert(ge(i64, found, COUNT + 1)); // of each about one
    cr_assert(ge(i64, taken, COUNT / 4));
    sherd_cell_rows_free(&rows);
    sherd_point_grid_free(&grid);
    sherd_free(point);
}

Test(cell_rows, finds_what_the_grid_finds)
{
    compare(vec3(-0.5, 2.0, -7.0), vec3(1.0, 1.0, 1.0), 0.1);
    compare(vec3(-0.5, -0.5, 0.0), vec3(1.0, 1.0, 0.02), 0.05);
}

// Two clusters that are far apart leave most cells between them empty.
Test(cell_rows, far_points_are_found_too)
{
    const sherd_vec3 point[4] = {{0, 0, 0}, {0.1, 0, 0}, {1e4, 1e4, 1e4}, {1e4, 1e4, 1e4 + 0.1}};
    sherd_cell_rows rows;
    int32_t near[4];
    cr_assert(sherd_cell_rows_build(&rows, 0.2, point, NULL, 4));
    cr_assert(rows.start == NULL);
    cr_assert(eq(int, sherd_cell_rows_near(&rows, point[2], 0.2, near, 4), 2));
    cr_assert(sherd_cell_rows_is_taken(&rows, point[0], 0.01));
    cr_assert(not(sherd_cell_rows_is_taken(&rows, vec3(5.0, 5.0, 5.0), 0.2)));
    sherd_cell_rows_free(&rows);
}

Test(cell_rows, there_may_be_no_points)
{
    sherd_cell_rows rows;
    cr_assert(sherd_cell_rows_build(&rows, 0.2, NULL, NULL, 0));
    cr_assert(not(sherd_cell_rows_is_taken(&rows, vec3(0.0, 0.0, 0.0), 0.2)));
    sherd_cell_rows_free(&rows);
}

// Points may lie in another order than they were added in.
Test(cell_rows, answers_come_in_the_order_of_adding)
{
    static const double SPREAD[] = {1.0, 300.0}; // of cells: few, and too many
    for (int s = 0; s < 2; ++s) {
        sherd_vec3 point[COUNT], moved[COUNT];
        int32_t added[COUNT];
        sherd_cell_rows rows, other;
        for (int k = 0; k < COUNT; ++k) {
            point[k] =
                random_point(0, (uint64_t)k, vec3(0, 0, 0), vec3(SPREAD[s], SPREAD[s], SPREAD[s]));
            int place = (int)((int64_t)k * 1777 % COUNT); // without a common factor
            moved[place] = point[k], added[place] = k;
        }
        cr_assert(sherd_cell_rows_build(&rows, 0.2, point, NULL, COUNT));
        cr_assert(sherd_cell_rows_build(&other, 0.2, moved, added, COUNT));
        cr_assert_eq(rows.start == NULL, s == 1);
        for (int k = 0; k < COUNT; ++k) {
            int32_t near[MOST], same[MOST];
            int count = sherd_cell_rows_near(&rows, point[k], 0.2, near, MOST);
            cr_assert(eq(int, sherd_cell_rows_near(&other, point[k], 0.2, same, MOST), count));
            for (int n = 0; n < count; ++n)
                cr_assert(eq(int, added[same[n]], near[n]));
        }
        sherd_cell_rows_free(&rows), sherd_cell_rows_free(&other);
    }
}
