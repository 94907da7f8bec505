// geometry: winding numbers of triangle soups, and new surfaces around them.
#include "base/random.h"
#include "geometry/mesh/mesh_access.h"
#include "geometry/mesh/mesh_tree.h"
#include "geometry/mesh/self_intersection.h"
#include "geometry/wrap/winding.h"
#include "geometry/wrap/winding_crossings.h"
#include "manifold.h"

#include <sherd/shape.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

static sherd_mesh *surface_of(sherd_shape *shape, double edge)
{
    sherd_mesh *mesh = sherd_shape_surface(shape, edge, NULL);
    sherd_shape_destroy(shape);
    free(mesh->normals);
    mesh->normals = NULL;
    return mesh;
}

static sherd_mesh *sphere_mesh(double radius)
{
    return surface_of(sherd_shape_sphere(radius, NULL), 0.1 * radius);
}

// Both meshes in one, the second moved.
static sherd_mesh *both(sherd_mesh *a, sherd_mesh *b, sherd_vec3 shift)
{
    sherd_mesh *all = sherd_mesh_create(a->vertex_count + b->vertex_count,
                                        a->triangle_count + b->triangle_count, NULL);
    for (int32_t v = 0; v < all->vertex_count; ++v)
        mesh_set_vertex(all, v,
                        v < a->vertex_count ? mesh_vertex(a, v)
                                            : vec3_add(mesh_vertex(b, v - a->vertex_count), shift));
    for (int32_t k = 0; k < 3 * all->triangle_count; ++k)
        all->triangles[k] = k < 3 * a->triangle_count
                                ? a->triangles[k]
                                : b->triangles[k - 3 * a->triangle_count] + a->vertex_count;
    sherd_mesh_destroy(a);
    sherd_mesh_destroy(b);
    return all;
}

// Without the triangles whose middle is above a height.
static sherd_mesh *open_above(sherd_mesh *mesh, double height)
{
    int32_t kept = 0;
    for (int32_t t = 0; t < mesh->triangle_count; ++t) {
        double z =
            mesh_corner(mesh, t, 0).z + mesh_corner(mesh, t, 1).z + mesh_corner(mesh, t, 2).z;
        if (z < 3.0 * height) mesh_move_triangle(mesh, kept++, t);
    }
    mesh->triangle_count = kept;
    return mesh;
}

static void check_closed(const sherd_mesh *mesh)
{
    sherd_self_intersections cuts;
    sherd_mesh_tree tree;
    check_manifold(mesh);
    cr_assert(sherd_mesh_tree_init(&tree, mesh));
    cr_assert(sherd_mesh_self_intersections(mesh, &tree, 10, &cuts));
    cr_assert_eq(cuts.count, 0);
    sherd_mesh_tree_release(&tree);
}

static sherd_mesh *wrap(sherd_mesh *mesh, double edge, double thickness, sherd_wrap_report *report)
{
    sherd_error error;
    sherd_wrap_def def = {
        .edge_length = edge, .thickness = thickness, .least_volume = edge * edge * edge};
    sherd_mesh *out = sherd_mesh_wrap(mesh, "test", &def, report, &error);
    cr_assert_not_null(out, "%s", error.what);
    check_closed(out);
    sherd_mesh_destroy(mesh);
    return out;
}

static double winding_number(const sherd_winding *winding, sherd_vec3 p)
{
    int64_t work = 0;
    double number = sherd_winding_number(winding, p, &work);
    cr_assert_gt(work, 0);
    return number;
}

