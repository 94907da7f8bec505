// Updates a body's pieces by marching tetrahedra: decides which to retain and which to rebuild.
#include "surface/methods/march/body_march.h"

#include "base/error.h"
#include "base/memory.h"
#include "math/vec3.h"
#include "surface/methods/fluid/fluid_field.h"
#include "surface/methods/march/shell_piece.h"

#include <string.h>

// Corners within this distance of the middle of a crack inside a fragment count as its opening:
// half a cell's space diagonal, so that no tetrahedron spans the crack. Vertices are then moved to
// the actual gap.
static const double HALF_SLIT_IN_CELLS = 0.87;
// A vertex depends on fields this many cells beyond its block: its own displacement, Newton steps,
// and those of its neighbours over the iterations of fairing.
static const double REACH_OF_FAIRING = 8.0;
// Pieces with more vertices are built one after another, each by all threads.
enum { LARGE_PIECE = 20000 };

// --- The grid --------------------------------------------------------------------------------------

sherd_status sherd_march_create(march_state *m, const solid_body *b, const sherd_shape *shape,
                                const sherd_parallel *parallel, sherd_error *error)
{
    switch (sherd_grid_create(&m->grid, &b->partition, shape, b->cell, parallel)) {
    case GRID_MEMORY:
        return sherd_fail_memory(error, "surface grid");
    case GRID_TOO_LARGE:
        return sherd_fail(error, SHERD_ERROR_UNSUPPORTED, "sherd_surface_create",
                          "use a larger cell_size",
                          "body %d is more than 262000 cells of %g m long", b->index, b->cell);
    case GRID_OK:
        break;
    }
    m->touched.start = sherd_alloc((size_t)m->grid.count + 1, sizeof *m->touched.start);
    return m->touched.start != NULL ? SHERD_OK : sherd_fail_memory(error, "surface grid");
}

void sherd_march_release(march_state *m)
{
    sherd_free(m->touched.start);
    sherd_free(m->touched.label);
    sherd_grid_release(&m->grid);
    *m = (march_state){.fluid = NULL};
}

// --- Owners of grid corners ------------------------------------------------------------------------

typedef struct block_job {
    march_state *m;
    const solid_body *b; // for `assign_blocks`
    uint8_t *stale;      // by block; 2: memory was short for it
    int32_t *counts;     // by block
    block_pieces *lists;
} block_job;

static void mark_blocks(const grid *g, sherd_vec3 x, double reach, uint8_t *stale)
{
    int32_t low[3], high[3];
    sherd_vec3 r = vec3(reach, reach, reach);
    sherd_grid_block_range(g, vec3_sub(x, r), vec3_add(x, r), low, high);
    for (int32_t k = low[2]; k <= high[2]; ++k)
        for (int32_t j = low[1]; j <= high[1]; ++j)
            for (int32_t i = low[0]; i <= high[0]; ++i) {
                int32_t block = sherd_grid_find_block(g, i, j, k);
                if (block >= 0) stale[block] = 1;
            }
}

static void assign_blocks(void *context, size_t begin, size_t end)
{
    block_job *job = context;
    const solid_body *b = job->b;
    march_state *m = job->m;
    double half_slit = HALF_SLIT_IN_CELLS * b->cell;
    for (size_t k = begin; k < end; ++k) {
        grid_block *block = &m->grid.blocks[k];
        if (job->stale[k] && m->fluid != NULL)
            job->stale[k] =
                sherd_fluid_assign(m->fluid, &m->grid, block, &b->slits, half_slit) ? 1 : 2;
        else if (job->stale[k])
            sherd_grid_assign(&m->grid, block, &b->partition, &b->slits, half_slit);
    }
}

// Returns the distinct fragments of a block's cells, ascending; none if the cells have only one
// owner.
static int list_labels(const sherd_fragment_id owner[PATCH_CORNERS],
                       sherd_fragment_id label[PATCH_CORNERS])
{
    int count = 0;
    bool mixed = false;
    for (int c = 0; c < PATCH_CORNERS; ++c) {
        mixed |= owner[c] != owner[0];
        if (owner[c] <= 0 || (c > 0 && owner[c] == owner[c - 1])) continue;
        int at = 0;
        while (at < count && label[at] != owner[c])
            ++at;
        if (at == count) label[count++] = owner[c];
    }
    return mixed ? count : 0;
}

static void count_labels(void *context, size_t begin, size_t end)
{
    block_job *job = context;
    sherd_fragment_id owner[PATCH_CORNERS], label[PATCH_CORNERS];
    for (size_t k = begin; k < end; ++k) {
        sherd_grid_patch(&job->m->grid, &job->m->grid.blocks[k], owner);
        job->counts[k] = list_labels(owner, label);
    }
}

