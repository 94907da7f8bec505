// geometry: signed distance to closed triangle meshes.
#include "base/random.h"
#include "geometry/mesh/mesh_access.h"
#include "geometry/shape/shape_kind.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

// A bumpy ball: rings of vertices between two poles.
static sherd_mesh *blob(int side, double radius, double bumps)
{
    int rings = side, around = 2 * side;
    sherd_mesh *mesh = sherd_mesh_create(2 + rings * around, 2 * rings * around, NULL);
    for (int r = 0; r < rings; ++r)
        for (int k = 0; k < around; ++k) {
            double theta = PI * (r + 1) / (rings + 1), phi = 2.0 * PI * k / around;
            double at = radius * (1.0 + bumps * sin(3.0 * phi) * sin(theta) * sin(4.0 * theta));
            mesh_set_vertex(
                mesh, 2 + r * around + k,
                vec3(at * sin(theta) * cos(phi), at * sin(theta) * sin(phi), at * cos(theta)));
        }
    mesh_set_vertex(mesh, 0, vec3(0, 0, radius));
    mesh_set_vertex(mesh, 1, vec3(0, 0, -radius));
    int32_t t = 0;
    for (int k = 0; k < around; ++k) {
        int32_t next = (k + 1) % around, last = 2 + (rings - 1) * around;
        mesh_set_triangle(mesh, t++, 0, 2 + k, 2 + next);
        mesh_set_triangle(mesh, t++, 1, last + next, last + k);
        for (int r = 0; r + 1 < rings; ++r) {
            int32_t a = 2 + r * around + k, b = 2 + r * around + next;
            mesh_set_triangle(mesh, t++, a, a + around, b + around);
            mesh_set_triangle(mesh, t++, a, b + around, b);
        }
    }
    return mesh;
}

