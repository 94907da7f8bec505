#include "geometry/mesh/mesh_attributes.h"

#include "base/assertion.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "geometry/mesh/mesh_access.h"

// Extrapolates texture coordinates to a + v (b - a) + w (c - a), also outside the triangle.
static sherd_vec2 uv_at(const sherd_mesh *surface, int32_t t, double v, double w)
{
    const float *uv = surface->uv + 6 * (size_t)t;
    double u = 1.0 - v - w;
    return (sherd_vec2){u * (double)uv[0] + v * (double)uv[2] + w * (double)uv[4],
                        u * (double)uv[1] + v * (double)uv[3] + w * (double)uv[5]};
}

// Projects p onto the triangle's extended plane.
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

// Maximum texture units per metre along the triangle's edges.
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

void sherd_mesh_transfer_uv(const sherd_attribute_source *s, sherd_mesh *mesh, int32_t t)
{
    // A corner's nearest point that is farther away than curvature explains lies beyond a seam.
    const double seam = 1.0;
    sherd_vec3 corner[3], middle = {0.0, 0.0, 0.0};
    for (int k = 0; k < 3; ++k) {
        corner[k] = mesh_corner(mesh, t, k);
        middle = vec3_add_scaled(middle, 1.0 / 3.0, corner[k]);
    }
    int32_t chart = sherd_mesh_tree_nearest(s->tree, middle).triangle;
    double scale = uv_scale(s->mesh, chart);
    float *uv = mesh->uv + 6 * (size_t)t;
    for (int k = 0; k < 3; ++k) {
        sherd_nearest_point near = sherd_mesh_tree_nearest(s->tree, corner[k]);
        sherd_vec2 at = uv_at(s->mesh, near.triangle, near.v, near.w);
        sherd_vec2 expected = uv_in_plane(s->mesh, chart, corner[k]);
        double du = at.x - expected.x, dv = at.y - expected.y;
        double far = seam * scale * vec3_distance(corner[k], middle);
        if (!(du * du + dv * dv <= far * far)) at = expected;
        uv[2 * k] = (float)at.x;
        uv[2 * k + 1] = (float)at.y;
    }
}

// ---------------------------------------------------------------- all attributes

typedef struct taking {
    const sherd_attribute_source *source;
    sherd_mesh *mesh;
} taking;

static void transfer_corners(void *context, size_t begin, size_t end)
{
    const taking *job = context;
    for (size_t t = begin; t < end; ++t)
        sherd_mesh_transfer_uv(job->source, job->mesh, (int32_t)t);
}

int32_t sherd_mesh_group_near(const sherd_attribute_source *source, const sherd_mesh *mesh,
                              int32_t triangle)
{
    SHERD_ASSERT(triangle >= 0 && triangle < mesh->triangle_count && source->mesh->group != NULL,
                 "triangles get groups where there are some");
    sherd_vec3 sum = vec3_add(mesh_corner(mesh, triangle, 0), mesh_corner(mesh, triangle, 1));
    sherd_vec3 middle = vec3_scale(1.0 / 3.0, vec3_add(sum, mesh_corner(mesh, triangle, 2)));
    return source->mesh->group[sherd_mesh_tree_nearest(source->tree, middle).triangle];
}

void sherd_mesh_color_near(const sherd_attribute_source *source, sherd_vec3 p, float color[3])
{
    const sherd_mesh *from = source->mesh;
    sherd_nearest_point at = sherd_mesh_tree_nearest(source->tree, p);
    const double weight[3] = {1.0 - at.v - at.w, at.v, at.w};
    for (size_t c = 0; c < 3; ++c) {
        double sum = 0.0;
        for (int k = 0; k < 3; ++k) {
            size_t corner = (size_t)from->triangles[3 * (size_t)at.triangle + (size_t)k];
            sum += weight[k] * (double)from->color[3 * corner + c];
        }
        color[c] = (float)sum;
    }
}

static void transfer_groups(void *context, size_t begin, size_t end)
{
    const taking *job = context;
    for (size_t t = begin; t < end; ++t)
        job->mesh->group[t] = sherd_mesh_group_near(job->source, job->mesh, (int32_t)t);
}

static void transfer_colors(void *context, size_t begin, size_t end)
{
    const taking *job = context;
    for (size_t v = begin; v < end; ++v)
        sherd_mesh_color_near(job->source, mesh_vertex(job->mesh, (int32_t)v),
                              job->mesh->color + 3 * v);
}

bool sherd_mesh_transfer_attributes(const sherd_attribute_source *source, sherd_mesh *mesh)
{
    const sherd_parallel parallel = {0};
    taking job = {source, mesh};
    size_t vertices = (size_t)mesh->vertex_count, triangles = (size_t)mesh->triangle_count;
    if (source->mesh->uv != NULL) {
        mesh->uv = sherd_alloc(6 * triangles, sizeof *mesh->uv);
        if (mesh->uv == NULL) return false;
        sherd_parallel_for(&parallel, triangles, 256, transfer_corners, &job);
    }
    if (source->mesh->group != NULL) {
        mesh->group = sherd_alloc(triangles, sizeof *mesh->group);
        if (mesh->group == NULL || !sherd_mesh_copy_group_names(mesh, source->mesh) ||
            !sherd_mesh_copy_materials(mesh, source->mesh))
            return false;
        sherd_parallel_for(&parallel, triangles, 256, transfer_groups, &job);
    }
    if (source->mesh->color != NULL) {
        mesh->color = sherd_alloc(3 * vertices, sizeof *mesh->color);
        if (mesh->color == NULL) return false;
        sherd_parallel_for(&parallel, vertices, 256, transfer_colors, &job);
    }
    return true;
}
