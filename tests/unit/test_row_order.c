// packing: elements come along rows, straight ones and bent ones, and near ones soon after each other.
#include "base/random.h"
#include "geometry/space_filling.h"
#include "math/vec3.h"
#include "packing/order/row_order.h"
#include "packing/order/vector_runs.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 4096 }; // as models/bonded/storage/bond_blocks.h cuts elements

static const double R = 1e-3; // radius of all elements [m]

static sherd_lattice close_packing(void)
{
    return (sherd_lattice){
        .kind = SHERD_PACKING_HCP, .frame = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, .radius = R};
}

static sherd_centres new_centres(size_t count)
{
    sherd_centres centres = {count, count, calloc(count, sizeof *centres.point)};
    cr_assert(centres.point != NULL);
    return centres;
}

// A slab of the lattice, in an order that says nothing.
static sherd_centres slab(const sherd_lattice *lattice, int64_t length, int64_t rows,
                          int64_t layers)
{
    int64_t count = length * rows * layers, step = 7919; // a prime that divides none of the counts
    sherd_centres centres = new_centres((size_t)count);
    for (int64_t n = 0; n < count; ++n) {
        int64_t site = n * step % count;
        centres.point[n] = sherd_lattice_site(lattice, site % length, site / length % rows,
                                              site / (length * rows));
    }
    return centres;
}

// Rolls a slab up around the y axis; rows, turned before, run askew. Nothing is a lattice any more.
static void bend(sherd_centres *centres, double radius, double turned)
{
    for (size_t n = 0; n < centres->count; ++n) {
        sherd_vec3 p = centres->point[n];
        double x = p.x * cos(turned) - p.y * sin(turned), y = p.x * sin(turned) + p.y * cos(turned);
        double angle = x / radius;
        centres->point[n] =
            vec3((radius + p.z) * sin(angle), y, (radius + p.z) * cos(angle) - radius);
    }
}

static uint32_t *order_of(const sherd_lattice *lattice, const sherd_centres *centres, int threads)
{
    uint32_t *order = calloc(centres->count + 1, sizeof *order);
    cr_assert(order != NULL && sherd_row_order(lattice, centres, threads, order));
    return order;
}

static uint32_t *morton_of(const sherd_centres *centres)
{
    size_t n = centres->count;
    double *axes = calloc(3 * n + 1, sizeof *axes);
    uint32_t *order = calloc(n + 1, sizeof *order);
    cr_assert(axes != NULL && order != NULL);
    for (size_t k = 0; k < n; ++k) {
        axes[k] = centres->point[k].x;
        axes[n + k] = centres->point[k].y;
        axes[2 * n + k] = centres->point[k].z;
    }
    cr_assert(sherd_morton_order(axes, axes + n, axes + 2 * n, n, order));
    free(axes);
    return order;
}

static double share_of(const sherd_centres *centres, const uint32_t *order)
{
    sherd_touch_list list;
    cr_assert(sherd_touch_list_init(&list, centres, R, 1));
    double share = sherd_vector_run_fraction(&list, order);
    sherd_touch_list_free(&list);
    return share;
}

// Mean number of elements of later blocks that a block's touch.
static double mean_halo(const sherd_centres *centres, const uint32_t *order)
{
    sherd_touch_list list;
    size_t n = centres->count, halo = 0, blocks = (n + BLOCK - 1) / BLOCK;
    cr_assert(sherd_touch_list_init(&list, centres, R, 1));
    uint32_t *place = calloc(n, sizeof *place), *seen_by = calloc(n, sizeof *seen_by);
    cr_assert(place != NULL && seen_by != NULL);
    for (size_t k = 0; k < n; ++k)
        place[order[k]] = (uint32_t)k;
    for (size_t k = 0; k < n; ++k)
        for (int m = 0; m < list.found[order[k]]; ++m) {
            int32_t other = sherd_touching(&list, order[k])[m];
            size_t block = k / BLOCK;
            if (place[other] / BLOCK <= block || seen_by[other] == block + 1) continue;
            seen_by[other] = (uint32_t)block + 1;
            ++halo;
        }
    sherd_touch_list_free(&list);
    free(place);
    free(seen_by);
    return (double)halo / (double)blocks;
}

static void check_permutation(const uint32_t *order, size_t count)
{
    bool *seen = calloc(count, sizeof *seen);
    cr_assert(seen != NULL);
    for (size_t k = 0; k < count; ++k) {
        cr_assert(order[k] < count && !seen[order[k]], "place %zu", k);
        seen[order[k]] = true;
    }
    free(seen);
}

// ---------------------------------------------------------------- what counts

