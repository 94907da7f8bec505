#include "geometry/surface_build.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"
#include "geometry/mesh_access.h"

#include <string.h>

enum { MOST_TRIANGLES = 1000000 }; // beyond it edges stay long

int32_t sherd_growth_vertex(sherd_mesh_growth *g, double x, double y, double z)
{
    if (g->failed || !sherd_grow((void **)&g->vertices, &g->vertex_capacity, g->vertex_count + 1,
                                 3 * sizeof *g->vertices)) {
        g->failed = true;
        return 0;
    }
    double *to = g->vertices + 3 * g->vertex_count;
    to[0] = x, to[1] = y, to[2] = z;
    return (int32_t)g->vertex_count++;
}

void sherd_growth_triangle(sherd_mesh_growth *g, int32_t a, int32_t b, int32_t c, const float uv[6])
{
    if (a == b || b == c || c == a) return;
    if (g->failed ||
        !sherd_grow((void **)&g->triangles, &g->triangle_capacity, g->triangle_count + 1,
                    3 * sizeof *g->triangles) ||
        (g->has_uv &&
         !sherd_grow((void **)&g->uv, &g->uv_capacity, g->triangle_count + 1, 6 * sizeof *g->uv))) {
        g->failed = true;
        return;
    }
    if (g->has_uv) memcpy(g->uv + 6 * g->triangle_count, uv, 6 * sizeof *uv);
    int32_t *to = g->triangles + 3 * g->triangle_count++;
    to[0] = a, to[1] = b, to[2] = c;
}

static sherd_vec3 growth_point(const sherd_mesh_growth *g, int32_t v)
{
    const double *p = g->vertices + 3 * (size_t)v;
    return vec3(p[0], p[1], p[2]);
}

static double longest_edge(const sherd_mesh_growth *g)
{
    double longest = 0.0;
    for (size_t h = 0; h < 3 * g->triangle_count; ++h) {
        size_t next = h % 3 == 2 ? h - 2 : h + 1;
        longest = fmax(longest, vec3_distance(growth_point(g, g->triangles[h]),
                                              growth_point(g, g->triangles[next])));
    }
    return longest;
}

// New vertices in the middles of all edges, found by sorting half-edges; middle[h] for half-edge h.
static bool make_middles(sherd_mesh_growth *g, int32_t *middle)
{
    size_t n = 3 * g->triangle_count;
    sherd_sort_pair *edges = sherd_alloc(n, sizeof *edges);
    if (edges == NULL) return false;
    for (size_t h = 0; h < n; ++h) {
        uint64_t a = (uint64_t)g->triangles[h],
                 b = (uint64_t)g->triangles[h % 3 == 2 ? h - 2 : h + 1];
        edges[h] = (sherd_sort_pair){a < b ? a << 32 | b : b << 32 | a, (uint32_t)h};
    }
    bool done = sherd_sort_pairs(edges, n);
    int32_t vertex = -1;
    for (size_t k = 0; k < n && done; ++k) {
        if (k == 0 || edges[k].key != edges[k - 1].key) {
            sherd_vec3 a = growth_point(g, (int32_t)(edges[k].key >> 32));
            sherd_vec3 b = growth_point(g, (int32_t)(edges[k].key & UINT32_MAX));
            sherd_vec3 m = vec3_scale(0.5, vec3_add(a, b));
            vertex = sherd_growth_vertex(g, m.x, m.y, m.z);
        }
        middle[edges[k].value] = vertex;
    }
    sherd_free(edges);
    return done && !g->failed;
}

// Texture coordinates of a part of triangle `from`, whose corners are given by bits of the triangle's:
// one bit is a corner, two the middle between.
static void part_of_uv(const float from[6], const int corner[3], float to[6])
{
    for (int k = 0; k < 6; ++k) {
        float sum = 0.0f;
        int bits = 0;
        for (int c = 0; c < 3; ++c)
            if (corner[k / 2] >> c & 1) {
                sum += from[2 * c + k % 2];
                ++bits;
            }
        to[k] = sum / (float)bits;
    }
}

// Every triangle becomes four.
static bool subdivide(sherd_mesh_growth *g)
{
    static const int PARTS[4][3] = {{3, 6, 5}, {1, 3, 5}, {2, 6, 3}, {4, 5, 6}};
    size_t count = g->triangle_count;
    int32_t *middle = sherd_alloc(3 * count, sizeof *middle);
    bool done = middle != NULL && make_middles(g, middle);
    for (size_t t = 0; t < count && done; ++t) {
        const int32_t *c = g->triangles + 3 * t, *m = middle + 3 * t;
        const int32_t vertex[7] = {0, c[0], c[1], m[0], c[2], m[2], m[1]}; // by bits
        float whole[6] = {0.0f}, uv[6];
        if (g->has_uv) memcpy(whole, g->uv + 6 * t, sizeof whole);
        for (int k = 1; k < 4; ++k) {
            part_of_uv(whole, PARTS[k], uv);
            sherd_growth_triangle(g, vertex[PARTS[k][0]], vertex[PARTS[k][1]], vertex[PARTS[k][2]],
                                  uv);
        }
        if (g->failed) break;
        for (int k = 0; k < 3; ++k)
            g->triangles[3 * t + (size_t)k] = vertex[PARTS[0][k]];
        if (g->has_uv) part_of_uv(whole, PARTS[0], g->uv + 6 * t);
    }
    sherd_free(middle);
    return done && !g->failed;
}

static bool take_uv(const sherd_mesh_growth *g, sherd_mesh *mesh)
{
    if (!g->has_uv) return true;
    mesh->uv = sherd_alloc(6 * g->triangle_count, sizeof *mesh->uv);
    if (mesh->uv == NULL) return false;
    if (g->triangle_count > 0) memcpy(mesh->uv, g->uv, 6 * g->triangle_count * sizeof *mesh->uv);
    return true;
}

sherd_mesh *sherd_growth_take(sherd_mesh_growth *g, double edge_length, sherd_error *error)
{
    while (!g->failed && 4 * g->triangle_count < MOST_TRIANGLES &&
           longest_edge(g) > 2.0 * edge_length)
        if (!subdivide(g)) g->failed = true;
    sherd_mesh *mesh = NULL;
    if (!g->failed)
        mesh = sherd_mesh_create((int32_t)g->vertex_count, (int32_t)g->triangle_count, error);
    else
        sherd_fail_memory(error, "a surface mesh");
    if (mesh != NULL) {
        if (g->vertex_count > 0)
            memcpy(mesh->vertices, g->vertices, 3 * g->vertex_count * sizeof *g->vertices);
        if (g->triangle_count > 0)
            memcpy(mesh->triangles, g->triangles, 3 * g->triangle_count * sizeof *g->triangles);
        if (!take_uv(g, mesh)) {
            sherd_mesh_destroy(mesh);
            mesh = NULL;
            sherd_fail_memory(error, "a surface mesh");
        }
    }
    sherd_free(g->uv);
    sherd_free(g->vertices);
    sherd_free(g->triangles);
    *g = (sherd_mesh_growth){0};
    return mesh;
}
