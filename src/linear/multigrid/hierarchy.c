#include "linear/multigrid/hierarchy.h"

#include "base/cpu.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "linear/multigrid/coarse_dense.h"
#include "linear/multigrid/coarse_matrices.h"

// Cluster sizes. Larger clusters leave less work on coarser levels but need more iterations: on
// thin plates 27 and 8 took 1.5 times as many as 16 and 8, and so did 16 and 27.
enum { FIRST_SIZE = 16, SIZE = 8 };

static void drop_levels(sherd_hierarchy *h)
{
    for (int at = 0; at < h->levels.count; ++at)
        sherd_coarse_level_free(&h->levels.level[at]);
    h->levels.count = 0;
    sherd_coarse_edges_free(&h->edges);
    sherd_coarse_links_free(&h->links);
    h->built = h->restored = false;
}

void sherd_hierarchy_free(sherd_hierarchy *h)
{
    drop_levels(h);
    sherd_coarse_origin_free(&h->origin);
}

size_t sherd_hierarchy_bytes(const sherd_hierarchy *h)
{
    size_t sum = 0;
    for (int at = 0; at < h->levels.count; ++at)
        sum += sherd_coarse_level_bytes(&h->levels.level[at]) +
               sherd_coarse_dense_bytes(&h->levels.level[at]);
    if (h->levels.count > 0) sum += sherd_coarse_edges_bytes(&h->edges, &h->levels.level[0]);
    return sum + sherd_coarse_links_bytes(&h->links) + sherd_coarse_origin_bytes(&h->origin);
}

// ---------------------------------------------------------------- topology

static sherd_hierarchy_stamp stamp_of(const sherd_linear_system *system)
{
    const sherd_points *p = system->points;
    return (sherd_hierarchy_stamp){
        .topology = system->topology,
        .held = sherd_hash_bytes(SHERD_HASH_START, p->held, (size_t)p->count),
        .state = system->state,
        .points = p->count,
        .bodies = system->body_count};
}

// Without its edges.
static bool same_nodes(const sherd_hierarchy_stamp *a, const sherd_hierarchy_stamp *b)
{
    return a->held == b->held && a->state == b->state && a->points == b->points &&
           a->bodies == b->bodies;
}