static void store_labels(void *context, size_t begin, size_t end)
{
    block_job *job = context;
    sherd_fragment_id owner[PATCH_CORNERS], label[PATCH_CORNERS];
    for (size_t k = begin; k < end; ++k) {
        int32_t first = job->lists->start[k], count = job->lists->start[k + 1] - first;
        if (count == 0) continue;
        sherd_grid_patch(&job->m->grid, &job->m->grid.blocks[k], owner);
        list_labels(owner, label);
        memcpy(job->lists->label + first, label, (size_t)count * sizeof *label);
    }
}

static bool list_touched(march_state *m, block_pieces *lists, const sherd_parallel *parallel)
{
    size_t n = (size_t)m->grid.count;
    block_job job = {.m = m, .counts = sherd_alloc(n, sizeof(int32_t)), .lists = lists};
    *lists = (block_pieces){.start = sherd_alloc(n + 1, sizeof *lists->start)};
    bool ok = job.counts != NULL && lists->start != NULL;
    if (ok) {
        sherd_parallel_for(parallel, n, 32, count_labels, &job);
        for (size_t k = 0; k < n; ++k)
            lists->start[k + 1] = lists->start[k] + job.counts[k];
        lists->label = sherd_alloc((size_t)lists->start[n], sizeof *lists->label);
        ok = lists->label != NULL;
    }
    if (ok) sherd_parallel_for(parallel, n, 32, store_labels, &job);
    sherd_free(job.counts);
    return ok;
}

// --- Pieces ----------------------------------------------------------------------------------------

typedef struct marching {
    solid_update *u;
    march_state *state;
    uint8_t *stale_block; // owners may differ from the last update
    int32_t *block;       // those with stale pieces
    int32_t block_count;
    piece_source source;
    uint8_t *failed; // pieces: memory was short
} marching;

// Marks blocks near elements whose fragment or weight changed, or whose cracks changed, and pieces
// that had or have these elements.
static void mark_changes(marching *m)
{
    const solid_body *b = m->u->b;
    const partition *p = &b->partition;
    double reach = p->reach + REACH_OF_FAIRING * b->cell;
    sherd_vec3 last = vec3(INFINITY, 0.0, 0.0);
    for (int32_t k = 0; k < p->elements.count; ++k) {
        int32_t e = p->elements.source[k];
        if (!p->changed[k] && !m->u->frame->crack_changed[e]) continue;
        sherd_solid_mark_piece(m->u, m->u->frame->label[e]);
        sherd_solid_mark_piece(m->u, m->u->frame->former_label[e]);
        // Neighbours in a bin mark nearly the same blocks: one search covers a cluster of a few
        // cells.
        if (vec3_distance(p->elements.point[k], last) < 2.0 * b->cell) continue;
        last = p->elements.point[k];
        mark_blocks(&m->state->grid, last, reach + 2.0 * b->cell, m->stale_block);
    }
}

static void mark_pieces_of_blocks(marching *m, const block_pieces *lists)
{
    for (int32_t k = 0; k < m->state->grid.count; ++k) {
        bool stale = false;
        for (int n = 0; n < 8; ++n) {
            int32_t upper = m->state->grid.blocks[k].upper[n];
            stale |= upper >= 0 && m->stale_block[upper];
        }
        for (int32_t j = lists->start[k]; stale && j < lists->start[k + 1]; ++j)
            sherd_solid_mark_piece(m->u, lists->label[j]);
    }
}

// Moves meshes of unchanged fragments to the new list; stale ones remain for comparison.
static void keep_unchanged(solid_update *u)
{
    for (int32_t k = 0; k < u->former->count; ++k) {
        piece *former = &u->former->items[k];
        int32_t j = sherd_key_map_find(&u->number, (uint64_t)former->fragment);
        if (j < 0) continue;
        if (u->stale[j]) {
            u->pieces[j].version = former->version;
            u->pieces[j].fingerprint = former->fingerprint;
        } else {
            u->pieces[j] = *former;
            *former = (piece){0};
        }
    }
    for (int32_t j = 0; j < u->piece_count; ++j)
        if (u->pieces[j].mesh == NULL) u->stale[j] = 1;
}

// Lists blocks that contain parts of stale pieces.
static void list_stale_blocks(marching *m)
{
    const solid_update *u = m->u;
    const block_pieces *t = &m->state->touched;
    for (int32_t k = 0; k < m->state->grid.count; ++k) {
        bool stale = false;
        for (int32_t j = t->start[k]; !stale && j < t->start[k + 1]; ++j) {
            int32_t number = sherd_key_map_find(&u->number, (uint64_t)t->label[j]);
            stale = number >= 0 && u->stale[number];
        }
        if (stale) m->block[m->block_count++] = k;
    }
}

static bool is_large(const marching *m, int32_t k)
{
    const int32_t *start = m->source.parts->vertex_start;
    return start[k + 1] - start[k] > LARGE_PIECE;
}