// By crossings it is exact: against all solid angles one by one, of a ball and of one that is open above, at random
// places, on lines through vertices and on edges seen from above.
Test(wrap, crossings_and_edges_give_winding_numbers)
{
    for (int open = 0; open < 2; ++open) {
        sherd_mesh *mesh = open ? open_above(sphere_mesh(1.0), 0.3) : sphere_mesh(1.0);
        sherd_mesh_tree tree;
        sherd_winding_crossings crossings;
        cr_assert(sherd_mesh_tree_init(&tree, mesh));
        cr_assert(sherd_winding_crossings_init(&crossings, mesh, &tree.bvh, 1000));
        cr_assert(open ? crossings.edge_count > 10 : crossings.edge_count == 0);
        for (int k = 0; k < 3000; ++k) {
            int32_t v = (int32_t)(k * 7919 % mesh->vertex_count);
            sherd_vec3 p = vec3(3 * sherd_random_uniform(1, 0, (uint64_t)k) - 1.5,
                                3 * sherd_random_uniform(1, 1, (uint64_t)k) - 1.5,
                                3 * sherd_random_uniform(1, 2, (uint64_t)k) - 1.5);
            sherd_vec3 below = mesh_vertex(mesh, v);
            if (k % 3 == 1) p.x = below.x, p.y = below.y;
            if (k % 3 == 2) p.x = below.x;
            double want = 0.0, nearest = sqrt(sherd_mesh_tree_nearest(&tree, p).squared);
            for (int32_t t = 0; t < mesh->triangle_count; ++t) {
                sherd_vec3 a = vec3_sub(mesh_corner(mesh, t, 0), p),
                           b = vec3_sub(mesh_corner(mesh, t, 1), p),
                           c = vec3_sub(mesh_corner(mesh, t, 2), p);
                double la = vec3_length(a), lb = vec3_length(b), lc = vec3_length(c);
                want += 2.0 / (4.0 * 3.14159265358979323846) *
                        atan2(vec3_dot(a, vec3_cross(b, c)), la * lb * lc + vec3_dot(a, b) * lc +
                                                                 vec3_dot(b, c) * la +
                                                                 vec3_dot(c, a) * lb);
            }
            int64_t work = 0;
            double got = sherd_winding_by_crossings(&crossings, p, &work);
            // Places are rounded to 1e-9 of the size; nearer to the surface either side may be meant.
            if (nearest > 1e-6)
                cr_assert_float_eq(got, want, 1e-6, "%g for %g: %d, at (%g, %g, %g), %g away", got,
                                   want, k, p.x, p.y, p.z, nearest);
        }
        sherd_winding_crossings_release(&crossings);
        sherd_mesh_tree_release(&tree);
        sherd_mesh_destroy(mesh);
    }
}

Test(wrap, winding_numbers_are_solid_angles)
{
    sherd_mesh *mesh = sphere_mesh(1.0);
    sherd_mesh_tree tree;
    sherd_winding winding;
    cr_assert(sherd_mesh_tree_init(&tree, mesh));
    cr_assert(sherd_winding_init(&winding, mesh, &tree.bvh));
    for (int k = 0; k < 40; ++k) {
        double r = 0.06 * k + 0.01, want = r < 1.0 ? 1.0 : 0.0;
        sherd_vec3 p = vec3(r * cos(k), r * sin(k) * 0.8, r * sin(k) * 0.6);
        if (fabs(r - 1.0) > 0.03)
            cr_assert_float_eq(winding_number(&winding, p), want, 0.01, "at %g: %g", r,
                               winding_number(&winding, p));
    }
    sherd_winding_release(&winding);
    sherd_mesh_tree_release(&tree);
    sherd_mesh_destroy(mesh);
    // Under a half sphere's rim: the solid angle of its opening is missing.
    mesh = open_above(sphere_mesh(1.0), 0.0);
    cr_assert(sherd_mesh_tree_init(&tree, mesh));
    cr_assert(sherd_winding_init(&winding, mesh, &tree.bvh));
    cr_assert_float_eq(winding_number(&winding, vec3(0.0, 0.0, 0.0)), 0.5, 0.02);
    double cone = 0.5 * (1.0 - 0.5 / sqrt(1.25));
    cr_assert_float_eq(winding_number(&winding, vec3(0.0, 0.0, -0.5)), 1.0 - cone, 0.02);
    sherd_winding_release(&winding);
    sherd_mesh_tree_release(&tree);
    sherd_mesh_destroy(mesh);
}

Test(wrap, overlapping_boxes_are_one)
{
    sherd_wrap_report report;
    sherd_mesh *a = surface_of(sherd_shape_box(vec3(1, 1, 1), NULL), 2.0),
               *b = surface_of(sherd_shape_box(vec3(0.6, 0.6, 0.6), NULL), 2.0);
    for (int32_t t = 0; t < b->triangle_count; ++t)
        mesh_flip_triangle(b, t); // inside out
    sherd_mesh *mesh = wrap(both(a, b, vec3(0.4, 0.4, 0.4)), 0.04, 0.0, &report);
    cr_assert_float_eq(sherd_mesh_volume(mesh), 1.152, 0.003);
    cr_assert_float_eq(report.volume, sherd_mesh_volume(mesh), 1e-12);
    cr_assert_eq(report.pieces, 1);
    cr_assert_lt(report.distance, 0.6 * 0.04); // 0.3 radii where edges are half a radius
    cr_assert_eq(report.turned_triangles, 12);
    sherd_mesh_destroy(mesh);
}

