// packing/random: how full, nothing overlaps, the surface is touched, sizes, bonds, no preferred
// direction, the same for every number of threads, refusals.
#include "base/hash.h"
#include "calibration/elastic_test.h"
#include "math/point_grid.h"
#include "math/vec3.h"
#include "packing/random/random_sizes.h"

#include <sherd/packing.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdlib.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

static sherd_packing_def def_of(double radius)
{
    sherd_packing_def def = sherd_packing_def_default();
    def.kind = SHERD_PACKING_RANDOM;
    def.radius = radius;
    def.threads = 2;
    return def;
}

static sherd_packing *pack(const sherd_shape *shape, const sherd_packing_def *def)
{
    sherd_error error;
    cr_assert(shape != NULL);
    sherd_packing *packing = sherd_packing_create(shape, def, &error);
    cr_assert(packing != NULL, "%s: %s (%s)", error.where, error.what, error.hint);
    return packing;
}

static sherd_shape *box(double x, double y, double z)
{
    return sherd_shape_box(vec3(x, y, z), NULL);
}

static sherd_vec3 centre(const sherd_packing *p, int32_t n)
{
    return vec3(p->x[n], p->y[n], p->z[n]);
}

// Deepest overlap of two elements and with the surface, in radii of the smaller one.
static double deepest_overlap(const sherd_packing *p, const sherd_shape *shape)
{
    enum { NEAR = 4096 };
    int32_t near[NEAR];
    double reach = 2.0 * p->radius_most, deepest = -INFINITY;
    sherd_point_grid grid;
    cr_assert(sherd_point_grid_init(&grid, reach, (size_t)p->count));
    for (int32_t n = 0; n < p->count; ++n)
        cr_assert(sherd_point_grid_add(&grid, centre(p, n)));
    for (int32_t n = 0; n < p->count; ++n) {
        double out = sherd_shape_distance(shape, centre(p, n)) + p->radius[n];
        deepest = fmax(deepest, out / p->radius[n]);
        int found = sherd_point_grid_near(&grid, centre(p, n), reach, near, NEAR);
        for (int k = 0; k < found; ++k) {
            if (near[k] == n) continue;
            double touch = p->radius[n] + p->radius[near[k]];
            double overlap = touch - vec3_distance(centre(p, n), centre(p, near[k]));
            deepest = fmax(deepest, overlap / fmin(p->radius[n], p->radius[near[k]]));
        }
    }
    sherd_point_grid_free(&grid);
    return deepest;
}

// Share of a cube about the origin that lies in elements, sampled at points.
static double share_inside(const sherd_packing *p, double edge)
{
    enum { ACROSS = 80 };
    static uint8_t taken[ACROSS][ACROSS][ACROSS];
    memset(taken, 0, sizeof taken);
    double step = edge / ACROSS, first = 0.5 * (step - edge);
    size_t count = 0;
    for (int32_t n = 0; n < p->count; ++n) {
        double at[3] = {p->x[n], p->y[n], p->z[n]}, r = p->radius[n];
        int low[3], high[3];
        for (int a = 0; a < 3; ++a) {
            low[a] = (int)fmax(0.0, ceil((at[a] - r - first) / step));
            high[a] = (int)fmin(ACROSS - 1.0, floor((at[a] + r - first) / step));
        }
        for (int i = low[0]; i <= high[0]; ++i)
            for (int j = low[1]; j <= high[1]; ++j)
                for (int k = low[2]; k <= high[2]; ++k) {
                    sherd_vec3 q = vec3(first + i * step, first + j * step, first + k * step);
                    taken[i][j][k] |= vec3_distance(q, centre(p, n)) < r;
                }
    }
    for (int i = 0; i < ACROSS; ++i)
        for (int j = 0; j < ACROSS; ++j)
            for (int k = 0; k < ACROSS; ++k)
                count += taken[i][j][k];
    return (double)count / (ACROSS * ACROSS * ACROSS);
}

