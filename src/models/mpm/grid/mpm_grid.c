#include "models/mpm/grid/mpm_grid.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/pages/pages.h"
#include "base/sort.h"
#include "models/mpm/grid/mpm_invariants.h"

#include <math.h>
#include <string.h>

enum { CELL_BITS = 6, MAX_BITS = 58, BATCH = SHERD_MPM_BATCH };

// Largest coordinate [h]: cells fit an int32_t, and fractions have seven digits
static const double FARTHEST = 1e9;

static const double WALL_MARGIN = 0.5; // largest motion of walls between two sortings [h]

// Layout of sorting keys, from the lowest bits up: cell within the page, body, block x, y, z.
typedef struct key_layout {
    int32_t low[3];           // lowest block
    int32_t high[3];          // highest block, tiles included
    int shift[3], body_shift; // of the block's coordinates and the body
} key_layout;

// Offset of pages from nodes [h]: half a cell for the cubic kernel, none for the quadratic one.
// Either way a point that has moved by h / 2 still reaches only nodes of its page's tile.
static double window_of(const sherd_mpm_grid *g)
{
    return g->kernel == SHERD_MPM_CUBIC ? 0.5 : 0.0;
}

static int64_t cell_of(const sherd_mpm_grid *g, const sherd_mpm_points *p, int axis, size_t k)
{
    return (int64_t)floor(p->x[axis][k] / g->h - window_of(g));
}

static int32_t block_of(int64_t cell)
{
    return (int32_t)(cell >> 2);
}

static int bits_of(uint64_t most)
{
    int bits = 0;
    while (most >> bits != 0)
        ++bits;
    return bits;
}

static sherd_status fail_place(const sherd_mpm_grid *g, const sherd_mpm_points *p, size_t k,
                               sherd_error *error)
{
    return sherd_fail(error, SHERD_ERROR_UNSTABLE, "material points",
                      "a shorter time step keeps points in place",
                      "point %d of body %u is at (%g, %g, %g) m, more than %g cells of %g m away",
                      (int)p->number[k], (unsigned)p->body[k], p->x[0][k], p->x[1][k], p->x[2][k],
                      FARTHEST, g->h);
}

static uint32_t last_body(const sherd_mpm_coupled_block *coupling, size_t count, uint32_t last)
{
    for (size_t k = 0; k < count; ++k)
        if (coupling[k].body > last) last = coupling[k].body;
    return last;
}

static sherd_status lay_out_keys(const sherd_mpm_grid *g, const sherd_mpm_points *p,
                                 key_layout *layout, sherd_error *error)
{
    int32_t high[3] = {INT32_MIN, INT32_MIN, INT32_MIN};
    uint32_t bodies = 0;
    *layout = (key_layout){.low = {INT32_MAX, INT32_MAX, INT32_MAX}};
    for (size_t k = 0; k < p->count; ++k) {
        for (int axis = 0; axis < 3; ++axis) {
            if (!(fabs(p->x[axis][k]) < FARTHEST * g->h)) return fail_place(g, p, k, error);
            int32_t block = block_of(cell_of(g, p, axis, k));
            if (block < layout->low[axis]) layout->low[axis] = block;
            if (block > high[axis]) high[axis] = block;
        }
        if (p->body[k] > bodies) bodies = p->body[k];
    }
    layout->body_shift = CELL_BITS;
    bodies = last_body(g->coupled_blocks, g->coupled_block_count, bodies);
    int at = CELL_BITS + bits_of(bodies);
    for (int axis = 0; axis < 3; ++axis) {
        // Tiles extend into the next block
        layout->shift[axis] = at, layout->high[axis] = high[axis] + 1;
        at += bits_of(p->count > 0 ? (uint64_t)((int64_t)high[axis] - layout->low[axis] + 1) : 0);
    }
    if (at <= MAX_BITS + CELL_BITS) return SHERD_OK;
    return sherd_fail(error, SHERD_ERROR_INPUT, "material points",
                      "points far from each other need a larger spacing",
                      "points are spread over too many cells of %g m", g->h);
}

