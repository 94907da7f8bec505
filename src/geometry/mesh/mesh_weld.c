#include "geometry/mesh/mesh_weld.h"

#include "base/assertion.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/sort.h"
#include "geometry/mesh/mesh_access.h"
#include "math/point_grid.h"

#include <string.h>

// Cells of the vertex grid are several tolerances wide, so that few points are near a border and
// most look-ups visit one cell.
enum { CELL_TOLERANCES = 4 };

// Moves the vertices that are their own target to the front; returns the number of others.
static int32_t compact_vertices(sherd_mesh *mesh, const int32_t *target, int32_t *new_index)
{
    int32_t kept = 0;
    for (int32_t v = 0; v < mesh->vertex_count; ++v) {
        if (target[v] != v) continue;
        new_index[v] = kept;
        for (size_t k = 0; mesh->color != NULL && k < 3; ++k)
            mesh->color[3 * (size_t)kept + k] = mesh->color[3 * (size_t)v + k];
        mesh_set_vertex(mesh, kept++, mesh_vertex(mesh, v));
    }
    for (size_t c = 0; c < 3 * (size_t)mesh->triangle_count; ++c)
        mesh->triangles[c] = new_index[target[mesh->triangles[c]]];
    SHERD_ASSERT(sherd_indices_below(mesh->triangles, 3 * (size_t)mesh->triangle_count, kept),
                 "corners are vertices that are kept");
    int32_t dropped = mesh->vertex_count - kept;
    mesh->vertex_count = kept;
    return dropped;
}

// Determines into which vertex each is merged: a retained one within the tolerance, or itself.
// Returns false when out of memory.
static bool find_targets(const sherd_mesh *mesh, double tolerance, int32_t *target)
{
    sherd_point_grid kept;
    size_t n = (size_t)mesh->vertex_count;
    int32_t *number = sherd_alloc(n, sizeof *number), near; // of each retained vertex
    bool ok = number != NULL && sherd_point_grid_init(&kept, CELL_TOLERANCES * tolerance, n);
    if (!ok) kept = (sherd_point_grid){0};
    for (int32_t v = 0; ok && v < mesh->vertex_count; ++v) {
        sherd_vec3 p = mesh_vertex(mesh, v);
        if (sherd_point_grid_near(&kept, p, tolerance, &near, 1) > 0) {
            target[v] = number[near];
        } else {
            number[kept.count] = target[v] = v;
            ok = sherd_point_grid_add(&kept, p);
        }
    }
    sherd_point_grid_free(&kept);
    sherd_free(number);
    return ok;
}

int32_t sherd_mesh_weld(sherd_mesh *mesh, double tolerance)
{
    SHERD_ASSERT(tolerance >= 0.0, "a tolerance is a length");
    size_t n = (size_t)mesh->vertex_count;
    int32_t *target = sherd_alloc(n, sizeof *target),
            *new_index = sherd_alloc(n, sizeof *new_index);
    int32_t merged = -1;
    if (target != NULL && new_index != NULL && find_targets(mesh, tolerance, target))
        merged = compact_vertices(mesh, target, new_index);
    sherd_free(target);
    sherd_free(new_index);
    return merged;
}

int32_t sherd_mesh_drop_unused(sherd_mesh *mesh)
{
    size_t n = (size_t)mesh->vertex_count;
    int32_t *target = sherd_alloc(n, sizeof *target),
            *new_index = sherd_alloc(n, sizeof *new_index);
    int32_t dropped = -1;
    if (target != NULL && new_index != NULL) {
        for (size_t v = 0; v < n; ++v)
            target[v] = -1;
        for (size_t c = 0; c < 3 * (size_t)mesh->triangle_count; ++c)
            target[mesh->triangles[c]] = mesh->triangles[c];
        dropped = compact_vertices(mesh, target, new_index);
    }
    sherd_free(target);
    sherd_free(new_index);
    return dropped;
}

int32_t sherd_mesh_drop_degenerate(sherd_mesh *mesh)
{
    int32_t kept = 0, count = mesh->triangle_count;
    for (int32_t t = 0; t < count; ++t) {
        const int32_t *c = mesh->triangles + 3 * (size_t)t;
        if (c[0] == c[1] || c[1] == c[2] || c[2] == c[0]) continue;
        mesh_move_triangle(mesh, kept++, t);
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
            if (!dropped[t]) mesh_move_triangle(mesh, kept++, (int32_t)t);
        }
        mesh->triangle_count = kept;
    }
    sherd_free(pairs);
    sherd_free(dropped);
    return count;
}
