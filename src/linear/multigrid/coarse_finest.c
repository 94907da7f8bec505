#include "linear/multigrid/coarse_finest.h"

#include "base/error.h"
#include "base/memory.h"

#include <string.h>

enum { CHUNK = 128 };

// ---------------------------------------------------------------- lists of edges

typedef struct listing {
    sherd_coarse_edges *edges;
    const sherd_coarse_level *level;
    const sherd_edge_graph *graph;
    const sherd_linear_system *system;
} listing;

// An entry whose neighbour has a larger index owns the edges; the opposite entry copies its spring.
static bool has_edges(const sherd_coarse_level *level, int32_t row, int64_t entry)
{
    return entry >= 0 && level->neighbour[entry] > row;
}

static int64_t find_mate(const sherd_coarse_level *level, int32_t row, int32_t neighbour)
{
    for (int64_t e = level->row_start[neighbour]; e < level->row_start[neighbour + 1]; ++e)
        if (level->neighbour[e] == row) return e;
    return -1; // unreachable: neighbours are mutual
}

static bool to_held(const listing *l, int64_t edge, int32_t from)
{
    const sherd_point_graph *all = &l->system->graph;
    return !all->broken[edge] && l->graph->held[sherd_edge_partner(all, edge, from)];
}

static int64_t count_ground(const listing *l, int32_t row)
{
    const sherd_point_graph *all = &l->system->graph;
    int64_t count = 0;
    for (int32_t c = l->level->child_start[row]; c < l->level->child_start[row + 1]; ++c) {
        int32_t child = l->level->child[c];
        if (child >= l->system->points->count) continue;
        for (uint32_t s = all->start[child]; s < all->start[child + 1]; ++s)
            count += to_held(l, all->edge[s], child);
    }
    return count;
}

static void count_edges(void *context, size_t begin, size_t end)
{
    const listing *l = context;
    const sherd_coarse_level *level = l->level;
    for (int32_t row = (int32_t)begin; row < (int32_t)end; ++row) {
        for (int32_t c = level->child_start[row]; c < level->child_start[row + 1]; ++c) {
            int32_t child = level->child[c];
            for (int64_t e = l->graph->start[child]; e < l->graph->start[child + 1]; ++e)
                if (has_edges(level, row, level->target[e]))
                    ++l->edges->start[level->target[e] + 1];
        }
        for (int64_t e = level->row_start[row]; e < level->row_start[row + 1]; ++e)
            l->edges->mate[e] = find_mate(level, row, level->neighbour[e]);
        l->edges->ground[row + 1] = l->graph->any_held ? count_ground(l, row) : 0;
    }
}

static void list_ground(const listing *l, int32_t row)
{
    const sherd_point_graph *all = &l->system->graph;
    int64_t at = l->edges->ground[row];
    for (int32_t c = l->level->child_start[row]; c < l->level->child_start[row + 1]; ++c) {
        int32_t child = l->level->child[c];
        if (child >= l->system->points->count) continue;
        for (uint32_t s = all->start[child]; s < all->start[child + 1]; ++s)
            if (to_held(l, all->edge[s], child)) l->edges->edge[at++] = all->edge[s];
    }
}

// Increments starts while filling; they are restored after.
static void list_edges(void *context, size_t begin, size_t end)
{
    const listing *l = context;
    const sherd_coarse_level *level = l->level;
    for (int32_t row = (int32_t)begin; row < (int32_t)end; ++row) {
        for (int32_t c = level->child_start[row]; c < level->child_start[row + 1]; ++c) {
            int32_t child = level->child[c];
            for (int64_t e = l->graph->start[child]; e < l->graph->start[child + 1]; ++e) {
                int64_t entry = level->target[e];
                if (has_edges(level, row, entry))
                    l->edges->edge[l->edges->start[entry]++] = l->graph->edge[e];
            }
        }
        if (l->graph->any_held) list_ground(l, row);
    }
}

static void sum_up(int64_t *start, int64_t count)
{
    for (int64_t k = 0; k < count; ++k)
        start[k + 1] += start[k];
}