static uint64_t key_of_block(const key_layout *layout, const int32_t block[3], uint32_t body)
{
    uint64_t key = (uint64_t)body << layout->body_shift;
    for (int axis = 0; axis < 3; ++axis)
        key |= (uint64_t)(uint32_t)(block[axis] - layout->low[axis]) << layout->shift[axis];
    return key;
}

// ---------------------------------------------------------------- pages

static void block_of_point(const sherd_mpm_grid *g, const sherd_mpm_points *p, size_t k,
                           int32_t block[3])
{
    for (int axis = 0; axis < 3; ++axis)
        block[axis] = block_of(cell_of(g, p, axis, k));
}

static uint64_t key_of_point(const sherd_mpm_grid *g, const key_layout *layout,
                             const sherd_mpm_points *p, size_t k)
{
    int32_t block[3];
    uint64_t cell = 0;
    for (int axis = 0; axis < 3; ++axis) {
        int64_t at = cell_of(g, p, axis, k);
        block[axis] = block_of(at);
        cell |= (uint64_t)(at & 3) << (2 * axis);
    }
    return key_of_block(layout, block, p->body[k]) | cell;
}

static size_t padded(size_t count)
{
    return (count + BATCH - 1) / BATCH * BATCH;
}

// The new order of points, in pages. Fillers follow the last point of a page.
typedef struct sorting {
    sherd_sort_pair *pairs; // (points)
    size_t count, pages, places;
    int32_t *source; // (places)
} sorting;

static bool same_page(const sorting *s, size_t k)
{
    return k > 0 && s->pairs[k].key >> CELL_BITS == s->pairs[k - 1].key >> CELL_BITS;
}

static void count_places(sorting *s)
{
    size_t begin = 0;
    for (size_t k = 1; k <= s->count; ++k) {
        if (k < s->count && same_page(s, k)) continue;
        s->places += padded(k - begin);
        ++s->pages, begin = k;
    }
}

static void place_points(const sherd_mpm_grid *g, const sherd_mpm_points *p, const sorting *s,
                         sherd_mpm_page *pages)
{
    size_t at = 0, page = 0;
    for (size_t begin = 0, end; begin < s->count; begin = end) {
        for (end = begin + 1; end < s->count && same_page(s, end);)
            ++end;
        sherd_mpm_page *made = &pages[page++];
        uint32_t first = s->pairs[begin].value;
        *made =
            (sherd_mpm_page){.body = p->body[first], .begin = at, .end = at + padded(end - begin)};
        block_of_point(g, p, first, made->block);
        for (size_t k = begin; k < end; ++k)
            s->source[at++] = (int32_t)s->pairs[k].value;
        while (at < made->end)
            s->source[at++] = -1 - (int32_t)s->pairs[end - 1].value;
    }
}

static int colour_of(const sherd_mpm_page *page)
{
    return (page->block[0] & 1) | (page->block[1] & 1) << 1 | (page->block[2] & 1) << 2;
}

static void order_pages(sherd_mpm_grid *g, const sherd_mpm_page *from)
{
    size_t at = 0;
    for (int colour = 0; colour < SHERD_MPM_COLOURS; ++colour) {
        g->first_page[colour] = at;
        for (size_t k = 0; k < g->page_count; ++k)
            if (colour_of(&from[k]) == colour) g->pages[at++] = from[k];
    }
    g->first_page[SHERD_MPM_COLOURS] = at;
}

