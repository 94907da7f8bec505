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

void sherd_growth_triangle(sherd_mesh_growth *g, int32_t a, int32_t b, int32_t c)
{
    if (a == b || b == c || c == a) return;
    if (g->failed || !sherd_grow((void **)&g->triangles, &g->triangle_capacity,
                                 g->triangle_count + 1, 3 * sizeof *g->triangles)) {
        g->failed = true;
        return;
    }
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

// Every triangle becomes four.
static bool subdivide(sherd_mesh_growth *g)
{
    size_t count = g->triangle_count;
    int32_t *middle = sherd_alloc(3 * count, sizeof *middle);
    bool done = middle != NULL && make_middles(g, middle);
    for (size_t t = 0; t < count && done; ++t) {
        int32_t a = g->triangles[3 * t], b = g->triangles[3 * t + 1], c = g->triangles[3 * t + 2];
        int32_t ab = middle[3 * t], bc = middle[3 * t + 1], ca = middle[3 * t + 2];
        g->triangles[3 * t] = ab, g->triangles[3 * t + 1] = bc, g->triangles[3 * t + 2] = ca;
        sherd_growth_triangle(g, a, ab, ca);
        sherd_growth_triangle(g, b, bc, ab);
        sherd_growth_triangle(g, c, ca, bc);
    }
    sherd_free(middle);
    return done && !g->failed;
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
        memcpy(mesh->vertices, g->vertices, 3 * g->vertex_count * sizeof *g->vertices);
        memcpy(mesh->triangles, g->triangles, 3 * g->triangle_count * sizeof *g->triangles);
    }
    sherd_free(g->vertices);
    sherd_free(g->triangles);
    *g = (sherd_mesh_growth){0};
    return mesh;
}
