// Verdicts on meshes: what is repaired, what is refused, and with which words.
#include "base/memory.h"
#include "geometry/mesh/mesh_access.h"

#include <sherd/shape.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <string.h>

static sherd_mesh *box_mesh(double size)
{
    sherd_error error;
    sherd_shape *box = sherd_shape_box((sherd_vec3){size, size, size}, &error);
    sherd_mesh *mesh = sherd_shape_surface(box, 10.0 * size, &error);
    sherd_shape_destroy(box);
    cr_assert(mesh != NULL && mesh->triangle_count == 12);
    return mesh;
}

// Every triangle with its own three corners, as in an STL file.
static sherd_mesh *unwelded(const sherd_mesh *mesh)
{
    sherd_error error;
    sherd_mesh *soup = sherd_mesh_create(3 * mesh->triangle_count, mesh->triangle_count, &error);
    for (int32_t t = 0; t < mesh->triangle_count; ++t)
        for (int k = 0; k < 3; ++k) {
            mesh_set_vertex(soup, 3 * t + k, mesh_corner(mesh, t, k));
            soup->triangles[3 * t + k] = 3 * t + k;
        }
    return soup;
}

// Both meshes in one.
static sherd_mesh *together(sherd_mesh *a, sherd_mesh *b)
{
    sherd_error error;
    sherd_mesh *sum = sherd_mesh_create(a->vertex_count + b->vertex_count,
                                        a->triangle_count + b->triangle_count, &error);
    memcpy(sum->vertices, a->vertices, 24 * (size_t)a->vertex_count);
    memcpy(sum->vertices + 3 * a->vertex_count, b->vertices, 24 * (size_t)b->vertex_count);
    memcpy(sum->triangles, a->triangles, 12 * (size_t)a->triangle_count);
    for (int32_t c = 0; c < 3 * b->triangle_count; ++c)
        sum->triangles[3 * a->triangle_count + c] = b->triangles[c] + a->vertex_count;
    sherd_mesh_destroy(a);
    sherd_mesh_destroy(b);
    return sum;
}

static void shift(sherd_mesh *mesh, double x)
{
    for (int32_t v = 0; v < mesh->vertex_count; ++v)
        mesh->vertices[3 * v] += x;
}

static void flip(sherd_mesh *mesh, int32_t t)
{
    int32_t swap = mesh->triangles[3 * t];
    mesh->triangles[3 * t] = mesh->triangles[3 * t + 1];
    mesh->triangles[3 * t + 1] = swap;
}

static sherd_mesh_report expect_good(sherd_mesh *mesh, double volume)
{
    sherd_error error = {0};
    sherd_mesh_report report;
    cr_assert(eq(int, sherd_mesh_repair(mesh, "test", &report, &error), SHERD_OK), "%s",
              error.what);
    cr_assert(epsilon_eq(dbl, report.volume, volume, 1e-6 * fabs(volume))); // the welding tolerance
    sherd_mesh_destroy(mesh);
    return report;
}

static void expect_bad(sherd_mesh *mesh, const char *words)
{
    sherd_error error = {0};
    cr_assert(eq(int, sherd_mesh_repair(mesh, "test", NULL, &error), SHERD_ERROR_INPUT));
    cr_assert(strstr(error.what, words) != NULL, "got: %s", error.what);
    cr_assert(error.hint[0] != '\0');
    sherd_mesh_destroy(mesh);
}

Test(mesh_repair, harmless_faults_are_repaired)
{
    sherd_mesh *box = box_mesh(1.0);
    cr_assert(eq(int, expect_good(unwelded(box), 1.0).merged_vertices, 28));
    flip(box, 3), flip(box, 7);
    cr_assert(expect_good(box, 1.0).flipped_triangles >= 2);
    box = box_mesh(1.0);
    for (int32_t t = 0; t < 12; ++t)
        flip(box, t);
    cr_assert(eq(int, expect_good(box, 1.0).flipped_triangles, 12));
    box = box_mesh(1.0);
    box->triangle_count = 11; // half of a side is missing
    sherd_mesh_report report = expect_good(box, 1.0);
    cr_assert(eq(int, report.filled_holes, 1));
    cr_assert(epsilon_eq(dbl, report.widest_filled_hole, sqrt(2.0), 1e-6));
    box = together(box_mesh(1.0), box_mesh(1.0)); // everything twice
    cr_assert(eq(int, expect_good(box, 1.0).duplicate_triangles, 12));
}

