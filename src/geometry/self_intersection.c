#include "geometry/self_intersection.h"

#include "base/memory.h"
#include "geometry/bvh.h"
#include "geometry/mesh_access.h"

typedef struct intersection_query {
    const sherd_mesh *mesh;
    int32_t triangle, limit;
    sherd_self_intersections *found;
} intersection_query;

// Six times the signed volume of the tetrahedron (a, b, c, d).
static double volume6(sherd_vec3 a, sherd_vec3 b, sherd_vec3 c, sherd_vec3 d)
{
    return vec3_dot(vec3_sub(d, a), vec3_cross(vec3_sub(b, a), vec3_sub(c, a)));
}

// Whether the segment p q passes through the inside of triangle t. Rounding noise counts as touching.
static bool segment_cuts(const sherd_mesh *mesh, int32_t t, sherd_vec3 p, sherd_vec3 q,
                         sherd_vec3 *at)
{
    sherd_vec3 a = mesh_corner(mesh, t, 0), b = mesh_corner(mesh, t, 1),
               c = mesh_corner(mesh, t, 2);
    double size = vec3_distance(a, b) + vec3_distance(b, c) + vec3_distance(p, q);
    double noise = 1e-12 * size * size * size;
    double vp = volume6(a, b, c, p), vq = volume6(a, b, c, q);
    if (!((vp > noise && vq < -noise) || (vp < -noise && vq > noise))) return false;
    double s0 = volume6(p, q, a, b), s1 = volume6(p, q, b, c), s2 = volume6(p, q, c, a);
    bool inside =
        (s0 > noise && s1 > noise && s2 > noise) || (s0 < -noise && s1 < -noise && s2 < -noise);
    if (inside) *at = vec3_add_scaled(p, vp / (vp - vq), vec3_sub(q, p));
    return inside;
}

static int shared_corners(const sherd_mesh *mesh, int32_t t, int32_t u)
{
    int count = 0;
    for (int k = 0; k < 3; ++k)
        for (int m = 0; m < 3; ++m)
            count += mesh->triangles[3 * (size_t)t + (size_t)k] ==
                     mesh->triangles[3 * (size_t)u + (size_t)m];
    return count;
}

// An edge that starts at a shared corner only touches there, so plain strict tests cover this case.
static bool edges_cut(const sherd_mesh *mesh, int32_t t, int32_t u, sherd_vec3 *at)
{
    for (int k = 0; k < 3; ++k)
        if (segment_cuts(mesh, u, mesh_corner(mesh, t, k), mesh_corner(mesh, t, (k + 1) % 3), at))
            return true;
    return false;
}

static bool test_pair(void *context, int32_t other)
{
    intersection_query *query = context;
    int32_t t = query->triangle;
    if (other <= t || shared_corners(query->mesh, t, other) >= 2) return true;
    sherd_vec3 at;
    if (!edges_cut(query->mesh, t, other, &at) && !edges_cut(query->mesh, other, t, &at))
        return true;
    if (query->found->count++ == 0) {
        query->found->a = t;
        query->found->b = other;
        query->found->position = at;
    }
    return query->found->count < query->limit;
}

bool sherd_mesh_self_intersections(const sherd_mesh *mesh, int32_t limit,
                                   sherd_self_intersections *found)
{
    *found = (sherd_self_intersections){0};
    sherd_bounds *boxes = sherd_alloc((size_t)mesh->triangle_count, sizeof *boxes);
    sherd_bvh bvh;
    if (boxes == NULL) return false;
    for (int32_t t = 0; t < mesh->triangle_count; ++t)
        boxes[t] = mesh_triangle_bounds(mesh, t);
    bool built = sherd_bvh_init(&bvh, boxes, mesh->triangle_count);
    for (int32_t t = 0; t < mesh->triangle_count && built && found->count < limit; ++t) {
        intersection_query query = {mesh, t, limit, found};
        sherd_bvh_overlaps(&bvh, boxes[t], test_pair, &query);
    }
    if (built) sherd_bvh_release(&bvh);
    sherd_free(boxes);
    return built;
}
