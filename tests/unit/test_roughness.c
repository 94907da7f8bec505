// roughness_noise: bounded and not too steep, or rough faces would cut each other. refine: inner faces
// follow the lattice, and the two sides of a crack stay the same.
#include "base/memory.h"
#include "base/random.h"
#include "geometry/mesh/mesh_access.h"
#include "geometry/mesh/mesh_edges.h"
#include "surface/finish/refine.h"
#include "surface/finish/rough_lattice.h"
#include "surface/finish/roughness.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <string.h>

static sherd_vec3 place(uint64_t k)
{
    return vec3(100.0 * sherd_random_uniform(1, 0, k) - 50.0,
                100.0 * sherd_random_uniform(1, 1, k) - 50.0,
                100.0 * sherd_random_uniform(1, 2, k) - 50.0);
}

// A bound of the largest stretch by |J x| over many directions x, J by central differences.
static double steepness(sherd_vec3 x)
{
    const double h = 1e-5;
    double most = 0.0;
    for (uint64_t k = 0; k < 12; ++k) {
        sherd_vec3 along = vec3_normalize(place(7000 + k));
        sherd_vec3 ahead = sherd_roughness_noise(3, 0, vec3_add_scaled(x, h, along));
        sherd_vec3 behind = sherd_roughness_noise(3, 0, vec3_add_scaled(x, -h, along));
        most = fmax(most, vec3_distance(ahead, behind) / (2.0 * h));
    }
    return most;
}

Test(roughness_noise, is_bounded_and_not_too_steep)
{
    double square = 0.0, steepest = 0.0;
    enum { COUNT = 20000 };
    for (uint64_t k = 0; k < COUNT; ++k) {
        sherd_vec3 v = sherd_roughness_noise(3, 0, place(k));
        cr_assert(lt(dbl, vec3_length(v), 1.0));
        square += vec3_dot(v, v) / COUNT;
        if (k % 4 == 0) steepest = fmax(steepest, steepness(place(k)));
    }
    cr_assert(epsilon_eq(dbl, square, 0.2, 0.02)); // random: some percent
    cr_assert(lt(dbl, steepest, 5.0));
    cr_assert(lt(dbl, 3.0, steepest)); // or the bound would be a poor one
}

Test(roughness_noise, depends_on_place_and_seed_alone)
{
    sherd_vec3 x = place(1), a = sherd_roughness_noise(3, 1, x);
    sherd_vec3 same = sherd_roughness_noise(3, 1, x), seed = sherd_roughness_noise(4, 1, x);
    sherd_vec3 octave = sherd_roughness_noise(3, 2, x);
    cr_assert_eq(memcmp(&a, &same, sizeof a), 0);
    cr_assert(vec3_distance(a, seed) > 1e-3 && vec3_distance(a, octave) > 1e-3);
    // Places that are no numbers for a lattice: no crash, nothing moves.
    a = sherd_roughness_noise(3, 0, vec3(1e300, 0.0, 0.0));
    cr_assert(vec3_length(a) == 0.0);
}

// A tetrahedron of which one face is outer.
static sherd_mesh *tetrahedron(void)
{
    static const int32_t corners[12] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};
    static const double places[12] = {0, 0, 0, 1, 0.1, 0, 0.2, 1.3, 0, 0.1, 0.3, 1.7};
    sherd_mesh *mesh = sherd_mesh_create(4, 4, NULL);
    memcpy(mesh->triangles, corners, sizeof corners);
    memcpy(mesh->vertices, places, sizeof places);
    mesh->normals = sherd_alloc(12, sizeof(double));
    mesh->face_kind = sherd_alloc(4, 1);
    mesh->uv = sherd_alloc(24, sizeof(float));
    for (int32_t t = 1; t < 4; ++t)
        mesh->face_kind[t] = SHERD_FACE_INNER;
    for (int32_t c = 0; c < 12; ++c) {
        mesh->uv[2 * c] = (float)mesh->vertices[3 * corners[c]];
        mesh->uv[2 * c + 1] = (float)mesh->vertices[3 * corners[c] + 2];
    }
    return mesh;
}