static bool is_for(const sherd_hierarchy *h, const sherd_hierarchy_stamp *now)
{
    return h->built && same_nodes(&h->built_for, now) && h->built_for.topology == now->topology;
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

// Every level at least halves the number of nodes with neighbours: 32 levels are enough.
static sherd_status build_levels(sherd_hierarchy *h, const sherd_linear_system *system,
                                 const sherd_edge_graph *graph, sherd_error *error)
{
    sherd_status status = add_level(h, &graph->graph, sherd_node_stride((size_t)graph->graph.count),
                                    graph->held, error);
    if (status == SHERD_OK)
        status = sherd_coarse_edges_build(&h->edges, &h->levels.level[0], graph, system, error);
    while (status == SHERD_OK && h->levels.count < SHERD_COARSE_MAX_LEVELS) {
        const sherd_coarse_level *last = &h->levels.level[h->levels.count - 1];
        if (last->joined == 0) break;
        sherd_graph finer = sherd_coarse_graph(last);
        status = add_level(h, &finer, last->stride, NULL, error);
    }
    return status;
}

// Built for the edges of links.base, whichever of them are intact at present.
static sherd_status build_for_base(sherd_hierarchy *h, const sherd_linear_system *system,
                                   sherd_error *error)
{
    sherd_linear_system then = *system;
    then.graph.broken = h->links.base;
    sherd_edge_graph graph = {0};
    sherd_status status = sherd_edge_graph_build(&graph, &then, error);
    if (status == SHERD_OK) status = build_levels(h, &then, &graph, error);
    sherd_edge_graph_free(&graph);
    if (status == SHERD_OK)
        status = sherd_coarse_links_count(&h->links, &h->levels, &h->edges, error);
    h->built_for = stamp_of(system);
    h->built = status == SHERD_OK;
    h->restored = false;
    ++h->builds;
    return status;
}

static bool fits_restored(const sherd_hierarchy *h, const sherd_linear_system *system)
{
    return h->restored && h->built_for.held == stamp_of(system).held &&
           h->links.edge_count == system->graph.count;
}

static sherd_status build(sherd_hierarchy *h, const sherd_linear_system *system, sherd_error *error)
{
    sherd_hierarchy_stamp now = stamp_of(system);
    if (is_for(h, &now)) return SHERD_OK;
    sherd_status status = SHERD_OK;
    if (fits_restored(h, system)) status = build_for_base(h, system, error);
    if (status != SHERD_OK) return status;
    if (h->built && same_nodes(&h->built_for, &now) &&
        sherd_coarse_links_follow(&h->links, &h->levels, system)) {
        h->built_for.topology = now.topology;
        return SHERD_OK;
    }
    drop_levels(h);
    status = sherd_coarse_links_begin(&h->links, system->graph.broken, system->graph.count, error);
    return status == SHERD_OK ? build_for_base(h, system, error) : status;
}

// ---------------------------------------------------------------- matrices

static sherd_status refresh_levels(sherd_hierarchy *h, const sherd_linear_system *system,
                                   sherd_error *error)
{
    sherd_coarse_levels *levels = &h->levels;
    sherd_status status = SHERD_OK;
    sherd_coarse_first_refresh(&levels->level[0], &h->edges, system);
    for (int at = 0; at < levels->count && status == SHERD_OK; ++at) {
        sherd_coarse_level *level = &levels->level[at], *finer = level - 1;
        if (at > 0) sherd_coarse_level_refresh(level, finer, &levels->parallel);
        status = at > 0 ? sherd_coarse_level_contacts(level, finer, error)
                        : sherd_coarse_first_contacts(level, system, error);
        if (status == SHERD_OK) status = sherd_coarse_dense_refresh(level, error);
        if (status != SHERD_OK || sherd_coarse_is_dense(level)) break;
        sherd_coarse_level_smoother(level, levels->kernels, &levels->parallel);
    }
    return status;
}

sherd_status sherd_hierarchy_prepare(sherd_hierarchy *h, const sherd_linear_system *system,
                                     sherd_error *error)
{
    h->levels.parallel = system->parallel;
    h->levels.kernels = SHERD_KERNEL_AT(sherd_cpu_level(), sherd_coarse_kernels_single);
    sherd_hierarchy_stamp now = stamp_of(system);
    if (system->nearly_same && is_for(h, &now)) return SHERD_OK;
    bool again = system->nearly_same && h->restored && h->origin.known &&
                 h->origin.count == system->points->count;
    sherd_points points;
    sherd_linear_system then =
        again ? sherd_coarse_origin_system(&h->origin, system, &points) : *system;
    sherd_status status = build(h, &then, error);
    if (status == SHERD_OK && !again) status = sherd_coarse_origin_note(&h->origin, system, error);
    if (status == SHERD_OK) status = refresh_levels(h, &then, error);
    return status;
}

// ---------------------------------------------------------------- checkpoints

void sherd_hierarchy_save(const sherd_hierarchy *h, sherd_byte_buffer *out)
{
    if (!h->built && !h->restored) return;
    const uint64_t held = h->built_for.held;
    sherd_record_write_one(out, "held", &sherd_rows_u64, &held);
    sherd_record_write(out, &(sherd_record_column){"bonds", &sherd_rows_u8, h->links.base,
                                                   (size_t)h->links.edge_count, 0});
    sherd_coarse_origin_save(&h->origin, out);
}

sherd_status sherd_hierarchy_restore(sherd_hierarchy *h, sherd_record_reader *in,
                                     sherd_error *error)
{
    sherd_hierarchy_free(h);
    if (!sherd_record_has(in, "held")) return in->status;
    sherd_record_read_one(in, "held", &sherd_rows_u64, &h->built_for.held);
    size_t count = sherd_record_rows(in, "bonds");
    if (in->status != SHERD_OK) return in->status;
    uint8_t *base = sherd_alloc(count, sizeof *base);
    if (base == NULL) return sherd_fail_memory(error, "edges between clusters");
    sherd_record_read(in, &(sherd_record_column){"bonds", &sherd_rows_u8, base, count, 0});
    sherd_status status = in->status;
    if (status == SHERD_OK)
        status = sherd_coarse_links_begin(&h->links, base, (int64_t)count, error);
    if (status == SHERD_OK) status = sherd_coarse_origin_restore(&h->origin, in, error);
    h->restored = status == SHERD_OK;
    sherd_free(base);
    return status;
}
