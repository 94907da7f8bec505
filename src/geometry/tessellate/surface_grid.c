// Marching tetrahedra on a shape's signed distance: six tetrahedra per cell around its main
// diagonal, on which neighbouring cells agree, so the surface is closed whatever the shape;
// vertices lie on the tetrahedra's edges, so that it does not intersect itself. Blunt edges are
// sharpened afterwards.
#include "base/error.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "geometry/kuhn.h"
#include "geometry/mesh/mesh_access.h"
#include "geometry/tessellate/march_cut.h"
#include "geometry/tessellate/surface_sharpen.h"

enum { MAX_CELLS = 192, CHUNK = 256 }; // cells: along the longest side

// Minimum distance of vertices from the ends of an edge, as a fraction of the edge.
static const double MIN_FRACTION = 0.05;

// An edge of a tetrahedron that crosses the surface.
typedef struct grid_edge {
    sherd_vec3 from, to;
    double d_from, d_to; // distances there [m]
} grid_edge;

typedef struct distance_grid {
    const sherd_shape *shape;
    sherd_vec3 low;
    double h;
    int64_t n[3]; // corners
    double *distance;
    int32_t *vertex; // of the seven edges (kuhn.h) that leave each corner upwards, -1 = none yet
    sherd_mesh_growth growth;
    size_t edge_capacity;
    grid_edge *edge; // that each vertex lies on
} distance_grid;

static int64_t corner_index(const distance_grid *g, const int64_t c[3])
{
    return (c[2] * g->n[1] + c[1]) * g->n[0] + c[0];
}

static sherd_vec3 corner_position(const distance_grid *g, const int64_t c[3])
{
    return vec3(g->low.x + g->h * (double)c[0], g->low.y + g->h * (double)c[1],
                g->low.z + g->h * (double)c[2]);
}

static void sample_chunk(void *context, size_t begin, size_t end)
{
    distance_grid *g = context;
    for (size_t k = begin; k < end; ++k) {
        int64_t at = (int64_t)k;
        const int64_t c[3] = {at % g->n[0], at / g->n[0] % g->n[1], at / g->n[0] / g->n[1]};
        g->distance[k] = sherd_shape_distance(g->shape, corner_position(g, c));
    }
}

static bool sample(distance_grid *g)
{
    size_t corners = (size_t)(g->n[0] * g->n[1] * g->n[2]);
    g->distance = sherd_alloc(corners, sizeof *g->distance);
    g->vertex = sherd_alloc(7 * corners, sizeof *g->vertex);
    if (g->distance == NULL || g->vertex == NULL) return false;
    const sherd_parallel parallel = {0};
    sherd_parallel_for(&parallel, corners, CHUNK, sample_chunk, g);
    for (size_t k = 0; k < 7 * corners; ++k)
        g->vertex[k] = -1;
    return true;
}

// Returns the crossing on the edge from corner `base` + bits `a` to `base` + bits `b`, where a is a
// subset of b.
static int32_t edge_vertex(distance_grid *g, const int64_t base[3], int a, int b)
{
    int64_t from[3], to[3];
    for (int axis = 0; axis < 3; ++axis) {
        from[axis] = base[axis] + (a >> axis & 1);
        to[axis] = base[axis] + (b >> axis & 1);
    }
    int64_t at = corner_index(g, from);
    int32_t *slot = &g->vertex[7 * at + kuhn_simplex(2, (const int[4]){a, b})];
    if (*slot >= 0) return *slot;
    grid_edge edge = {corner_position(g, from), corner_position(g, to), g->distance[at],
                      g->distance[corner_index(g, to)]};
    size_t capacity = g->growth.vertex_count + 1;
    if (!sherd_grow((void **)&g->edge, &g->edge_capacity, capacity, sizeof *g->edge)) {
        g->growth.failed = true;
        return 0;
    }
    g->edge[g->growth.vertex_count] = edge;
    return *slot = sherd_growth_vertex(&g->growth, edge.from.x, edge.from.y, edge.from.z);
}

