// surface: fragments as if their elements were particles of a fluid, and as blobs.
#include "geometry/mesh/mesh_access.h"
#include "surface/methods/fluid/fluid_field.h"
#include "unit/surface_rig.h"

#include <string.h>

static model make_fluid(sherd_shape *shape, int threads)
{
    sherd_surface_def def = sherd_surface_def_default();
    def.method = SHERD_SURFACE_FLUID;
    return make_model_with(shape, 0.01, threads, &def);
}

static double area_of_kind(const sherd_mesh *mesh, sherd_face_kind kind)
{
    double area = 0.0;
    for (int32_t t = 0; t < mesh->triangle_count; ++t)
        if (mesh->face_kind[t] == kind) area += 0.5 * vec3_length(mesh_area_vector(mesh, t));
    return area;
}

Test(surface_fluid, an_unbroken_body_has_its_volume)
{
    sherd_shape *shapes[2] = {sherd_shape_box((sherd_vec3){0.24, 0.16, 0.12}, NULL),
                              sherd_shape_cylinder(0.15, 0.055, NULL)};
    for (int k = 0; k < 2; ++k) {
        model m = make_fluid(shapes[k], 2);
        update(&m);
        cr_assert_eq(m.view.count, 1);
        // The level is found with fields taken to be linear across cells, 1/12 to 1/5 of a thickness.
        double volume = sherd_shape_volume(shapes[k]);
        cr_assert(epsilon_eq(dbl, check_pieces(&m), volume, 0.015 * volume));
        cr_assert(eq(dbl, area_of_kind(piece_at(&m, 0).mesh, SHERD_FACE_INNER), 0.0));
        free_model(&m);
    }
}

Test(surface_fluid, halves_are_told_apart_and_do_not_overlap)
{
    model m = make_fluid(sherd_shape_box((sherd_vec3){0.24, 0.16, 0.12}, NULL), 2);
    sherd_vec3 normal = vec3_normalize(vec3(1.0, 0.35, 0.2));
    break_plane(&m, normal, 0.0);
    update(&m);
    cr_assert_eq(m.view.count, 2);
    // Each half is rounded along the crack's rim, 0.56 m long, by a groove of about a radius each way.
    double volume = 0.24 * 0.16 * 0.12;
    cr_assert(epsilon_eq(dbl, check_pieces(&m), volume, 0.03 * volume));
    // The crack is inner, the rest is not: up to its own rounding.
    double section = 0.16 * 0.12 / normal.x;
    for (int k = 0; k < 2; ++k) {
        const sherd_mesh *mesh = piece_at(&m, k).mesh;
        double inner = area_of_kind(mesh, SHERD_FACE_INNER);
        cr_assert(epsilon_eq(dbl, inner, section, 0.2 * section));
        // No vertex lies beyond the crack, which elements of both sides leave by up to two layers.
        double side = copysign(1.0, vec3_dot(normal, element(&m, m.view.fragments[k].first)));
        for (int32_t v = 0; v < mesh->vertex_count; ++v)
            cr_assert(lt(dbl, -0.01, side * vec3_dot(normal, mesh_vertex(mesh, v))));
    }
    free_model(&m);
}

// Both sides of a crack are the same triangles: what overlaps would count twice in the sum of volumes.
Test(surface_fluid, voronoi_pieces_stay_within_the_body)
{
    sherd_shape *shape = sherd_shape_cylinder(0.15, 0.055, NULL);
    model m = make_fluid(shape, 2);
    break_voronoi(&m, 20, 4);
    update(&m);
    double volume = sherd_shape_volume(shape), pieces = check_pieces(&m);
    cr_assert(lt(dbl, 9, m.view.count));
    cr_assert(lt(dbl, pieces, 1.01 * volume));
    cr_assert(lt(dbl, 0.93 * volume, pieces)); // grooves along the rims of many small pieces
    free_model(&m);
}

Test(surface_fluid, single_elements_become_balls_of_their_size)
{
    model m = make_fluid(sherd_shape_box((sherd_vec3){0.12, 0.12, 0.12}, NULL), 2);
    memset(m.broken, 1, (size_t)m.bonds);
    update(&m);
    double r = m.packing->radius[0], cell = 5.657 * r * r * r; // of close packing
    double volume = check_pieces(&m) / m.view.count;
    cr_assert(lt(dbl, 0.5 * cell, volume));
    cr_assert(lt(dbl, volume, 1.15 * cell)); // those at the outside bulge beyond the box
    free_model(&m);
}

