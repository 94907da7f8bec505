// packing: exact lattices in boxes, coordination, everything inside, volumes, refusals.
#include "base/hash.h"
#include "math/point_grid.h"
#include "math/quat.h"
#include "math/vec3.h"
#include "packing/lattice/wall_layers.h"

#include <sherd/packing.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <string.h>

// Neighbours count as touching, and are bonded, up to a gap of 10 % of the radius.
static const double BOND_GAP = 0.1;

static sherd_packing_def def_of(sherd_packing_kind kind, double radius)
{
    sherd_packing_def def = sherd_packing_def_default();
    def.kind = kind;
    def.radius = radius;
    return def;
}

// Packs and frees the shape; the test fails with the error's text when nothing comes back.
static sherd_packing *pack(sherd_shape *shape, const sherd_packing_def *def)
{
    sherd_error error;
    cr_assert(shape != NULL);
    sherd_packing *packing = sherd_packing_create(shape, def, &error);
    cr_assert(packing != NULL, "%s: %s (%s)", error.where, error.what, error.hint);
    sherd_shape_destroy(shape);
    return packing;
}

static sherd_shape *box(double x, double y, double z)
{
    return sherd_shape_box((sherd_vec3){x, y, z}, NULL);
}

static sherd_vec3 centre(const sherd_packing *packing, int32_t n)
{
    return vec3(packing->x[n], packing->y[n], packing->z[n]);
}

typedef struct contacts {
    double mean;    // neighbours per element
    int most;       // the largest number any element has
    int with_most;  // how many elements have it
    double overlap; // deepest overlap, in radii
} contacts;

static contacts count_contacts(const sherd_packing *packing)
{
    double r = packing->lattice_radius, reach = (2.0 + BOND_GAP) * r;
    contacts c = {0};
    sherd_point_grid grid;
    cr_assert(sherd_point_grid_init(&grid, reach, (size_t)packing->count));
    for (int32_t n = 0; n < packing->count; ++n)
        cr_assert(sherd_point_grid_add(&grid, centre(packing, n)));
    for (int32_t n = 0; n < packing->count; ++n) {
        int32_t near[64];
        int found = sherd_point_grid_near(&grid, grid.point[n].at, reach, near, 64) - 1;
        c.mean += found / (double)packing->count;
        if (found > c.most) c.most = found, c.with_most = 0;
        c.with_most += found == c.most;
        for (int k = 0; k <= found; ++k) {
            if (near[k] == n) continue;
            double length = vec3_distance(grid.point[n].at, grid.point[near[k]].at);
            c.overlap = fmax(c.overlap, 2.0 - length / r);
        }
    }
    sherd_point_grid_free(&grid);
    return c;
}

Test(packing, one_hexagonal_layer_in_a_box_is_exact)
{
    // 11 rows: floor((20 - 2) / sqrt 3) + 1. Even rows hold 50 spheres, odd ones 49.
    sherd_packing_def def = def_of(SHERD_PACKING_HEX_LAYERS, 1e-3);
    def.layers = 1;
    sherd_packing *packing = pack(box(0.1, 0.02, 0.002), &def);
    cr_assert(eq(int, packing->count, 6 * 50 + 5 * 49));
    cr_assert(eq(int, packing->layers, 1));
    cr_assert(epsilon_eq(dbl, packing->lattice_radius, 1e-3, 1e-12));
    for (int32_t n = 0; n < packing->count; ++n) {
        cr_assert(epsilon_eq(dbl, packing->z[n], 0.0, 1e-12)); // flat, up to rounding
        // Straight rows along x: positions are half-spacings from the left end.
        double halves = (packing->x[n] + 0.049) / 1e-3;
        cr_assert(epsilon_eq(dbl, halves, round(halves), 1e-9));
    }
    contacts c = count_contacts(packing);
    cr_assert(eq(int, c.most, 6));
    // Inner rows without their ends: five of 49 spheres and four of 50.
    cr_assert(eq(int, c.with_most, 5 * 47 + 4 * 48));
    cr_assert(c.overlap < 1e-9);
    sherd_packing_destroy(packing);
}