Test(mesh_repair, scales_do_not_matter)
{
    for (int k = 0; k < 2; ++k) {
        double side = k == 0 ? 1e-9 : 1e9;
        sherd_mesh *box = box_mesh(side);
        expect_good(unwelded(box), side * side * side);
        sherd_mesh_destroy(box);
    }
}

Test(mesh_repair, cavities_and_separate_parts)
{
    sherd_mesh_report report = expect_good(together(box_mesh(2.0), box_mesh(1.0)), 7.0);
    cr_assert(eq(int, report.components, 2));
    sherd_mesh *right = box_mesh(1.0);
    shift(right, 3.0);
    for (int32_t t = 0; t < 12; ++t)
        flip(right, t);
    expect_good(together(box_mesh(1.0), right), 2.0);
}

Test(mesh_repair, refusals_say_why)
{
    sherd_error error;
    expect_bad(sherd_mesh_create(3, 0, &error), "empty");
    sherd_mesh *mesh = box_mesh(1.0);
    mesh->vertices[4] = NAN;
    expect_bad(mesh, "finite");
    mesh = box_mesh(1.0);
    mesh->triangles[5] = 99;
    expect_bad(mesh, "99");
    // Two boxes that overlap cut each other.
    sherd_mesh *other = box_mesh(1.0);
    for (int32_t v = 0; v < other->vertex_count; ++v)
        for (int k = 0; k < 3; ++k)
            other->vertices[3 * v + k] += 0.3 + 0.1 * k;
    expect_bad(together(box_mesh(1.0), other), "cuts through itself");
    // A third triangle on an edge.
    mesh = box_mesh(1.0);
    other = sherd_mesh_create(3, 1, &error);
    mesh_set_vertex(other, 0, mesh_corner(mesh, 0, 0));
    mesh_set_vertex(other, 1, mesh_corner(mesh, 0, 1));
    mesh_set_vertex(other, 2, vec3(5.0, 5.0, 5.0));
    mesh_set_triangle(other, 0, 0, 1, 2);
    expect_bad(together(mesh, other), "three or more");
    // All vertices at one place.
    mesh = box_mesh(1.0);
    memset(mesh->vertices, 0, 24 * (size_t)mesh->vertex_count);
    expect_bad(mesh, "no extent");
}

// A tube open at both ends whose rims have more edges than a small hole.
Test(mesh_repair, large_openings_stay_refused)
{
    enum { N = 100 };
    sherd_error error;
    sherd_mesh *tube = sherd_mesh_create(2 * N, 2 * N, &error);
    for (int k = 0; k < N; ++k) {
        double angle = 6.283185307179586 * k / N;
        mesh_set_vertex(tube, k, vec3(cos(angle), sin(angle), 0.0));
        mesh_set_vertex(tube, N + k, vec3(cos(angle), sin(angle), 1.0));
        int next = (k + 1) % N;
        mesh_set_triangle(tube, 2 * k, k, next, N + next);
        mesh_set_triangle(tube, 2 * k + 1, k, N + next, N + k);
    }
    expect_bad(tube, "the mesh is open: 200 edges");
}

// Drops what lies above z.
static sherd_mesh *cut_above(sherd_mesh *mesh, double z)
{
    int32_t kept = 0;
    for (int32_t t = 0; t < mesh->triangle_count; ++t) {
        bool above = true;
        for (int k = 0; k < 3; ++k)
            above = above && mesh_corner(mesh, t, k).z > z;
        if (!above) mesh_move_triangle(mesh, kept++, t);
    }
    mesh->triangle_count = kept;
    return mesh;
}

static sherd_mesh *surface_of(sherd_shape *shape, double edge_length)
{
    sherd_mesh *mesh = sherd_shape_surface(shape, edge_length, NULL);
    sherd_shape_destroy(shape);
    cr_assert(mesh != NULL);
    return mesh;
}