Test(wrap, open_and_doubled_spheres_are_closed)
{
    sherd_wrap_report report;
    sherd_mesh *mesh = wrap(open_above(sphere_mesh(1.0), 0.9), 0.05, 0.0, &report);
    double cap = PI * 0.01 * (3.0 - 0.1) / 3.0; // at most that is cut off
    double whole = 4.0 / 3.0 * PI;
    cr_assert_gt(sherd_mesh_volume(mesh), 0.98 * whole - cap);
    cr_assert_gt(report.closed_share, 0.0);
    sherd_mesh_destroy(mesh);
    mesh =
        wrap(both(sphere_mesh(1.0), sphere_mesh(1.0), vec3(0.001, 0.002, 0.0)), 0.05, 0.0, &report);
    cr_assert_float_eq(sherd_mesh_volume(mesh), whole, 0.02 * whole);
    cr_assert_float_eq(report.closed_share, 0.0, 1e-12);
    sherd_mesh_destroy(mesh);
}

// Sides of a unit cube without its top, from `first` to before `last`: squares of two triangles each, or of four about a point
// inside. Faces outwards, or inwards.
static sherd_mesh *open_cube(int first, int last, bool fans, bool inwards)
{
    static const int CORNER[5][4] = {
        {0, 2, 3, 1}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    int sides = last - first, each = fans ? 4 : 2;
    sherd_mesh *mesh = sherd_mesh_create(8 + sides, each * sides, NULL);
    for (int v = 0; v < 8; ++v)
        mesh_set_vertex(mesh, v, vec3(v & 1, v >> 1 & 1, v >> 2));
    for (int s = 0; s < sides; ++s) {
        const int *c = CORNER[first + s];
        sherd_vec3 low = mesh_vertex(mesh, c[0]), high = mesh_vertex(mesh, c[2]);
        mesh_set_vertex(mesh, 8 + s, vec3_add_scaled(low, 0.53, vec3_sub(high, low)));
        for (int k = 0; k < each; ++k) {
            if (fans)
                mesh_set_triangle(mesh, each * s + k, c[k], c[(k + 1) % 4], 8 + s);
            else
                mesh_set_triangle(mesh, each * s + k, c[0], c[1 + k], c[2 + k]);
            if (inwards) mesh_flip_triangle(mesh, each * s + k);
        }
    }
    return mesh;
}

// An open box counts once, whatever there is twice of it and however that faces and is divided.
Test(wrap, walls_in_one_place_count_once)
{
    const sherd_vec3 here = {0.0, 0.0, 0.0};
    sherd_wrap_report report;
    sherd_mesh *once = wrap(open_cube(0, 5, false, false), 0.05, 0.0, &report);
    double want = sherd_mesh_volume(once);
    cr_assert_float_eq(want, 0.98, 0.01); // the opening is closed by a dent
    sherd_mesh_destroy(once);
    for (int k = 0; k < 4; ++k) {
        int sides = k < 2 ? 5 : 2;
        sherd_mesh *twice =
            wrap(both(open_cube(0, 5, false, false), open_cube(0, sides, true, k % 2 == 1), here),
                 0.05, 0.0, &report);
        cr_assert_float_eq(sherd_mesh_volume(twice), want, 0.01, "case %d: %g", k,
                           sherd_mesh_volume(twice));
        cr_assert_lt(0, report.inner_triangles);
        sherd_mesh_destroy(twice);
    }
}

// Two boxes side by side, open above, whose common wall both have: it cancels out.
Test(wrap, rooms_may_share_a_wall)
{
    sherd_wrap_report report;
    sherd_mesh *rooms =
        wrap(both(open_cube(0, 5, false, false), open_cube(0, 5, true, false), vec3(1.0, 0.0, 0.0)),
             0.05, 0.0, &report);
    cr_assert_float_eq(sherd_mesh_volume(rooms), 1.96, 0.03);
    sherd_mesh_destroy(rooms);
}

Test(wrap, sheets_ask_for_a_thickness)
{
    sherd_error error;
    sherd_wrap_def def = {.edge_length = 0.05, .least_volume = 1e-3};
    sherd_mesh *sheet = sherd_mesh_create(4, 2, NULL);
    for (int32_t v = 0; v < 4; ++v)
        mesh_set_vertex(sheet, v, vec3(v & 1, v >> 1, 0.0));
    mesh_set_triangle(sheet, 0, 0, 1, 3);
    mesh_set_triangle(sheet, 1, 0, 3, 2);
    cr_assert_null(sherd_mesh_wrap(sheet, "sheet", &def, NULL, &error));
    cr_assert_not_null(strstr(error.hint, "thickness"), "%s", error.hint);
    sherd_wrap_report report;
    sherd_mesh *mesh = wrap(sheet, 0.05, 0.2, &report);
    // A plate with a rounded rim.
    double want = 0.2 + 4.0 * 0.5 * PI * 0.01 + 4.0 / 3.0 * PI * 0.001;
    cr_assert_float_eq(sherd_mesh_volume(mesh), want, 0.01 * want);
    sherd_mesh_destroy(mesh);
}

Test(wrap, attributes_come_from_the_nearest_place)
{
    sherd_mesh *mesh = open_above(sphere_mesh(1.0), 0.8);
    size_t n = (size_t)mesh->vertex_count, m = (size_t)mesh->triangle_count;
    mesh->color = calloc(3 * n, sizeof *mesh->color);
    mesh->group = calloc(m, sizeof *mesh->group);
    mesh->group_names = calloc(10, 1);
    memcpy(mesh->group_names, "low\0high", 9);
    mesh->group_count = 2;
    for (int32_t v = 0; v < mesh->vertex_count; ++v)
        mesh->color[3 * v] = (float)(0.5 + 0.5 * mesh_vertex(mesh, v).x);
    for (int32_t t = 0; t < mesh->triangle_count; ++t)
        mesh->group[t] = mesh_corner(mesh, t, 0).z > 0.0;
    sherd_wrap_report report;
    sherd_mesh *out = wrap(mesh, 0.06, 0.0, &report);
    cr_assert_str_eq(sherd_mesh_group_name(out, 1), "high");
    cr_assert_str_eq(sherd_mesh_group_name(out, 2), "");
    for (int32_t v = 0; v < out->vertex_count; ++v)
        if (mesh_vertex(out, v).z < 0.7) // not on the lid
            cr_assert_float_eq((double)out->color[3 * v], 0.5 + 0.5 * mesh_vertex(out, v).x, 0.08);
    for (int32_t t = 0; t < out->triangle_count; ++t) {
        double z = mesh_corner(out, t, 0).z;
        if (fabs(z) > 0.2) cr_assert_eq(out->group[t], z > 0.0);
    }
    sherd_mesh_destroy(out);
}

Test(wrap, bad_input_is_refused)
{
    sherd_error error;
    sherd_wrap_def def = {.edge_length = 0.1};
    sherd_mesh *mesh = sherd_mesh_create(3, 1, NULL);
    mesh_set_triangle(mesh, 0, 0, 1, 2); // all at one place
    cr_assert_null(sherd_mesh_wrap(mesh, NULL, &def, NULL, &error));
    mesh->vertices[0] = NAN;
    cr_assert_null(sherd_mesh_wrap(mesh, NULL, &def, NULL, &error));
    mesh->vertices[0] = 0.0;
    def.edge_length = -1.0;
    cr_assert_null(sherd_mesh_wrap(mesh, NULL, &def, NULL, &error));
    sherd_mesh_destroy(mesh);
}

// So fine a grid that it must be coarser; and one with a single cell.
Test(wrap, extreme_edges_are_bounded)
{
    sherd_wrap_report report;
    sherd_mesh *far =
        both(surface_of(sherd_shape_box(vec3(1, 1, 1), NULL), 2.0),
             surface_of(sherd_shape_box(vec3(1, 1, 1), NULL), 2.0), vec3(1000, 1000, 1000));
    sherd_mesh *mesh = wrap(far, 0.4, 0.0, &report);
    cr_assert_geq(report.edge_length, 0.4);
    sherd_mesh_destroy(mesh);
    mesh = wrap(sphere_mesh(1.0), 1.0, 0.0, &report);
    cr_assert_gt(sherd_mesh_volume(mesh), 1.5);
    sherd_mesh_destroy(mesh);
}