Test(packing, layers_follow_the_axes_when_asked_to)
{
    sherd_packing_def def = def_of(SHERD_PACKING_HEX_LAYERS, 1e-3);
    def.layers = 1;
    def.orientation = SHERD_PACKING_ORIENT_AXES;
    sherd_packing *packing = pack(box(0.02, 0.1, 0.002), &def);
    // Rows along the short side: 10 and 9 spheres in 57 rows, floor(98 / sqrt 3) + 1.
    cr_assert(eq(int, packing->count, 29 * 10 + 28 * 9));
    sherd_packing_destroy(packing);
    def.orientation = SHERD_PACKING_ORIENT_AUTO;
    packing = pack(box(0.02, 0.1, 0.002), &def);
    cr_assert(eq(int, packing->count, 6 * 50 + 5 * 49)); // rows along y
    sherd_packing_destroy(packing);
    packing = pack(box(0.002, 0.02, 0.1), &def); // layer across x, rows along z
    cr_assert(eq(int, packing->count, 6 * 50 + 5 * 49));
    cr_assert(epsilon_eq(dbl, packing->x[0], 0.0, 1e-12));
    sherd_packing_destroy(packing);
}

Test(packing, close_packing_in_a_box_is_exact)
{
    // A box made for 4 layers of 10 rows (A) and 10 rows (B, shifted by a third of a row).
    double r = 1e-3, row = sqrt(3.0) * r, layer = sqrt(8.0 / 3.0) * r;
    sherd_packing_def def = def_of(SHERD_PACKING_HCP, r);
    sherd_packing *packing =
        pack(box(2.0 * 20.5 * r, 2.0 * r + (9.0 + 1.0 / 3.0) * row, 2.0 * r + 3.0 * layer), &def);
    cr_assert(eq(int, packing->layers, 4));
    cr_assert(eq(int, packing->count, 4 * 10 * 20));
    cr_assert(epsilon_eq(dbl, packing->lattice_radius, r, 1e-12));
    contacts c = count_contacts(packing);
    cr_assert(eq(int, c.most, 12));
    // Only the spheres of the two inner layers that are off every edge have all 12.
    cr_assert(c.with_most >= 2 * 8 * 18 && c.with_most <= 2 * 9 * 19);
    cr_assert(c.overlap < 1e-9);
    sherd_packing_destroy(packing);
}

Test(packing, cubic_in_a_box_is_exact)
{
    sherd_packing_def def = def_of(SHERD_PACKING_CUBIC, 1e-3);
    sherd_packing *packing = pack(box(0.1, 0.02, 0.01), &def);
    cr_assert(eq(int, packing->count, 50 * 10 * 5));
    cr_assert(epsilon_eq(dbl, packing->cell_volume_match, 1.0, 1e-9));
    // pi / 6 of each cell is sphere.
    cr_assert(epsilon_eq(dbl, packing->solid_fraction, 0.5235987755982988, 1e-9));
    cr_assert(packing->surface_gap_max < 1e-12);
    sherd_packing_destroy(packing);
}

Test(packing, radius_adapts_to_the_thickness)
{
    // Four layers of radius 0.95 mm make this thickness: 5 % away, within the tolerance.
    double thickness = (2.0 + 3.0 * sqrt(8.0 / 3.0)) * 0.95e-3;
    sherd_packing_def def = def_of(SHERD_PACKING_HCP, 1e-3);
    sherd_packing *packing = pack(box(0.05, 0.05, thickness), &def);
    cr_assert(eq(int, packing->layers, 4));
    cr_assert(epsilon_eq(dbl, packing->lattice_radius, 0.95e-3, 1e-9));
    sherd_packing_destroy(packing);
    def.radius_tolerance = 0.0; // may not adapt: three layers, centred
    packing = pack(box(0.05, 0.05, thickness), &def);
    cr_assert(eq(int, packing->layers, 3));
    cr_assert(epsilon_eq(dbl, packing->lattice_radius, 1e-3, 0.0));
    sherd_packing_destroy(packing);
}

Test(packing, five_layer_pane)
{
    double thickness = (2.0 + 4.0 * sqrt(8.0 / 3.0)) * 1e-3;
    sherd_packing_def def = def_of(SHERD_PACKING_HEX_LAYERS, 1e-3);
    def.layers = 5;
    sherd_packing *packing = pack(box(0.6, 0.6, thickness), &def);
    cr_assert(eq(int, packing->layers, 5));
    // Empty strips along the edges: 2 r out of 600 r.
    cr_assert(epsilon_eq(dbl, packing->cell_volume_match, 1.0, 0.01));
    // Three inner layers with 12, two outer ones with 9: 10.8 but for the edges.
    cr_assert(epsilon_eq(dbl, count_contacts(packing).mean, 10.8, 0.06));
    sherd_packing_destroy(packing);
}

