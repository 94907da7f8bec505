// surface: bodies put together of others are cut, not marched, wherever cracks run.
#include "geometry/shape/shape_display_mesh.h"
#include "surface/surface_notes.h"
#include "unit/surface_rig.h"

#include <string.h>

static sherd_shape *moved(sherd_shape *shape, double x, double y, double z)
{
    sherd_pose pose = {.position = {x, y, z}, .rotation = {0.0, 0.0, 0.0, 1.0}};
    return sherd_shape_placed(shape, pose, NULL);
}

static sherd_shape *box(double x, double y, double z)
{
    return sherd_shape_box((sherd_vec3){x, y, z}, NULL);
}

static sherd_shape *ball_on_box(void)
{
    return sherd_shape_union(box(0.2, 0.16, 0.08),
                             moved(sherd_shape_sphere(0.06, NULL), 0.03, 0.0, 0.06), NULL);
}

static sherd_shape *pierced_box(void)
{
    return sherd_shape_difference(box(0.2, 0.16, 0.08), sherd_shape_cylinder(0.04, 0.2, NULL),
                                  NULL);
}

// Faces that lie in one plane, edges that meet.
static sherd_shape *stair(void)
{
    return sherd_shape_union(box(0.2, 0.12, 0.08), moved(box(0.1, 0.12, 0.08), 0.05, 0.0, 0.08),
                             NULL);
}

static sherd_shape *hollow_ball(void)
{
    return sherd_shape_difference(sherd_shape_sphere(0.08, NULL), sherd_shape_sphere(0.05, NULL),
                                  NULL);
}

// A cross, less a ball, with another ball set into the hole.
static sherd_shape *nested(void)
{
    sherd_shape *cross = sherd_shape_union(box(0.22, 0.08, 0.08), box(0.08, 0.22, 0.08), NULL);
    sherd_shape *holed =
        sherd_shape_difference(cross, moved(sherd_shape_sphere(0.05, NULL), 0.0, 0.0, 0.03), NULL);
    return sherd_shape_union(holed, moved(sherd_shape_sphere(0.03, NULL), 0.0, 0.0, -0.02), NULL);
}

static double volume_of_surface(const sherd_shape *shape, double radius)
{
    sherd_mesh *mesh = sherd_shape_display_mesh(shape, radius, NULL);
    cr_assert(mesh != NULL);
    double volume = sherd_mesh_volume(mesh);
    sherd_mesh_destroy(mesh);
    return volume;
}

typedef struct plane {
    sherd_vec3 normal;
    double offset; // [m]
} plane;

// Askew, and along faces and planes of symmetry: there cracks run along edges of the surface.
static const plane PLANES[] = {{{0.8, 0.36, 0.48}, 0.013}, {{0.0, 1.0, 0.0}, 0.0},
                               {{1.0, 0.0, 0.0}, 0.0},     {{0.0, 0.0, 1.0}, 0.04},
                               {{0.6, -0.8, 0.0}, -0.02},  {{0.0, 0.28, 0.96}, 0.021}};

// Breaks along one plane after the other; every frame is checked.
static void check_broken_by_planes(sherd_shape *shape, double radius)
{
    sherd_surface_def def = sherd_surface_def_default();
    def.method = SHERD_SURFACE_CUT;
    model m = make_model_with(shape, radius, 2, &def);
    double whole = volume_of_surface(shape, m.packing->radius[0]);
    for (size_t k = 0; k < sizeof PLANES / sizeof *PLANES; ++k) {
        break_plane(&m, PLANES[k].normal, PLANES[k].offset);
        update(&m);
        cr_assert_geq(m.view.count, 2);
        cr_assert_eq(sherd_surface_fallbacks(m.surface), 0);
        // Sums of as many terms as there are triangles, each rounded.
        cr_assert(epsilon_eq(dbl, check_pieces(&m), whole, 1e-10 * whole));
    }
    cr_assert_gt(m.view.count, 8);
    free_model(&m);
}

Test(surface_csg, unions_are_cut)
{
    check_broken_by_planes(ball_on_box(), 0.008);
    check_broken_by_planes(stair(), 0.008);
}

Test(surface_csg, differences_are_cut)
{
    check_broken_by_planes(pierced_box(), 0.008);
    check_broken_by_planes(hollow_ball(), 0.007);
}

Test(surface_csg, nested_bodies_are_cut)
{
    check_broken_by_planes(nested(), 0.008);
}

// Distance of the farthest vertex of an unbroken body's piece from its shape, in element radii. `corner`: a place that has
// a vertex.
static double farthest_vertex(sherd_shape *shape, double radius, sherd_vec3 corner)
{
    sherd_surface_def def = sherd_surface_def_default();
    def.method = SHERD_SURFACE_CUT;
    model m = make_model_with(shape, radius, 2, &def);
    update(&m);
    check_pieces(&m);
    cr_assert_eq(m.view.count, 1);
    cr_assert(sherd_surface_note(m.surface, 0) == NULL);
    const sherd_mesh *mesh = piece_at(&m, 0).mesh;
    double farthest = 0.0, nearest = INFINITY;
    for (int32_t v = 0; v < mesh->vertex_count; ++v) {
        const double *p = mesh->vertices + 3 * v;
        sherd_vec3 at = {p[0], p[1], p[2]};
        farthest = fmax(farthest, fabs(sherd_shape_distance(m.shape, at)));
        nearest = fmin(nearest, vec3_distance(at, corner));
    }
    cr_assert(lt(dbl, nearest / radius, 1e-3), "no vertex at the corner");
    free_model(&m);
    return farthest / radius;
}