static bool collect_points(const sherd_mpm_grid *g, const key_layout *layout,
                           const sherd_mpm_points *p, sorting *s)
{
    s->pairs = sherd_alloc_pages(p->count, sizeof *s->pairs);
    if (s->pairs == NULL) return false;
    for (size_t k = 0; k < p->count; ++k)
        if (p->number[k] != SHERD_MPM_FILLER)
            s->pairs[s->count++] = (sherd_sort_pair){key_of_point(g, layout, p, k), (uint32_t)k};
    if (!sherd_sort_pairs_once(s->pairs, s->count)) return false;
    count_places(s);
    s->source = sherd_alloc(s->places, sizeof *s->source);
    return s->source != NULL;
}

static bool make_pages(sherd_mpm_grid *g, const key_layout *layout, sherd_mpm_points *p)
{
    sorting s = {0};
    sherd_mpm_page *sorted = NULL;
    bool ok = collect_points(g, layout, p, &s);
    ok = ok && (sorted = sherd_alloc(s.pages, sizeof *sorted)) != NULL;
    ok = ok && (g->pages = sherd_alloc(s.pages, sizeof *g->pages)) != NULL;
    if (ok) {
        g->page_count = s.pages;
        place_points(g, p, &s, sorted);
        sherd_free_pages(s.pairs), s.pairs = NULL; // before columns are moved
        ok = sherd_mpm_points_reorder(p, s.source, s.places);
    }
    if (ok) order_pages(g, sorted);
    sherd_free_pages(sorted), sherd_free_pages(s.source), sherd_free_pages(s.pairs);
    return ok;
}

// ---------------------------------------------------------------- layers

static void block_of_part(const sherd_mpm_page *page, int part, int32_t block[3])
{
    for (int axis = 0; axis < 3; ++axis)
        block[axis] = page->block[axis] + (part >> axis & 1);
}

// Decodes the block and the body of a layer's key.
static void read_key(const key_layout *layout, uint64_t key, sherd_mpm_layer *layer)
{
    uint64_t block = key >> layout->shift[0];
    int ends[3] = {layout->shift[1], layout->shift[2], MAX_BITS + CELL_BITS};
    for (int axis = 0; axis < 3; ++axis) {
        int bits = ends[axis] - layout->shift[axis];
        layer->block[axis] = layout->low[axis] + (int32_t)(block & (((uint64_t)1 << bits) - 1));
        block >>= bits;
    }
    int bits = layout->shift[0] - layout->body_shift;
    layer->body = (uint32_t)(key >> layout->body_shift & (((uint64_t)1 << bits) - 1));
}

// Value of a pair that belongs to a coupled body instead of a page
static const uint32_t OF_COUPLED = UINT32_MAX;

static void number_layers(sherd_mpm_grid *g, const key_layout *layout, const sherd_sort_pair *pairs,
                          size_t count)
{
    for (size_t k = 0; k < count; ++k) {
        if (k == 0 || pairs[k].key != pairs[k - 1].key) {
            sherd_mpm_layer *layer = &g->layers[g->layer_count++];
            read_key(layout, pairs[k].key, layer);
            layer->stress = -1;
        }
        if (pairs[k].value == OF_COUPLED) continue;
        sherd_mpm_page *page = &g->pages[pairs[k].value / SHERD_MPM_PARTS];
        page->layer[pairs[k].value % SHERD_MPM_PARTS] = (int32_t)(g->layer_count - 1);
    }
}

static bool is_within(const key_layout *layout, const int32_t block[3])
{
    for (int axis = 0; axis < 3; ++axis)
        if (block[axis] < layout->low[axis] || block[axis] > layout->high[axis]) return false;
    return true;
}

// Whether any points have a layer in a block; `pairs` are sorted.
static bool points_reach(const key_layout *layout, const sherd_sort_pair *pairs, size_t count,
                         uint64_t block)
{
    size_t low = sherd_sort_place(pairs, count, block);
    return low < count && pairs[low].key >> layout->shift[0] == block >> layout->shift[0];
}

