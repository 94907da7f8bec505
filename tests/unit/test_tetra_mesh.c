// tetra_mesh: shapes filled with tetrahedra, their quality and boundary.
#include "geometry/mesh/mesh_access.h"
#include "geometry/tetra/tetra_mesh.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <string.h>

static const double DEGREE = 3.14159265358979323846 / 180.0;

static sherd_tetra_lattice_def def_of(double size, double jitter)
{
    sherd_tetra_lattice_def def = sherd_tetra_lattice_def_default();
    def.size = size;
    def.jitter = jitter;
    def.seed = 3;
    def.threads = 2;
    return def;
}

static sherd_tetra_mesh *fill(const sherd_shape *shape, double size, double jitter)
{
    sherd_error error;
    sherd_tetra_lattice_def def = def_of(size, jitter);
    cr_assert(shape != NULL);
    sherd_tetra_mesh *mesh = sherd_tetra_mesh_fill(shape, &def, &error);
    cr_assert(mesh != NULL, "%s: %s", error.where, error.what);
    return mesh;
}

// A closed boundary that repair finds nothing wrong with, a volume within `share` of the shape's and
// dihedral angles within limits.
static void check(sherd_shape *shape, double size, double jitter, double share, double least_angle)
{
    sherd_error error;
    sherd_tetra_mesh *mesh = fill(shape, size, jitter);
    double wanted = sherd_shape_volume(shape);
    cr_assert(epsilon_eq(dbl, sherd_tetra_mesh_volume(mesh), wanted, share * wanted));
    sherd_tetra_quality q = sherd_tetra_mesh_quality(mesh);
    cr_assert(lt(dbl, least_angle * DEGREE, q.angle_min));
    cr_assert(lt(dbl, q.angle_max, (180.0 - 2.0 * least_angle) * DEGREE));
    cr_assert(eq(int, q.slivers, 0));
    cr_assert(epsilon_eq(dbl, q.edge_mean, size, 0.15 * size)); // cells fitted to the bounds
    sherd_mesh *boundary = sherd_tetra_mesh_boundary(mesh, &error);
    cr_assert(boundary != NULL, "%s", error.what);
    // Rounding of a sum of some thousand terms.
    cr_assert(epsilon_eq(dbl, sherd_mesh_volume(boundary), sherd_tetra_mesh_volume(mesh),
                         1e-10 * wanted));
    sherd_mesh_report report;
    cr_assert_eq(sherd_mesh_repair(boundary, "boundary", &report, &error), SHERD_OK, "%s",
                 error.what);
    cr_assert(eq(int, report.flipped_triangles + report.filled_holes, 0));
    sherd_mesh_destroy(boundary);
    sherd_tetra_mesh_destroy(mesh);
    sherd_shape_destroy(shape);
}

// The lattice is fitted to a box: its faces, edges and corners are exact, with and without jitter.
Test(tetra_mesh, box)
{
    sherd_error error;
    check(sherd_shape_box((sherd_vec3){0.04, 0.03, 0.02}, &error), 0.003, 0.0, 1e-12, 40.0);
    check(sherd_shape_box((sherd_vec3){0.04, 0.03, 0.02}, &error), 0.003, 0.3, 1e-12, 15.0);
}

// Chords of a curved surface: 1 % at seven edges to the radius, falling with its square.
Test(tetra_mesh, round_shapes)
{
    sherd_error error;
    check(sherd_shape_sphere(0.02, &error), 0.003, 0.2, 0.01, 10.0);
    check(sherd_shape_cylinder(0.015, 0.04, &error), 0.003, 0.2, 0.01, 10.0);
    check(sherd_shape_torus(0.02, 0.01, &error), 0.002, 0.2, 0.01, 10.0);
}

// Creases and corners that no plane of the lattice meets.
Test(tetra_mesh, turned_box_and_notch)
{
    sherd_error error;
    sherd_quat turn = {0.2, 0.3, 0.1, sqrt(0.86)};
    sherd_pose pose = {{0.001, 0.002, 0.003}, turn};
    check(sherd_shape_placed(sherd_shape_box((sherd_vec3){0.04, 0.03, 0.02}, &error), pose, &error),
          0.003, 0.3, 0.002, 12.0);
    const sherd_vec2 outline[] = {{0, 0},         {0.04, 0},     {0.04, 0.015},
                                  {0.015, 0.015}, {0.015, 0.04}, {0, 0.04}};
    check(sherd_shape_extrude(outline, 6, 0.02, &error), 0.003, 0.3, 0.002, 12.0);
    check(sherd_shape_difference(sherd_shape_box((sherd_vec3){0.04, 0.03, 0.02}, &error),
                                 sherd_shape_cylinder(0.008, 0.05, &error), &error),
          0.003, 0.3, 0.005, 12.0);
}

// The corners of a turned box are vertices.
Test(tetra_mesh, corners_are_kept)
{
    sherd_error error;
    sherd_quat turn = {0.0, 0.0, sin(0.3), cos(0.3)};
    sherd_pose pose = {{0, 0, 0}, turn};
    sherd_shape *shape =
        sherd_shape_placed(sherd_shape_box((sherd_vec3){0.04, 0.03, 0.02}, &error), pose, &error);
    sherd_tetra_mesh *mesh = fill(shape, 0.003, 0.2);
    for (int k = 0; k < 8; ++k) {
        double x = k & 1 ? 0.02 : -0.02, y = k & 2 ? 0.015 : -0.015, z = k & 4 ? 0.01 : -0.01;
        sherd_vec3 corner = {x * cos(0.6) - y * sin(0.6), x * sin(0.6) + y * cos(0.6), z};
        double nearest = INFINITY;
        for (int32_t v = 0; v < mesh->vertex_count; ++v)
            nearest = fmin(nearest, vec3_distance(tetra_vertex(mesh, v), corner));
        cr_expect(lt(dbl, nearest, 1e-6 * 0.003)); // planes meet there to rounding of distances
    }
    sherd_tetra_mesh_destroy(mesh);
    sherd_shape_destroy(shape);
}