static uint64_t hash_of(const sherd_packing *packing)
{
    size_t size = (size_t)packing->count * sizeof(double);
    uint64_t hash = sherd_hash_bytes(SHERD_HASH_START, packing->x, size);
    hash = sherd_hash_bytes(hash, packing->y, size);
    hash = sherd_hash_bytes(hash, packing->z, size);
    hash = sherd_hash_bytes(hash, &packing->surface_gap_mean, sizeof(double));
    return sherd_hash_bytes(hash, packing->radius, size);
}

Test(packing, does_not_depend_on_threads)
{
    uint64_t first = 0;
    for (int threads = 1; threads <= 4; ++threads) {
        sherd_packing_def def = def_of(SHERD_PACKING_HCP, 1e-3);
        def.threads = threads;
        def.jitter = 0.1;
        sherd_packing *packing = pack(sherd_shape_torus(0.03, 0.006, NULL), &def);
        if (threads == 1) first = hash_of(packing);
        cr_assert(eq(u64, hash_of(packing), first));
        sherd_packing_destroy(packing);
    }
}

// ---- Curved surfaces ------------------------------------------------------------------------

// Packs, checks that every sphere lies inside, and returns the packing.
static sherd_packing *pack_inside(sherd_shape *shape, const sherd_packing_def *def)
{
    sherd_error error;
    cr_assert(shape != NULL);
    sherd_packing *packing = sherd_packing_create(shape, def, &error);
    cr_assert(packing != NULL, "%s: %s (%s)", error.where, error.what, error.hint);
    for (int32_t n = 0; n < packing->count; ++n) {
        double depth = -sherd_shape_distance(shape, centre(packing, n));
        // Sticking out by 2 % of r is allowed where a wall is that much thinner than a sphere.
        cr_assert(depth >= 0.98 * packing->lattice_radius);
    }
    sherd_shape_destroy(shape);
    return packing;
}

// A bowl: half a spherical shell of mean radius R and thickness t, 9 degrees per facet.
static sherd_shape *bowl(double R, double t)
{
    enum { FACETS = 10, POINTS = 2 * (FACETS + 1) };
    sherd_vec2 profile[POINTS];
    for (int k = 0; k <= FACETS; ++k) {
        double angle = k * 1.5707963267948966 / FACETS;
        sherd_vec2 ray = {sin(angle), -cos(angle)};
        double out = R + 0.5 * t, in = R - 0.5 * t;
        profile[k] = (sherd_vec2){out * ray.x, out * ray.y};
        profile[POINTS - 1 - k] = (sherd_vec2){in * ray.x, in * ray.y};
    }
    return sherd_shape_revolve(profile, POINTS, NULL);
}

static const double THREE_LAYERS = 2.0 + 2.0 * 1.6329931618554521; // thickness for r = 1

Test(packing, solid_sphere_keeps_its_lattice)
{
    sherd_packing_def def = def_of(SHERD_PACKING_HCP, 1e-3);
    sherd_packing *packing = pack_inside(sherd_shape_sphere(0.02, NULL), &def);
    contacts c = count_contacts(packing);
    // Relaxing may not tear contacts: a rigid lattice in this sphere has 11.04 on average.
    cr_assert(c.mean > 10.9, "mean coordination %g", c.mean);
    cr_assert(c.overlap < 0.15, "overlap %g r", c.overlap);
    // Cells reach one r further than the outermost centres: (1 - r/R)^3 = 0.86 at least.
    cr_assert(packing->cell_volume_match > 0.86 && packing->cell_volume_match < 1.0);
    // Below the half layer (0.82 r) that a rigid lattice leaves on average at worst.
    cr_assert(packing->surface_gap_mean < 0.7e-3);
    sherd_packing_destroy(packing);
}

Test(packing, curved_wall_is_followed)
{
    sherd_packing_def def = def_of(SHERD_PACKING_HCP, 1e-3);
    sherd_packing *packing = pack_inside(bowl(0.04, THREE_LAYERS * 1e-3), &def);
    cr_assert(eq(int, packing->layers, 3));
    contacts c = count_contacts(packing);
    // A perfect flat wall of three layers has 10, this strongly curved one 8.25 as measured. What
    // is asked for is 8, with the wall filled: a rigid lattice cut by such a bowl also has about 8,
    // but a mean gap of 0.7 r and only three fifths of the volume.
    cr_assert(c.mean > 8.0, "mean coordination %g", c.mean);
    cr_assert(c.overlap < 0.3, "overlap %g r", c.overlap);
    cr_assert(packing->surface_gap_mean < 0.08e-3);
    // Flat: 3 x 1.633 / 5.266 = 0.93, less dislocations and the rim.
    cr_assert(packing->cell_volume_match > 0.78 && packing->cell_volume_match < 0.95);
    sherd_packing_destroy(packing);
}