// Appends pairs of coupled bodies, in blocks that points reach, to the `count` sorted pairs of
// points. Returns the new number.
static size_t add_coupling(const key_layout *layout, const sherd_mpm_coupled_block *coupling,
                           size_t coupled_count, sherd_sort_pair *pairs, size_t count)
{
    size_t end = count;
    for (size_t k = 0; k < coupled_count; ++k) {
        if (!is_within(layout, coupling[k].block)) continue;
        if (points_reach(layout, pairs, count, key_of_block(layout, coupling[k].block, 0)))
            pairs[end++] = (sherd_sort_pair){
                key_of_block(layout, coupling[k].block, coupling[k].body), OF_COUPLED};
    }
    return end;
}

static void list_parts(const sherd_mpm_grid *g, const key_layout *layout, sherd_sort_pair *pairs)
{
    for (size_t k = 0; k < g->page_count * SHERD_MPM_PARTS; ++k) {
        int32_t block[3];
        const sherd_mpm_page *page = &g->pages[k / SHERD_MPM_PARTS];
        block_of_part(page, (int)(k % SHERD_MPM_PARTS), block);
        pairs[k] = (sherd_sort_pair){key_of_block(layout, block, page->body), (uint32_t)k};
    }
}

static bool make_layers(sherd_mpm_grid *g, const key_layout *layout,
                        const sherd_mpm_coupled_block *coupling, size_t coupled_count)
{
    size_t count = g->page_count * SHERD_MPM_PARTS;
    sherd_sort_pair *pairs = sherd_alloc(count + coupled_count, sizeof *pairs);
    if (pairs == NULL) return false;
    list_parts(g, layout, pairs);
    bool ok = sherd_sort_pairs(pairs, count);
    if (ok && coupled_count > 0) {
        count = add_coupling(layout, coupling, coupled_count, pairs, count);
        ok = sherd_sort_pairs(pairs, count);
    }
    ok = ok && (g->layers = sherd_alloc(count, sizeof *g->layers)) != NULL;
    if (ok) number_layers(g, layout, pairs, count);
    sherd_free_pages(pairs);
    return ok && (g->loads = sherd_alloc(g->layer_count, sizeof *g->loads)) != NULL &&
           (g->motion = sherd_alloc(g->layer_count, sizeof *g->motion)) != NULL;
}

static bool shares_block(const sherd_mpm_grid *g, size_t a, size_t b)
{
    return memcmp(g->layers[a].block, g->layers[b].block, sizeof g->layers[a].block) == 0;
}

// Lists blocks that several layers share, or that are near walls. The layers of a block are
// consecutive. `moment_rows`, by layer, replaces the test for walls if it is not NULL.
static bool find_shared(sherd_mpm_grid *g, const uint8_t *moment_rows)
{
    g->shared = sherd_alloc(g->layer_count, sizeof *g->shared);
    if (g->shared == NULL) return false;
    for (size_t begin = 0, end; begin < g->layer_count; begin = end) {
        for (end = begin + 1; end < g->layer_count && shares_block(g, begin, end);)
            ++end;
        bool shared = end - begin > 1;
        if (!shared && moment_rows != NULL) shared = moment_rows[begin];
        if (!shared && moment_rows == NULL)
            shared = sherd_mpm_walls_are_near(g->walls, g->layers[begin].block, g->h, WALL_MARGIN);
        for (size_t k = begin; k < end; ++k)
            g->layers[k].moments = shared ? (int32_t)g->moments_count++ : -1;
        if (shared) g->shared[g->shared_count++] = (sherd_mpm_shared_block){begin, end};
    }
    return (g->moments = sherd_alloc(g->moments_count, sizeof *g->moments)) != NULL;
}

// A grid with the same settings and no points.
static sherd_mpm_grid empty(const sherd_mpm_grid *g)
{
    return (sherd_mpm_grid){.h = g->h,
                            .kernel = g->kernel,
                            .walls = g->walls,
                            .first_coupled = g->first_coupled,
                            .coupled_blocks = g->coupled_blocks,
                            .coupled_block_count = g->coupled_block_count};
}

