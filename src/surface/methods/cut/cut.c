#include "surface/methods/cut/cut.h"

#include "base/memory.h"
#include "surface/methods/cut/cut_link.h"

#include <string.h>

bool sherd_cut_create(cut *k, const outline *o, const crack_grid *g, double patch_size)
{
    *k = (cut){.o = o, .g = g, .blocks = sherd_alloc((size_t)g->count, sizeof *k->blocks)};
    return k->blocks != NULL && sherd_cut_patches_create(&k->patches, o, patch_size);
}

void sherd_cut_release(cut *k)
{
    for (int32_t b = 0; k->blocks != NULL && b < k->g->count; ++b)
        sherd_cut_block_release(&k->blocks[b]);
    sherd_free(k->blocks);
    sherd_cut_patches_release(&k->patches);
    *k = (cut){0};
}

typedef struct cut_update {
    cut *k;
    const partition *p;
    key_map *touched;
    uint8_t *block, *patch; // to be rebuilt
    uint8_t *relabelled;    // patches whose fragments changed
    int32_t *start;         // of each patch's segments  (patches + 2)
    cut_segment *segments;  // of patches to be rebuilt
    cut_result *results;    // by chunk
} cut_update;

enum { BLOCK_CHUNK = 4, PATCH_CHUNK = 16 };

static bool touch(cut_update *u, const cut_labels *l)
{
    bool ok = true;
    for (int32_t k = 0; ok && k < l->count; ++k)
        ok = sherd_key_map_insert(u->touched, (uint64_t)l->label[k]) >= 0;
    return ok;
}

static cut_result worst_of(const cut_result *results, size_t count)
{
    cut_result worst = CUT_OK;
    for (size_t k = 0; k < count; ++k) {
        if (results[k] == CUT_MEMORY) return CUT_MEMORY;
        if (worst == CUT_OK) worst = results[k];
    }
    return worst;
}

// --- Blocks ----------------------------------------------------------------------------------------

static void make_blocks(void *context, size_t begin, size_t end)
{
    cut_update *u = context;
    cut *k = u->k;
    cut_block_scratch scratch = {0};
    cut_result result = CUT_OK;
    for (size_t b = begin; b < end && result == CUT_OK; ++b)
        if (u->block[b])
            result = sherd_cut_block_make(&k->blocks[b], k->o, k->g, (int32_t)b, &scratch);
    u->results[begin / BLOCK_CHUNK] = result;
    sherd_cut_block_scratch_release(&scratch);
}

// Marks the patches that stale blocks cross, or crossed before.
static void mark_crossed(cut_update *u)
{
    for (int32_t b = 0; b < u->k->g->count; ++b) {
        const crossings *x = &u->k->blocks[b].x;
        for (int32_t s = 0; u->block[b] && s < x->count; ++s)
            u->patch[u->k->patches.patch_of[x->segments[s].outer]] = 1;
    }
}

static cut_result renew_blocks(cut_update *u, const sherd_parallel *parallel)
{
    size_t n = (size_t)u->k->g->count;
    bool ok = true;
    for (size_t b = 0; ok && b < n; ++b)
        if (u->block[b]) ok = touch(u, &u->k->blocks[b].labels);
    mark_crossed(u);
    u->results = sherd_alloc(n / BLOCK_CHUNK + 1, sizeof *u->results);
    if (!ok || u->results == NULL) return CUT_MEMORY;
    sherd_parallel_for(parallel, n, BLOCK_CHUNK, make_blocks, u);
    cut_result result = worst_of(u->results, n / BLOCK_CHUNK + 1);
    sherd_free(u->results);
    u->results = NULL;
    mark_crossed(u);
    return result;
}

// --- Patches ---------------------------------------------------------------------------------------

// Collects from all blocks the segments in patches to be rebuilt, by patch and then in the blocks'
// order.
static bool list_segments(cut_update *u)
{
    const cut *k = u->k;
    size_t n = (size_t)k->patches.count, total = 0;
    u->start = sherd_alloc(n + 2, sizeof *u->start);
    if (u->start == NULL) return false;
    for (int pass = 0; pass < 2; ++pass) {
        for (int32_t b = 0; b < k->g->count; ++b) {
            const crossings *x = &k->blocks[b].x;
            for (int32_t s = 0; s < x->count; ++s) {
                int32_t patch = k->patches.patch_of[x->segments[s].outer];
                if (!u->patch[patch]) continue;
                if (pass == 0)
                    u->start[patch + 2]++;
                else
                    u->segments[u->start[patch + 1]++] = (cut_segment){x, s};
            }
        }
        if (pass == 1) break;
        for (size_t p = 0; p < n; ++p)
            u->start[p + 2] += u->start[p + 1];
        total = (size_t)u->start[n + 1];
        u->segments = sherd_alloc(total, sizeof *u->segments);
        if (u->segments == NULL) return false;
    }
    return true;
}

static void make_patches(void *context, size_t begin, size_t end)
{
    cut_update *u = context;
    cut *k = u->k;
    cut_patch_scratch scratch = {0};
    cut_result result = CUT_OK;
    for (size_t p = begin; p < end && result == CUT_OK; ++p)
        if (u->patch[p])
            result = sherd_cut_patch_make(&k->patches, (int32_t)p, k->o, u->segments + u->start[p],
                                          u->start[p + 1] - u->start[p], &scratch);
    u->results[begin / PATCH_CHUNK] = result;
    sherd_cut_patch_scratch_release(&scratch);
}

