#include "surface/roughness.h"

#include "base/memory.h"
#include "geometry/mesh_access.h"
#include "surface/refine.h"
#include "surface/roughness_noise.h"

// Octaves have half the size and height of the one before. The derivative of each must stay below 1, or
// faces could pass through each other. With sizes of four amplitudes A, the first octave's height of
// A / 1.75 and noise that changes by 5 over its size it is 5 / (4 * 1.75) = 0.71; that the height grows
// over a depth of 4 A adds 1 / (4 * 1.75) = 0.14.
enum { OCTAVES = 3 };
static const double FIRST_HEIGHT = 1.0 / 1.75; // the three together reach 1
static const double DEPTH_IN_AMPLITUDES = 4.0; // at which heights are whole

// Edges per size of the largest bumps and of the smallest; edges are no shorter than a share of a
// radius.
static const double EDGES_PER_SIZE = 10.0, EDGES_PER_BUMP = 2.5, SHORTEST_IN_RADII = 0.2;

roughness sherd_roughness_of(const sherd_surface_roughness *asked, const sherd_shape *shape,
                             double radius)
{
    double size = asked->size > 0.0 ? asked->size : SHERD_ROUGHNESS_LEAST_SIZE * asked->amplitude;
    return (roughness){.shape = shape,
                       .amplitude = asked->amplitude,
                       .size = size,
                       .longest = fmax(size / EDGES_PER_SIZE, SHORTEST_IN_RADII * radius),
                       .seed = asked->seed};
}

// Vertices of inner faces alone: those on the rim, where outer faces are, stay.
static uint8_t *mark_inner(const sherd_mesh *mesh)
{
    uint8_t *inner = sherd_alloc((size_t)mesh->vertex_count, 1);
    for (int pass = 0; pass < 2 && inner != NULL; ++pass)
        for (size_t c = 0; c < 3 * (size_t)mesh->triangle_count; ++c)
            if ((mesh->face_kind[c / 3] == SHERD_FACE_INNER) == (pass == 0))
                inner[mesh->triangles[c]] = pass == 0;
    return inner;
}

// Octaves that the mesh is too coarse for are left out.
static sherd_vec3 displaced(const roughness *r, sherd_vec3 x)
{
    double height = FIRST_HEIGHT * r->amplitude, size = r->size;
    for (int k = 0; k < OCTAVES && size >= EDGES_PER_BUMP * r->longest; ++k) {
        double depth = fabs(sherd_shape_distance(r->shape, x));
        double share = fmin(depth / (DEPTH_IN_AMPLITUDES * r->amplitude), 1.0);
        sherd_vec3 way = sherd_roughness_noise(r->seed, k, vec3_scale(1.0 / size, x));
        x = vec3_add_scaled(x, share * height, way);
        height *= 0.5;
        size *= 0.5;
    }
    return x;
}

static void add_to(double *sum, sherd_vec3 v)
{
    sum[0] += v.x, sum[1] += v.y, sum[2] += v.z;
}

static void renew_normals(sherd_mesh *mesh, const uint8_t *inner)
{
    for (int32_t v = 0; v < mesh->vertex_count; ++v)
        for (size_t k = 0; inner[v] && k < 3; ++k)
            mesh->normals[3 * (size_t)v + k] = 0.0;
    for (size_t c = 0; c < 3 * (size_t)mesh->triangle_count; ++c) {
        int32_t v = mesh->triangles[c];
        if (inner[v])
            add_to(mesh->normals + 3 * (size_t)v, mesh_area_vector(mesh, (int32_t)(c / 3)));
    }
    for (int32_t v = 0; v < mesh->vertex_count; ++v) {
        double *n = mesh->normals + 3 * (size_t)v;
        if (!inner[v]) continue;
        sherd_vec3 unit = vec3_normalize(vec3(n[0], n[1], n[2]));
        if (!(vec3_length(unit) > 0.0)) unit = vec3(0.0, 0.0, 1.0);
        n[0] = unit.x, n[1] = unit.y, n[2] = unit.z;
    }
}

bool sherd_roughen(sherd_mesh *mesh, const roughness *r)
{
    if (r->amplitude == 0.0) return true;
    if (!sherd_refine_inner(mesh, r->longest)) return false;
    uint8_t *inner = mark_inner(mesh);
    if (inner == NULL) return false;
    for (int32_t v = 0; v < mesh->vertex_count; ++v)
        if (inner[v]) mesh_set_vertex(mesh, v, displaced(r, mesh_vertex(mesh, v)));
    renew_normals(mesh, inner);
    sherd_free(inner);
    return true;
}