// Frees what the next step computes anew; all but the layers and their motion.
static void forget_scratch(sherd_mpm_grid *g)
{
    sherd_free_pages(g->pages), sherd_free_pages(g->loads), sherd_free_pages(g->traversal),
        sherd_free_pages(g->small);
    sherd_free_pages(g->shared), sherd_free_pages(g->moments), sherd_free_pages(g->stresses);
    sherd_free_pages(g->unresolved), sherd_free_pages(g->fractions);
    g->pages = NULL, g->loads = NULL, g->traversal = NULL, g->small = NULL, g->shared = NULL;
    g->moments = NULL, g->stresses = NULL, g->unresolved = NULL, g->fractions = NULL;
}

static void forget(sherd_mpm_grid *g)
{
    forget_scratch(g);
    sherd_free_pages(g->layers), sherd_free_pages(g->motion);
    *g = empty(g);
}

// Order of layers: by block z, y, x, then by body.
static int compare_layers(const sherd_mpm_layer *a, const sherd_mpm_layer *b)
{
    for (int axis = 2; axis >= 0; --axis)
        if (a->block[axis] != b->block[axis]) return a->block[axis] < b->block[axis] ? -1 : 1;
    return a->body == b->body ? 0 : a->body < b->body ? -1 : 1;
}

// Copies the motion of layers that existed before.
static void carry_motion(sherd_mpm_grid *g, const sherd_mpm_grid *before)
{
    size_t old = 0;
    for (size_t k = 0; k < g->layer_count; ++k) {
        while (old < before->layer_count && compare_layers(&before->layers[old], &g->layers[k]) < 0)
            ++old;
        bool same =
            old < before->layer_count && compare_layers(&before->layers[old], &g->layers[k]) == 0;
        if (!same) continue;
        g->motion[k] = before->motion[old];
        g->layers[k].rows_before = UINT16_MAX;
    }
}

sherd_status sherd_mpm_grid_build(sherd_mpm_grid *g, sherd_mpm_points *p, sherd_error *error)
{
    key_layout layout;
    sherd_status status = lay_out_keys(g, p, &layout, error);
    if (status != SHERD_OK) return status;
    sherd_mpm_grid before = *g;
    *g = empty(g);
    forget_scratch(&before);
    bool ok = make_pages(g, &layout, p) &&
              make_layers(g, &layout, g->coupled_blocks, g->coupled_block_count) &&
              find_shared(g, NULL);
    if (ok) {
        SHERD_ASSERT(sherd_mpm_layers_ascend(g), "layers ascend by block and body");
        SHERD_ASSERT(sherd_mpm_pages_cover_points(g, p), "each point is in one page");
        SHERD_ASSERT(sherd_mpm_pages_have_layers(g), "tiles of pages are layers of their body");
        SHERD_ASSERT(sherd_mpm_colours_are_apart(g), "pages of a colour share no layer");
        SHERD_ASSERT(sherd_mpm_shared_blocks_have_moments(g), "shared blocks alone have moments");
        carry_motion(g, &before);
    }
    forget(&before);
    if (ok) return SHERD_OK;
    return sherd_fail_memory(error, "material points and their grid");
}

