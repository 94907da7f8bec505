#include "geometry/mesh_weld.h"

#include "base/hash.h"
#include "base/memory.h"
#include "base/sort.h"
#include "geometry/mesh_access.h"

#include <string.h>

enum { CELL_BITS = 21 }; // per axis: 2^21 cells across the mesh

static uint64_t cell_key(sherd_vec3 p, sherd_vec3 low, double cell, double shift)
{
    uint64_t x = (uint64_t)((p.x - low.x) / cell + shift),
             y = (uint64_t)((p.y - low.y) / cell + shift),
             z = (uint64_t)((p.z - low.z) / cell + shift);
    return x << (2 * CELL_BITS) | y << CELL_BITS | z;
}

// Sends every vertex to the first one in its cell. `target` composes over passes.
static bool weld_pass(const sherd_mesh *mesh, sherd_sort_pair *pairs, sherd_vec3 low, double cell,
                      double shift, int32_t *target)
{
    size_t n = (size_t)mesh->vertex_count;
    for (size_t v = 0; v < n; ++v)
        pairs[v] = (sherd_sort_pair){cell_key(mesh_vertex(mesh, target[v]), low, cell, shift),
                                     (uint32_t)v};
    if (!sherd_sort_pairs(pairs, n)) return false;
    for (size_t k = 0, first = 0; k < n; ++k) {
        if (pairs[k].key != pairs[first].key) first = k;
        target[pairs[k].value] = target[pairs[first].value];
    }
    return true;
}

// Moves the vertices that are still used to the front.
static int32_t compact_vertices(sherd_mesh *mesh, const int32_t *target, int32_t *place)
{
    int32_t kept = 0;
    for (int32_t v = 0; v < mesh->vertex_count; ++v) {
        if (target[v] != v) continue;
        place[v] = kept;
        mesh_set_vertex(mesh, kept++, mesh_vertex(mesh, v));
    }
    for (size_t c = 0; c < 3 * (size_t)mesh->triangle_count; ++c)
        mesh->triangles[c] = place[target[mesh->triangles[c]]];
    int32_t merged = mesh->vertex_count - kept;
    mesh->vertex_count = kept;
    return merged;
}

int32_t sherd_mesh_weld(sherd_mesh *mesh, double tolerance)
{
    size_t n = (size_t)mesh->vertex_count;
    sherd_sort_pair *pairs = sherd_alloc(n, sizeof *pairs);
    int32_t *target = sherd_alloc(n, sizeof *target), *place = sherd_alloc(n, sizeof *place);
    int32_t merged = -1;
    if (pairs != NULL && target != NULL && place != NULL) {
        sherd_vec3 low = sherd_mesh_bounds(mesh).low;
        for (size_t v = 0; v < n; ++v)
            target[v] = (int32_t)v;
        // Two grids, half a cell apart: what a border of one separates the other joins.
        if (weld_pass(mesh, pairs, low, tolerance, 0.0, target) &&
            weld_pass(mesh, pairs, low, tolerance, 0.5, target)) {
            for (size_t v = 0; v < n; ++v)
                target[v] = target[target[v]];
            merged = compact_vertices(mesh, target, place);
        }
    }
    sherd_free(pairs);
    sherd_free(target);
    sherd_free(place);
    return merged;
}

int32_t sherd_mesh_drop_degenerate(sherd_mesh *mesh)
{
    int32_t kept = 0, count = mesh->triangle_count;
    for (int32_t t = 0; t < count; ++t) {
        const int32_t *c = mesh->triangles + 3 * (size_t)t;
        if (c[0] == c[1] || c[1] == c[2] || c[2] == c[0]) continue;
        mesh_set_triangle(mesh, kept++, c[0], c[1], c[2]);
    }
    mesh->triangle_count = kept;
    return count - kept;
}

static void sorted_corners(const sherd_mesh *mesh, uint32_t t, int32_t out[3])
{
    memcpy(out, mesh->triangles + 3 * (size_t)t, 3 * sizeof *out);
    for (int k = 0; k < 2; ++k)
        for (int m = 0; m < 2 - k; ++m)
            if (out[m] > out[m + 1]) {
                int32_t swap = out[m];
                out[m] = out[m + 1];
                out[m + 1] = swap;
            }
}

int32_t sherd_mesh_drop_duplicates(sherd_mesh *mesh)
{
    size_t n = (size_t)mesh->triangle_count;
    sherd_sort_pair *pairs = sherd_alloc(n, sizeof *pairs);
    uint8_t *dropped = sherd_alloc(n, 1);
    int32_t count = -1;
    for (size_t t = 0; t < n && pairs != NULL; ++t) {
        int32_t corner[3];
        sorted_corners(mesh, (uint32_t)t, corner);
        pairs[t] = (sherd_sort_pair){sherd_hash_bytes(SHERD_HASH_START, corner, sizeof corner),
                                     (uint32_t)t};
    }
    if (pairs != NULL && dropped != NULL && sherd_sort_pairs(pairs, n)) {
        count = 0;
        for (size_t k = 1; k < n; ++k) {
            int32_t a[3], b[3];
            if (pairs[k].key != pairs[k - 1].key) continue;
            sorted_corners(mesh, pairs[k - 1].value, a);
            sorted_corners(mesh, pairs[k].value, b);
            if (memcmp(a, b, sizeof a) != 0) continue;
            dropped[pairs[k].value] = 1;
            ++count;
        }
        int32_t kept = 0;
        for (size_t t = 0; t < n; ++t) {
            const int32_t *c = mesh->triangles + 3 * t;
            if (!dropped[t]) mesh_set_triangle(mesh, kept++, c[0], c[1], c[2]);
        }
        mesh->triangle_count = kept;
    }
    sherd_free(pairs);
    sherd_free(dropped);
    return count;
}
