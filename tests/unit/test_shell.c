// Thin shells: even elements on walls of all kinds, plate stiffness of a strip, surfaces that are closed
// whole and torn, refusals.
#include "geometry/mesh/mesh_access.h"
#include "math/vec3.h"
#include "unit/manifold.h"

#include <sherd/fragments.h>
#include <sherd/packing.h>
#include <sherd/surface.h>
#include <sherd/world.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdlib.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

static sherd_shape *box(double x, double y, double z)
{
    return sherd_shape_box((sherd_vec3){x, y, z}, NULL);
}

static sherd_packing_def shell_def(double radius, int layers)
{
    sherd_packing_def def = sherd_packing_def_default();
    def.kind = SHERD_PACKING_SHELL;
    def.radius = radius;
    def.layers = layers;
    return def;
}

static sherd_packing *pack(const sherd_shape *shape, double radius, int layers)
{
    sherd_error error;
    sherd_packing_def def = shell_def(radius, layers);
    sherd_packing *p = sherd_packing_create(shape, &def, &error);
    cr_assert(p != NULL, "%s: %s (%s)", error.where, error.what, error.hint);
    return p;
}

static sherd_vec3 centre(const sherd_packing *p, int32_t k)
{
    return vec3(p->x[k], p->y[k], p->z[k]);
}

typedef struct evenness {
    double mean, deviation,
        least;    // of distances to the nearest neighbour, in distances of elements
    double bonds; // per element
} evenness;

static evenness measure(const sherd_packing *p, double radius)
{
    evenness e = {.least = INFINITY, .bonds = 2.0 * (double)p->bond_count / p->count};
    double sum = 0.0, squares = 0.0;
    for (int32_t i = 0; i < p->count; ++i) {
        double nearest = INFINITY;
        for (int32_t j = 0; j < p->count; ++j)
            if (i != j) nearest = fmin(nearest, vec3_distance(centre(p, i), centre(p, j)));
        nearest /= 2.0 * radius;
        sum += nearest, squares += nearest * nearest;
        e.least = fmin(e.least, nearest);
    }
    e.mean = sum / p->count;
    e.deviation = sqrt(fmax(squares / p->count - e.mean * e.mean, 0.0));
    return e;
}

// Perfect hexagons would have 1, 0 and 6. Patches of them, turned at random, have seams; elements
// along rims have fewer bonds.
static void check_even(const sherd_packing *p, double radius, double bonds, double deviation)
{
    evenness e = measure(p, radius);
    cr_expect_geq(e.mean, 0.9);
    cr_expect_leq(e.deviation, deviation);
    cr_expect_geq(e.least, 0.5); // closer ones are dropped
    cr_expect_geq(e.bonds, bonds);
    cr_expect_leq(e.bonds, 6.05);
    // Cells fill the wall: those of curved walls are flat, and rims are followed by their tangents.
    cr_expect_leq(fabs(p->cell_volume_match - 1.0), 0.03);
}

Test(shell, elements_are_even_in_sheets_cans_and_eggs)
{
    sherd_shape *sheet = box(0.06, 0.04, 0.4e-3);
    sherd_packing *p = pack(sheet, 1e-3, 1);
    check_even(p, 1e-3, 5.5, 0.06);
    for (int32_t k = 0; k < p->count; ++k)
        cr_assert_leq(fabs(p->z[k]), 1e-9); // in the middle
    sherd_packing_destroy(p);
    sherd_shape_destroy(sheet);

    sherd_shape *egg = sherd_shape_difference(sherd_shape_sphere(0.02, NULL),
                                              sherd_shape_sphere(0.0196, NULL), NULL);
    p = pack(egg, 1e-3, 1);
    check_even(p, 1e-3, 5.9, 0.06);
    for (int32_t k = 0; k < p->count; ++k)
        cr_assert_leq(fabs(vec3_length(centre(p, k)) - 0.0198), 1e-6);
    sherd_packing_destroy(p);
    sherd_shape_destroy(egg);

    const sherd_vec2 cup[] = {{0, 0},         {0.015, 0},     {0.015, 0.03},
                              {0.0147, 0.03}, {0.0147, 3e-4}, {0, 3e-4}};
    sherd_shape *can = sherd_shape_revolve(cup, 6, NULL);
    p = pack(can, 1e-3, 1);
    check_even(p, 1e-3, 5.6, 0.1); // a fold all around
    sherd_packing_destroy(p);
    sherd_shape_destroy(can);
}

