#include "surface/methods/crack/crack_grid.h"

#include "base/assertion.h"
#include "base/hash.h"
#include "base/memory.h"
#include "math/vec3.h"
#include "surface/methods/crack/assigned_node.h"
#include "surface/methods/crack/crack_cell.h"

#include <string.h>

// Node coordinates must fit 19 bits (crack_cell.c).
static const double MAX_BLOCKS_ALONG = 65000.0, MAX_BLOCKS = 2e8;
// Offsets the grid from faces at round coordinates, so that nodes do not lie on the surface.
static const double ODD_OFFSET = 0.381966011250105;

// --- Blocks ----------------------------------------------------------------------------------------

typedef struct keep_job {
    const crack_grid *g;
    const outline *o;
    const int32_t *size;
    uint8_t *keep;
} keep_job;

static void coordinates_of(const int32_t size[3], size_t k, int32_t at[3])
{
    at[0] = (int32_t)(k % (size_t)size[0]);
    at[1] = (int32_t)(k / (size_t)size[0] % (size_t)size[1]);
    at[2] = (int32_t)(k / (size_t)size[0] / (size_t)size[1]);
}

sherd_bounds sherd_crack_block_bounds(const crack_grid *g, const crack_block *b)
{
    SHERD_ASSERT(g->cell > 0.0, "a grid has cells");
    double edge = CRACK_BLOCK * g->cell;
    sherd_vec3 low = vec3_add_scaled(g->origin, edge, vec3(b->at[0], b->at[1], b->at[2]));
    return (sherd_bounds){low, vec3_add(low, vec3(edge, edge, edge))};
}

// Selects blocks that intersect the body: their centre is nearer to it than their corners.
static void mark_kept(void *context, size_t begin, size_t end)
{
    keep_job *job = context;
    double half = 0.5 * CRACK_BLOCK * job->g->cell;
    for (size_t k = begin; k < end; ++k) {
        crack_block b;
        coordinates_of(job->size, k, b.at);
        sherd_vec3 centre =
            vec3_add(sherd_crack_block_bounds(job->g, &b).low, vec3(half, half, half));
        job->keep[k] = sherd_shape_distance(job->o->solid, centre) <= 1.001 * sqrt(3.0) * half;
    }
}

static crack_result keep_blocks(crack_grid *g, const outline *o, const int32_t size[3],
                                const sherd_parallel *parallel)
{
    size_t n = (size_t)size[0] * (size_t)size[1] * (size_t)size[2];
    keep_job job = {g, o, size, sherd_alloc(n, 1)};
    if (job.keep == NULL) return CRACK_MEMORY;
    sherd_parallel_for(parallel, n, 64, mark_kept, &job);
    for (size_t k = 0; k < n; ++k)
        g->count += job.keep[k];
    g->blocks = sherd_alloc((size_t)g->count, sizeof *g->blocks);
    int32_t next = 0;
    for (size_t k = 0; g->blocks != NULL && k < n; ++k)
        if (job.keep[k]) coordinates_of(size, k, g->blocks[next++].at);
    sherd_free(job.keep);
    return g->blocks != NULL ? CRACK_OK : CRACK_MEMORY;
}

// --- Sparse blocks ---------------------------------------------------------------------------------

typedef struct sparse_job {
    crack_grid *g;
    const outline *o;
    const partition *p;
    uint8_t *bare; // vertices of the outline
} sparse_job;

// Elements reach the outer surface with a margin for the parts between vertices.
static void find_bare(void *context, size_t begin, size_t end)
{
    sparse_job *job = context;
    for (size_t v = begin; v < end; ++v)
        job->bare[v] = !sherd_partition_covers(job->p, job->o->position[v], 0.5);
}

static void find_voids(void *context, size_t begin, size_t end)
{
    sparse_job *job = context;
    double half = 0.5 * CRACK_BLOCK * job->g->cell;
    for (size_t k = begin; k < end; ++k) {
        crack_block *b = &job->g->blocks[k];
        sherd_vec3 centre =
            vec3_add(sherd_crack_block_bounds(job->g, b).low, vec3(half, half, half));
        b->sparse = !sherd_partition_covers(job->p, centre, 0.5) &&
                    sherd_shape_distance(job->o->solid, centre) < 0.0;
    }
}