sherd_status sherd_coarse_edges_build(sherd_coarse_edges *edges, const sherd_coarse_level *level,
                                      const sherd_edge_graph *graph,
                                      const sherd_linear_system *system, sherd_error *error)
{
    int64_t entries = level->row_start[level->count];
    size_t rows = (size_t)level->count;
    *edges = (sherd_coarse_edges){.start = sherd_alloc((size_t)entries + 1, sizeof *edges->start),
                                  .mate = sherd_alloc((size_t)entries, sizeof *edges->mate),
                                  .ground = sherd_alloc(rows + 1, sizeof *edges->ground),
                                  .any_held = graph->any_held};
    if (edges->start == NULL || edges->mate == NULL || edges->ground == NULL)
        return sherd_fail_memory(error, "edges between clusters");
    listing l = {edges, level, graph, system};
    sherd_parallel_for(&system->parallel, rows, CHUNK, count_edges, &l);
    sum_up(edges->start, entries);
    edges->ground[0] = edges->start[entries];
    sum_up(edges->ground, (int64_t)rows);
    edges->count = edges->ground[rows];
    edges->edge = sherd_alloc((size_t)edges->count, sizeof *edges->edge);
    if (edges->edge == NULL) return sherd_fail_memory(error, "edges between clusters");
    sherd_parallel_for(&system->parallel, rows, CHUNK, list_edges, &l);
    memmove(edges->start + 1, edges->start, (size_t)entries * sizeof *edges->start);
    edges->start[0] = 0;
    return SHERD_OK;
}

void sherd_coarse_edges_free(sherd_coarse_edges *edges)
{
    sherd_free(edges->start);
    sherd_free(edges->edge);
    sherd_free(edges->ground);
    sherd_free(edges->mate);
    *edges = (sherd_coarse_edges){0};
}

size_t sherd_coarse_edges_bytes(const sherd_coarse_edges *edges, const sherd_coarse_level *level)
{
    if (edges->start == NULL) return 0;
    size_t entries = (size_t)level->row_start[level->count];
    return (2 * entries + (size_t)level->count + 2) * sizeof *edges->start +
           (size_t)edges->count * sizeof *edges->edge;
}

// ---------------------------------------------------------------- places and springs

typedef struct refresh {
    sherd_coarse_level *level;
    const sherd_coarse_edges *edges;
    const sherd_linear_system *system;
} refresh;

static sherd_vec3 centre_of(const sherd_coarse_level *level, int32_t row)
{
    return vec3(level->centre[0][row], level->centre[1][row], level->centre[2][row]);
}

static bool is_point(const refresh *r, int32_t node)
{
    return node < r->system->points->count;
}

// ---------------------------------------------------------------- inertia

static void set_centre(const refresh *r, int32_t row)
{
    sherd_coarse_level *level = r->level;
    const sherd_points *p = r->system->points;
    double mass = 0.0;
    sherd_vec3 sum = vec3(0.0, 0.0, 0.0);
    for (int32_t c = level->child_start[row]; c < level->child_start[row + 1]; ++c) {
        int32_t child = level->child[c];
        if (!is_point(r, child)) continue; // a body is a cluster of its own
        mass += sherd_point_mass(p, child);
        sum = vec3_add_scaled(sum, sherd_point_mass(p, child), sherd_point_position(p, child));
    }
    double s = mass > 0.0 ? 1.0 / mass : 0.0;
    level->centre[0][row] = s * sum.x, level->centre[1][row] = s * sum.y,
    level->centre[2][row] = s * sum.z;
    level->mass[row] = mass;
}

static sherd_vec3 set_offset(const refresh *r, int32_t row, int32_t child)
{
    sherd_vec3 o =
        vec3_sub(sherd_point_position(r->system->points, child), centre_of(r->level, row));
    size_t stride = r->level->fine_stride;
    r->level->offset[child] = (float)o.x;
    r->level->offset[stride + (size_t)child] = (float)o.y;
    r->level->offset[2 * stride + (size_t)child] = (float)o.z;
    return o;
}

static void add_body(const refresh *r, int32_t child, double g[SHERD_SPRING_NUMBERS])
{
    const sherd_node_inertia *body = &r->system->bodies[child - r->system->points->count];
    double c = r->system->inertia;
    for (int a = 0; a < 3; ++a) {
        g[sherd_spring_entry(a, a)] += c * body->mass;
        for (int b = 0; b <= a; ++b)
            g[sherd_spring_entry(3 + a, 3 + b)] += c * body->moment[a][b];
    }
}

static void add_point(const refresh *r, int32_t child, sherd_vec3 offset,
                      double g[SHERD_SPRING_NUMBERS])
{
    const sherd_points *p = r->system->points;
    double m = r->system->inertia * sherd_point_mass(p, child);
    const double stiffness[6] = {m, m, m, 0.0, 0.0, 0.0};
    sherd_spring_add_point(g, offset, stiffness);
    for (int a = 3; a < 6; ++a)
        g[sherd_spring_entry(a, a)] += r->system->inertia * sherd_point_inertia(p, child);
}