static uint64_t hash_of(const sherd_packing *p)
{
    uint64_t hash = sherd_hash_bytes(0, &p->count, sizeof p->count);
    const double *columns[] = {p->x, p->y, p->z, p->radius, p->volume};
    for (int c = 0; c < 5; ++c)
        hash = sherd_hash_bytes(hash, columns[c], (size_t)p->count * sizeof(double));
    hash = sherd_hash_bytes(hash, p->bond_i, (size_t)p->bond_count * sizeof *p->bond_i);
    return sherd_hash_bytes(hash, p->bond_j, (size_t)p->bond_count * sizeof *p->bond_j);
}

// ---------------------------------------------------------------- how full

Test(packing_random, equal_spheres_in_a_box)
{
    sherd_shape *shape = box(30.0, 30.0, 30.0);
    sherd_packing_def def = def_of(1.0);
    sherd_packing *p = pack(shape, &def);
    cr_assert(epsilon_eq(dbl, p->lattice_radius, 1.0, 0.02)); // as documented
    // Rounding of a division and a product.
    double overlap = deepest_overlap(p, shape);
    cr_assert(lt(dbl, overlap, 1e-12));
    cr_assert(lt(dbl, -1e-12, overlap)); // at least one pair touches
    cr_assert(lt(dbl, 0.59, p->solid_fraction));
    // Jammed without order: 0.64; crystals: 0.74. Scatter of 1700 elements: 0.005.
    double inside = share_inside(p, 18.0);
    cr_assert(lt(dbl, 0.615, inside));
    cr_assert(lt(dbl, inside, 0.66));
    // Six contacts each when rigid, and what else is within 1.1 diameters.
    cr_assert(lt(dbl, 7.0, p->bonds_per_element));
    cr_assert(lt(dbl, p->bonds_per_element, 9.5));
    cr_assert(eq(int, p->parts, 1));
    sherd_packing_destroy(p);
    sherd_shape_destroy(shape);
}

// Elements near the surface touch it: they make a smooth layer.
Test(packing_random, touches_flat_and_curved_surfaces)
{
    sherd_shape *shapes[] = {box(24.0, 24.0, 10.0), sherd_shape_sphere(12.0, NULL),
                             sherd_shape_difference(sherd_shape_cylinder(12.0, 10.0, NULL),
                                                    sherd_shape_cylinder(5.0, 20.0, NULL), NULL)};
    for (size_t k = 0; k < sizeof shapes / sizeof shapes[0]; ++k) {
        sherd_packing_def def = def_of(1.0);
        sherd_packing *p = pack(shapes[k], &def);
        int outer = 0, touching = 0;
        for (int32_t n = 0; n < p->count; ++n) {
            double gap = -sherd_shape_distance(shapes[k], centre(p, n)) - p->radius[n];
            outer += gap < 0.5;
            touching += gap < 0.02; // far below what a picture shows
        }
        cr_assert(lt(int, outer * 9 / 10, touching), "%d of %d in shape %zu", touching, outer, k);
        // Of those with a free way to the surface; balls that hang in a corner have one too.
        cr_assert(lt(dbl, p->surface_gap_mean, 0.02));
        cr_assert(lt(dbl, deepest_overlap(p, shapes[k]), 1e-12));
        sherd_packing_destroy(p);
        sherd_shape_destroy(shapes[k]);
    }
}

// ---------------------------------------------------------------- sizes