// A disc with a round rim, about which normals turn by less from sphere to sphere than what ends a layer. It is half a layer
// thicker than four: below its other face there is a gap, unless the first layer came round the rim.
Test(packing, the_first_layer_ends_at_a_round_rim)
{
    enum { FACETS = 12, POINTS = FACETS + 3 };
    const double r = 1e-3, half = (1.0 + 1.75 * 1.6329931618554521) * r;
    sherd_vec2 profile[POINTS] = {{0.0, -half}};
    for (int k = 0; k <= FACETS; ++k) {
        double angle = (k - FACETS / 2) * M_PI / FACETS;
        profile[1 + k] = (sherd_vec2){0.02 + half * cos(angle), half * sin(angle)};
    }
    profile[POINTS - 1] = (sherd_vec2){0.0, half};
    sherd_shape *disc = sherd_shape_revolve(profile, POINTS, NULL);
    sherd_wall_def def = {
        .radius = r, .wall = 2.0 * half, .seed = {0.001, 0.0, -half}, .most = 100000};
    sherd_centres centres = {0};
    cr_assert(sherd_wall_layers(disc, &def, &centres));
    double highest = -INFINITY;
    for (size_t k = 0; k < centres.count; ++k)
        if (hypot(centres.point[k].x, centres.point[k].y) < 0.015)
            highest = fmax(highest, centres.point[k].z);
    // Flat layers are exact; 0.2 r for what the rim disturbs.
    cr_assert(epsilon_eq(dbl, half - highest, (1.0 + 0.5 * 1.6329931618554521) * r, 0.2 * r));
    sherd_centres_free(&centres);
    sherd_shape_destroy(disc);
}

Test(packing, one_layer_covers_a_bowl)
{
    sherd_packing_def def = def_of(SHERD_PACKING_HCP, 1e-3);
    sherd_packing *packing = pack_inside(bowl(0.04, 2e-3), &def);
    cr_assert(eq(int, packing->layers, 1));
    contacts c = count_contacts(packing);
    cr_assert(c.mean > 5.2, "mean coordination %g", c.mean); // 6 when flat and endless
    sherd_packing_destroy(packing);
}

Test(packing, plate_with_a_sloped_rim_is_followed)
{
    const sherd_vec2 profile[] = {{0, 0},           {0.035, 0},      {0.06, 0.012},
                                  {0.0575, 0.0175}, {0.0335, 0.006}, {0, 0.006}};
    sherd_packing_def def = def_of(SHERD_PACKING_HCP, 1e-3);
    sherd_packing *packing = pack_inside(sherd_shape_revolve(profile, 6, NULL), &def);
    cr_assert(eq(int, packing->layers, 3));
    contacts c = count_contacts(packing);
    cr_assert(c.mean > 9.0, "mean coordination %g", c.mean);
    // Three layers of 1.1 mm, the most the tolerance allows, leave 0.2 of 6 mm empty.
    cr_assert(packing->surface_gap_mean < 0.2e-3);
    cr_assert(packing->cell_volume_match > 0.78);
    sherd_packing_destroy(packing);
}

Test(packing, rotated_box_is_still_a_lattice)
{
    sherd_pose pose = {{0.1, 0.2, 0.3}, {0.1825741858, 0.3651483717, 0.5477225575, 0.7302967433}};
    sherd_packing_def def = def_of(SHERD_PACKING_HCP, 1e-3);
    sherd_packing *packing =
        pack_inside(sherd_shape_placed(box(0.06, 0.03, THREE_LAYERS * 1e-3), pose, NULL), &def);
    cr_assert(eq(int, packing->layers, 3));
    // The frame comes from the faces' normals, exact up to rounding of the pose.
    cr_assert(count_contacts(packing).overlap < 1e-6);
    cr_assert(epsilon_eq(dbl, packing->lattice_radius, 1e-3, 1e-6));
    sherd_packing_destroy(packing);
}