static cut_result renew_patches(cut_update *u, const sherd_parallel *parallel)
{
    size_t n = (size_t)u->k->patches.count;
    u->results = sherd_alloc(n / PATCH_CHUNK + 1, sizeof *u->results);
    if (u->results == NULL || !list_segments(u)) return CUT_MEMORY;
    sherd_parallel_for(parallel, n, PATCH_CHUNK, make_patches, u);
    return worst_of(u->results, n / PATCH_CHUNK + 1);
}

// --- Owners of the parts
// ---------------------------------------------------------------------------

static cut_result label_patches(cut_update *u)
{
    cut_patches *all = &u->k->patches;
    memcpy(u->relabelled, u->patch, (size_t)all->count);
    cut_result result = sherd_cut_link_patches(all, u->k->o, u->p, u->relabelled);
    if (result != CUT_OK) return result;
    bool ok = true;
    for (int32_t k = 0; ok && k < all->count; ++k) {
        cut_patch *p = &all->items[k];
        if (u->relabelled[k])
            ok = touch(u, &p->labels) && sherd_cut_patch_label(p) && touch(u, &p->labels);
    }
    return ok ? CUT_OK : CUT_MEMORY;
}

static int compare_coordinates(const int32_t a[3], const int32_t b[3])
{
    for (int d = 2; d >= 0; --d)
        if (a[d] != b[d]) return a[d] < b[d] ? -1 : 1;
    return 0;
}

// Returns the block at a grid position, or -1.
static int32_t find_block(const crack_grid *g, const int32_t at[3])
{
    int32_t low = 0, high = g->count;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        int order = compare_coordinates(g->blocks[middle].at, at);
        if (order == 0) return middle;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return -1;
}

static void mark_around(const crack_grid *g, int32_t block, uint8_t *near)
{
    const int32_t *from = g->blocks[block].at;
    for (int n = 0; n < 27; ++n) {
        const int32_t at[3] = {from[0] + n % 3 - 1, from[1] + n / 3 % 3 - 1, from[2] + n / 9 - 1};
        int32_t other = find_block(g, at);
        if (other >= 0) near[other] = 1;
    }
}

// Lists the rebuilt blocks and their neighbours that have cracks.
static cut_result label_blocks(cut_update *u)
{
    const crack_grid *g = u->k->g;
    uint8_t *near = sherd_alloc((size_t)g->count, 1);
    int32_t *list = sherd_alloc((size_t)g->count, sizeof *list), count = 0;
    cut_result result = near != NULL && list != NULL ? CUT_OK : CUT_MEMORY;
    for (int32_t b = 0; result == CUT_OK && b < g->count; ++b)
        if (u->block[b] && g->blocks[b].triangle_count > 0) mark_around(g, b, near);
    for (int32_t b = 0; result == CUT_OK && b < g->count; ++b)
        if (near[b] && g->blocks[b].triangle_count > 0) list[count++] = b;
    if (result == CUT_OK)
        result = sherd_cut_link_blocks(u->k->blocks, g, u->k->o, list, count, u->block);
    for (int32_t b = 0; result == CUT_OK && b < g->count; ++b)
        if (u->block[b] && !(sherd_cut_block_label(&u->k->blocks[b], &g->blocks[b]) &&
                             touch(u, &u->k->blocks[b].labels)))
            result = CUT_MEMORY;
    sherd_free(near);
    sherd_free(list);
    return result;
}

// --- An update -------------------------------------------------------------------------------------

static bool begin_update(cut_update *u, const uint8_t *stale)
{
    cut *k = u->k;
    size_t blocks = (size_t)k->g->count, patches = (size_t)k->patches.count;
    bool all = !k->valid || k->salt != k->o->salt;
    k->valid = false;
    k->salt = k->o->salt;
    u->block = sherd_alloc(blocks, 1);
    u->patch = sherd_alloc(patches, 1);
    u->relabelled = sherd_alloc(patches, 1);
    if (u->block == NULL || u->patch == NULL || u->relabelled == NULL) return false;
    memcpy(u->block, stale, blocks);
    if (all) memset(u->block, 1, blocks);
    if (all) memset(u->patch, 1, patches);
    return true;
}

static cut_result run_update(cut_update *u, const uint8_t *stale, const sherd_parallel *parallel)
{
    if (!begin_update(u, stale)) return CUT_MEMORY;
    cut_result result = renew_blocks(u, parallel);
    if (result == CUT_OK) result = renew_patches(u, parallel);
    if (result == CUT_OK) result = label_patches(u);
    if (result == CUT_OK) result = label_blocks(u);
    u->k->valid = result == CUT_OK;
    return result;
}

cut_result sherd_cut_update(cut *k, const partition *p, const uint8_t *stale, key_map *touched,
                            const sherd_parallel *parallel)
{
    cut_update u = {.k = k, .p = p, .touched = touched};
    cut_result result = run_update(&u, stale, parallel);
    sherd_free(u.block);
    sherd_free(u.patch);
    sherd_free(u.relabelled);
    sherd_free(u.start);
    sherd_free(u.segments);
    sherd_free(u.results);
    return result;
}