// The piece of an unbroken body is its shape. Points that were found on a grid were off by up to 0.7 of a radius at the
// corners of square holes and where rods leave curved sides at a slant.
Test(surface_csg, an_unbroken_body_has_its_shape)
{
    const double radius = 0.003;
    // Parts are nudged by a millionth of 0.1 m.
    double off = farthest_vertex(
        sherd_shape_difference(box(0.08, 0.04, 0.04), box(0.021, 0.017, 0.06), NULL), radius,
        (sherd_vec3){0.0105, 0.0085, 0.02});
    cr_assert(lt(dbl, off, 1e-3));
    // Rims lie on chords, as long as a radius: of the hole's 0.01 m these are 0.0375 of a radius off.
    off = farthest_vertex(
        sherd_shape_difference(box(0.08, 0.04, 0.04), sherd_shape_cylinder(0.01, 0.06, NULL), NULL),
        radius, (sherd_vec3){0.04, 0.02, 0.02});
    cr_assert(lt(dbl, off, 0.045));
    sherd_pose slant = {.rotation = {0.42, 0.0, 0.0, 0.9075241}}; // by 50 degrees
    sherd_shape *rod = sherd_shape_cylinder(0.008, 0.1, NULL);
    off = farthest_vertex(sherd_shape_difference(sherd_shape_cylinder(0.02, 0.06, NULL),
                                                 sherd_shape_placed(rod, slant, NULL), NULL),
                          radius, (sherd_vec3){0.0, 0.0, 0.03});
    cr_assert(lt(dbl, off, 0.06)); // chords of both
}

// Two meshes as one, not joined: each passes through the other.
static sherd_shape *laid_together(sherd_shape *a, sherd_shape *b)
{
    sherd_mesh *one = sherd_shape_surface(a, 0.02, NULL), *two = sherd_shape_surface(b, 0.02, NULL);
    int32_t n = one->vertex_count, t = one->triangle_count;
    sherd_mesh *both = sherd_mesh_create(n + two->vertex_count, t + two->triangle_count, NULL);
    memcpy(both->vertices, one->vertices, 3 * (size_t)n * sizeof *one->vertices);
    memcpy(both->vertices + 3 * n, two->vertices,
           3 * (size_t)two->vertex_count * sizeof *two->vertices);
    memcpy(both->triangles, one->triangles, 3 * (size_t)t * sizeof *one->triangles);
    for (int32_t c = 0; c < 3 * two->triangle_count; ++c)
        both->triangles[3 * t + c] = n + two->triangles[c];
    sherd_shape *shape = sherd_shape_mesh(both, NULL);
    sherd_mesh_destroy(one), sherd_mesh_destroy(two), sherd_mesh_destroy(both);
    sherd_shape_destroy(a), sherd_shape_destroy(b);
    return shape;
}

static int fallbacks_of(sherd_shape *shape)
{
    sherd_surface_def def = sherd_surface_def_default();
    def.method = SHERD_SURFACE_CUT;
    model m = make_model_with(shape, 0.008, 2, &def);
    for (size_t k = 0; k < sizeof PLANES / sizeof *PLANES; ++k)
        break_plane(&m, PLANES[k].normal, PLANES[k].offset);
    update(&m);
    int fallbacks = sherd_surface_fallbacks(m.surface);
    check_pieces(&m);
    free_model(&m);
    return fallbacks;
}

// The same boxes: a union has one surface, without it they cut each other where cracks pass, and the
// body is marched.
Test(surface_csg, what_is_not_joined_is_marched)
{
    for (int joined = 0; joined < 2; ++joined) {
        sherd_shape *a = box(0.1, 0.1, 0.1), *b = moved(box(0.1, 0.1, 0.1), 0.052, 0.031, 0.013);
        sherd_shape *both = joined ? sherd_shape_union(a, b, NULL) : laid_together(a, b);
        cr_assert_eq(fallbacks_of(both), joined ? 0 : 1);
    }
}

static bool has_note(sherd_shape *shape)
{
    sherd_surface_def def = sherd_surface_def_default();
    def.method = SHERD_SURFACE_CUT;
    model m = make_model_with(shape, 0.008, 2, &def);
    update(&m);
    bool noted = sherd_surface_note(m.surface, 0) != NULL;
    check_pieces(&m);
    free_model(&m);
    return noted;
}

// A difference of parts that pass through themselves follows a grid, and says so.
Test(surface_csg, what_cuts_itself_follows_a_grid)
{
    for (int joined = 0; joined < 2; ++joined) {
        sherd_shape *a = box(0.1, 0.1, 0.1), *b = moved(box(0.1, 0.1, 0.1), 0.052, 0.031, 0.013);
        sherd_shape *both = joined ? sherd_shape_union(a, b, NULL) : laid_together(a, b);
        cr_assert(
            eq(int, has_note(sherd_shape_difference(both, box(0.03, 0.03, 0.2), NULL)), !joined));
    }
}
