#include "base/error.h"
#include "base/memory.h"
#include "linear/multigrid/coarse_first.h"

enum { CHUNK = 2048 };

typedef struct graph_job {
    const sherd_linear_system *system;
    sherd_bond_graph *graph;
} graph_job;

static bool leads_on(const graph_job *job, int64_t bond, sherd_element_index partner)
{
    return !job->system->bonds->broken[bond] && !job->graph->held[partner];
}

static void count_neighbours(void *context, size_t begin, size_t end)
{
    const graph_job *job = context;
    const sherd_adjacency *adjacency = job->system->adjacency;
    for (size_t k = begin; k < end; ++k) {
        int64_t count = 0;
        if (!job->graph->held[k])
            for (uint32_t s = adjacency->start[k]; s < adjacency->start[k + 1]; ++s) {
                int64_t bond = adjacency->bond[s];
                count +=
                    leads_on(job, bond,
                             sherd_bond_partner(job->system->bonds, bond, (sherd_element_index)k));
            }
        job->graph->start[k + 1] = count;
    }
}

static void list_neighbours(void *context, size_t begin, size_t end)
{
    const graph_job *job = context;
    const sherd_adjacency *adjacency = job->system->adjacency;
    for (size_t k = begin; k < end; ++k) {
        if (job->graph->held[k]) continue;
        int64_t at = job->graph->start[k];
        for (uint32_t s = adjacency->start[k]; s < adjacency->start[k + 1]; ++s) {
            int64_t bond = adjacency->bond[s];
            sherd_element_index partner =
                sherd_bond_partner(job->system->bonds, bond, (sherd_element_index)k);
            if (!leads_on(job, bond, partner)) continue;
            job->graph->neighbour[at] = partner;
            job->graph->bond[at++] = (uint32_t)bond;
        }
    }
}

sherd_status sherd_bond_graph_build(sherd_bond_graph *graph, const sherd_linear_system *system,
                                    sherd_error *error)
{
    size_t nodes = sherd_node_count(system), elements = (size_t)system->elements->count;
    *graph = (sherd_bond_graph){.start = sherd_alloc(nodes + 1, sizeof *graph->start),
                                .held = sherd_alloc(nodes, sizeof *graph->held)};
    if (graph->start == NULL || graph->held == NULL)
        return sherd_fail_memory(error, "neighbours of elements");
    for (size_t k = 0; k < elements; ++k) {
        graph->held[k] = system->elements->held[k] == SHERD_HELD_ALL;
        graph->any_held |= system->elements->held[k] != 0;
    }
    graph_job job = {system, graph};
    sherd_parallel_for(&system->parallel, elements, CHUNK, count_neighbours, &job);
    for (size_t k = 0; k < nodes; ++k)
        graph->start[k + 1] += graph->start[k];
    graph->neighbour = sherd_alloc((size_t)graph->start[nodes], sizeof *graph->neighbour);
    graph->bond = sherd_alloc((size_t)graph->start[nodes], sizeof *graph->bond);
    if (graph->neighbour == NULL || graph->bond == NULL)
        return sherd_fail_memory(error, "neighbours of elements");
    sherd_parallel_for(&system->parallel, elements, CHUNK, list_neighbours, &job);
    graph->graph = (sherd_graph){(int32_t)nodes, graph->start, graph->neighbour};
    return SHERD_OK;
}

void sherd_bond_graph_free(sherd_bond_graph *graph)
{
    sherd_free(graph->start);
    sherd_free(graph->neighbour);
    sherd_free(graph->bond);
    sherd_free(graph->held);
    *graph = (sherd_bond_graph){0};
}