// What is open by design stays open, however few edges its rim has.
Test(mesh_repair, openings_are_no_holes)
{
    sherd_mesh *box = box_mesh(1.0);
    box->triangle_count = 10; // without a lid
    expect_bad(box, "4 edges have only one triangle");
    box = box_mesh(1.0);
    box->triangle_count = 6; // three sides
    expect_bad(box, "the mesh is open");
    // A square tube, five times as long as wide; a cup: a rim of fewer than 64 edges.
    box = box_mesh(1.0);
    for (int32_t v = 0; v < box->vertex_count; ++v)
        box->vertices[3 * v + 2] *= 5.0;
    expect_bad(cut_above(box, 2.0), "at the widest hole: 1.41 m across");
    expect_bad(cut_above(surface_of(sherd_shape_sphere(1.0, NULL), 0.3), 0.1), "m across");
}

Test(mesh_repair, small_holes_are_closed)
{
    const double z[] = {0.99, 0.95};
    for (int k = 0; k < 2; ++k) {
        sherd_mesh *ball = surface_of(sherd_shape_sphere(1.0, NULL), 0.1);
        double volume = sherd_mesh_volume(ball);
        cut_above(ball, z[k]);
        // Within circles of radius sqrt(1 - z^2) = 0.14 and 0.31, whose boxes are 0.40 and 0.88
        // across; the ball's is 2 sqrt(3) = 3.5.
        sherd_error error = {0};
        sherd_mesh_report report;
        sherd_status status = sherd_mesh_repair(ball, "ball", &report, &error);
        cr_assert(eq(int, status, k == 0 ? SHERD_OK : SHERD_ERROR_INPUT), "%s", error.what);
        if (k == 0) cr_assert(report.filled_holes == 1 && report.widest_filled_hole < 0.4);
        if (k == 0) cr_assert(epsilon_eq(dbl, report.volume, volume, 1e-3 * volume));
        sherd_mesh_destroy(ball);
    }
}

// The size of the piece counts: a small thing beside a large one is not closed for that.
Test(mesh_repair, holes_are_measured_against_their_piece)
{
    sherd_mesh *small = box_mesh(0.05);
    shift(small, 1.0);
    small->triangle_count = 10;
    expect_bad(together(box_mesh(1.0), small), "4 edges have only one triangle");
}

// Solids that overlap with faces on common planes cut each other only along edges and in those
// planes.
Test(mesh_repair, overlap_on_common_planes_is_refused)
{
    sherd_mesh *other = box_mesh(1.0);
    shift(other, 0.5);
    expect_bad(together(box_mesh(1.0), other), "cuts through itself");
    // A bar whose edges run through the diagonals of the other's faces.
    other = box_mesh(0.5);
    for (int32_t v = 0; v < other->vertex_count; ++v)
        other->vertices[3 * v + 2] *= 4.0;
    expect_bad(together(box_mesh(1.0), other), "cuts through itself");
}

Test(mesh_repair, solid_in_a_cavity_in_a_solid)
{
    sherd_mesh *nested = together(together(box_mesh(3.0), box_mesh(1.0)), box_mesh(2.0));
    expect_good(nested, 27.0 - 8.0 + 1.0);
}

Test(mesh_repair, only_the_wrong_triangle_is_counted)
{
    for (int32_t t = 0; t < 12; ++t) {
        sherd_mesh *box = box_mesh(1.0);
        flip(box, t);
        cr_assert(eq(int, expect_good(box, 1.0).flipped_triangles, 1), "triangle %d", t);
    }
}

// Corners of one place that differ by less than the tolerance, on all sides of it.
Test(mesh_repair, noise_within_the_tolerance_is_welded)
{
    sherd_shape *ball = sherd_shape_sphere(1.0, NULL);
    sherd_mesh *mesh = sherd_shape_surface(ball, 0.1, NULL), *soup = unwelded(mesh);
    for (int32_t k = 0; k < 3 * soup->vertex_count; ++k)
        soup->vertices[k] += 4e-7 * sin(1e3 * k); // the tolerance is 1e-6 of 2 sqrt(3)
    sherd_mesh_report report = expect_good(soup, sherd_mesh_volume(mesh));
    cr_assert(eq(int, report.merged_vertices, 3 * mesh->triangle_count - mesh->vertex_count));
    sherd_mesh_destroy(mesh);
    sherd_shape_destroy(ball);
}

Test(mesh_repair, vertices_of_no_triangle_do_not_matter)
{
    sherd_mesh *stray = sherd_mesh_create(1, 0, NULL);
    stray->vertices[0] = 1e9;
    sherd_mesh_report report = expect_good(together(box_mesh(1.0), stray), 1.0);
    cr_assert(eq(dbl, report.bounds.high.x, 0.5));
}