Test(row_order, share_of_runs_is_counted_as_packets_are)
{
    // Two rows of 20, squarely side by side: 19 pairs along each, 20 across. Groups are 16 and 4 of
    // each row. Along its row a group of 16 has 16 pairs, the last with the next group's first, and
    // one of 4 has three; across there are 16 and 4.
    sherd_centres centres = new_centres(40);
    uint32_t order[40];
    for (int k = 0; k < 40; ++k) {
        centres.point[k] = vec3(2.0 * R * (k % 20), k < 20 ? 0.0 : 2.0 * R, 0.0);
        order[k] = (uint32_t)k;
    }
    cr_assert(epsilon_eq(dbl, share_of(&centres, order), (16.0 + 16.0 + 16.0) / 58.0, 1e-12));
    // Turn about, one of each row: groups are pairs across.
    for (int k = 0; k < 40; ++k)
        order[k] = (uint32_t)(k / 2 + k % 2 * 20);
    cr_assert(share_of(&centres, order) < 1e-12);
    free(centres.point);
}

// ---------------------------------------------------------------- exact lattices

Test(row_order, exact_lattice_comes_in_pieces_of_its_rows)
{
    sherd_lattice lattice = close_packing();
    sherd_centres centres = slab(&lattice, 200, 30, 6);
    uint32_t *order = order_of(&lattice, &centres, 1);
    check_permutation(order, centres.count);
    // Slabs of 64 sites across all rows, one after the other, and in each row after row: the layout
    // that bodies without a curved surface have always had.
    double slab_before = 0.0;
    int breaks = 0;
    for (size_t k = 0; k < centres.count; ++k) {
        sherd_vec3 p = centres.point[order[k]];
        double piece = floor(p.x / (2.0 * R) / 64.0);
        cr_assert(piece >= slab_before, "place %zu", k);
        slab_before = piece;
        if (k == 0) continue;
        sherd_vec3 step = vec3_sub(p, centres.point[order[k - 1]]);
        breaks += fabs(step.x - 2.0 * R) > 1e-9 * R || fabs(step.y) + fabs(step.z) > 1e-9 * R;
    }
    cr_assert(eq(int, breaks, 4 * 30 * 6 - 1)); // four pieces a row
    free(order);
    free(centres.point);
}

// ---------------------------------------------------------------- bent rows

Test(row_order, follows_rows_around_a_bend)
{
    sherd_lattice lattice = close_packing();
    sherd_centres centres = slab(&lattice, 240, 90, 3);
    bend(&centres, 0.3, 0.4);
    uint32_t *order = order_of(&lattice, &centres, 1);
    check_permutation(order, centres.count);
    // All but ends of rows and cuts: 99 % as measured.
    cr_assert(share_of(&centres, order) > 0.95);
    // No less compact than the Morton order, which cuts sheets askew badly: 292 elements to 517.
    uint32_t *morton = morton_of(&centres);
    cr_assert(mean_halo(&centres, order) < mean_halo(&centres, morton));
    free(morton);
    free(order);
    free(centres.point);
}

Test(row_order, does_not_depend_on_threads)
{
    sherd_lattice lattice = close_packing();
    sherd_centres centres = slab(&lattice, 90, 60, 3);
    bend(&centres, 0.1, 0.7);
    uint32_t *expected = order_of(&lattice, &centres, 1);
    for (int threads = 2; threads <= 8; threads += 3) {
        uint32_t *order = order_of(&lattice, &centres, threads);
        cr_assert(memcmp(order, expected, centres.count * sizeof *order) == 0, "%d", threads);
        free(order);
    }
    free(expected);
    free(centres.point);
}

Test(row_order, closed_rows_are_opened_once)
{
    // A hoop of two rows: rows without a beginning.
    enum { AROUND = 300 };
    sherd_centres centres = new_centres(2 * AROUND);
    double angle = 2.0 * acos(-1.0) / AROUND, radius = R / sin(0.5 * angle);
    for (int k = 0; k < 2 * AROUND; ++k)
        centres.point[k] =
            vec3(radius * cos(angle * k), radius * sin(angle * k), k < AROUND ? 0.0 : 2.0 * R);
    sherd_lattice lattice = close_packing();
    uint32_t *order = order_of(&lattice, &centres, 1);
    check_permutation(order, centres.count);
    // Cut into pieces of 32 to 64 elements at least, whose last elements, up to 7, are in no run.
    cr_assert(share_of(&centres, order) > 0.9);
    free(order);
    free(centres.point);
}

// ---------------------------------------------------------------- no rows

static void check_morton(const sherd_centres *centres)
{
    sherd_lattice lattice = close_packing();
    uint32_t *order = order_of(&lattice, centres, 1), *morton = morton_of(centres);
    cr_assert(memcmp(order, morton, centres->count * sizeof *order) == 0, "%zu", centres->count);
    free(order);
    free(morton);
}

Test(row_order, no_rows_no_row_order)
{
    // Points at random: as dense as spheres that touch, as if they overlapped, and far apart.
    for (int dense = 0; dense < 3; ++dense) {
        sherd_centres centres = new_centres(5000);
        double edge = (double[]){32.0, 4.0, 1000.0}[dense] * R;
        for (size_t n = 0; n < centres.count; ++n)
            centres.point[n] =
                vec3(edge * sherd_random_uniform(1, 0, n), edge * sherd_random_uniform(1, 1, n),
                     edge * sherd_random_uniform(1, 2, n));
        check_morton(&centres);
        free(centres.point);
    }
}