Test(shell, layers_lie_above_each_other_and_do_not_overlap)
{
    sherd_shape *sheet = box(0.03, 0.02, 2e-3);
    sherd_packing *p = pack(sheet, 0.6e-3, 2);
    cr_assert_eq(p->count % 2, 0);
    for (int32_t k = 0; k < p->count; k += 2) {
        cr_assert_leq(hypot(p->x[k] - p->x[k + 1], p->y[k] - p->y[k + 1]), 1e-12);
        cr_assert_leq(fabs(fabs(p->z[k] - p->z[k + 1]) - 1e-3), 1e-9);
    }
    uint8_t *bonded = calloc((size_t)p->count * (size_t)p->count, 1);
    for (sherd_bond_index b = 0; b < p->bond_count; ++b) {
        cr_assert_lt(p->bond_i[b], p->bond_j[b]);
        bonded[(size_t)p->bond_i[b] * (size_t)p->count + (size_t)p->bond_j[b]] = 1;
    }
    int overlaps = 0;
    for (int32_t i = 0; i < p->count; ++i)
        for (int32_t j = i + 1; j < p->count; ++j)
            overlaps += !bonded[(size_t)i * (size_t)p->count + (size_t)j] &&
                        vec3_distance(centre(p, i), centre(p, j)) <
                            (p->radius[i] + p->radius[j]) * (1.0 - 1e-12);
    cr_expect_eq(overlaps, 0);
    free(bonded);
    sherd_packing_destroy(p);
    sherd_shape_destroy(sheet);
}

Test(shell, the_same_for_every_number_of_threads)
{
    sherd_shape *sheet = box(0.04, 0.03, 0.4e-3);
    sherd_packing_def def = shell_def(0.8e-3, 1);
    def.threads = 1;
    sherd_packing *one = sherd_packing_create(sheet, &def, NULL);
    def.threads = 3;
    sherd_packing *three = sherd_packing_create(sheet, &def, NULL);
    cr_assert(one != NULL && three != NULL);
    cr_assert_eq(one->count, three->count);
    cr_assert_eq(one->bond_count, three->bond_count);
    cr_expect(memcmp(one->x, three->x, (size_t)one->count * sizeof *one->x) == 0);
    cr_expect(memcmp(one->bond_factor, three->bond_factor,
                     (size_t)one->bond_count * sizeof *one->bond_factor) == 0);
    sherd_packing_destroy(one);
    sherd_packing_destroy(three);
    sherd_shape_destroy(sheet);
}

// ---------------------------------------------------------------- stiffness

static const double E = 1e7, LENGTH = 0.05, WIDTH = 0.015;

