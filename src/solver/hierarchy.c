#include "solver/hierarchy.h"

#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "solver/coarse_values.h"

// Members of clusters. Larger ones leave less to do on coarser levels and take more iterations: on thin
// plates 27 and 8 took 1.5 times as many as 16 and 8, 16 and 27 as well.
enum { FIRST_SIZE = 16, SIZE = 8 };

void sherd_hierarchy_free(sherd_hierarchy *h)
{
    for (int at = 0; at < h->levels.count; ++at)
        sherd_coarse_level_free(&h->levels.level[at]);
    h->levels.count = 0;
    sherd_coarse_bonds_free(&h->bonds);
    h->built = false;
}

size_t sherd_hierarchy_bytes(const sherd_hierarchy *h)
{
    size_t sum = 0;
    for (int at = 0; at < h->levels.count; ++at)
        sum += sherd_coarse_level_bytes(&h->levels.level[at]);
    if (h->levels.count > 0) sum += sherd_coarse_bonds_bytes(&h->bonds, &h->levels.level[0]);
    return sum;
}

// ---------------------------------------------------------------- topology

static sherd_hierarchy_stamp stamp_of(const sherd_linear_system *system)
{
    const sherd_elements *e = system->elements;
    return (sherd_hierarchy_stamp){
        .topology = system->topology,
        .held = sherd_hash_bytes(SHERD_HASH_START, e->held, (size_t)e->count),
        .bonds = system->bonds,
        .elements = e->count,
        .bodies = system->body_count};
}

static bool same_stamp(const sherd_hierarchy_stamp *a, const sherd_hierarchy_stamp *b)
{
    return a->topology == b->topology && a->held == b->held && a->bonds == b->bonds &&
           a->elements == b->elements && a->bodies == b->bodies;
}

static sherd_status add_level(sherd_hierarchy *h, const sherd_graph *finer, size_t fine_stride,
                              const uint8_t *excluded, sherd_error *error)
{
    int32_t *cluster = sherd_alloc((size_t)finer->count, sizeof *cluster);
    if (cluster == NULL) return sherd_fail_memory(error, "clusters");
    sherd_clusters found;
    int size = h->levels.count == 0 ? FIRST_SIZE : SIZE;
    sherd_status status = sherd_clusters_find(finer, excluded, size, cluster, &found, error);
    if (status == SHERD_OK)
        status = sherd_coarse_level_build(&h->levels.level[h->levels.count++], finer, fine_stride,
                                          cluster, &found, &h->levels.parallel, error);
    sherd_free(cluster);
    return status;
}

// Every level at least halves the nodes that have neighbours: 32 levels are enough.
static sherd_status build_levels(sherd_hierarchy *h, const sherd_linear_system *system,
                                 const sherd_bond_graph *graph, sherd_error *error)
{
    sherd_status status = add_level(h, &graph->graph, sherd_node_stride((size_t)graph->graph.count),
                                    graph->held, error);
    if (status == SHERD_OK)
        status = sherd_coarse_bonds_build(&h->bonds, &h->levels.level[0], graph, system, error);
    while (status == SHERD_OK && h->levels.count < SHERD_COARSE_MOST_LEVELS) {
        const sherd_coarse_level *last = &h->levels.level[h->levels.count - 1];
        if (last->joined == 0) break;
        sherd_graph finer = sherd_coarse_graph(last);
        status = add_level(h, &finer, last->stride, NULL, error);
    }
    return status;
}

static sherd_status build(sherd_hierarchy *h, const sherd_linear_system *system, sherd_error *error)
{
    sherd_hierarchy_stamp now = stamp_of(system);
    if (h->built && same_stamp(&h->built_for, &now)) return SHERD_OK;
    sherd_hierarchy_free(h);
    sherd_bond_graph graph = {0};
    sherd_status status = sherd_bond_graph_build(&graph, system, error);
    if (status == SHERD_OK) status = build_levels(h, system, &graph, error);
    sherd_bond_graph_free(&graph);
    h->built_for = now;
    h->built = status == SHERD_OK;
    return status;
}

// ---------------------------------------------------------------- numbers

static sherd_status refresh_levels(sherd_hierarchy *h, const sherd_linear_system *system,
                                   sherd_error *error)
{
    sherd_coarse_levels *levels = &h->levels;
    sherd_status status = sherd_coarse_first_refresh(&levels->level[0], &h->bonds, system, error);
    for (int at = 0; at < levels->count && status == SHERD_OK; ++at) {
        sherd_coarse_level *level = &levels->level[at], *finer = level - 1;
        if (at > 0) sherd_coarse_level_refresh(level, finer, &levels->parallel);
        status = at > 0 ? sherd_coarse_level_contacts(level, finer, error)
                        : sherd_coarse_first_contacts(level, system, error);
        if (status == SHERD_OK)
            sherd_coarse_level_smoother(level, levels->kernels, &levels->parallel);
    }
    return status;
}

sherd_status sherd_hierarchy_prepare(sherd_hierarchy *h, const sherd_linear_system *system,
                                     sherd_error *error)
{
    h->levels.parallel = system->parallel;
    h->levels.kernels = sherd_coarse_kernels_best();
    sherd_hierarchy_stamp now = stamp_of(system);
    if (system->nearly_same && h->built && same_stamp(&h->built_for, &now)) return SHERD_OK;
    sherd_status status = build(h, system, error);
    if (status == SHERD_OK) status = refresh_levels(h, system, error);
    return status;
}