// Key layout for given pages; lay_out_keys is for points.
static bool lay_out_pages(const sherd_mpm_sorted *sorted, key_layout *layout)
{
    const sherd_mpm_page *pages = sorted->pages;
    size_t count = sorted->page_count;
    int32_t high[3] = {INT32_MIN, INT32_MIN, INT32_MIN};
    uint32_t bodies = 0;
    *layout = (key_layout){.low = {INT32_MAX, INT32_MAX, INT32_MAX}, .body_shift = CELL_BITS};
    for (size_t k = 0; k < count; ++k) {
        for (int axis = 0; axis < 3; ++axis) {
            int32_t block = pages[k].block[axis];
            if (block < layout->low[axis]) layout->low[axis] = block;
            if (block > high[axis]) high[axis] = block;
        }
        if (pages[k].body > bodies) bodies = pages[k].body;
    }
    bodies = last_body(sorted->coupling, sorted->coupled_count, bodies);
    int at = CELL_BITS + bits_of(bodies);
    for (int axis = 0; axis < 3; ++axis) {
        layout->shift[axis] = at, layout->high[axis] = high[axis] + 1;
        at += bits_of(count > 0 ? (uint64_t)((int64_t)high[axis] - layout->low[axis] + 1) : 0);
    }
    return at <= MAX_BITS + CELL_BITS;
}

sherd_status sherd_mpm_grid_rebuild(sherd_mpm_grid *g, const sherd_mpm_sorted *sorted,
                                    sherd_error *error)
{
    key_layout layout;
    bool fits = lay_out_pages(sorted, &layout);
    forget(g);
    g->pages = sherd_alloc(sorted->page_count, sizeof *g->pages);
    if (g->pages == NULL) return sherd_fail_memory(error, "material points and their grid");
    g->page_count = sorted->page_count;
    order_pages(g, sorted->pages);
    if (fits && !make_layers(g, &layout, sorted->coupling, sorted->coupled_count))
        return sherd_fail_memory(error, "material points and their grid");
    if (!fits || g->layer_count != sorted->layer_count)
        return sherd_fail(error, SHERD_ERROR_INPUT, "checkpoint", "start the run anew",
                          "is damaged: its material points have %lld layers, not %lld",
                          (long long)g->layer_count, (long long)sorted->layer_count);
    for (size_t k = 0; k < g->layer_count; ++k)
        g->layers[k].rows_before = UINT16_MAX; // the caller sets motion
    SHERD_ASSERT(sherd_mpm_layers_ascend(g), "layers ascend by block and body");
    SHERD_ASSERT(sherd_mpm_pages_have_layers(g), "tiles of pages are layers of their body");
    SHERD_ASSERT(sherd_mpm_colours_are_apart(g), "pages of a colour share no layer");
    if (find_shared(g, sorted->moment_rows)) {
        SHERD_ASSERT(sherd_mpm_shared_blocks_have_moments(g), "shared blocks alone have moments");
        return SHERD_OK;
    }
    return sherd_fail_memory(error, "material points and their grid");
}

void sherd_mpm_grid_release(sherd_mpm_grid *g)
{
    forget(g);
}

void sherd_mpm_grid_rest(sherd_mpm_grid *g)
{
    if (g->loads != NULL) sherd_clear_pages(g->loads, g->layer_count * sizeof *g->loads);
    sherd_free_pages(g->unresolved);
    g->unresolved = NULL;
}

// ---------------------------------------------------------------- places

void sherd_mpm_block_at(const sherd_mpm_grid *g, const double x[3], int32_t block[3])
{
    for (int axis = 0; axis < 3; ++axis)
        block[axis] = block_of((int64_t)floor(x[axis] / g->h - 0.5));
}

// Order of layers: by block z, y, x, then by body.
static bool comes_before(const sherd_mpm_layer *layer, const int32_t block[3], uint32_t body)
{
    for (int axis = 2; axis >= 0; --axis)
        if (layer->block[axis] != block[axis]) return layer->block[axis] < block[axis];
    return layer->body < body;
}

int32_t sherd_mpm_find_layer(const sherd_mpm_grid *g, const int32_t block[3], uint32_t body)
{
    size_t low = 0, high = g->layer_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (comes_before(&g->layers[middle], block, body))
            low = middle + 1;
        else
            high = middle;
    }
    if (low == g->layer_count || g->layers[low].body != body) return -1;
    bool there = memcmp(g->layers[low].block, block, sizeof g->layers[low].block) == 0;
    return there ? (int32_t)low : -1;
}
