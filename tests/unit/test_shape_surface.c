// Tessellated surfaces: closed, outward, on the shape, with the shape's volume.
#include "geometry/mesh_edges.h"
#include "math/vec3.h"

#include <sherd/shape.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

// Facets of a curved surface with edges h lose a share of about (h / r)^2 of the volume.
static void check_surface(sherd_shape *shape, double edge_length, double volume_tolerance,
                          double distance_tolerance)
{
    sherd_error error;
    cr_assert(shape != NULL);
    sherd_mesh *mesh = sherd_shape_surface(shape, edge_length, &error);
    cr_assert(mesh != NULL, "%s", error.what);
    sherd_mesh_edges edges;
    cr_assert(sherd_mesh_edges_init(&edges, mesh));
    cr_assert(eq(i64, edges.boundary_edges, 0));
    cr_assert(eq(i64, edges.non_manifold_edges, 0));
    cr_assert(eq(i64, edges.misoriented_edges, 0));
    double volume = sherd_shape_volume(shape);
    cr_assert(epsilon_eq(dbl, sherd_mesh_volume(mesh), volume, volume_tolerance * volume));
    for (int32_t v = 0; v < mesh->vertex_count; ++v) {
        const double *p = mesh->vertices + 3 * v, *n = mesh->normals + 3 * v;
        double d = sherd_shape_distance(shape, vec3(p[0], p[1], p[2]));
        cr_assert(fabs(d) <= distance_tolerance, "vertex %d is %g off the surface", v, d);
        cr_assert(epsilon_eq(dbl, vec3_length(vec3(n[0], n[1], n[2])), 1.0, 1e-12));
    }
    sherd_mesh_edges_release(&edges);
    sherd_mesh_destroy(mesh);
    sherd_shape_destroy(shape);
}

Test(shape_surface, primitives)
{
    sherd_error e;
    check_surface(sherd_shape_box((sherd_vec3){1.0, 2.0, 3.0}, &e), 0.3, 1e-12, 1e-12);
    check_surface(sherd_shape_sphere(1.0, &e), 0.1, 0.01, 1e-12);
    check_surface(sherd_shape_cylinder(1.0, 0.5, &e), 0.1, 0.01, 1e-12);
    check_surface(sherd_shape_capsule(1.0, 2.0, &e), 0.1, 0.01, 1e-12);
    check_surface(sherd_shape_torus(1.0, 0.3, &e), 0.05, 0.01, 1e-12);
}

Test(shape_surface, profiles)
{
    sherd_error e;
    const sherd_vec2 plate[] = {{0, 0},        {0.08, 0},     {0.12, 0.02},
                                {0.12, 0.026}, {0.08, 0.006}, {0, 0.006}};
    check_surface(sherd_shape_revolve(plate, 6, &e), 0.002, 0.001, 1e-12);
    const sherd_vec2 ring[] = {{1, 0}, {2, 0}, {2, 1}, {1, 1}};
    check_surface(sherd_shape_revolve(ring, 4, &e), 0.1, 0.01, 1e-12);
    const sherd_vec2 ell[] = {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}};
    check_surface(sherd_shape_extrude(ell, 6, 0.5, &e), 0.2, 1e-12, 1e-12);
}

// A crease is cut off: vertices there stay off by up to half a cell diagonal, 0.866 * 0.05.
Test(shape_surface, combinations)
{
    sherd_error e;
    sherd_shape *a = sherd_shape_sphere(1.0, &e), *b = sherd_shape_sphere(0.6, &e);
    sherd_pose pose = {{0.7, 0.1, 0.2}, {0.0, 0.0, 0.0, 1.0}};
    check_surface(sherd_shape_difference(a, sherd_shape_placed(b, pose, &e), &e), 0.05, 0.01,
                  0.044);
    a = sherd_shape_sphere(1.0, &e), b = sherd_shape_cylinder(0.4, 3.0, &e);
    check_surface(sherd_shape_union(a, b, &e), 0.05, 0.01, 0.044);
}

Test(shape_surface, bad_edge_length)
{
    sherd_error e;
    sherd_shape *a = sherd_shape_sphere(1.0, &e);
    cr_assert(sherd_shape_surface(a, 0.0, &e) == NULL);
    cr_assert(eq(int, e.status, SHERD_ERROR_INPUT));
    sherd_shape_destroy(a);
}
