// geometry/self_intersection: the triangles marked are those that a test of all pairs finds.
#include "geometry/mesh/mesh_access.h"
#include "geometry/mesh/self_intersection.h"
#include "geometry/mesh/triangle_overlap.h"

#include <sherd/shape.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

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