static bool build_piece(marching *m, int32_t k, const sherd_parallel *parallel)
{
    return sherd_piece_build(&m->u->pieces[k], &m->source, k, m->u->first[k], parallel);
}

static void build_small(void *context, size_t begin, size_t end)
{
    marching *m = context;
    sherd_parallel serial = {1};
    for (size_t k = begin; k < end; ++k)
        if (m->u->stale[k] && !is_large(m, (int32_t)k) && !build_piece(m, (int32_t)k, &serial))
            m->failed[k] = 1;
}

static bool build_stale(marching *m, const sherd_parallel *parallel)
{
    for (int32_t k = 0; k < m->u->piece_count; ++k)
        if (m->u->stale[k] && is_large(m, k) && !build_piece(m, k, parallel)) return false;
    sherd_parallel_for(parallel, (size_t)m->u->piece_count, 4, build_small, m);
    for (int32_t k = 0; k < m->u->piece_count; ++k)
        if (m->failed[k]) return false;
    return true;
}

// Builds the stale pieces' common surface and splits it into pieces.
static bool march_stale(marching *m, const sherd_parallel *parallel)
{
    const solid_body *b = m->u->b;
    const fluid *f = m->state->fluid;
    placing fields = {b->source.body->shape, f, &b->partition, &b->slits, b->cell, b->half_gap};
    march_plan plan = {&m->state->grid, m->block,    m->block_count,
                       &m->u->number,   m->u->stale, f != NULL};
    shell s;
    shell_parts parts = {0};
    bool ok = sherd_shell_march(&s, &plan, parallel);
    uint8_t *crease = ok ? sherd_alloc((size_t)s.vertex_count, 1) : NULL;
    m->source = (piece_source){&s, &parts, &fields, crease, b->first, &b->decoration};
    ok = crease != NULL && sherd_mesh_fairing_apply(&s, &fields, crease, parallel) &&
         sherd_shell_divide(&s, m->u->piece_count, &parts) && build_stale(m, parallel);
    sherd_free(crease);
    sherd_shell_parts_release(&parts);
    sherd_shell_release(&s);
    return ok;
}

// A rebuilt mesh that is unchanged retains its version.
static void number_versions(solid_update *u, const uint64_t *former_fingerprint)
{
    for (int32_t k = 0; k < u->piece_count; ++k) {
        piece *p = &u->pieces[k];
        if (!u->stale[k]) continue;
        if (p->version == 0 || p->fingerprint != former_fingerprint[k])
            p->version = (*u->frame->next_version)++;
    }
}

static bool rebuild(marching *m, const sherd_parallel *parallel)
{
    uint64_t *former = sherd_alloc((size_t)m->u->piece_count, sizeof *former);
    if (former == NULL) return false;
    for (int32_t k = 0; k < m->u->piece_count; ++k)
        former[k] = m->u->pieces[k].fingerprint;
    list_stale_blocks(m);
    bool ok = march_stale(m, parallel);
    if (ok) number_versions(m->u, former);
    sherd_free(former);
    return ok;
}

static bool march_pieces(marching *m, march_memory memory, const sherd_parallel *parallel)
{
    march_state *s = m->state;
    mark_changes(m);
    if (memory == MARCH_AFRESH) memset(m->stale_block, 1, (size_t)s->grid.count);
    mark_pieces_of_blocks(m, &s->touched);
    block_job job = {.m = s, .b = m->u->b, .stale = m->stale_block};
    sherd_parallel_for(parallel, (size_t)s->grid.count, 4, assign_blocks, &job);
    block_pieces now;
    bool ok =
        list_touched(s, &now, parallel) && memchr(job.stale, 2, (size_t)s->grid.count) == NULL;
    sherd_free(s->touched.start);
    sherd_free(s->touched.label);
    s->touched = now;
    if (!ok) return false;
    mark_pieces_of_blocks(m, &s->touched);
    if (memory == MARCH_AFRESH) memset(m->u->stale, 1, (size_t)m->u->piece_count);
    keep_unchanged(m->u);
    return rebuild(m, parallel);
}

bool sherd_body_march(solid_update *u, march_state *state, march_memory memory,
                      const sherd_parallel *parallel)
{
    size_t blocks = (size_t)state->grid.count;
    marching m = {.u = u,
                  .state = state,
                  .stale_block = sherd_alloc(blocks, 1),
                  .block = sherd_alloc(blocks, sizeof *m.block),
                  .failed = sherd_alloc((size_t)u->piece_count, 1)};
    bool ok = m.stale_block != NULL && m.block != NULL && m.failed != NULL &&
              march_pieces(&m, memory, parallel);
    sherd_free(m.stale_block);
    sherd_free(m.block);
    sherd_free(m.failed);
    return ok;
}