// Displacement of the free end of a strip, clamped at the other, under a force. In a few very long
// implicit steps, which go to rest.
static sherd_vec3 end_moves(const sherd_packing *p, sherd_vec3 force)
{
    sherd_error error;
    sherd_world_def world_def = sherd_world_def_default();
    world_def.gravity = (sherd_vec3){0, 0, 0};
    world_def.method = SHERD_METHOD_IMPLICIT;
    world_def.scheme = SHERD_SCHEME_EULER;
    world_def.time_step = 0.1;
    world_def.precision = SHERD_PRECISION_DOUBLE;
    world_def.accuracy = 1e-3;
    world_def.threads = 2;
    sherd_world *world = sherd_world_create(&world_def, &error);
    sherd_material_def m = sherd_material_def_default();
    m.density = 1000, m.youngs_modulus = E, m.shear_modulus = 0.4 * E;
    m.tensile_strength = m.shear_strength = INFINITY;
    sherd_body_def body = sherd_body_def_default();
    body.material = sherd_world_add_material(world, &m, &error);
    body.count = p->count;
    body.x = p->x, body.y = p->y, body.z = p->z, body.radius = p->radius, body.volume = p->volume;
    body.bonding = SHERD_BONDING_LIST;
    body.bond_count = p->bond_count, body.bond_i = p->bond_i, body.bond_j = p->bond_j;
    body.bond_section = p->bond_section, body.bond_factor = p->bond_factor;
    cr_assert(sherd_world_add_body(world, &body, &error).index1 != 0, "%s", error.what);
    sherd_shape *grip = box(6e-3, 1.0, 1.0);
    sherd_driver_def hold = sherd_driver_def_default();
    hold.drive = SHERD_DRIVE_MOTION;
    hold.region.shape = grip;
    hold.region.pose.position.x = -0.5 * LENGTH;
    cr_assert(sherd_world_add_driver(world, &hold, &error).index1 != 0, "%s", error.what);
    sherd_driver_def push = hold;
    push.region.pose.position.x = 0.5 * LENGTH;
    push.drive = SHERD_DRIVE_FORCE;
    push.force = force;
    sherd_driver_id end = sherd_world_add_driver(world, &push, &error);
    for (int k = 1; k <= 12; ++k)
        cr_assert_eq(sherd_world_advance(world, 0.1 * k, &error), SHERD_OK, "%s", error.what);
    sherd_vec3 moved = sherd_world_probe_driver(world, end).displacement;
    sherd_world_destroy(world);
    sherd_shape_destroy(grip);
    return moved;
}

// Grips hold all elements within 3 mm of the ends: the free strip runs from there to the middle of
// the pushed region, where the mean displacement is taken.
static void check_strip(double thickness, double radius, int layers, double tolerance)
{
    sherd_shape *strip = box(LENGTH, WIDTH, thickness);
    sherd_packing *p = pack(strip, radius, layers);
    double free_length = LENGTH - 4.5e-3;
    double inertia = WIDTH * pow(thickness, 3.0) / 12.0;
    // As much force as bends by a hundredth of the length, and pulls by 1e-4 of it.
    double bend = 0.01 * LENGTH * 3.0 * E * inertia / pow(free_length, 3.0);
    double pull = 1e-4 * E * WIDTH * thickness;
    double bent = end_moves(p, (sherd_vec3){0, 0, bend}).z / (0.01 * LENGTH);
    double pulled = end_moves(p, (sherd_vec3){pull, 0, 0}).x / (1e-4 * free_length);
    cr_expect_leq(fabs(bent - 1.0), tolerance, "bent %g times too far", bent);
    cr_expect_leq(fabs(pulled - 1.0), tolerance, "pulled %g times too far", pulled);
    sherd_packing_destroy(p);
    sherd_shape_destroy(strip);
}

// Euler and Bernoulli's beam, w = F l^3 / (3 E I), and Hooke's, u = F l / (E A). The length of the free
// strip is uncertain by a quarter of a distance of elements (1 %; 3 % cubed), and the rows along the
// rims carry less or more than their share. Measured: 0.97 pulled; 0.98, 1.00 and 0.98 bent.
Test(shell, a_strip_bends_and_stretches_like_a_plate_of_its_thickness)
{
    check_strip(0.4e-3, 1e-3, 1, 0.05); // much thinner than elements are wide
    check_strip(1.6e-3, 1e-3, 1, 0.05);
    check_strip(2.4e-3, 1e-3, 2, 0.05);
}

// ---------------------------------------------------------------- surfaces

typedef struct torn {
    sherd_shape *shape;
    sherd_packing *packing;
    sherd_surface *surface;
    sherd_fragments *fragments;
    sherd_surface_body body;
    uint8_t *broken;
    double *mass;
} torn;

