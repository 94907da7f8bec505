#include "linear/multigrid/cluster_connectivity.h"

#include "base/assertion.h"
#include "base/error.h"
#include "base/memory.h"
#include "math/lower_bound.h"

#include <string.h>

// Fraction of the base's edges: if more are broken, new clusters would be rounder.
static const double MAX_BROKEN = 0.05;

// Edges are compared in chunks of this size.
enum { CHUNK = 4096 };

// The cluster of the lowest level that contains both ends of an edge.
typedef struct sherd_common_cluster {
    int level;
    int32_t cluster;
} common_cluster;

// ---------------------------------------------------------------- creation

void sherd_coarse_links_free(sherd_coarse_links *links)
{
    sherd_free(links->base);
    sherd_free(links->known);
    sherd_free(links->suspects);
    sherd_free(links->queue);
    sherd_free(links->reached);
    *links = (sherd_coarse_links){0};
}

size_t sherd_coarse_links_bytes(const sherd_coarse_links *links)
{
    return 2 * (size_t)links->edge_count + links->suspect_capacity * sizeof *links->suspects;
}

sherd_status sherd_coarse_links_begin(sherd_coarse_links *links, const uint8_t *broken,
                                      int64_t count, sherd_error *error)
{
    sherd_coarse_links_free(links);
    links->edge_count = count;
    links->base = sherd_alloc((size_t)count, sizeof *links->base);
    links->known = sherd_alloc((size_t)count, sizeof *links->known);
    if (links->base == NULL || links->known == NULL)
        return sherd_fail_memory(error, "edges between clusters");
    for (int64_t k = 0; k < count; ++k) {
        links->base[k] = links->known[k] = broken[k];
        links->intact += !broken[k];
    }
    return SHERD_OK;
}

static int32_t largest_cluster(const sherd_coarse_levels *levels)
{
    int32_t most_links = 0;
    for (int at = 0; at < levels->count; ++at) {
        const int32_t *start = levels->level[at].child_start;
        for (int32_t c = 0; c < levels->level[at].count; ++c)
            if (start[c + 1] - start[c] > most_links) most_links = start[c + 1] - start[c];
    }
    return most_links;
}

static void count_first(sherd_coarse_level *level, const sherd_coarse_edges *edges)
{
    for (int64_t e = 0; e < level->row_start[level->count]; ++e) {
        int64_t with_edges = edges->start[e + 1] > edges->start[e] ? e : edges->mate[e];
        level->links[e] = (int32_t)(edges->start[with_edges + 1] - edges->start[with_edges]);
    }
}

static void count_next(sherd_coarse_level *level, const sherd_coarse_level *finer)
{
    for (int64_t e = 0; e < level->target_count; ++e)
        if (level->target[e] >= 0) level->links[level->target[e]] += finer->links[e];
}

sherd_status sherd_coarse_links_count(sherd_coarse_links *links, sherd_coarse_levels *levels,
                                      const sherd_coarse_edges *edges, sherd_error *error)
{
    SHERD_ASSERT(levels->count > 0, "edges join clusters of the first level");
    size_t most_links = (size_t)largest_cluster(levels);
    links->queue = sherd_alloc(most_links, sizeof *links->queue);
    links->reached = sherd_alloc(most_links, sizeof *links->reached);
    if (links->queue == NULL || links->reached == NULL)
        return sherd_fail_memory(error, "edges between clusters");
    count_first(&levels->level[0], edges);
    for (int at = 1; at < levels->count; ++at)
        count_next(&levels->level[at], &levels->level[at - 1]);
    return SHERD_OK;
}

// ---------------------------------------------------------------- one edge

static int64_t entry_between(const sherd_coarse_level *level, int32_t row, int32_t neighbour)
{
    int64_t e = level->row_start[row];
    while (level->neighbour[e] != neighbour)
        ++e;
    return e;
}

// Adds to the number of edges between all clusters that the edge connects. True if the members of
// `common` that it connects have no edge left between them: two points, or the last edge between
// two clusters.
static bool add_edge(sherd_coarse_levels *levels, int32_t a, int32_t b, int32_t by,
                     common_cluster *common)
{
    int32_t remaining = 0;
    for (int at = 0; at < levels->count; ++at) {
        sherd_coarse_level *level = &levels->level[at];
        a = level->parent[a], b = level->parent[b];
        if (a >= level->count || b >= level->count) return false; // held
        *common = (common_cluster){at, a};
        if (a == b) return remaining == 0;
        remaining = level->links[entry_between(level, a, b)] += by;
        level->links[entry_between(level, b, a)] += by;
    }
    return false; // unreachable: on the last level no cluster has neighbours
}

