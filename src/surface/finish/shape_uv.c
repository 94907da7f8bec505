#include "surface/finish/shape_uv.h"

#include "geometry/mesh/mesh_access.h"

bool sherd_shape_uv_create(shape_uv *s, const sherd_shape *shape, double edge)
{
    *s = (shape_uv){.surface = sherd_shape_surface(shape, edge, NULL)};
    if (s->surface == NULL) return false;
    if (s->surface->uv != NULL) return sherd_mesh_tree_init(&s->tree, s->surface);
    sherd_shape_uv_release(s);
    return true;
}

void sherd_shape_uv_release(shape_uv *s)
{
    sherd_mesh_destroy(s->surface);
    sherd_mesh_tree_release(&s->tree);
    *s = (shape_uv){0};
}

// Coordinates at a + v (b - a) + w (c - a) of a triangle, also outside it.
static sherd_vec2 uv_at(const sherd_mesh *surface, int32_t t, double v, double w)
{
    const float *uv = surface->uv + 6 * (size_t)t;
    double u = 1.0 - v - w;
    return (sherd_vec2){u * (double)uv[0] + v * (double)uv[2] + w * (double)uv[4],
                        u * (double)uv[1] + v * (double)uv[3] + w * (double)uv[5]};
}

// The triangle's plane goes on to where p is over it.
static sherd_vec2 uv_in_plane(const sherd_mesh *surface, int32_t t, sherd_vec3 p)
{
    sherd_vec3 a = mesh_corner(surface, t, 0), ap = vec3_sub(p, a);
    sherd_vec3 ab = vec3_sub(mesh_corner(surface, t, 1), a);
    sherd_vec3 ac = vec3_sub(mesh_corner(surface, t, 2), a);
    double bb = vec3_dot(ab, ab), bc = vec3_dot(ab, ac), cc = vec3_dot(ac, ac);
    double pb = vec3_dot(ap, ab), pc = vec3_dot(ap, ac), det = bb * cc - bc * bc;
    if (!(det > 1e-12 * bb * cc)) return uv_at(surface, t, 1.0 / 3.0, 1.0 / 3.0);
    return uv_at(surface, t, (cc * pb - bc * pc) / det, (bb * pc - bc * pb) / det);
}

// Texture units per metre, at most: of the triangle's edges.
static double uv_scale(const sherd_mesh *surface, int32_t t)
{
    double scale = 0.0;
    const float *uv = surface->uv + 6 * (size_t)t;
    for (int k = 0; k < 3; ++k) {
        int n = (k + 1) % 3;
        double length = vec3_distance(mesh_corner(surface, t, k), mesh_corner(surface, t, n));
        double du = (double)uv[2 * n] - (double)uv[2 * k],
               dv = (double)uv[2 * n + 1] - (double)uv[2 * k + 1];
        if (length > 0.0) scale = fmax(scale, sqrt(du * du + dv * dv) / length);
    }
    return scale;
}

static void fill_triangle(const shape_uv *s, sherd_mesh *mesh, int32_t t)
{
    // Farther off than curvature makes it, a corner's nearest point lies beyond a seam.
    const double seam = 1.0;
    sherd_vec3 corner[3], middle = {0.0, 0.0, 0.0};
    for (int k = 0; k < 3; ++k) {
        corner[k] = mesh_corner(mesh, t, k);
        middle = vec3_add_scaled(middle, 1.0 / 3.0, corner[k]);
    }
    int32_t chart = sherd_mesh_tree_nearest(&s->tree, middle).triangle;
    double scale = uv_scale(s->surface, chart);
    float *uv = mesh->uv + 6 * (size_t)t;
    for (int k = 0; k < 3; ++k) {
        sherd_nearest_point near = sherd_mesh_tree_nearest(&s->tree, corner[k]);
        sherd_vec2 at = uv_at(s->surface, near.triangle, near.v, near.w);
        sherd_vec2 expected = uv_in_plane(s->surface, chart, corner[k]);
        double du = at.x - expected.x, dv = at.y - expected.y;
        double far = seam * scale * vec3_distance(corner[k], middle);
        if (!(du * du + dv * dv <= far * far)) at = expected;
        uv[2 * k] = (float)at.x;
        uv[2 * k + 1] = (float)at.y;
    }
}

void sherd_shape_uv_fill(const shape_uv *s, sherd_mesh *mesh)
{
    for (int32_t t = 0; t < mesh->triangle_count; ++t)
        if (mesh->face_kind[t] == SHERD_FACE_OUTER) fill_triangle(s, mesh, t);
}