Test(row_order, few_elements_or_one_place)
{
    for (size_t count = 0; count < 4; ++count) {
        sherd_centres centres = new_centres(count);
        for (size_t n = 0; n < count; ++n)
            centres.point[n] = vec3(0.1 * R, 1.3 * R * (double)n, 0.0);
        check_morton(&centres);
        free(centres.point);
    }
    sherd_centres heap = new_centres(1000);
    for (size_t n = 0; n < heap.count; ++n)
        heap.point[n] = vec3(0.3 * R, 0.0, 0.0);
    sherd_lattice lattice = close_packing();
    uint32_t *order = order_of(&lattice, &heap, 1);
    check_permutation(order, heap.count);
    free(order);
    free(heap.point);
}

// ---------------------------------------------------------------- packings

static sherd_centres centres_of(const sherd_packing *packing)
{
    sherd_centres centres = new_centres((size_t)packing->count);
    for (int32_t k = 0; k < packing->count; ++k)
        centres.point[k] = vec3(packing->x[k], packing->y[k], packing->z[k]);
    return centres;
}

static double share_of_packing(sherd_shape *shape, sherd_packing_def def)
{
    sherd_error error;
    sherd_packing *packing = sherd_packing_create(shape, &def, &error);
    cr_assert(packing != NULL, "%s: %s", error.where, error.what);
    sherd_centres centres = centres_of(packing);
    uint32_t *identity = calloc(centres.count, sizeof *identity);
    cr_assert(identity != NULL);
    for (size_t k = 0; k < centres.count; ++k)
        identity[k] = (uint32_t)k;
    double share = share_of(&centres, identity);
    free(identity);
    free(centres.point);
    sherd_packing_destroy(packing);
    sherd_shape_destroy(shape);
    return share;
}

// Half a spherical shell of mean radius `mean` and thickness t, 9 degrees a facet.
static sherd_shape *bowl(double mean, double t)
{
    enum { STEPS = 10 };
    sherd_vec2 profile[2 * STEPS + 2];
    for (int k = 0; k <= STEPS; ++k) {
        double angle = 0.5 * acos(-1.0) * k / STEPS;
        double inner = mean - 0.5 * t, outer = mean + 0.5 * t;
        profile[k] = (sherd_vec2){outer * sin(angle), -outer * cos(angle)};
        profile[2 * STEPS + 1 - k] = (sherd_vec2){inner * sin(angle), -inner * cos(angle)};
    }
    return sherd_shape_revolve(profile, 2 * STEPS + 2, NULL);
}

// Shares as measured, less a tenth of them: what changes in packings may cost, but not the rows.
Test(row_order, packings_that_follow_a_surface_keep_rows)
{
    sherd_packing_def def = sherd_packing_def_default();
    def.radius = R;
    // Solids: the core is a lattice, and relaxed layers around it go on with its rows, which are 30
    // and 24 elements at most.
    cr_assert(share_of_packing(sherd_shape_cylinder(0.03, 0.02, NULL), def) > 0.85); // 0.94
    cr_assert(share_of_packing(sherd_shape_sphere(0.025, NULL), def) > 0.75);        // 0.83
    // Three layers, curved both ways: rows end wherever the curve asks for one more or less.
    const double THREE_LAYERS = 2.0 + 2.0 * sqrt(8.0 / 3.0);
    cr_assert(share_of_packing(bowl(0.04, THREE_LAYERS * R), def) > 0.41); // 0.46
}

Test(row_order, shaken_layers_keep_rows)
{
    sherd_packing_def def = sherd_packing_def_default();
    def.kind = SHERD_PACKING_HEX_LAYERS;
    def.radius = R;
    def.layers = 2;
    def.jitter = 0.1;
    sherd_vec3 size = {0.1, 0.05, (2.0 + sqrt(8.0 / 3.0)) * R};
    cr_assert(share_of_packing(sherd_shape_box(size, NULL), def) > 0.95); // 0.99
}

Test(row_order, random_packings_keep_the_morton_order)
{
    sherd_packing_def def = sherd_packing_def_default();
    sherd_error error;
    def.kind = SHERD_PACKING_RANDOM;
    def.radius = R;
    sherd_shape *shape = sherd_shape_sphere(0.012, NULL);
    sherd_packing *packing = sherd_packing_create(shape, &def, &error);
    cr_assert(packing != NULL, "%s: %s", error.where, error.what);
    sherd_centres centres = centres_of(packing);
    uint32_t *morton = morton_of(&centres);
    for (uint32_t k = 0; k < centres.count; ++k)
        cr_assert(morton[k] == k);
    free(morton);
    free(centres.point);
    sherd_packing_destroy(packing);
    sherd_shape_destroy(shape);
}
