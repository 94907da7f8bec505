#include "base/error.h"
#include "base/memory.h"
#include "linear/multigrid/coarse_finest.h"

#include <string.h>

enum { CHUNK = 128 };

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
