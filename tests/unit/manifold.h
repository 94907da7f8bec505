// Is a mesh a closed, oriented 2-manifold?
#pragma once

#include "surface/partition/key_map.h"

#include <sherd/mesh.h>

#include <criterion/criterion.h>
#include <stdlib.h>

// Every directed edge occurs once and so does its reverse; triangles around a vertex form one fan.
static void check_manifold(const sherd_mesh *mesh)
{
    key_map edges = {0};
    int32_t *next_of = calloc(3 * (size_t)mesh->triangle_count + 1, sizeof *next_of);
    int32_t *degree = calloc((size_t)mesh->vertex_count, sizeof *degree);
    int32_t *some = calloc((size_t)mesh->vertex_count, sizeof *some);
    for (int32_t t = 0; t < mesh->triangle_count; ++t)
        for (int k = 0; k < 3; ++k) {
            const int32_t *c = mesh->triangles + 3 * t;
            int32_t u = c[k], v = c[(k + 1) % 3], w = c[(k + 2) % 3];
            cr_assert(u != v && u >= 0 && u < mesh->vertex_count);
            size_t seen = edges.count;
            int32_t e = sherd_key_map_insert(&edges, (uint64_t)u << 31 | (uint64_t)v);
            cr_assert_eq((size_t)e, seen, "edge %d-%d occurs twice in one direction", u, v);
            next_of[e] = w; // u's fan: after v comes w
            degree[u]++;
            some[u] = v;
        }
    for (int32_t u = 0; u < mesh->vertex_count; ++u) {
        int32_t v = some[u], steps = 0;
        cr_assert_gt(degree[u], 2, "vertex %d is used by %d triangles", u, degree[u]);
        do {
            int32_t e = sherd_key_map_find(&edges, (uint64_t)u << 31 | (uint64_t)v);
            cr_assert_geq(e, 0, "edge %d-%d has no partner", u, v);
            v = next_of[e];
        } while (v != some[u] && ++steps < degree[u]);
        cr_assert_eq(steps + 1, degree[u], "two fans meet at vertex %d", u);
    }
    sherd_key_map_release(&edges);
    free(next_of);
    free(degree);
    free(some);
}