static void update(torn *t)
{
    sherd_error error;
    const sherd_packing *p = t->packing;
    sherd_fragment_input input = {.element_count = p->count,
                                  .mass = t->mass,
                                  .radius = p->radius,
                                  .bond_count = p->bond_count,
                                  .bond_i = p->bond_i,
                                  .bond_j = p->bond_j,
                                  .bond_broken = t->broken};
    cr_assert_eq(sherd_fragments_update(t->fragments, &input, &error), SHERD_OK);
    sherd_fragment_view view = sherd_fragments_view(t->fragments);
    cr_assert_eq(sherd_surface_update(t->surface, &view, t->broken, &error), SHERD_OK);
}

static torn make_torn(sherd_shape *shape, double radius)
{
    sherd_error error;
    torn t = {.shape = shape, .packing = pack(shape, radius, 1)};
    const sherd_packing *p = t.packing;
    t.body.shape = shape, t.body.count = p->count, t.body.kind = SHERD_SURFACE_SHEET;
    t.broken = calloc((size_t)p->bond_count, 1);
    t.mass = calloc((size_t)p->count, sizeof *t.mass);
    for (int32_t k = 0; k < p->count; ++k)
        t.mass[k] = 1.0;
    t.fragments = sherd_fragments_create(NULL);
    sherd_surface_def def = sherd_surface_def_default();
    def.body_count = 1, def.bodies = &t.body, def.element_count = p->count;
    def.rest_x = p->x, def.rest_y = p->y, def.rest_z = p->z, def.radius = p->radius;
    def.bond_count = p->bond_count, def.bond_i = p->bond_i, def.bond_j = p->bond_j;
    t.surface = sherd_surface_create(&def, &error);
    cr_assert(t.surface != NULL, "%s", error.what);
    return t;
}

static void free_torn(torn *t)
{
    sherd_surface_destroy(t->surface);
    sherd_fragments_destroy(t->fragments);
    sherd_packing_destroy(t->packing);
    sherd_shape_destroy(t->shape);
    free(t->broken);
    free(t->mass);
}