Test(packing, curved_wall_does_not_depend_on_threads)
{
    uint64_t first = 0;
    for (int threads = 1; threads <= 4; ++threads) {
        sherd_packing_def def = def_of(SHERD_PACKING_HCP, 1e-3);
        def.threads = threads;
        sherd_packing *packing = pack(bowl(0.02, THREE_LAYERS * 1e-3), &def);
        if (threads == 1) first = hash_of(packing);
        cr_assert(eq(u64, hash_of(packing), first));
        sherd_packing_destroy(packing);
    }
}

Test(packing, jitter_moves_centres_but_keeps_them_inside)
{
    sherd_packing_def def = def_of(SHERD_PACKING_CUBIC, 1e-3);
    def.jitter = 0.5;
    def.seed = 3;
    sherd_shape *shape = sherd_shape_sphere(0.01, NULL);
    sherd_error error;
    sherd_packing *packing = sherd_packing_create(shape, &def, &error);
    cr_assert(packing != NULL);
    for (int32_t n = 0; n < packing->count; ++n) {
        double depth = -sherd_shape_distance(shape, centre(packing, n));
        cr_assert(depth >= packing->lattice_radius * (1.0 - 1e-3)); // the slack of the lattice
    }
    sherd_packing_destroy(packing);
    sherd_shape_destroy(shape);
}

static void expect_refusal(sherd_shape *shape, const sherd_packing_def *def, const char *where,
                           const char *what, const char *hint)
{
    sherd_error error;
    cr_assert(sherd_packing_create(shape, def, &error) == NULL);
    cr_assert(eq(int, error.status, SHERD_ERROR_INPUT));
    cr_assert(strstr(error.where, where) != NULL, "where: %s", error.where);
    cr_assert(strstr(error.what, what) != NULL, "what: %s", error.what);
    cr_assert(strstr(error.hint, hint) != NULL, "hint: %s", error.hint);
    sherd_shape_destroy(shape);
}

Test(packing, bad_definitions_are_refused)
{
    sherd_packing_def zero = {0}, def = def_of(SHERD_PACKING_HCP, 1e-3);
    expect_refusal(box(1, 1, 1), &zero, "packing", "not initialised", "sherd_packing_def_default");
    sherd_packing_def bad = def;
    bad.radius = NAN;
    expect_refusal(box(1, 1, 1), &bad, "packing.radius", "finite, got nan", "");
    bad.radius = -1.0;
    expect_refusal(box(1, 1, 1), &bad, "packing.radius", "> 0, got -1", "");
    bad = def, bad.radius_tolerance = 0.7;
    expect_refusal(box(1, 1, 1), &bad, "packing.radius_tolerance", "between 0 and 0.5, got 0.7",
                   "");
    bad = def, bad.jitter = NAN;
    expect_refusal(box(1, 1, 1), &bad, "packing.jitter", "finite, got nan", "");
    bad = def, bad.layers = 3;
    expect_refusal(box(1, 1, 1), &bad, "packing.layers", "3", "counted out");
    bad = def, bad.max_elements = 0;
    expect_refusal(box(1, 1, 1), &bad, "packing.max_elements", ">= 1, got 0", "");
    bad = def, bad.kind = (sherd_packing_kind)17;
    expect_refusal(box(1, 1, 1), &bad, "packing.kind", "17", "hcp, layers");
    expect_refusal(NULL, &def, "packing.shape", "none", "shape");
}

Test(packing, what_does_not_fit_is_refused_with_what_would)
{
    sherd_packing_def def = def_of(SHERD_PACKING_HCP, 1e-3);
    expect_refusal(box(0.1, 0.02, 0.001), &def, "packing.radius", "0.001 m", "is 0.0005 m");
    // 1e6 m^3 / (4 sqrt 2 r^3) = 1.77e14 elements; the limit of 50 million fits at 0.153 m.
    expect_refusal(box(100, 100, 100), &def, "packing.radius", "1.77e+14 elements", "0.153 m");
    def.radius = 1e-300;
    expect_refusal(box(1, 1, 1), &def, "packing.radius", "elements", "at least");
    def = def_of(SHERD_PACKING_HEX_LAYERS, 1e-3);
    def.layers = 5;
    expect_refusal(box(0.1, 0.1, 0.004), &def, "packing.layers", "5 layers", "0.0004688 m");
}

// ---------------------------------------------------------------- faces