// ---------------------------------------------------------------- connectivity of one cluster

typedef struct walk {
    const sherd_coarse_links *links;
    const sherd_coarse_level *level;
    int32_t cluster;
    int32_t found; // members in the queue
} walk;

// Members are ascending.
static int32_t index_of(const walk *w, int32_t node)
{
    const int32_t *child = w->level->child + w->level->child_start[w->cluster];
    int32_t count = w->level->child_start[w->cluster + 1] - w->level->child_start[w->cluster];
    return (int32_t)sherd_lower_bound(child, (size_t)count, node);
}

static void reach(walk *w, int32_t node)
{
    if (w->level->parent[node] != w->cluster) return;
    int32_t index = index_of(w, node);
    if (w->links->reached[index]) return;
    w->links->reached[index] = 1;
    w->links->queue[w->found++] = node;
}

static void reach_points(walk *w, const sherd_point_graph *graph, int32_t from)
{
    for (uint32_t s = graph->start[from]; s < graph->start[from + 1]; ++s)
        if (!graph->broken[graph->edge[s]])
            reach(w, sherd_edge_partner(graph, graph->edge[s], from));
}

static void reach_clusters(walk *w, const sherd_coarse_level *finer, int32_t from)
{
    for (int64_t e = finer->row_start[from]; e < finer->row_start[from + 1]; ++e)
        if (finer->links[e] > 0) reach(w, finer->neighbour[e]);
}

static bool is_connected(const sherd_coarse_links *links, const sherd_coarse_levels *levels,
                         const sherd_point_graph *graph, common_cluster at)
{
    const sherd_coarse_level *level = &levels->level[at.level];
    walk w = {links, level, at.cluster, 0};
    int32_t first = level->child_start[at.cluster];
    int32_t members = level->child_start[at.cluster + 1] - first;
    memset(links->reached, 0, (size_t)members * sizeof *links->reached);
    reach(&w, level->child[first]);
    for (int32_t k = 0; k < w.found; ++k) {
        if (at.level == 0)
            reach_points(&w, graph, links->queue[k]);
        else
            reach_clusters(&w, level - 1, links->queue[k]);
    }
    return w.found == members;
}

// ---------------------------------------------------------------- update

// False: the edge is not in the base, or memory is short.
static bool follow_edge(sherd_coarse_links *links, sherd_coarse_levels *levels,
                        const sherd_point_graph *graph, int64_t edge)
{
    if (links->base[edge]) return false;
    links->known[edge] = graph->broken[edge];
    int32_t by = graph->broken[edge] ? -1 : 1;
    links->broken_since -= by;
    common_cluster common;
    if (!add_edge(levels, graph->i[edge], graph->j[edge], by, &common) || by > 0) return true;
    if (!sherd_grow((void **)&links->suspects, &links->suspect_capacity, links->suspect_count + 1,
                    sizeof *links->suspects))
        return false;
    links->suspects[links->suspect_count++] = common;
    return true;
}

static bool follow_edges(sherd_coarse_links *links, sherd_coarse_levels *levels,
                         const sherd_point_graph *graph)
{
    for (int64_t first = 0; first < graph->count; first += CHUNK) {
        int64_t end = first + CHUNK < graph->count ? first + CHUNK : graph->count;
        if (memcmp(links->known + first, graph->broken + first, (size_t)(end - first)) == 0)
            continue;
        for (int64_t k = first; k < end; ++k)
            if (links->known[k] != graph->broken[k] && !follow_edge(links, levels, graph, k))
                return false;
    }
    return true;
}

bool sherd_coarse_links_follow(sherd_coarse_links *links, sherd_coarse_levels *levels,
                               const sherd_linear_system *system)
{
    links->suspect_count = 0;
    if (!follow_edges(links, levels, &system->graph) ||
        (double)links->broken_since > MAX_BROKEN * (double)links->intact)
        return false;
    for (size_t k = 0; k < links->suspect_count; ++k)
        if (!is_connected(links, levels, &system->graph, links->suspects[k])) return false;
    return true;
}