// Whether a triangle lies between two planes next to each other of every family.
static bool is_in_one_tetrahedron(const sherd_mesh *mesh, int32_t t, double cell)
{
    for (int family = 0; family < ROUGH_FAMILIES; ++family) {
        double low = INFINITY, high = -INFINITY;
        for (int k = 0; k < 3; ++k) {
            double level = rough_lattice_level(cell, family, mesh_corner(mesh, t, k));
            low = fmin(low, level), high = fmax(high, level);
        }
        // Vertices on planes are rounded.
        if (floor(low + 1e-8) + 1.0 < high - 1e-8) return false;
    }
    return true;
}

Test(refine, inner_faces_are_cut_along_the_lattice)
{
    const double cell = 0.2;
    sherd_mesh *mesh = tetrahedron();
    double volume = sherd_mesh_volume(mesh),
           outer_area = 0.5 * vec3_length(mesh_area_vector(mesh, 0));
    cr_assert(sherd_refine_inner(mesh, cell));
    sherd_mesh_edges edges;
    cr_assert(sherd_mesh_edges_init(&edges, mesh));
    cr_assert(edges.boundary_edges == 0 && edges.non_manifold_edges == 0);
    cr_assert(edges.misoriented_edges == 0);
    cr_assert(epsilon_eq(dbl, sherd_mesh_volume(mesh), volume, 1e-15)); // points in planes
    int inner = 0;
    for (int32_t t = 0; t < mesh->triangle_count; ++t) {
        bool is_inner = mesh->face_kind[t] == SHERD_FACE_INNER;
        if (!is_inner) outer_area -= 0.5 * vec3_length(mesh_area_vector(mesh, t));
        if (is_inner) cr_assert(is_in_one_tetrahedron(mesh, t, cell), "triangle %d", t);
        inner += is_inner;
        for (int k = 0; k < 3; ++k) {
            // Texture coordinates are linear in each face.
            const float *uv = mesh->uv + 6 * t + 2 * k;
            cr_assert(epsilon_eq(dbl, (double)uv[0], mesh_corner(mesh, t, k).x, 1e-6));
            cr_assert(epsilon_eq(dbl, (double)uv[1], mesh_corner(mesh, t, k).z, 1e-6));
        }
    }
    cr_assert(epsilon_eq(dbl, outer_area, 0.0, 1e-14)); // stays where it is
    cr_assert_gt(inner, 200);
    sherd_mesh_edges_release(&edges);
    sherd_mesh_destroy(mesh);
}

// The same triangles seen from the other side, numbered otherwise and beginning with other corners.
Test(refine, the_other_side_is_cut_alike)
{
    sherd_mesh *mesh = tetrahedron(), *other = tetrahedron();
    for (int32_t t = 0; t < 4; ++t) {
        const int32_t *c = mesh->triangles + 3 * t;
        mesh_set_triangle(other, t, 3 - c[(t + 1) % 3], 3 - c[t % 3], 3 - c[(t + 2) % 3]);
        mesh_set_vertex(other, t, mesh_vertex(mesh, 3 - t));
    }
    cr_assert(sherd_refine_inner(mesh, 0.13) && sherd_refine_inner(other, 0.13));
    cr_assert_eq(mesh->vertex_count, other->vertex_count);
    cr_assert_eq(mesh->triangle_count, other->triangle_count);
    // Every triangle is there: its middle, summed in an order of its own, is some triangle's middle.
    for (int32_t t = 0; t < mesh->triangle_count; ++t) {
        bool found = false;
        for (int32_t s = 0; s < other->triangle_count && !found; ++s) {
            int same = 0;
            for (int k = 0; k < 9; ++k) {
                sherd_vec3 a = mesh_corner(mesh, t, k / 3), b = mesh_corner(other, s, k % 3);
                same += memcmp(&a, &b, sizeof a) == 0;
            }
            found = same == 3;
        }
        cr_assert(found, "triangle %d is cut otherwise", t);
    }
    sherd_mesh_destroy(mesh);
    sherd_mesh_destroy(other);
}