Test(surface_fluid, any_number_of_threads_and_any_order_of_frames_give_the_same_bits)
{
    model a = make_fluid(sherd_shape_cylinder(0.12, 0.05, NULL), 1);
    model b = make_fluid(sherd_shape_cylinder(0.12, 0.05, NULL), 3);
    update(&a); // a frame more, from which some pieces could be left
    break_plane(&a, vec3(1.0, 0.0, 0.0), 0.01);
    update(&a);
    break_plane(&a, vec3(0.0, 1.0, 0.0), 0.02);
    break_plane(&b, vec3(1.0, 0.0, 0.0), 0.01);
    break_plane(&b, vec3(0.0, 1.0, 0.0), 0.02);
    update(&a);
    update(&b);
    cr_assert_eq(a.view.count, 4);
    cr_assert_eq(b.view.count, 4);
    for (int k = 0; k < 4; ++k) {
        const sherd_mesh *p = piece_at(&a, k).mesh, *q = NULL;
        for (int j = 0; j < 4; ++j)
            if (a.view.fragments[k].first == b.view.fragments[j].first) q = piece_at(&b, j).mesh;
        cr_assert(q != NULL);
        size_t n = (size_t)p->vertex_count;
        cr_assert_eq(p->vertex_count, q->vertex_count);
        cr_assert_eq(memcmp(p->vertices, q->vertices, 24 * n), 0);
        cr_assert_eq(memcmp(p->normals, q->normals, 24 * n), 0);
        cr_assert_eq(memcmp(p->face_kind, q->face_kind, (size_t)p->triangle_count), 0);
    }
    free_model(&a);
    free_model(&b);
}

// Two yarns side by side, never bonded: no shape, and nothing broken where they touch.
Test(surface_fluid, yarns_need_no_shape)
{
    enum { COUNT = 12 };
    double x[COUNT], y[COUNT], z[COUNT], radius[COUNT], mass[COUNT];
    sherd_element_index i[COUNT], j[COUNT];
    uint8_t broken[COUNT] = {0};
    sherd_bond_index bonds = 0;
    for (int k = 0; k < COUNT; ++k) {
        x[k] = 0.02 * (k % 6), y[k] = 0.02 * (k / 6), z[k] = 0.0;
        radius[k] = 0.01, mass[k] = 1.0;
        if (k % 6 == 5) continue;
        i[bonds] = k;
        j[bonds++] = k + 1;
    }
    sherd_error error;
    sherd_surface_body body = {.count = COUNT, .kind = SHERD_SURFACE_YARNS};
    sherd_surface_def def = sherd_surface_def_default();
    def.method = SHERD_SURFACE_FLUID;
    def.body_count = 1, def.bodies = &body, def.element_count = COUNT;
    def.rest_x = x, def.rest_y = y, def.rest_z = z, def.radius = radius;
    def.bond_count = bonds, def.bond_i = i, def.bond_j = j;
    sherd_surface *surface = sherd_surface_create(&def, &error);
    cr_assert(surface != NULL, "%s", error.what);
    sherd_fragments *fragments = sherd_fragments_create(&error);
    sherd_fragment_input in = {.element_count = COUNT,
                               .mass = mass,
                               .radius = radius,
                               .bond_count = bonds,
                               .bond_i = i,
                               .bond_j = j,
                               .bond_broken = broken};
    cr_assert_eq(sherd_fragments_update(fragments, &in, &error), SHERD_OK);
    sherd_fragment_view view = sherd_fragments_view(fragments);
    cr_assert_eq(sherd_surface_update(surface, &view, broken, &error), SHERD_OK);
    cr_assert_eq(sherd_surface_piece_count(surface), 2);
    for (int k = 0; k < 2; ++k) {
        const sherd_mesh *mesh = sherd_surface_get_piece(surface, k).mesh;
        check_manifold(mesh);
        cr_assert(eq(dbl, area_of_kind(mesh, SHERD_FACE_INNER), 0.0));
        // As long as its elements, and about as thick.
        sherd_bounds box = sherd_mesh_bounds(mesh);
        cr_assert(epsilon_eq(dbl, box.high.x - box.low.x, 0.12, 0.02));
        cr_assert(epsilon_eq(dbl, box.high.z - box.low.z, 0.02, 0.008));
    }
    sherd_surface_destroy(surface);
    sherd_fragments_destroy(fragments);
}

