#include "geometry/mesh/mesh_weld.h"

#include "base/hash.h"
#include "base/memory.h"
#include "base/sort.h"
#include "geometry/mesh/mesh_access.h"

#include <string.h>

// Vertices kept so far, in buckets by the cell of a grid they lie in. Cells are some tolerances wide,
// so that few places are near a border and most look-ups visit one cell.
typedef struct vertex_grid {
    const sherd_mesh *mesh;
    sherd_vec3 low;
    double tolerance, cells_per_metre;
    uint64_t mask;   // number of buckets - 1
    int32_t *bucket; // first vertex of each, -1 = none
    int32_t *next;   // in the same bucket, -1 = none       (vertex_count)
} vertex_grid;

enum { CELL_TOLERANCES = 4 };

static bool grid_init(vertex_grid *grid, const sherd_mesh *mesh, double tolerance)
{
    uint64_t buckets = 64;
    while (buckets < 2 * (uint64_t)mesh->vertex_count)
        buckets *= 2;
    *grid = (vertex_grid){.mesh = mesh,
                          .low = sherd_mesh_bounds(mesh).low,
                          .tolerance = tolerance,
                          .cells_per_metre = 1.0 / (CELL_TOLERANCES * tolerance),
                          .mask = buckets - 1,
                          .bucket = sherd_alloc(buckets, sizeof *grid->bucket),
                          .next = sherd_alloc((size_t)mesh->vertex_count, sizeof *grid->next)};
    for (uint64_t k = 0; k < buckets && grid->bucket != NULL; ++k)
        grid->bucket[k] = -1;
    return grid->bucket != NULL && grid->next != NULL;
}

static void grid_release(vertex_grid *grid)
{
    sherd_free(grid->bucket);
    sherd_free(grid->next);
}

static uint64_t bucket_of(const vertex_grid *grid, const int64_t cell[3])
{
    // Large odd factors scatter neighbouring cells (Teschner et al. 2003).
    uint64_t mixed = (uint64_t)cell[0] * UINT64_C(0x9e3779b97f4a7c15) ^
                     (uint64_t)cell[1] * UINT64_C(0xc2b2ae3d27d4eb4f) ^
                     (uint64_t)cell[2] * UINT64_C(0x165667b19e3779f9);
    return (mixed ^ mixed >> 32) & grid->mask;
}

// Cell of p displaced by `offset` along all axes.
static void cell_of(const vertex_grid *grid, sherd_vec3 p, double offset, int64_t cell[3])
{
    cell[0] = (int64_t)floor((p.x + offset - grid->low.x) * grid->cells_per_metre);
    cell[1] = (int64_t)floor((p.y + offset - grid->low.y) * grid->cells_per_metre);
    cell[2] = (int64_t)floor((p.z + offset - grid->low.z) * grid->cells_per_metre);
}

static int32_t search_bucket(const vertex_grid *grid, const int64_t cell[3], sherd_vec3 p)
{
    for (int32_t v = grid->bucket[bucket_of(grid, cell)]; v >= 0; v = grid->next[v])
        if (vec3_distance(mesh_vertex(grid->mesh, v), p) <= grid->tolerance) return v;
    return -1;
}

// A vertex kept before within the tolerance of p, or -1.
static int32_t find_near(const vertex_grid *grid, sherd_vec3 p)
{
    int64_t low[3], high[3], cell[3];
    cell_of(grid, p, -grid->tolerance, low);
    cell_of(grid, p, grid->tolerance, high);
    for (cell[2] = low[2]; cell[2] <= high[2]; ++cell[2])
        for (cell[1] = low[1]; cell[1] <= high[1]; ++cell[1])
            for (cell[0] = low[0]; cell[0] <= high[0]; ++cell[0]) {
                int32_t found = search_bucket(grid, cell, p);
                if (found >= 0) return found;
            }
    return -1;
}

static void keep_vertex(vertex_grid *grid, int32_t v)
{
    int64_t cell[3];
    cell_of(grid, mesh_vertex(grid->mesh, v), 0.0, cell);
    uint64_t bucket = bucket_of(grid, cell);
    grid->next[v] = grid->bucket[bucket];
    grid->bucket[bucket] = v;
}

// Moves the vertices that are their own target to the front; returns how many others there were.
static int32_t compact_vertices(sherd_mesh *mesh, const int32_t *target, int32_t *place)
{
    int32_t kept = 0;
    for (int32_t v = 0; v < mesh->vertex_count; ++v) {
        if (target[v] != v) continue;
        place[v] = kept;
        for (size_t k = 0; mesh->color != NULL && k < 3; ++k)
            mesh->color[3 * (size_t)kept + k] = mesh->color[3 * (size_t)v + k];
        mesh_set_vertex(mesh, kept++, mesh_vertex(mesh, v));
    }
    for (size_t c = 0; c < 3 * (size_t)mesh->triangle_count; ++c)
        mesh->triangles[c] = place[target[mesh->triangles[c]]];
    int32_t dropped = mesh->vertex_count - kept;
    mesh->vertex_count = kept;
    return dropped;
}

int32_t sherd_mesh_weld(sherd_mesh *mesh, double tolerance)
{
    size_t n = (size_t)mesh->vertex_count;
    int32_t *target = sherd_alloc(n, sizeof *target), *place = sherd_alloc(n, sizeof *place);
    int32_t merged = -1;
    vertex_grid grid;
    if (grid_init(&grid, mesh, tolerance) && target != NULL && place != NULL) {
        for (int32_t v = 0; v < mesh->vertex_count; ++v) {
            int32_t near = find_near(&grid, mesh_vertex(mesh, v));
            target[v] = near >= 0 ? near : v;
            if (near < 0) keep_vertex(&grid, v);
        }
        merged = compact_vertices(mesh, target, place);
    }
    grid_release(&grid);
    sherd_free(target);
    sherd_free(place);
    return merged;
}

int32_t sherd_mesh_drop_unused(sherd_mesh *mesh)
{
    size_t n = (size_t)mesh->vertex_count;
    int32_t *target = sherd_alloc(n, sizeof *target), *place = sherd_alloc(n, sizeof *place);
    int32_t dropped = -1;
    if (target != NULL && place != NULL) {
        for (size_t v = 0; v < n; ++v)
            target[v] = -1;
        for (size_t c = 0; c < 3 * (size_t)mesh->triangle_count; ++c)
            target[mesh->triangles[c]] = mesh->triangles[c];
        dropped = compact_vertices(mesh, target, place);
    }
    sherd_free(target);
    sherd_free(place);
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