static void mark_around(crack_grid *g, sherd_vec3 x, double reach)
{
    for (int32_t k = 0; k < g->count; ++k) {
        sherd_bounds box = sherd_crack_block_bounds(g, &g->blocks[k]);
        g->blocks[k].sparse |= x.x > box.low.x - reach && x.x < box.high.x + reach &&
                               x.y > box.low.y - reach && x.y < box.high.y + reach &&
                               x.z > box.low.z - reach && x.z < box.high.z + reach;
    }
}

static crack_result find_sparse(crack_grid *g, const outline *o, const partition *p,
                                const sherd_parallel *parallel)
{
    enum { MAX_MARKED = 1000 };
    size_t n = (size_t)o->vertex_count;
    sparse_job job = {g, o, p, sherd_alloc(n, 1)};
    if (job.bare == NULL) return CRACK_MEMORY;
    sherd_parallel_for(parallel, n, 256, find_bare, &job);
    sherd_parallel_for(parallel, (size_t)g->count, 16, find_voids, &job);
    int marked = 0;
    for (size_t v = 0; v < n && marked <= MAX_MARKED; ++v)
        if (job.bare[v] && marked++ < MAX_MARKED) mark_around(g, o->position[v], p->reach);
    for (int32_t k = 0; marked > MAX_MARKED && k < g->count; ++k)
        g->blocks[k].sparse = true;
    sherd_free(job.bare);
    return CRACK_OK;
}

crack_result sherd_crack_grid_create(crack_grid *g, const outline *o, const partition *p,
                                     double cell, const sherd_parallel *parallel)
{
    sherd_bounds box = sherd_shape_bounds(o->solid);
    double edge = CRACK_BLOCK * cell, total = 1.0;
    double extent[3] = {box.high.x - box.low.x, box.high.y - box.low.y, box.high.z - box.low.z};
    int32_t size[3];
    *g = (crack_grid){.cell = cell};
    g->origin = vec3_sub(box.low, vec3(cell * (1.0 + ODD_OFFSET), cell * (1.1 + ODD_OFFSET),
                                       cell * (1.2 + ODD_OFFSET)));
    for (int d = 0; d < 3; ++d) {
        double along = floor((extent[d] + 3.6 * cell) / edge) + 1.0;
        if (!(along < MAX_BLOCKS_ALONG)) return CRACK_TOO_LARGE;
        size[d] = (int32_t)along;
        total *= along;
    }
    if (!(total < MAX_BLOCKS)) return CRACK_TOO_LARGE;
    crack_result result = keep_blocks(g, o, size, parallel);
    return result == CRACK_OK ? find_sparse(g, o, p, parallel) : result;
}

void sherd_crack_grid_release(crack_grid *g)
{
    for (int32_t k = 0; k < g->count && g->blocks != NULL; ++k) {
        sherd_free(g->blocks[k].vertices);
        sherd_free(g->blocks[k].triangles);
        sherd_free(g->blocks[k].walls);
    }
    sherd_free(g->blocks);
    sherd_assigned_nodes_release(&g->assigned);
    *g = (crack_grid){0};
}

// --- An update -------------------------------------------------------------------------------------

typedef struct march_job {
    crack_grid *g;
    const partition *p;
    const slits *s;
    uint8_t *stale;
} march_job;

static sherd_vec3 node_position(const crack_grid *g, const crack_block *b, int node)
{
    sherd_vec3 at = vec3(CRACK_BLOCK * b->at[0] + node % CRACK_EDGE,
                         CRACK_BLOCK * b->at[1] + node / CRACK_EDGE % CRACK_EDGE,
                         CRACK_BLOCK * b->at[2] + node / (CRACK_EDGE * CRACK_EDGE));
    return vec3_add_scaled(g->origin, g->cell, at);
}

// Returns the index of an assigned node in a block, or -1.
static int node_in_block(const crack_block *b, const assigned_node *assigned)
{
    int node = 0;
    for (int d = 2; d >= 0; --d) {
        int32_t at = assigned->at[d] - CRACK_BLOCK * b->at[d];
        if (at < 0 || at >= CRACK_EDGE) return -1;
        node = node * CRACK_EDGE + at;
    }
    return node;
}

// A fragment outweighs all others on its assigned node by this factor (logarithm).
static const double ASSIGNED_MARGIN = 1.0;