Test(surface_fluid, fields_and_their_gradients_agree)
{
    enum { COUNT = 60 };
    sherd_vec3 position[COUNT];
    double radius[COUNT];
    sherd_fragment_id label[COUNT];
    for (uint64_t k = 0; k < COUNT; ++k) {
        position[k] = vec3(0.1 * sherd_random_uniform(7, 0, k), 0.1 * sherd_random_uniform(7, 1, k),
                           0.04 * sherd_random_uniform(7, 2, k));
        radius[k] = 0.008 + 0.004 * sherd_random_uniform(7, 3, k);
        label[k] = 1 + (position[k].x > 0.05);
    }
    partition p;
    const sherd_parallel serial = {1};
    cr_assert(sherd_partition_create(&p, position, radius, COUNT, 1.5));
    fluid *f = sherd_fluid_create(&p, &(fluid_source){.volume = 0.0}, &serial);
    cr_assert(f != NULL);
    cr_assert(sherd_partition_update(&p, label, &serial));
    cr_assert(sherd_fluid_update(f, &p, NULL, &serial));
    const sherd_fragment_id wanted[2] = {1, 2};
    const double step = 1e-6;
    for (int k = 0; k < 20; ++k) {
        sherd_vec3 x = vec3(0.005 * k, 0.05, 0.03 - 0.001 * k), slope[2], unused[2];
        double fill[2], ahead[2], behind[2];
        sherd_fluid_fields(f, x, wanted, 2, fill, slope);
        sherd_fluid_fields(f, vec3(x.x + step, x.y, x.z), wanted, 2, ahead, unused);
        sherd_fluid_fields(f, vec3(x.x - step, x.y, x.z), wanted, 2, behind, unused);
        for (int j = 0; j < 2; ++j)
            // Central difference of values near 1: rounding 1e-16 / step, third derivative 1e7 step^2.
            cr_assert(epsilon_eq(dbl, slope[j].x, (ahead[j] - behind[j]) / (2.0 * step), 1e-4));
    }
    sherd_fluid_destroy(f);
    sherd_partition_release(&p);
}

// ---------------------------------------------------------------- blobs

static model make_blobs(sherd_shape *shape, double radius, int threads)
{
    sherd_surface_def def = sherd_surface_def_default();
    def.method = SHERD_SURFACE_BLOBS;
    return make_model_with(shape, radius, threads, &def);
}

// The level is not fitted: the surface lies half a layer, 0.8 radii, beyond the outermost layer's centres, and the
// packing leaves up to a layer, 1.6 radii, between these and the shape. So up to 0.8 radii are missing all around.
static const double MISSING = 0.8;

Test(surface_blobs, a_ball_converges)
{
    const double size = 0.1, radius[3] = {0.016, 0.008, 0.004};
    double off[3], volume = 4.0 / 3.0 * M_PI * size * size * size;
    for (int k = 0; k < 3; ++k) {
        model m = make_blobs(sherd_shape_sphere(size, NULL), radius[k], 2);
        update(&m);
        cr_assert_eq(m.view.count, 1);
        off[k] = fabs(check_pieces(&m) / volume - 1.0);
        cr_assert(lt(dbl, off[k], MISSING * 3.0 * radius[k] / size), "%g", off[k]);
        free_model(&m);
    }
    cr_assert(lt(dbl, off[2], 0.5 * off[0]));
}

// (1 - s^2)^4 of 2.55 radii falls to a half; cells of 0.75 radii show the ball to a tenth.
Test(surface_blobs, a_lone_element_is_a_ball)
{
    model m = make_blobs(sherd_shape_box((sherd_vec3){0.12, 0.12, 0.12}, NULL), 0.01, 2);
    memset(m.broken, 1, (size_t)m.bonds);
    update(&m);
    double support = 0.9 * sqrt(8.0) * m.packing->radius[0];
    double own = 0.12 * 0.12 * 0.12 / m.packing->count; // volume of an element
    double middle = own / (0.4642 * support * support * support);
    double expected = support * sqrt(1.0 - pow(0.5 / middle, 0.25));
    double measured = cbrt(0.75 / M_PI * check_pieces(&m) / m.view.count);
    cr_assert(epsilon_eq(dbl, measured, expected, 0.1 * expected));
    free_model(&m);
}

Test(surface_blobs, halves_of_a_body_are_two_surfaces)
{
    model m = make_blobs(sherd_shape_box((sherd_vec3){0.24, 0.16, 0.12}, NULL), 0.01, 2);
    break_plane(&m, vec3(1.0, 0.0, 0.0), 0.0);
    update(&m);
    cr_assert_eq(m.view.count, 2);
    double volume = 0.24 * 0.16 * 0.12, missing = volume - check_pieces(&m);
    double area = 2.0 * (0.24 * 0.16 + 0.24 * 0.12 + 2.0 * 0.16 * 0.12);
    cr_assert(lt(dbl, 0.0, missing));
    cr_assert(lt(dbl, missing, MISSING * 0.01 * area));
    free_model(&m);
}