static void check_sizes(sherd_packing_sizes sizes, double share_of_upper_half)
{
    sherd_shape *shape = box(60.0, 60.0, 60.0);
    sherd_packing_def def = def_of(1.0);
    def.size_low = 0.9, def.size_high = 4.0, def.sizes = sizes; // [BDEM21] Fig. 18
    sherd_packing *p = pack(shape, &def);
    double scale = p->lattice_radius;
    cr_assert(ge(dbl, p->radius_least, 0.9 * scale));
    cr_assert(le(dbl, p->radius_most, 4.0 * scale));
    cr_assert(lt(dbl, deepest_overlap(p, shape), 1e-12));
    cr_assert(lt(dbl, 0.58, p->solid_fraction));
    int32_t all = 0, upper = 0;
    for (int c = 0; c < SHERD_PACKING_SIZE_CLASSES; ++c) {
        all += p->size_count[c];
        if (c >= SHERD_PACKING_SIZE_CLASSES / 2) upper += p->size_count[c];
    }
    cr_assert(eq(int, all, p->count));
    // Three deviations of a share among so many.
    double expected = share_of_upper_half;
    double scatter = 3.0 * sqrt(expected * (1.0 - expected) / all);
    cr_assert(epsilon_eq(dbl, (double)upper / all, expected, scatter));
    sherd_packing_destroy(p);
    sherd_shape_destroy(shape);
}

Test(packing_random, sizes_are_uniform_in_radius)
{
    check_sizes(SHERD_PACKING_SIZES_RADIUS, 0.5);
}

Test(packing_random, sizes_are_uniform_in_volume)
{
    double middle = 0.5 * (0.9 + 4.0), low = pow(0.9, 3.0), high = pow(4.0, 3.0);
    check_sizes(SHERD_PACKING_SIZES_VOLUME, (high - pow(middle, 3.0)) / (high - low));
}

Test(packing_random, elements_weigh_what_the_solid_weighs)
{
    sherd_shape *shape = sherd_shape_sphere(8.0, NULL);
    sherd_packing_def def = def_of(1.0);
    sherd_packing *p = pack(shape, &def);
    double volume = 0.0;
    for (int32_t n = 0; n < p->count; ++n)
        volume += p->volume[n];
    double solid = 4.0 / 3.0 * PI * 512.0;
    cr_assert(epsilon_eq(dbl, volume, solid, 1e-9 * solid)); // rounding of a sum
    sherd_packing_destroy(p);
    sherd_shape_destroy(shape);
}

// ---------------------------------------------------------------- bonds

static int32_t root(int32_t *parent, int32_t n)
{
    while (parent[n] != n)
        n = parent[n];
    return n;
}

Test(packing_random, bonds_join_all_elements_in_order)
{
    sherd_shape *shape = box(30.0, 20.0, 10.0);
    sherd_packing_def def = def_of(0.6);
    def.size_high = 3.0;
    sherd_packing *p = pack(shape, &def);
    int32_t *parent = malloc((size_t)p->count * sizeof *parent);
    for (int32_t n = 0; n < p->count; ++n)
        parent[n] = n;
    int bridges = 0;
    for (sherd_bond_index k = 0; k < p->bond_count; ++k) {
        int32_t i = p->bond_i[k], j = p->bond_j[k];
        cr_assert(lt(int, i, j));
        cr_assert(k == 0 || p->bond_i[k - 1] < i ||
                  (p->bond_i[k - 1] == i && p->bond_j[k - 1] < j));
        double touch = p->radius[i] + p->radius[j];
        bridges += vec3_distance(centre(p, i), centre(p, j)) > 1.1 * touch * (1.0 + 1e-12);
        int32_t a = root(parent, i), b = root(parent, j);
        parent[a > b ? a : b] = a < b ? a : b;
    }
    cr_assert(eq(int, bridges, p->bridges));
    for (int32_t n = 0; n < p->count; ++n)
        cr_assert(eq(int, root(parent, n), 0)); // nothing falls off
    free(parent);
    sherd_packing_destroy(p);
    sherd_shape_destroy(shape);
}