// Loose triangles all across each other: quickly refused as open, and not doubled into closed ones.
Test(mesh_repair, triangle_soup_is_open)
{
    enum { N = 20000 };
    sherd_mesh *soup = sherd_mesh_create(3 * N, N, NULL);
    for (int32_t k = 0; k < 9 * N; ++k)
        soup->vertices[k] = fmod(k * 0.6180339887498949, 1.0) + 0.1 * sin(k);
    for (int32_t k = 0; k < 3 * N; ++k)
        soup->triangles[k] = k;
    expect_bad(soup, "60000 edges have only one triangle");
}

// Texture coordinates and paint that follow from the position, so that they can be checked anywhere.
static void paint(sherd_mesh *mesh)
{
    mesh->uv = sherd_alloc(6 * (size_t)mesh->triangle_count, sizeof *mesh->uv);
    mesh->color = sherd_alloc(3 * (size_t)mesh->vertex_count, sizeof *mesh->color);
    for (int32_t c = 0; c < 3 * mesh->triangle_count; ++c) {
        sherd_vec3 p = mesh_vertex(mesh, mesh->triangles[c]);
        mesh->uv[2 * c] = (float)(p.x + 2.0 * p.z), mesh->uv[2 * c + 1] = (float)(p.y - p.z);
    }
    for (int32_t v = 0; v < mesh->vertex_count; ++v) {
        sherd_vec3 p = mesh_vertex(mesh, v);
        const double color[3] = {p.x, p.y, p.z};
        for (int k = 0; k < 3; ++k)
            mesh->color[3 * v + k] = (float)(0.5 + 0.5 * color[k]);
    }
}

static void expect_painted(const sherd_mesh *mesh)
{
    for (int32_t c = 0; c < 3 * mesh->triangle_count; ++c) {
        sherd_vec3 p = mesh_vertex(mesh, mesh->triangles[c]);
        // Single precision.
        cr_assert(epsilon_eq(dbl, (double)mesh->uv[2 * c], p.x + 2.0 * p.z, 1e-6));
        cr_assert(epsilon_eq(dbl, (double)mesh->uv[2 * c + 1], p.y - p.z, 1e-6));
        cr_assert(epsilon_eq(dbl, (double)mesh->color[3 * mesh->triangles[c] + 1], 0.5 + 0.5 * p.y,
                             1e-6));
    }
}

Test(mesh_repair, texture_coordinates_and_paint_are_kept)
{
    sherd_shape *shape = sherd_shape_box((sherd_vec3){1.0, 1.0, 1.0}, NULL);
    sherd_mesh *whole = sherd_shape_surface(shape, 0.04, NULL), *mesh = unwelded(whole);
    sherd_shape_destroy(shape);
    sherd_mesh_destroy(whole);
    // Some turned, a doubled one, one without area; a hole of one and one of several.
    for (int32_t t = 0; t < 40; t += 7)
        flip(mesh, t);
    for (int k = 0; k < 3; ++k)
        mesh->triangles[3 * 50 + k] = mesh->triangles[3 * 51 + k];
    mesh->triangles[3 * 60 + 1] = mesh->triangles[3 * 60];
    sherd_vec3 corner = mesh_corner(mesh, 100, 0);
    for (int32_t t = 0; t < mesh->triangle_count; ++t)
        for (int k = 0; k < 3; ++k)
            if (vec3_distance(mesh_corner(mesh, t, k), corner) < 1e-9)
                mesh->triangles[3 * t] = mesh->triangles[3 * t + 1];
    paint(mesh);
    sherd_error error = {0};
    sherd_mesh_report report;
    cr_assert(eq(int, sherd_mesh_repair(mesh, "test", &report, &error), SHERD_OK), "%s",
              error.what);
    cr_assert(report.flipped_triangles > 0 && report.duplicate_triangles == 1);
    cr_assert(report.degenerate_triangles > 3 && report.filled_holes == 3);
    expect_painted(mesh);
    // Inside out as a whole.
    for (int32_t t = 0; t < mesh->triangle_count; ++t)
        mesh_flip_triangle(mesh, t);
    expect_painted(mesh);
    cr_assert(eq(int, sherd_mesh_repair(mesh, "test", &report, &error), SHERD_OK));
    cr_assert(eq(int, report.flipped_triangles, mesh->triangle_count));
    expect_painted(mesh);
    sherd_mesh_destroy(mesh);
}