Test(surface_blobs, any_number_of_threads_gives_the_same_bits)
{
    model m[2];
    for (int k = 0; k < 2; ++k) {
        m[k] = make_blobs(sherd_shape_sphere(0.1, NULL), 0.008, 1 + 2 * k);
        break_plane(&m[k], vec3(1.0, 0.2, 0.0), 0.01);
        update(&m[k]);
        cr_assert_eq(m[k].view.count, 2);
    }
    for (int p = 0; p < 2; ++p) {
        const sherd_mesh *a = piece_at(&m[0], p).mesh, *b = piece_at(&m[1], p).mesh;
        cr_assert_eq(a->vertex_count, b->vertex_count);
        cr_assert_eq(memcmp(a->vertices, b->vertices, 24 * (size_t)a->vertex_count), 0);
        cr_assert_eq(memcmp(a->normals, b->normals, 24 * (size_t)a->vertex_count), 0);
    }
    free_model(&m[0]);
    free_model(&m[1]);
}

static int32_t root_of(int32_t *up, int32_t v)
{
    while (up[v] != v)
        v = up[v] = up[up[v]];
    return v;
}

static int closed_surfaces(const sherd_mesh *mesh)
{
    int32_t *up = malloc((size_t)mesh->vertex_count * sizeof *up);
    int count = 0;
    for (int32_t v = 0; v < mesh->vertex_count; ++v)
        up[v] = v;
    for (int32_t t = 0; t < mesh->triangle_count; ++t)
        for (int c = 1; c < 3; ++c)
            up[root_of(up, mesh->triangles[3 * t + c])] = root_of(up, mesh->triangles[3 * t]);
    for (int32_t v = 0; v < mesh->vertex_count; ++v)
        count += root_of(up, v) == v;
    free(up);
    return count;
}

// [BDEM21] Fig. 13 (a), (c): two balls whose surfaces are `gap` radii apart, as one body that nothing is bonded in. Blobs
// reach 2.55 radii.
static int surfaces_of_two_balls(double gap)
{
    enum { MOST = 4000 };
    static double x[MOST], y[MOST], z[MOST], radius[MOST];
    static sherd_fragment_id label[MOST];
    static int32_t slot[MOST];
    sherd_error error;
    sherd_shape *ball = sherd_shape_sphere(0.06, NULL);
    sherd_packing_def pack = sherd_packing_def_default();
    pack.radius = 0.01;
    sherd_packing *p = sherd_packing_create(ball, &pack, &error);
    double right = -INFINITY, left = INFINITY;
    for (int32_t k = 0; k < p->count; ++k)
        right = fmax(right, p->x[k]), left = fmin(left, p->x[k]);
    double apart =
        right - left + (2.0 + gap) * 0.01; // between outermost elements: two radii and the gap
    for (int32_t k = 0; k < 2 * p->count; ++k) {
        int32_t of = k % p->count;
        x[k] = p->x[of] + (k < p->count ? 0.0 : apart), y[k] = p->y[of], z[k] = p->z[of];
        radius[k] = p->radius[of], label[k] = 1, slot[k] = 0;
    }
    sherd_surface_body body = {.shape = ball, .count = 2 * p->count};
    sherd_surface_def def = sherd_surface_def_default();
    def.method = SHERD_SURFACE_BLOBS;
    def.body_count = 1, def.bodies = &body, def.element_count = body.count;
    def.rest_x = x, def.rest_y = y, def.rest_z = z, def.radius = radius;
    sherd_surface *surface = sherd_surface_create(&def, &error);
    cr_assert(surface != NULL, "%s", error.what);
    const sherd_fragment all = {.id = 1, .count = body.count};
    const sherd_fragment_view view = {1, &all, label, slot, 2};
    cr_assert_eq(sherd_surface_update(surface, &view, NULL, &error), SHERD_OK);
    cr_assert_eq(sherd_surface_piece_count(surface), 1);
    check_manifold(sherd_surface_get_piece(surface, 0).mesh);
    int count = closed_surfaces(sherd_surface_get_piece(surface, 0).mesh);
    sherd_surface_destroy(surface);
    sherd_packing_destroy(p);
    sherd_shape_destroy(ball);
    return count;
}

Test(surface_blobs, what_is_near_is_one_surface)
{
    cr_assert_eq(surfaces_of_two_balls(0.0), 1);
    cr_assert_eq(surfaces_of_two_balls(4.0), 2);
}