// Finds where an edge crosses the surface, by false position (Illinois). Stays away from its ends,
// where triangles would degenerate.
static sherd_vec3 crossing_of(const sherd_shape *shape, const grid_edge *edge, double h)
{
    double low = 0.0, high = 1.0, f_low = edge->d_from, f_high = edge->d_to, t = 0.5;
    sherd_vec3 along = vec3_sub(edge->to, edge->from);
    for (int k = 0; k < 20; ++k) {
        t = low + (high - low) * f_low / (f_low - f_high);
        double f = sherd_shape_distance(shape, vec3_add_scaled(edge->from, t, along));
        if (fabs(f) < 1e-13 * h) break;
        if ((f < 0.0) == (f_low < 0.0)) {
            low = t, f_low = f, f_high *= 0.5;
        } else {
            high = t, f_high = f, f_low *= 0.5;
        }
    }
    return vec3_add_scaled(edge->from, fmin(fmax(t, MIN_FRACTION), 1.0 - MIN_FRACTION), along);
}

static void position_vertices(void *context, size_t begin, size_t end)
{
    distance_grid *g = context;
    for (size_t v = begin; v < end; ++v) {
        sherd_vec3 p = crossing_of(g->shape, &g->edge[v], g->h);
        double *to = g->growth.vertices + 3 * v;
        to[0] = p.x, to[1] = p.y, to[2] = p.z;
    }
}

static void march_tetrahedron(distance_grid *g, const int64_t base[3], const int corner[4],
                              bool even)
{
    unsigned inside = 0;
    for (int k = 0; k < 4; ++k) {
        int64_t c[3];
        for (int axis = 0; axis < 3; ++axis)
            c[axis] = base[axis] + (corner[k] >> axis & 1);
        inside |= (unsigned)(g->distance[corner_index(g, c)] < 0.0) << k;
    }
    sherd_march_cut cut = sherd_march_tetrahedron(corner, inside, even);
    int32_t vertex[4];
    for (int k = 0; k < cut.count; ++k) {
        int a = cut.edge[k][0], b = cut.edge[k][1];
        vertex[k] = a < b ? edge_vertex(g, base, a, b) : edge_vertex(g, base, b, a);
    }
    sherd_growth_march(&g->growth, &cut, vertex);
}

static void march_cell(distance_grid *g, const int64_t base[3])
{
    // This order determines that of the mesh's vertices and triangles.
    static const int ORDER[6] = {0, 1, 2, 3, 5, 4};
    for (int t = 0; t < 6; ++t) {
        int corner[4];
        kuhn_corners(ORDER[t], corner);
        march_tetrahedron(g, base, corner, kuhn_is_positive(ORDER[t]));
    }
}

sherd_mesh *sherd_surface_grid(const sherd_shape *shape, double edge_length, sherd_error *error)
{
    sherd_bounds b = sherd_shape_bounds(shape);
    sherd_vec3 extent = vec3_sub(b.high, b.low);
    double longest = fmax(extent.x, fmax(extent.y, extent.z));
    distance_grid g = {.shape = shape, .h = fmax(edge_length, longest / MAX_CELLS)};
    g.low =
        // Offset from the shape's planes and edges.
        vec3_add_scaled(b.low, -g.h, vec3(1.37, 1.29, 1.41));
    double sizes[3] = {extent.x, extent.y, extent.z};
    for (int axis = 0; axis < 3; ++axis)
        g.n[axis] = (int64_t)(sizes[axis] / g.h) + 5;
    sherd_mesh *mesh = NULL;
    if (sample(&g)) {
        int64_t c[3];
        for (c[2] = 0; c[2] + 1 < g.n[2]; ++c[2])
            for (c[1] = 0; c[1] + 1 < g.n[1]; ++c[1])
                for (c[0] = 0; c[0] + 1 < g.n[0]; ++c[0])
                    march_cell(&g, c);
        const sherd_parallel parallel = {0};
        if (!g.growth.failed)
            sherd_parallel_for(&parallel, g.growth.vertex_count, CHUNK, position_vertices, &g);
        mesh = sherd_growth_finish(&g.growth, error);
        if (mesh != NULL) mesh = sherd_surface_sharpen(mesh, shape, g.h, error);
    } else {
        sherd_fail_memory(error, "a surface mesh");
    }
    sherd_free(g.distance);
    sherd_free(g.vertex);
    sherd_free(g.edge);
    return mesh;
}
