#include "linear/multigrid/edge_graph.h"

#include "base/assertion.h"
#include "base/error.h"
#include "base/memory.h"

enum { CHUNK = 2048 };

typedef struct graph_job {
    const sherd_linear_system *system;
    sherd_edge_graph *graph;
} graph_job;

static bool is_graph_edge(const graph_job *job, int64_t edge, sherd_element_index partner)
{
    return !job->system->graph.broken[edge] && !job->graph->held[partner];
}

static void count_neighbours(void *context, size_t begin, size_t end)
{
    const graph_job *job = context;
    const sherd_point_graph *all = &job->system->graph;
    for (size_t k = begin; k < end; ++k) {
        int64_t count = 0;
        if (!job->graph->held[k])
            for (uint32_t s = all->start[k]; s < all->start[k + 1]; ++s)
                count +=
                    is_graph_edge(job, all->edge[s],
                                  sherd_edge_partner(all, all->edge[s], (sherd_element_index)k));
        job->graph->start[k + 1] = count;
    }
}

static void list_neighbours(void *context, size_t begin, size_t end)
{
    const graph_job *job = context;
    const sherd_point_graph *all = &job->system->graph;
    for (size_t k = begin; k < end; ++k) {
        if (job->graph->held[k]) continue;
        int64_t at = job->graph->start[k];
        for (uint32_t s = all->start[k]; s < all->start[k + 1]; ++s) {
            sherd_element_index partner =
                sherd_edge_partner(all, all->edge[s], (sherd_element_index)k);
            if (!is_graph_edge(job, all->edge[s], partner)) continue;
            job->graph->neighbour[at] = partner;
            job->graph->edge[at++] = all->edge[s];
        }
    }
}

sherd_status sherd_edge_graph_build(sherd_edge_graph *graph, const sherd_linear_system *system,
                                    sherd_error *error)
{
    size_t nodes = sherd_node_count(system), points = (size_t)system->points->count;
    *graph = (sherd_edge_graph){.start = sherd_alloc(nodes + 1, sizeof *graph->start),
                                .held = sherd_alloc(nodes, sizeof *graph->held)};
    if (graph->start == NULL || graph->held == NULL)
        return sherd_fail_memory(error, "neighbours of elements");
    for (size_t k = 0; k < points; ++k) {
        graph->held[k] = system->points->held[k] == SHERD_HELD_ALL;
        graph->any_held |= system->points->held[k] != 0;
    }
    graph_job job = {system, graph};
    sherd_parallel_for(&system->parallel, points, CHUNK, count_neighbours, &job);
    for (size_t k = 0; k < nodes; ++k)
        graph->start[k + 1] += graph->start[k];
    graph->neighbour = sherd_alloc((size_t)graph->start[nodes], sizeof *graph->neighbour);
    graph->edge = sherd_alloc((size_t)graph->start[nodes], sizeof *graph->edge);
    if (graph->neighbour == NULL || graph->edge == NULL)
        return sherd_fail_memory(error, "neighbours of elements");
    sherd_parallel_for(&system->parallel, points, CHUNK, list_neighbours, &job);
    graph->graph = (sherd_graph){(int32_t)nodes, graph->start, graph->neighbour};
    SHERD_ASSERT(
        sherd_indices_below(graph->neighbour, (size_t)graph->start[nodes], (int64_t)points),
        "edges join points that there are");
    return SHERD_OK;
}

void sherd_edge_graph_free(sherd_edge_graph *graph)
{
    sherd_free(graph->start);
    sherd_free(graph->neighbour);
    sherd_free(graph->edge);
    sherd_free(graph->held);
    *graph = (sherd_edge_graph){0};
}