Test(tetra_mesh, same_for_any_threads)
{
    sherd_error error;
    sherd_shape *shape = sherd_shape_sphere(0.01, &error);
    sherd_tetra_lattice_def def = def_of(0.002, 0.3);
    def.threads = 1;
    sherd_tetra_mesh *one = sherd_tetra_mesh_fill(shape, &def, &error);
    def.threads = 3;
    sherd_tetra_mesh *three = sherd_tetra_mesh_fill(shape, &def, &error);
    cr_assert(one != NULL && three != NULL && one->tetra_count == three->tetra_count &&
              one->vertex_count == three->vertex_count);
    size_t bytes = 3 * (size_t)one->vertex_count * sizeof(double);
    cr_assert(memcmp(one->vertices, three->vertices, bytes) == 0);
    bytes = 4 * (size_t)one->tetra_count * sizeof(int32_t);
    cr_assert(memcmp(one->tetras, three->tetras, bytes) == 0);
    sherd_tetra_mesh_destroy(one);
    sherd_tetra_mesh_destroy(three);
    sherd_shape_destroy(shape);
}

// Tetrahedron k of two neighbours names the other, across the same three vertices.
Test(tetra_mesh, neighbors_are_mutual)
{
    sherd_error error;
    sherd_shape *shape = sherd_shape_sphere(0.01, &error);
    sherd_tetra_mesh *mesh = fill(shape, 0.003, 0.2);
    sherd_tetra_topology topology;
    sherd_parallel parallel = {2};
    cr_assert_eq(sherd_tetra_topology_build(mesh, "mesh", &parallel, &topology, &error), SHERD_OK);
    for (int32_t t = 0; t < mesh->tetra_count; ++t)
        for (int k = 0; k < 4; ++k) {
            int32_t other = topology.neighbor[4 * t + k];
            if (other < 0) continue;
            bool back = false;
            for (int j = 0; j < 4; ++j)
                back = back || topology.neighbor[4 * other + j] == t;
            cr_assert(back);
            for (int j = 0; j < 3; ++j)
                cr_assert_geq(
                    tetra_corner_of(mesh, other, tetra_corners(mesh, t)[sherd_tetra_face[k][j]]),
                    0);
        }
    sherd_tetra_topology_release(&topology);
    sherd_tetra_mesh_destroy(mesh);
    sherd_shape_destroy(shape);
}

Test(tetra_mesh, quality_of_known_tetrahedra)
{
    // Regular: dihedral angles of acos(1/3).
    const sherd_vec3 regular[4] = {{1, 1, 1}, {-1, 1, -1}, {1, -1, -1}, {-1, -1, 1}};
    double angle[6];
    cr_assert(epsilon_eq(dbl, sherd_tetra_shape_quality(regular), 1.0, 1e-14));
    sherd_tetra_angles(regular, angle);
    for (int k = 0; k < 6; ++k)
        cr_assert(epsilon_eq(dbl, angle[k], acos(1.0 / 3.0), 1e-14));
    // A corner of a cube: three right angles, three of acos(1/sqrt 3).
    const sherd_vec3 corner[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    sherd_tetra_angles(corner, angle);
    for (int k = 0; k < 6; ++k)
        cr_assert(epsilon_eq(dbl, angle[k], k < 3 ? 90.0 * DEGREE : acos(1.0 / sqrt(3.0)), 1e-14));
}

static void expect_refusal(const sherd_shape *shape, const sherd_tetra_lattice_def *def,
                           const char *where)
{
    sherd_error error = {0};
    cr_expect(sherd_tetra_mesh_fill(shape, def, &error) == NULL);
    cr_expect_eq(error.status, SHERD_ERROR_INPUT);
    cr_expect_str_eq(error.where, where);
}

Test(tetra_mesh, bad_definitions_are_refused)
{
    sherd_error error;
    sherd_shape *ball = sherd_shape_sphere(0.01, &error);

    sherd_tetra_lattice_def def = {.size = 0.01};
    expect_refusal(ball, &def, "tetra");
    def = def_of(0.002, 0.2);
    expect_refusal(NULL, &def, "tetra.shape");
    const double sizes[] = {0.0, -1.0, NAN, INFINITY, 1e-9};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; ++k) {
        def.size = sizes[k];
        expect_refusal(ball, &def, "tetra.size");
    }
    def = def_of(0.002, 0.6);
    expect_refusal(ball, &def, "tetra.jitter");
    def = def_of(0.002, 0.2);
    def.quality = NAN;
    expect_refusal(ball, &def, "tetra.quality");
    sherd_shape_destroy(ball);
}

// A hollow ball whose wall falls between the vertices.
Test(tetra_mesh, too_coarse_is_said)
{
    sherd_error error;
    sherd_shape *shell = sherd_shape_difference(sherd_shape_sphere(0.02, &error),
                                                sherd_shape_sphere(0.0195, &error), &error);
    sherd_tetra_lattice_def def = def_of(0.004, 0.2);
    expect_refusal(shell, &def, "tetra.size");
    sherd_shape_destroy(shell);
}