static bool copy_assigned(const march_job *job, const crack_block *b, crack_node node[CRACK_NODES])
{
    bool any = false;
    for (int32_t k = 0; k < job->g->assigned.count; ++k) {
        const assigned_node *assigned = &job->g->assigned.node[k];
        int at = node_in_block(b, assigned);
        if (at < 0) continue;
        strongest_list *list = &node[at].at;
        int last = list->count < CHIPS_STRONGEST ? list->count++ : CHIPS_STRONGEST - 1;
        for (int j = last; j > 0; --j) {
            list->label[j] = list->label[j - 1];
            list->value[j] = list->value[j - 1];
        }
        list->label[0] = assigned->label;
        list->value[0] += ASSIGNED_MARGIN;
        any = true;
    }
    return any;
}

// Kernels of thin pieces end before the reach of other kernels would.
static strongest_list unreached(const march_job *job, const crack_block *b, sherd_vec3 x)
{
    sherd_fragment_id label =
        b->sparse ? sherd_partition_nearest(job->p, x) : sherd_partition_nearest_within(job->p, x);
    return (strongest_list){.count = 1, .label = {label}};
}

// The element visible from a node; -1: none.
static int32_t anchor_of(const march_job *job, const crack_block *b, int node)
{
    int32_t *known = &b->walls->anchor[node];
    if (*known == 0) *known = sherd_partition_anchor(job->p, 0, node_position(job->g, b, node)) + 2;
    return *known - 2;
}

// What the walls determine about a node; without walls, kernels decide, and cells near chips.
static strongest_list strongest_at(const march_job *job, const crack_block *b,
                                   const node_densities *d, const cells_near *cells, int node)
{
    sherd_vec3 x = node_position(job->g, b, node);
    strongest_list list = {0};
    if (job->p->wall_count > 0) {
        int32_t anchor = anchor_of(job, b, node);
        if (anchor < 0) return unreached(job, b, x);
        return (strongest_list){.count = 1, .label = {job->p->label[anchor]}};
    }
    cells_at_point at;
    if (d->count > 0)
        list.count = sherd_partition_rank(d->count, d->label, &d->psi[0][node], NODES, list.label,
                                          list.value);
    if (cells->chips.count > 0 && sherd_chip_cells_at(&job->p->chips, cells, x, &at)) {
        const strongest_list others = list;
        sherd_chip_cells_join(&at, others.count, others.label, others.value, &list);
    }
    return list.count > 0 ? list : unreached(job, b, x);
}

// Returns whether more than one fragment owns nodes.
static bool find_owners(const march_job *job, const crack_block *b, const node_densities *d,
                        const cells_near *cells, crack_node node[CRACK_NODES])
{
    bool mixed = false;
    for (int k = 0; k < CRACK_NODES; ++k) {
        node[k] = (crack_node){.at = strongest_at(job, b, d, cells, k)};
        mixed |= node[k].at.label[0] != node[0].at.label[0];
    }
    return mixed;
}

static void set_owner(crack_node node[CRACK_NODES], sherd_fragment_id only)
{
    for (int k = 0; k < CRACK_NODES; ++k)
        node[k] = (crack_node){.at = {.count = 1, .label = {only}}};
}

// For bodies with walls.
static void find_piece(const march_job *job, const crack_block *b, int node, crack_node *n)
{
    sherd_vec3 x = node_position(job->g, b, node);
    n->near_slit = sherd_slits_support(job->s, n->at.label[0], x);
    int32_t anchor = n->near_slit ? anchor_of(job, b, node) : -1;
    // The value of any fragment equals its owner's, except where the node was assigned or the owner
    // is not visible.
    if (n->near_slit && (anchor < 0 || job->p->label[anchor] != n->at.label[0]))
        anchor = sherd_partition_anchor(job->p, n->at.label[0], x);
    n->near_slit = anchor >= 0;
    if (anchor >= 0) n->piece = job->p->links.piece[anchor];
}

static bool find_slits(const march_job *job, const crack_block *b, crack_node node[CRACK_NODES])
{
    bool any = false;
    for (int k = 0; k < CRACK_NODES; ++k) {
        crack_node *n = &node[k];
        sherd_vec3 x = node_position(job->g, b, k);
        if (job->p->wall_count > 0)
            find_piece(job, b, k, n);
        else
            n->near_slit = sherd_slits_distance(job->s, n->at.label[0], x, &n->slit, &n->slit_side);
        any |= n->near_slit;
    }
    return any;
}