// One cube pulled along x, y and z: Young's moduli agree.
Test(packing_random, has_no_preferred_direction)
{
    const double edge = 26.0 * SHERD_BAR_RADIUS;
    const sherd_elastic_bonds bonds = {.g = 0.4, .shear_weight = 1.0};
    sherd_shape *shape = box(edge, edge, edge);
    sherd_packing_def def = def_of(SHERD_BAR_RADIUS);
    sherd_bar bar = {.packing = pack(shape, &def), .size = {edge, edge, edge}, .threads = 2};
    bar.fill = sherd_packing_fill(bar.packing);
    double modulus[3], mean = 0.0;
    for (int axis = 0; axis < 3; ++axis) {
        sherd_elastic_result result;
        sherd_error error;
        bar.axis = axis;
        cr_assert(eq(int, sherd_elastic_test(&bar, &bonds, SHERD_BAR_PULL, &result, NULL, &error),
                     SHERD_OK),
                  "%s", error.what);
        modulus[axis] = result.modulus;
        mean += result.modulus / 3.0;
    }
    // 2500 elements scatter by 2 %; close packing differs by 10 %.
    for (int axis = 0; axis < 3; ++axis)
        cr_assert(epsilon_eq(dbl, modulus[axis] / mean, 1.0, 0.05));
    sherd_packing_destroy(bar.packing);
    sherd_shape_destroy(shape);
}

// Pairs of elements whose distance is within [low, high] diameters, over what no order would give.
static double pair_density(const sherd_packing *p, double low, double high)
{
    enum { NEAR = 512 };
    int32_t near[NEAR];
    double d = 2.0 * p->lattice_radius, within = 9.0, count = 0.0, centres = 0.0;
    sherd_point_grid grid;
    cr_assert(sherd_point_grid_init(&grid, high * d, (size_t)p->count));
    for (int32_t n = 0; n < p->count; ++n)
        cr_assert(sherd_point_grid_add(&grid, centre(p, n)));
    for (int32_t n = 0; n < p->count; ++n) {
        sherd_vec3 c = centre(p, n);
        if (fabs(c.x) > within || fabs(c.y) > within || fabs(c.z) > within) continue;
        int found = sherd_point_grid_near(&grid, c, high * d, near, NEAR);
        centres += 1.0;
        for (int k = 0; k < found; ++k)
            count += vec3_distance(centre(p, near[k]), c) > low * d;
    }
    sherd_point_grid_free(&grid);
    double shell = 4.0 / 3.0 * PI * (high * high * high - low * low * low) * d * d * d;
    return count / centres / (shell * p->count / p->shape_volume);
}

// Crystals of close packing have many pairs at sqrt(2) diameters, jammed disorder has fewest there,
// and most beyond contact at sqrt(3).
Test(packing_random, does_not_crystallise)
{
    sherd_shape *shape = box(30.0, 30.0, 30.0);
    sherd_packing_def def = def_of(1.0);
    sherd_packing *p = pack(shape, &def);
    cr_assert(lt(dbl, pair_density(p, 1.37, 1.46), 0.7));
    cr_assert(lt(dbl, 1.2, pair_density(p, 1.70, 1.79)));
    sherd_packing_destroy(p);
    sherd_shape_destroy(shape);
}

// ---------------------------------------------------------------- reproducible

Test(packing_random, same_for_any_number_of_threads_another_for_each_seed)
{
    sherd_shape *shape = sherd_shape_torus(10.0, 4.0, NULL);
    uint64_t hash[5];
    const int threads[] = {1, 2, 3, 8};
    for (int k = 0; k < 5; ++k) {
        sherd_packing_def def = def_of(0.9);
        def.size_high = 1.5;
        def.threads = k < 4 ? threads[k] : 2;
        def.seed = k < 4 ? 7 : 8;
        sherd_packing *p = pack(shape, &def);
        hash[k] = hash_of(p);
        sherd_packing_destroy(p);
    }
    for (int k = 1; k < 4; ++k)
        cr_assert(eq(u64, hash[k], hash[0]));
    cr_assert(ne(u64, hash[4], hash[0]));
    sherd_shape_destroy(shape);
}

// ---------------------------------------------------------------- little room, refusals

