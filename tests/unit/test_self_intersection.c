// geometry/self_intersection: the triangles marked are those that a test of all pairs finds.
#include "base/random.h"
#include "geometry/mesh/mesh_access.h"
#include "geometry/mesh/mesh_tree.h"
#include "geometry/mesh/self_intersection.h"
#include "geometry/mesh/triangle_overlap.h"

#include <sherd/shape.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>

enum { MOST = 4000 };

// A ball whose vertices are moved by up to an edge: it cuts itself in many places.
static sherd_mesh *crumpled_ball(void)
{
    const double edge = 0.1;
    sherd_shape *ball = sherd_shape_sphere(0.5, NULL);
    sherd_mesh *mesh = sherd_shape_surface(ball, edge, NULL);
    for (int32_t v = 0; v < mesh->vertex_count; ++v) {
        sherd_vec3 x = mesh_vertex(mesh, v);
        double turn = 91.7 * v;
        mesh_set_vertex(
            mesh, v, vec3_add_scaled(x, 0.5 * edge, vec3(sin(turn), cos(turn), sin(2.0 * turn))));
    }
    sherd_shape_destroy(ball);
    return mesh;
}

static void check_marks(const sherd_mesh *mesh, const uint8_t *asked)
{
    static sherd_bounds boxes[MOST];
    static atomic_uchar cut[MOST];
    static uint8_t expected[MOST];
    int32_t n = mesh->triangle_count, count = 0;
    cr_assert(le(i32, n, MOST));
    for (int32_t t = 0; t < n; ++t) {
        boxes[t] = mesh_triangle_bounds(mesh, t);
        cut[t] = expected[t] = 0;
    }
    sherd_vec3 at;
    for (int32_t t = 0; t < n; ++t)
        for (int32_t u = t + 1; u < n; ++u)
            if ((asked[t] || asked[u]) && sherd_triangles_overlap(mesh, t, u, &at))
                expected[t] = expected[u] = 1;
    sherd_bvh tree;
    cr_assert(sherd_bvh_init(&tree, boxes, n));
    sherd_mesh_mark_intersections(&(sherd_cut_search){mesh, &tree, boxes, asked, cut});
    for (int32_t t = 0; t < n; ++t) {
        cr_assert(eq(int, cut[t], expected[t]), "triangle %d", t);
        count += cut[t];
    }
    cr_assert(lt(i32, n / 20, count));
    cr_assert(lt(i32, count, n));
    sherd_bvh_release(&tree);
}

Test(self_intersection, marks_are_those_of_all_pairs)
{
    static uint8_t asked[MOST];
    sherd_mesh *mesh = crumpled_ball();
    for (int32_t t = 0; t < mesh->triangle_count; ++t)
        asked[t] = 1;
    check_marks(mesh, asked);
    for (int32_t t = 0; t < mesh->triangle_count; ++t)
        asked[t] = t % 5 == 0;
    check_marks(mesh, asked);
    sherd_mesh_destroy(mesh);
}

// Tetrahedra around each other: all of their triangles have boxes with the same middle.
static sherd_mesh *shells(int32_t count)
{
    static const int32_t FACES[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
    static const double CORNERS[4][3] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
    sherd_mesh *mesh = sherd_mesh_create(4 * count, 4 * count, NULL);
    for (int32_t k = 0; k < 4 * count; ++k) {
        const double *x = CORNERS[k % 4], size = 1.0 + (double)(k / 4) / count;
        mesh_set_vertex(mesh, k, vec3(size * x[0], size * x[1], size * x[2]));
        for (int c = 0; c < 3; ++c)
            mesh->triangles[3 * k + c] = k / 4 * 4 + FACES[k % 4][c];
    }
    return mesh;
}

// The nearest point of a mesh without a tree.
static double nearest_of_all(const sherd_mesh *mesh, sherd_vec3 p)
{
    double least = INFINITY;
    for (int32_t t = 0; t < mesh->triangle_count; ++t) {
        sherd_mesh *one = sherd_mesh_create(3, 1, NULL);
        sherd_mesh_tree tree;
        for (int c = 0; c < 3; ++c) {
            mesh_set_vertex(one, c, mesh_corner(mesh, t, c));
            one->triangles[c] = c;
        }
        cr_assert(sherd_mesh_tree_init(&tree, one));
        least = fmin(least, sherd_mesh_tree_nearest(&tree, p).squared);
        sherd_mesh_tree_release(&tree);
        sherd_mesh_destroy(one);
    }
    return least;
}

// With boxes alone each search looks at all triangles, 1200 of them, and at some 600 boxes.
Test(self_intersection, searches_among_shells_around_each_other_are_short)
{
    enum { SHELLS = 300, PLACES = 100 };
    sherd_mesh *mesh = shells(SHELLS);
    sherd_mesh_tree tree;
    cr_assert(sherd_mesh_tree_init(&tree, mesh));
    int64_t visits = 0;
    for (uint64_t k = 0; k < PLACES; ++k) {
        sherd_vec3 p =
            vec3(2 * sherd_random_uniform(1, 0, k) - 1, 2 * sherd_random_uniform(1, 1, k) - 1,
                 2 * sherd_random_uniform(1, 2, k) - 1);
        sherd_nearest_point found = sherd_mesh_tree_nearest(&tree, p);
        visits += found.visits;
        cr_assert(eq(dbl, found.squared, nearest_of_all(mesh, p)));
    }
    cr_assert(lt(i64, visits, 100 * PLACES), "%g visits a search", (double)visits / PLACES);
    sherd_mesh_tree_release(&tree);
    sherd_mesh_destroy(mesh);
}