// A thread's results for its blocks.
typedef struct march_scratch {
    node_densities densities;
    cells_near cells;
} march_scratch;

static bool examine_elements(const march_job *job, const crack_block *b, march_scratch *s)
{
    const partition *p = job->p;
    if (p->wall_count > 0) return true; // each node decides for itself
    const int32_t first[3] = {CRACK_BLOCK * b->at[0], CRACK_BLOCK * b->at[1],
                              CRACK_BLOCK * b->at[2]};
    sherd_bounds box = sherd_crack_block_bounds(job->g, b);
    return sherd_node_densities_find(&s->densities, p, job->g->origin, job->g->cell, first) &&
           (!p->chips.used ||
            sherd_chip_cells_near(&p->chips, &p->elements, p->label, box.low, box.high, &s->cells));
}

static bool march_block(const march_job *job, crack_block *b, march_scratch *s)
{
    crack_node node[CRACK_NODES];
    b->vertex_count = b->triangle_count = 0;
    sherd_bounds box = sherd_crack_block_bounds(job->g, b);
    bool slit = job->s->points.count > 0 && sherd_slits_near(job->s, box.low, box.high);
    sherd_fragment_id only = b->sparse ? 0 : sherd_partition_only_label(job->p, box.low, box.high);
    if (only != 0 && !slit) return true;
    if (job->p->wall_count > 0 && b->walls == NULL) b->walls = sherd_alloc(1, sizeof *b->walls);
    if (job->p->wall_count > 0 && b->walls == NULL) return false;
    bool mixed = false;
    if (only != 0) {
        set_owner(node, only);
    } else {
        if (!examine_elements(job, b, s)) return false;
        mixed = find_owners(job, b, &s->densities, &s->cells, node);
    }
    mixed |= copy_assigned(job, b, node);
    if (slit) slit = find_slits(job, b, node);
    return (!mixed && !slit) || sherd_crack_block_march(job->g, job->p, b, node);
}

// Zero if there are no triangles, as initially.
static uint64_t fingerprint_of(const crack_block *b)
{
    if (b->triangle_count == 0) return 0;
    uint64_t h = sherd_hash_bytes(SHERD_HASH_START, b->vertices,
                                  (size_t)b->vertex_count * sizeof *b->vertices);
    return sherd_hash_bytes(h, b->triangles, (size_t)b->triangle_count * sizeof *b->triangles);
}

static void march_blocks(void *context, size_t begin, size_t end)
{
    const march_job *job = context;
    march_scratch s = {0};
    for (size_t k = begin; k < end; ++k) {
        crack_block *b = &job->g->blocks[k];
        if (!job->stale[k]) continue;
        b->failed = !march_block(job, b, &s);
        uint64_t former = b->fingerprint;
        b->fingerprint = fingerprint_of(b);
        job->stale[k] = b->fingerprint != former;
    }
    sherd_node_densities_release(&s.densities);
    sherd_cells_near_release(&s.cells);
}

// Visits blocks that have or had an assigned node. There are few, and most do not change.
static void mark_assigned(const crack_grid *g, const assigned_nodes *assigned, uint8_t *stale)
{
    for (int32_t k = 0; k < g->count && assigned->count > 0; ++k)
        for (int32_t j = 0; j < assigned->count && !stale[k]; ++j)
            stale[k] = node_in_block(&g->blocks[k], &assigned->node[j]) >= 0;
}

bool sherd_crack_grid_update(crack_grid *g, const partition *p, const slits *s, uint8_t *stale,
                             const sherd_parallel *parallel)
{
    assigned_nodes assigned;
    bool ok = sherd_assigned_nodes_find(&assigned, g, p);
    mark_assigned(g, &g->assigned, stale);
    mark_assigned(g, &assigned, stale);
    sherd_assigned_nodes_release(&g->assigned);
    g->assigned = assigned;
    march_job job = {g, p, s, stale};
    if (ok) sherd_parallel_for(parallel, (size_t)g->count, 16, march_blocks, &job);
    for (int32_t k = 0; k < g->count; ++k)
        ok &= !g->blocks[k].failed;
    return ok;
}
