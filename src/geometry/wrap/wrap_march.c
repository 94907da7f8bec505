#include "geometry/wrap/wrap_march.h"

#include "base/error.h"
#include "base/memory.h"
#include "geometry/kuhn.h"
#include "geometry/mesh/mesh_access.h"
#include "geometry/tessellate/march_cut.h"
#include "geometry/tessellate/surface_sharpen.h"

#include <math.h>

// Minimum distance of vertices from the ends of an edge, as a fraction of the edge; no triangles
// intersect then.
static const double MIN_FRACTION = 0.05;

enum { EDGES = 7, CHUNK = 256 }; // edges that leave a corner upwards (kuhn.h)

// The edge of the grid that a vertex lies on.
typedef struct grid_edge {
    int32_t from[3]; // its lower corner
    int32_t mask;    // bits of the axes along which it leads
} grid_edge;

typedef struct march {
    const wrap_grid *grid;
    int32_t (*vertex)[WRAP_BLOCK * EDGES]; // on the edges of each block's corners, -1: none yet
    sherd_mesh_growth growth;
    size_t edge_capacity;
    grid_edge *edges;         // of each vertex
    sherd_sharp_point *point; // of each vertex
} march;

// A cell with the values at its corners.
typedef struct march_cell {
    int32_t at[3];
    double value[8];
} march_cell;

static int32_t edge_vertex(march *m, const march_cell *cell, int a, int b)
{
    int from = a < b ? a : b, mask = a ^ b; // one is a subset of the other
    int32_t at[3];
    for (int axis = 0; axis < 3; ++axis)
        at[axis] = cell->at[axis] + (from >> axis & 1);
    int32_t block = wrap_grid_block(m->grid, at);
    int32_t *slot = &m->vertex[block][wrap_grid_index_in_block(at) * EDGES + mask - 1];
    if (*slot >= 0) return *slot;
    size_t capacity = m->growth.vertex_count + 1;
    if (!sherd_grow((void **)&m->edges, &m->edge_capacity, capacity, sizeof *m->edges)) {
        m->growth.failed = true;
        return 0;
    }
    m->edges[capacity - 1] = (grid_edge){{at[0], at[1], at[2]}, mask};
    return *slot = sherd_growth_vertex(&m->growth, 0.0, 0.0, 0.0);
}

static void march_tetrahedron(march *m, const march_cell *cell, const int corner[4], bool even)
{
    unsigned inside = 0;
    for (int k = 0; k < 4; ++k)
        inside |= (unsigned)(cell->value[corner[k]] >= 0.0) << k;
    sherd_march_cut cut = sherd_march_tetrahedron(corner, inside, even);
    int32_t vertex[4];
    for (int k = 0; k < cut.count; ++k)
        vertex[k] = edge_vertex(m, cell, cut.edge[k][0], cut.edge[k][1]);
    sherd_growth_march(&m->growth, &cut, vertex);
}

static void march_one(march *m, const int32_t at[3])
{
    march_cell cell = {.at = {at[0], at[1], at[2]}};
    int inside = 0;
    for (int c = 0; c < 8; ++c) {
        const int32_t corner[3] = {at[0] + (c & 1), at[1] + (c >> 1 & 1), at[2] + (c >> 2)};
        cell.value[c] = wrap_grid_value(m->grid, corner);
        inside += cell.value[c] >= 0.0;
    }
    for (int t = 0; t < 6 && inside > 0 && inside < 8; ++t) {
        int corner[4];
        kuhn_corners(t, corner);
        march_tetrahedron(m, &cell, corner, kuhn_is_positive(t));
    }
}

static void march_blocks(march *m)
{
    for (size_t b = 0; b < m->grid->count; ++b) {
        const wrap_block *block = &m->grid->blocks[b];
        for (int k = 0; k < WRAP_BLOCK; ++k) {
            if (!(block->active >> k & 1)) continue;
            const int mask = WRAP_BLOCK_SIDE - 1;
            const int32_t at[3] = {block->at[0] * WRAP_BLOCK_SIDE + (k & mask),
                                   block->at[1] * WRAP_BLOCK_SIDE + (k >> WRAP_BLOCK_BITS & mask),
                                   block->at[2] * WRAP_BLOCK_SIDE + (k >> 2 * WRAP_BLOCK_BITS)};
            march_one(m, at);
        }
    }
}

static void position_vertices(void *context, size_t begin, size_t end)
{
    march *m = context;
    const wrap_grid *g = m->grid;
    for (size_t v = begin; v < end; ++v) {
        const int32_t *from = m->edges[v].from;
        int mask = m->edges[v].mask;
        const int32_t to[3] = {from[0] + (mask & 1), from[1] + (mask >> 1 & 1),
                               from[2] + (mask >> 2)};
        sherd_vec3 a = wrap_grid_corner(g, from), b = wrap_grid_corner(g, to);
        double t = sherd_wrap_field_crossing(g->field, a, b, wrap_grid_value(g, from),
                                             wrap_grid_value(g, to));
        double safe = fmin(fmax(t, MIN_FRACTION), 1.0 - MIN_FRACTION);
        sherd_vec3 along = vec3_sub(b, a);
        m->point[v].safe = vec3_add_scaled(a, safe, along);
        m->point[v].position = vec3_add_scaled(a, t, along);
        double *at = m->growth.vertices + 3 * v;
        at[0] = m->point[v].safe.x, at[1] = m->point[v].safe.y, at[2] = m->point[v].safe.z;
    }
}

static bool start(march *m)
{
    m->vertex = sherd_alloc(m->grid->count, sizeof *m->vertex);
    for (size_t b = 0; m->vertex != NULL && b < m->grid->count; ++b)
        for (int k = 0; k < WRAP_BLOCK * EDGES; ++k)
            m->vertex[b][k] = -1;
    return m->vertex != NULL;
}

sherd_mesh *sherd_wrap_march(const wrap_grid *grid, sherd_error *error)
{
    march m = {.grid = grid};
    if (start(&m)) march_blocks(&m);
    m.growth.failed = m.growth.failed || m.vertex == NULL;
    sherd_free(m.vertex);
    if (!m.growth.failed) m.point = sherd_alloc(m.growth.vertex_count, sizeof *m.point);
    m.growth.failed = m.growth.failed || m.point == NULL;
    if (!m.growth.failed)
        sherd_parallel_for(&grid->parallel, m.growth.vertex_count, CHUNK, position_vertices, &m);
    sherd_mesh *mesh = sherd_growth_finish(&m.growth, error);
    if (mesh != NULL && mesh->triangle_count > 0 &&
        !sherd_surface_untangle(mesh, m.point, grid->h)) {
        sherd_mesh_destroy(mesh);
        mesh = NULL;
        sherd_fail_memory(error, "the new surface of a mesh");
    }
    sherd_free(m.edges);
    sherd_free(m.point);
    return mesh;
}