Test(packing_random, fits_where_there_is_little_room)
{
    const struct {
        double x, y, z;
        int least;
    } cases[] = {{20.0, 20.0, 2.0, 80}, {20.0, 20.0, 2.6, 90}, {20.0, 2.0, 2.0, 9},
                 {2.0, 2.0, 2.0, 1},    {2.1, 2.1, 4.5, 2},    {5.0, 5.0, 5.0, 6}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; ++k) {
        sherd_shape *shape = box(cases[k].x, cases[k].y, cases[k].z);
        sherd_packing_def def = def_of(1.0);
        sherd_packing *p = pack(shape, &def);
        cr_assert(ge(int, p->count, cases[k].least), "case %zu", k);
        cr_assert(lt(dbl, deepest_overlap(p, shape), 1e-12));
        cr_assert(lt(dbl, 0.9, p->lattice_radius), "case %zu", k);
        sherd_packing_destroy(p);
        sherd_shape_destroy(shape);
    }
}

static void check_refused(sherd_shape *shape, const sherd_packing_def *def, const char *where,
                          const char *says)
{
    sherd_error error;
    cr_assert(eq(ptr, sherd_packing_create(shape, def, &error), NULL));
    cr_assert(eq(int, error.status, SHERD_ERROR_INPUT));
    cr_assert(eq(str, error.where, (char *)where));
    cr_assert(strstr(error.what, says) != NULL || strstr(error.hint, says) != NULL, "%s: %s",
              error.what, error.hint);
}

Test(packing_random, refuses_what_makes_no_sense)
{
    sherd_shape *shape = box(10.0, 10.0, 1.9);
    sherd_packing_def def = def_of(1.0);
    check_refused(shape, &def, "packing.radius", "the largest radius that fits is 0.95 m");
    def = def_of(0.5);
    def.size_high = 4.0;
    check_refused(shape, &def, "packing.radius", "radius 2 m");
    def = def_of(0.01);
    def.max_elements = 1000;
    check_refused(shape, &def, "packing.radius", "the limit is 1000");
    def = def_of(0.1);
    def.size_low = 2.0;
    check_refused(shape, &def, "packing.size_low", "got 2");
    def = def_of(0.1);
    def.size_high = 11.0;
    check_refused(shape, &def, "packing.size_high", "got 11");
    def = def_of(0.1);
    def.size_high = NAN;
    check_refused(shape, &def, "packing.size_high", "got nan");
    def = def_of(0.1);
    def.bond_range = 0.5;
    check_refused(shape, &def, "packing.bond_range", "got 0.5");
    sherd_shape_destroy(shape);
}

// Of sizes that are even in volume the moments are known: with q = high / low, those of r^n are 3 / (n + 3) times
// (q^(n + 3) - 1) / (q^3 - 1). The library sums 256 samples.
Test(packing_random, how_dense_unequal_sizes_are_taken_to_pack)
{
    sherd_packing_def def = def_of(1e-3);
    def.sizes = SHERD_PACKING_SIZES_VOLUME;
    def.size_low = 0.4, def.size_high = 1.6;
    double q = def.size_high / def.size_low, m[4];
    for (int n = 1; n <= 3; ++n)
        m[n] = 3.0 / (n + 3) * (pow(q, n + 3) - 1.0) / (pow(q, 3.0) - 1.0);
    double deviation = sqrt(m[2] - m[1] * m[1]), d = deviation / m[1];
    double skewness =
        (m[3] - 3.0 * m[1] * m[2] + 2.0 * m[1] * m[1] * m[1]) / (deviation * deviation * deviation);
    // Desmond and Weeks 2014; larger ones are the more, which packs less densely than even sizes.
    double expected = 0.634 + 0.0658 * d + 0.0857 * skewness * d * d;
    cr_assert(lt(dbl, skewness, -0.1));
    cr_assert(epsilon_eq(dbl, sherd_rcp_sizes_of(&def).fraction, expected, 1e-4));
}
