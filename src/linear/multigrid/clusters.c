#include "linear/multigrid/clusters.h"

#include "base/assertion.h"
#include "base/error.h"
#include "base/memory.h"

#include <stdbool.h>
#include <string.h>

// A node adjacent to the growing cluster.
typedef struct candidate {
    int32_t node;
    int32_t links; // number of adjacent members
    int32_t ring;  // graph distance from the start
} candidate;

typedef struct growth {
    const sherd_graph *graph;
    int32_t *cluster;
    int32_t *candidate_of; // by node: index among the candidates, or -1
    candidate *candidates;
    int32_t candidate_count;
    int32_t *members;
    int32_t member_count;
} growth;

// ---------------------------------------------------------------- growth of one cluster

static void touch(growth *g, int32_t node, int32_t ring)
{
    if (g->cluster[node] >= 0) return;
    if (g->candidate_of[node] >= 0) {
        ++g->candidates[g->candidate_of[node]].links;
        return;
    }
    g->candidate_of[node] = g->candidate_count;
    g->candidates[g->candidate_count++] = (candidate){node, 1, ring};
}

static void take(growth *g, int32_t node, int32_t ring, int32_t cluster)
{
    g->cluster[node] = cluster;
    g->members[g->member_count++] = node;
    for (int64_t e = g->graph->start[node]; e < g->graph->start[node + 1]; ++e)
        touch(g, g->graph->neighbour[e], ring + 1);
}

static bool better(const candidate *a, const candidate *b)
{
    if (a->links != b->links) return a->links > b->links;
    if (a->ring != b->ring) return a->ring < b->ring;
    return a->node < b->node;
}

static candidate pop_best(growth *g)
{
    int32_t best = 0;
    for (int32_t k = 1; k < g->candidate_count; ++k)
        if (better(&g->candidates[k], &g->candidates[best])) best = k;
    candidate taken = g->candidates[best], *last = &g->candidates[--g->candidate_count];
    g->candidate_of[last->node] = best;
    g->candidates[best] = *last;
    g->candidate_of[taken.node] = -1;
    return taken;
}

static void grow(growth *g, int32_t start, int32_t cluster, int size)
{
    g->candidate_count = g->member_count = 0;
    take(g, start, 0, cluster);
    while (g->member_count < size && g->candidate_count > 0) {
        candidate best = pop_best(g);
        take(g, best.node, best.ring, cluster);
    }
    for (int32_t k = 0; k < g->candidate_count; ++k)
        g->candidate_of[g->candidates[k].node] = -1;
}

// ---------------------------------------------------------------- clusters that stay small

static int64_t votes_for(const growth *g, int32_t cluster)
{
    int64_t votes = 0;
    for (int32_t m = 0; m < g->member_count; ++m)
        for (int64_t e = g->graph->start[g->members[m]]; e < g->graph->start[g->members[m] + 1];
             ++e)
            votes += g->cluster[g->graph->neighbour[e]] == cluster;
    return votes;
}

// The other cluster that contains most of the members' neighbours; the first found if there are
// several.
static int32_t preferred_cluster(const growth *g, int32_t own)
{
    int32_t best = SHERD_CLUSTER_NONE;
    int64_t most_votes = 0;
    for (int32_t m = 0; m < g->member_count; ++m)
        for (int64_t e = g->graph->start[g->members[m]]; e < g->graph->start[g->members[m] + 1];
             ++e) {
            int32_t at = g->cluster[g->graph->neighbour[e]];
            if (at < 0 || at == own || at == best) continue;
            int64_t votes = votes_for(g, at);
            if (votes > most_votes) best = at, most_votes = votes;
        }
    return best;
}

// Returns the number of clusters.
static int32_t grow_all(growth *g, int size)
{
    int32_t count = 0;
    for (int32_t node = 0; node < g->graph->count; ++node) {
        if (g->cluster[node] >= 0 || g->graph->start[node] == g->graph->start[node + 1]) continue;
        grow(g, node, count, size);
        int32_t into =
            2 * g->member_count < size ? preferred_cluster(g, count) : SHERD_CLUSTER_NONE;
        for (int32_t m = 0; m < g->member_count && into >= 0; ++m)
            g->cluster[g->members[m]] = into;
        if (into < 0) ++count;
    }
    return count;
}

// ---------------------------------------------------------------- numbering

// joined[cluster] = 1 if a node has a neighbour in another cluster.
static void find_joined(const growth *g, uint8_t *joined)
{
    const sherd_graph *graph = g->graph;
    for (int32_t node = 0; node < graph->count; ++node)
        for (int64_t e = graph->start[node]; e < graph->start[node + 1]; ++e)
            if (g->cluster[graph->neighbour[e]] != g->cluster[node]) {
                joined[g->cluster[node]] = 1;
                break;
            }
}

// Assigns the final numbers to clusters; number[] is by old number.
static void renumber(growth *g, const uint8_t *excluded, int32_t grown, const uint8_t *joined,
                     int32_t *number, sherd_clusters *found)
{
    int32_t next = 0;
    for (int32_t c = 0; c < grown; ++c)
        if (joined[c]) number[c] = next++;
    found->joined = next;
    for (int32_t c = 0; c < grown; ++c)
        if (!joined[c]) number[c] = next++;
    found->several = next;
    for (int32_t node = 0; node < g->graph->count; ++node) {
        if (g->cluster[node] >= 0)
            g->cluster[node] = number[g->cluster[node]];
        else if (excluded == NULL || !excluded[node])
            g->cluster[node] = next++;
    }
    found->count = next;
}

sherd_status sherd_clusters_find(const sherd_graph *graph, const uint8_t *excluded, int size,
                                 int32_t *cluster, sherd_clusters *found, sherd_error *error)
{
    SHERD_ASSERT(size >= 2 && sherd_long_rows_follow(graph->start, (size_t)graph->count),
                 "rows of the graph are consecutive");
    size_t count = (size_t)graph->count;
    growth g = {.graph = graph,
                .cluster = cluster,
                .candidate_of = sherd_alloc(count, sizeof *g.candidate_of),
                .candidates = sherd_alloc(count, sizeof *g.candidates),
                .members = sherd_alloc(count, sizeof *g.members)};
    uint8_t *joined = sherd_alloc(count, sizeof *joined);
    sherd_status status = SHERD_OK;
    if (g.candidate_of == NULL || g.candidates == NULL || g.members == NULL || joined == NULL) {
        status = sherd_fail_memory(error, "clusters of elements");
    } else {
        memset(cluster, 0xff, count * sizeof *cluster);
        memset(g.candidate_of, 0xff, count * sizeof *g.candidate_of);
        int32_t grown = grow_all(&g, size);
        find_joined(&g, joined);
        renumber(&g, excluded, grown, joined, g.members, found);
        SHERD_ASSERT(found->joined <= found->several && found->several <= found->count &&
                         found->count <= graph->count,
                     "clusters have members");
    }
    sherd_free(g.candidate_of);
    sherd_free(g.candidates);
    sherd_free(g.members);
    sherd_free(joined);
    return status;
}
