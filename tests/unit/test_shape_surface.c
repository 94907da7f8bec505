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

// Largest relative difference between the lengths of edges in space and in texture coordinates.
static double worst_stretch(sherd_shape *shape, double edge_length)
{
    sherd_mesh *mesh = sherd_shape_surface(shape, edge_length, NULL);
    cr_assert(mesh != NULL && mesh->uv != NULL);
    double worst = 0.0;
    for (int32_t h = 0; h < 3 * mesh->triangle_count; ++h) {
        int32_t next = h % 3 == 2 ? h - 2 : h + 1;
        const double *a = mesh->vertices + 3 * mesh->triangles[h];
        const double *b = mesh->vertices + 3 * mesh->triangles[next];
        double length = vec3_distance(vec3(a[0], a[1], a[2]), vec3(b[0], b[1], b[2]));
        const float *u = mesh->uv + 2 * h, *v = mesh->uv + 2 * next;
        double flat = hypot((double)u[0] - (double)v[0], (double)u[1] - (double)v[1]);
        worst = fmax(worst, fabs(flat / length - 1.0));
    }
    sherd_mesh_destroy(mesh);
    sherd_shape_destroy(shape);
    return worst;
}

// Textures lie on flat and rolled sides without stretching; single precision.
Test(shape_surface, texture_coordinates_are_metres)
{
    sherd_error e;
    cr_assert(lt(dbl, worst_stretch(sherd_shape_box((sherd_vec3){1.0, 2.0, 3.0}, &e), 0.3), 1e-5));
    const sherd_vec2 ell[] = {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}};
    cr_assert(lt(dbl, worst_stretch(sherd_shape_extrude(ell, 6, 0.5, &e), 0.2), 1e-5));
    // A pipe's walls; chords of 1/63 turn. Its ends are stretched inwards: 2 to 1.
    const sherd_vec2 pipe[] = {{1.9, 0}, {2, 0}, {2, 8}, {1.9, 8}};
    cr_assert(lt(dbl, worst_stretch(sherd_shape_revolve(pipe, 4, &e), 0.2), 0.06));
}

Test(shape_surface, bad_edge_length)
{
    sherd_error e;
    sherd_shape *a = sherd_shape_sphere(1.0, &e);
    cr_assert(sherd_shape_surface(a, 0.0, &e) == NULL);
    cr_assert(eq(int, e.status, SHERD_ERROR_INPUT));
    sherd_shape_destroy(a);
}