static sherd_mesh *cube(double size)
{
    static const int32_t corners[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6},
                                           {0, 1, 4}, {1, 5, 4}, {2, 6, 3}, {3, 6, 7},
                                           {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    sherd_mesh *mesh = sherd_mesh_create(8, 12, NULL);
    for (int k = 0; k < 8; ++k)
        mesh_set_vertex(
            mesh, k, vec3_scale(size, vec3((k & 1) - 0.5, (k >> 1 & 1) - 0.5, (k >> 2 & 1) - 0.5)));
    memcpy(mesh->triangles, corners, sizeof corners);
    return mesh;
}

static sherd_vec3 random_point(double half, uint64_t k)
{
    return vec3(half * (2.0 * sherd_random_uniform(2, 0, k) - 1.0),
                half * (2.0 * sherd_random_uniform(2, 1, k) - 1.0),
                half * (2.0 * sherd_random_uniform(2, 2, k) - 1.0));
}

static sherd_shape *shape_of(sherd_mesh *mesh)
{
    sherd_error error = {0};
    sherd_shape *shape = sherd_shape_mesh(mesh, &error);
    cr_assert(shape != NULL, "%s", error.what);
    sherd_mesh_destroy(mesh);
    return shape;
}

Test(shape_mesh, cube_mesh_equals_box)
{
    sherd_shape *mesh = shape_of(cube(2.0)), *box = sherd_shape_box(vec3(2, 2, 2), NULL);
    for (uint64_t k = 0; k < 20000; ++k) {
        sherd_vec3 p = random_point(2.0, k);
        // Rounding. Signs included: points near edges and corners are where they go wrong.
        cr_assert(
            epsilon_eq(dbl, sherd_shape_distance(mesh, p), sherd_shape_distance(box, p), 1e-14));
    }
    cr_assert(epsilon_eq(dbl, sherd_shape_volume(mesh), 8.0, 1e-14));
    sherd_shape_destroy(mesh);
    sherd_shape_destroy(box);
}

// 1 inside, 0 outside: slow, and independent of pseudonormals.
static double winding_number(const sherd_mesh *mesh, sherd_vec3 p)
{
    double sum = 0.0; // of solid angles (Van Oosterom and Strackee 1983)
    for (int32_t t = 0; t < mesh->triangle_count; ++t) {
        sherd_vec3 a = vec3_sub(mesh_corner(mesh, t, 0), p);
        sherd_vec3 b = vec3_sub(mesh_corner(mesh, t, 1), p);
        sherd_vec3 c = vec3_sub(mesh_corner(mesh, t, 2), p);
        double la = vec3_length(a), lb = vec3_length(b), lc = vec3_length(c);
        sum += 2.0 *
               atan2(vec3_dot(a, vec3_cross(b, c)), la * lb * lc + vec3_dot(a, b) * lc +
                                                        vec3_dot(b, c) * la + vec3_dot(c, a) * lb);
    }
    return sum / (4.0 * PI);
}

static double segment_distance(sherd_vec3 p, sherd_vec3 a, sherd_vec3 b)
{
    sherd_vec3 ab = vec3_sub(b, a);
    double s = vec3_dot(vec3_sub(p, a), ab) / vec3_dot(ab, ab);
    return vec3_distance(p, vec3_add_scaled(a, fmin(fmax(s, 0.0), 1.0), ab));
}

static double brute_force_distance(const sherd_mesh *mesh, sherd_vec3 p)
{
    double best = INFINITY;
    for (int32_t t = 0; t < mesh->triangle_count; ++t) {
        sherd_vec3 c[3], n = vec3_normalize(mesh_area_vector(mesh, t));
        bool above = true;
        for (int k = 0; k < 3; ++k)
            c[k] = mesh_corner(mesh, t, k);
        for (int k = 0; k < 3; ++k) {
            sherd_vec3 edge = vec3_sub(c[(k + 1) % 3], c[k]);
            above = above && vec3_dot(vec3_cross(n, edge), vec3_sub(p, c[k])) >= 0.0;
            best = fmin(best, segment_distance(p, c[k], c[(k + 1) % 3]));
        }
        if (above) best = fmin(best, fabs(vec3_dot(n, vec3_sub(p, c[0]))));
    }
    return best;
}

Test(shape_mesh, agrees_with_brute_force)
{
    sherd_mesh *mesh = blob(24, 1.0, 0.5);
    sherd_shape *shape = sherd_shape_mesh(mesh, NULL);
    for (uint64_t k = 0; k < 2000; ++k) {
        sherd_vec3 p = random_point(1.6, k);
        double expected = brute_force_distance(mesh, p);
        if (winding_number(mesh, p) > 0.5) expected = -expected;
        cr_assert(epsilon_eq(dbl, sherd_shape_distance(shape, p), expected, 1e-13)); // rounding
    }
    sherd_shape_destroy(shape);
    sherd_mesh_destroy(mesh);
}

Test(shape_mesh, sign_is_right_next_to_vertices_and_edges)
{
    sherd_mesh *mesh = blob(12, 1.0, 0.6);
    sherd_shape *shape = sherd_shape_mesh(mesh, NULL);
    for (int32_t t = 0; t < mesh->triangle_count; ++t)
        for (uint64_t k = 0; k < 20; ++k) {
            // A random point within 1e-6 of a vertex, an edge's middle and a face's centre.
            sherd_vec3 a = mesh_corner(mesh, t, 0), b = mesh_corner(mesh, t, 1);
            sherd_vec3 at =
                k % 3 == 0 ? a
                : k % 3 == 1
                    ? vec3_scale(0.5, vec3_add(a, b))
                    : vec3_scale(1.0 / 3.0, vec3_add(vec3_add(a, b), mesh_corner(mesh, t, 2)));
            sherd_vec3 p = vec3_add(at, random_point(1e-6, 20 * (uint64_t)t + k));
            if (fabs(sherd_shape_distance(shape, p)) < 1e-10) continue; // winding is noisy there
            bool inside = winding_number(mesh, p) > 0.5;
            bool negative = sherd_shape_distance(shape, p) < 0.0;
            cr_assert(negative == inside);
        }
    sherd_shape_destroy(shape);
    sherd_mesh_destroy(mesh);
}

Test(shape_mesh, normal_is_the_gradient)
{
    sherd_shape *shape = shape_of(blob(24, 1.0, 0.5));
    int compared = 0;
    for (uint64_t k = 0; k < 2000; ++k) {
        sherd_vec3 p = random_point(1.6, k), n;
        double d = sherd_shape_distance_and_normal(shape, p, &n);
        cr_assert(epsilon_eq(dbl, vec3_length(n), 1.0, 1e-12));
        cr_assert(fabs(sherd_shape_distance(shape, vec3_add_scaled(p, -d, n))) < 1e-12);
        const double h = 1e-6;
        double ahead = sherd_shape_distance(shape, vec3_add_scaled(p, h, n));
        if (fabs(ahead - d - h) < 1e-9) ++compared;
    }
    cr_assert(compared > 1950, "%d", compared); // the rest lie within 1e-6 of the medial axis
    sherd_shape_destroy(shape);
}

Test(shape_mesh, what_is_not_closed_is_refused)
{
    sherd_error error = {0};
    sherd_mesh *mesh = cube(1.0);
    mesh->triangle_count = 11;
    cr_assert(sherd_shape_mesh(mesh, &error) == NULL);
    cr_assert(strstr(error.what, "11 triangles, 3 open edges") != NULL, "%s", error.what);
    mesh->triangle_count = 12;
    mesh_set_triangle(mesh, 11, 3, 5, 7);
    cr_assert(sherd_shape_mesh(mesh, &error) == NULL);
    cr_assert(strstr(error.what, "3 between opposed triangles") != NULL, "%s", error.what);
    mesh->triangles[4] = 99;
    cr_assert(sherd_shape_mesh(mesh, &error) == NULL);
    cr_assert(strstr(error.what, "triangle 1 has the corner 99") != NULL, "%s", error.what);
    sherd_mesh_destroy(mesh);
}

Test(shape_mesh, inside_out_is_refused)
{
    sherd_error error = {0};
    sherd_mesh *mesh = cube(1.0);
    for (int32_t t = 0; t < 12; ++t) {
        int32_t *corner = mesh->triangles + 3 * t, swap = corner[0];
        corner[0] = corner[1];
        corner[1] = swap;
    }
    cr_assert(sherd_shape_mesh(mesh, &error) == NULL);
    cr_assert(strstr(error.what, "positive volume, got -1") != NULL, "%s", error.what);
    sherd_mesh_destroy(mesh);
}