static int compare_edges(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

// Every directed edge once, and its opposite once.
static void check_closed(const sherd_mesh *mesh)
{
    size_t n = 3 * (size_t)mesh->triangle_count;
    uint64_t *edge = malloc(2 * n * sizeof *edge), *back = edge + n;
    for (size_t h = 0; h < n; ++h) {
        uint64_t a = (uint64_t)mesh->triangles[h];
        uint64_t b = (uint64_t)mesh->triangles[h % 3 == 2 ? h - 2 : h + 1];
        edge[h] = a << 32 | b, back[h] = b << 32 | a;
    }
    qsort(edge, n, sizeof *edge, compare_edges);
    qsort(back, n, sizeof *back, compare_edges);
    cr_expect(memcmp(edge, back, n * sizeof *edge) == 0, "open or turned inside out");
    for (size_t h = 1; h < n; ++h)
        cr_assert_neq(edge[h - 1], edge[h], "an edge is there twice");
    free(edge);
}

static double check_all(const torn *t, int *inner)
{
    double volume = 0.0;
    *inner = 0;
    for (int k = 0; k < sherd_surface_piece_count(t->surface); ++k) {
        sherd_surface_piece piece = sherd_surface_get_piece(t->surface, k);
        check_closed(piece.mesh);
        double v = sherd_mesh_volume(piece.mesh);
        cr_expect_gt(v, 0.0);
        volume += v;
        for (int32_t n = 0; n < piece.mesh->triangle_count; ++n)
            *inner += piece.mesh->face_kind[n] == SHERD_FACE_INNER;
    }
    return volume;
}

Test(shell, surfaces_are_closed_whole_and_torn)
{
    sherd_shape *shape = sherd_shape_difference(box(0.05, 0.04, 0.4e-3),
                                                sherd_shape_cylinder(6e-3, 1e-2, NULL), NULL);
    torn t = make_torn(shape, 1e-3);
    const sherd_packing *p = t.packing;
    update(&t);
    int inner;
    double whole = check_all(&t, &inner);
    cr_expect_eq(sherd_surface_piece_count(t.surface), 1);
    cr_expect_eq(inner, 0);
    // Rims are followed; around the hole by chords.
    cr_expect_leq(fabs(whole / ((0.05 * 0.04 - PI * 36e-6) * 0.4e-3) - 1.0), 0.01);

    // A tear that ends inside, then one all the way through the hole.
    for (int n = 0; n < 2; ++n) {
        for (sherd_bond_index b = 0; b < p->bond_count; ++b) {
            double x = p->x[p->bond_i[b]], y = p->x[p->bond_j[b]];
            bool crosses = (x < 0.0) != (y < 0.0);
            if (crosses && (n == 1 || p->y[p->bond_i[b]] < -12e-3)) t.broken[b] = 1;
        }
        update(&t);
        double volume = check_all(&t, &inner);
        cr_expect_eq(sherd_surface_piece_count(t.surface), 1 + n);
        cr_expect_gt(inner, 0);
        cr_expect_leq(fabs(volume / whole - 1.0), 1e-9); // torn pieces fill the sheet
    }

    // Every third bond: crumbs, slits and branching tears.
    for (sherd_bond_index b = 0; b < p->bond_count; ++b)
        t.broken[b] = b % 3 != 0;
    update(&t);
    double volume = check_all(&t, &inner);
    cr_expect_leq(fabs(volume / whole - 1.0), 1e-9);
    free_torn(&t);
}

// The cells' edges along a straight tear zigzag: drawn along them it would be 1.27 times as long.
Test(shell, a_straight_tear_is_straight)
{
    const double width = 0.04, thickness = 0.4e-3;
    torn t = make_torn(box(0.05, width, thickness), 1e-3);
    const sherd_packing *p = t.packing;
    for (sherd_bond_index b = 0; b < p->bond_count; ++b)
        t.broken[b] = (p->x[p->bond_i[b]] < 0.0) != (p->x[p->bond_j[b]] < 0.0);
    update(&t);
    cr_assert_eq(sherd_surface_piece_count(t.surface), 2);
    double area = 0.0;
    for (int k = 0; k < 2; ++k) {
        const sherd_mesh *mesh = sherd_surface_get_piece(t.surface, k).mesh;
        for (int32_t n = 0; n < mesh->triangle_count; ++n)
            if (mesh->face_kind[n] == SHERD_FACE_INNER)
                area += 0.5 * vec3_length(mesh_area_vector(mesh, n));
    }
    // Packed elements are no perfect lattice, and at both rims a corner stays where it was.
    double length = 0.5 * area / (width * thickness);
    cr_assert(length >= 1.0 && length < 1.04, "%g times as long", length);
    free_torn(&t);
}

// Elements next to the rim are nearer to it than to either side of such a wall.
Test(shell, walls_as_thick_as_elements_are_wide_are_closed)
{
    const double thickness[] = {0.4e-3, 1.9e-3, 2e-3, 2.1e-3, 3e-3, 5.9e-3};
    for (size_t k = 0; k < sizeof thickness / sizeof *thickness; ++k) {
        torn t = make_torn(box(0.05, 0.04, thickness[k]), 1e-3);
        update(&t);
        int inner;
        double whole = check_all(&t, &inner), exact = 0.05 * 0.04 * thickness[k];
        cr_expect_leq(fabs(whole / exact - 1.0), 0.01); // corners of the rim are cut off
        for (sherd_bond_index b = 0; b < t.packing->bond_count; ++b)
            t.broken[b] = b % 3 != 0;
        update(&t);
        cr_expect_leq(fabs(check_all(&t, &inner) / whole - 1.0), 1e-9);
        for (int j = 0; j < sherd_surface_piece_count(t.surface); ++j)
            check_manifold(sherd_surface_get_piece(t.surface, j).mesh);
        free_torn(&t);
    }
}

Test(shell, a_closed_wall_has_a_surface_with_two_sides)
{
    sherd_shape *egg = sherd_shape_difference(sherd_shape_sphere(0.02, NULL),
                                              sherd_shape_sphere(0.019, NULL), NULL);
    torn t = make_torn(egg, 1.2e-3);
    update(&t);
    int inner;
    double volume = check_all(&t, &inner);
    double wanted = 4.0 / 3.0 * PI * (pow(0.02, 3.0) - pow(0.019, 3.0));
    cr_expect_leq(fabs(volume / wanted - 1.0), 0.01); // flat triangles of 1 radius
    free_torn(&t);
}

// Ratio of the longest to the shortest length that a metre along the curved sides has in texture
// coordinates.
static double uneven_texture(const torn *t)
{
    double least = INFINITY, most = 0.0;
    for (int n = 0; n < sherd_surface_piece_count(t->surface); ++n) {
        const sherd_mesh *mesh = sherd_surface_get_piece(t->surface, n).mesh;
        cr_assert(mesh->uv != NULL);
        for (int32_t k = 0; k < mesh->triangle_count; ++k) {
            sherd_vec3 a = mesh_area_vector(mesh, k);
            if (mesh->face_kind[k] != SHERD_FACE_OUTER || fabs(a.z) > 0.5 * vec3_length(a))
                continue;
            for (int c = 0; c < 3; ++c) {
                const float *u = mesh->uv + 6 * k + 2 * c,
                            *v = mesh->uv + 6 * k + 2 * ((c + 1) % 3);
                double length =
                    vec3_distance(mesh_corner(mesh, k, c), mesh_corner(mesh, k, (c + 1) % 3));
                if (length < 0.2e-3) continue; // too short for their points to be told apart
                double ratio =
                    hypot((double)u[0] - (double)v[0], (double)u[1] - (double)v[1]) / length;
                least = fmin(least, ratio), most = fmax(most, ratio);
            }
        }
    }
    return most / least;
}

// The wall of a can is unrolled as the shape is, whole and torn: no triangle stretches over the seam.
Test(shell, the_wall_of_a_can_has_the_texture_of_its_shape)
{
    const sherd_vec2 wall[] = {{20e-3, 0}, {20.4e-3, 0}, {20.4e-3, 30e-3}, {20e-3, 30e-3}};
    torn t = make_torn(sherd_shape_revolve(wall, 4, NULL), 1e-3);
    update(&t);
    // Unrolled at one radius for both sides, 2 % apart; cells are chords of 1/20 radius.
    cr_expect(lt(dbl, uneven_texture(&t), 1.15));
    for (sherd_bond_index b = 0; b < t.packing->bond_count; ++b)
        t.broken[b] = b % 3 != 0;
    update(&t);
    cr_expect(lt(dbl, uneven_texture(&t), 1.15));
    free_torn(&t);
}

static void expect_refused(sherd_shape *shape, const sherd_packing_def *def, const char *what)
{
    sherd_error error = {0};
    cr_expect(sherd_packing_create(shape, def, &error) == NULL);
    cr_expect_eq(error.status, SHERD_ERROR_INPUT);
    cr_expect(strstr(error.what, what) != NULL, "what is '%s'", error.what);
    sherd_shape_destroy(shape);
}

Test(shell, solids_and_crumbs_are_refused)
{
    sherd_packing_def def = shell_def(1e-3, 1);
    expect_refused(box(0.03, 0.03, 0.03), &def, "thicker than");
    expect_refused(box(1e-3, 1e-3, 1e-4), &def, "fit into the wall");
    def.max_elements = 100;
    expect_refused(box(0.1, 0.1, 1e-3), &def, "the limit is 100");
    def = shell_def(1e-3, -1);
    expect_refused(box(0.1, 0.1, 1e-3), &def, "-1");
}