// ---------------------------------------------------------------- springs of edges

// Edges of a list [begin, end) that are still intact.
static void add_edges(const refresh *r, int64_t begin, int64_t end, sherd_vec3 centre,
                      double spring[SHERD_SPRING_NUMBERS])
{
    const sherd_linear_system *s = r->system;
    if (begin == end) return;
    s->model->add_springs(s->state, s, r->edges->edge + begin, end - begin, centre, spring);
}

// A single held freedom cannot be removed from a rigid motion. Instead the cluster is connected to
// the ground there, with the stiffness of the point's edges.
static void add_held(const refresh *r, int32_t child, sherd_vec3 offset,
                     double g[SHERD_SPRING_NUMBERS])
{
    const sherd_linear_system *s = r->system;
    unsigned held = s->points->held[child];
    if (held == 0) return;
    double translational, rotational;
    s->model->hold(s->state, s, child, &translational, &rotational);
    const double stiffness[6] = {held & SHERD_HELD_X ? translational : 0.0,
                                 held & SHERD_HELD_Y ? translational : 0.0,
                                 held & SHERD_HELD_Z ? translational : 0.0};
    sherd_spring_add_point(g, offset, stiffness);
    // Where points only do not turn, a cluster's rotation moves centres.
    for (int a = 3; a < 6 && held == SHERD_HELD_ALL; ++a)
        g[sherd_spring_entry(a, a)] += rotational;
}

static void refresh_ground(void *context, size_t begin, size_t end)
{
    const refresh *r = context;
    sherd_coarse_level *level = r->level;
    for (int32_t row = (int32_t)begin; row < (int32_t)end; ++row) {
        double g[SHERD_SPRING_NUMBERS] = {0};
        set_centre(r, row);
        for (int32_t c = level->child_start[row]; c < level->child_start[row + 1]; ++c) {
            int32_t child = level->child[c];
            if (!is_point(r, child)) {
                add_body(r, child, g);
                continue;
            }
            sherd_vec3 offset = set_offset(r, row, child);
            add_point(r, child, offset, g);
            if (r->edges->any_held) add_held(r, child, offset, g);
        }
        sherd_vec3 centre = centre_of(level, row);
        add_edges(r, r->edges->ground[row], r->edges->ground[row + 1], centre, g);
        sherd_coarse_set_ground(level, row, g);
    }
}

static void store_offset(float *entry, sherd_vec3 o)
{
    entry[(SHERD_SPRING_NUMBERS + 0) * SHERD_COARSE_LANES] = (float)o.x;
    entry[(SHERD_SPRING_NUMBERS + 1) * SHERD_COARSE_LANES] = (float)o.y;
    entry[(SHERD_SPRING_NUMBERS + 2) * SHERD_COARSE_LANES] = (float)o.z;
}

// The spring of the opposite entry, which owns the edges, relative to this row's centre.
static void refresh_springs(void *context, size_t begin, size_t end)
{
    const refresh *r = context;
    const sherd_coarse_level *level = r->level;
    for (int32_t row = (int32_t)begin; row < (int32_t)end; ++row) {
        sherd_vec3 centre = centre_of(level, row);
        for (int64_t e = level->row_start[row]; e < level->row_start[row + 1]; ++e) {
            if (level->neighbour[e] < row) continue;
            double spring[SHERD_SPRING_NUMBERS] = {0}, back[SHERD_SPRING_NUMBERS] = {0};
            add_edges(r, r->edges->start[e], r->edges->start[e + 1], centre, spring);
            sherd_vec3 offset = vec3_sub(centre, centre_of(level, level->neighbour[e]));
            sherd_spring_add_shifted(back, spring, offset);
            float *here = sherd_coarse_entry(level, row, e);
            float *there = sherd_coarse_entry(level, level->neighbour[e], r->edges->mate[e]);
            for (int n = 0; n < SHERD_SPRING_NUMBERS; ++n) {
                here[n * SHERD_COARSE_LANES] = (float)spring[n];
                there[n * SHERD_COARSE_LANES] = (float)back[n];
            }
            store_offset(here, offset);
            store_offset(there, vec3_scale(-1.0, offset));
        }
    }
}

void sherd_coarse_first_refresh(sherd_coarse_level *level, const sherd_coarse_edges *edges,
                                const sherd_linear_system *system)
{
    refresh r = {level, edges, system};
    sherd_parallel_for(&system->parallel, (size_t)level->count, CHUNK, refresh_ground, &r);
    sherd_parallel_for(&system->parallel, (size_t)level->joined, CHUNK, refresh_springs, &r);
}