static sherd_packing *pack_turned_bar(double angle, sherd_vec3 axis)
{
    sherd_packing_def def = def_of(SHERD_PACKING_HCP, 1.0);
    def.orientation = SHERD_PACKING_ORIENT_AXES;
    sherd_quat turn = quat_from_rotation_vector(vec3_scale(angle, axis));
    return pack(sherd_shape_placed(box(50.0, 16.0, 16.0), (sherd_pose){vec3(0, 0, 0), turn}, NULL),
                &def);
}

// Layers across the bar fit its length, but hexagons don't fit its square section: no element comes near
// two of its faces, which is reported with the direction of one of them.
Test(packing, tells_how_far_elements_are_from_a_face)
{
    const double quarter = 0.5 * 3.14159265358979323846;
    sherd_packing *along = pack_turned_bar(0.0, vec3(0, 0, 1));
    sherd_packing *across = pack_turned_bar(quarter, vec3(0, 1, 0));
    // Layers meet two faces, and rows come as near as half a radius to the others.
    cr_assert(lt(dbl, along->face_gap, 0.3));
    cr_assert(lt(dbl, 0.3, across->face_gap));
    sherd_vec3 n = across->face_normal;
    double nearest = INFINITY;
    for (int32_t k = 0; k < across->count; ++k)
        nearest = fmin(nearest, 8.0 - vec3_dot(n, centre(across, k)) - across->radius[k]);
    cr_assert(epsilon_eq(dbl, across->face_gap, nearest, 1e-9)); // rounding
    sherd_packing_destroy(along);
    sherd_packing_destroy(across);
}

// Most of a bar is nearer to a face than its middle: no thin wall whose layers a radius should fit.
Test(packing, a_turned_bar_is_as_full_as_a_straight_one)
{
    const double eighth = 0.25 * 3.14159265358979323846;
    sherd_packing *straight = pack_turned_bar(0.0, vec3(0, 0, 1));
    sherd_packing *turned = pack_turned_bar(eighth, vec3(0, 0, 1));
    // Rows that end at a slanting face leave a little more free; a wrong count of layers a sixth.
    cr_assert(lt(dbl, 0.94 * straight->solid_fraction, turned->solid_fraction));
    cr_assert(epsilon_eq(dbl, turned->lattice_radius, straight->lattice_radius, 1e-3));
    sherd_packing_destroy(straight);
    sherd_packing_destroy(turned);
}

// ---------------------------------------------------------------- turned rows

// The direction of rows, of 0 to 60 degrees, about z: of pairs that touch in one layer, without those that were moved to
// fit the surface, whose directions scatter.
static double direction_of_rows(const sherd_packing *p)
{
    double reach = 2.05 * p->lattice_radius, x = 0.0, y = 0.0;
    for (int32_t i = 0; i < p->count; ++i)
        for (int32_t j = 0; j < i; ++j) {
            sherd_vec3 arm = vec3_sub(centre(p, i), centre(p, j));
            if (vec3_length(arm) > reach || fabs(arm.z) > 0.1 * reach) continue;
            double angle = 6.0 * atan2(arm.y, arm.x);
            x += cos(angle), y += sin(angle);
        }
    double turn = atan2(y, x) / 6.0 * 180.0 / M_PI;
    return turn < -1.0 ? turn + 60.0 : turn;
}

// Mean directions of some thousand pairs: those at the edge that do not fit turn them by less than a degree.
Test(packing, angle_turns_the_rows_of_layers)
{
    static const double angles[] = {0.0, 15.0, 30.0, -10.0, 75.0};
    static const double rows[] = {0.0, 15.0, 30.0, 50.0, 15.0};
    double filled[2] = {0};
    for (int k = 0; k < 5; ++k)
        for (int hcp = 0; hcp < 2; ++hcp) {
            sherd_packing_def def =
                def_of(hcp ? SHERD_PACKING_HCP : SHERD_PACKING_HEX_LAYERS, 0.5e-3);
            def.angle = angles[k] * M_PI / 180.0;
            sherd_packing *p = pack(box(0.03, 0.02, 0.0021), &def);
            cr_expect(epsilon_eq(dbl, direction_of_rows(p), rows[k], 1.0), "%g degrees, %d",
                      angles[k], hcp);
            if (k == 0) filled[hcp] = p->cell_volume_match;
            // Faces along rows are filled best, and these are few.
            cr_expect(lt(dbl, 0.95 * filled[hcp], p->cell_volume_match), "%g of %g",
                      p->cell_volume_match, filled[hcp]);
            sherd_packing_destroy(p);
        }
}
