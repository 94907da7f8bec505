#include "models/mpm/grid/mpm_traversal.h"

#include "base/assertion.h"
#include "base/memory.h"
#include "base/sort.h"

#include <math.h>

// Bodies of few pages are traversed whole, by one thread each: their data fit a cache (300 KB).
// Only if there are enough bodies for all threads.
enum { MAX_PAGES = 64, MIN_BODIES = 16 };

static bool is_small(const sherd_mpm_grid *g, size_t pages)
{
    return pages <= MAX_PAGES && pages * MIN_BODIES <= g->page_count;
}

// Sorts pages by body, then by colour.
static bool sort_pages(const sherd_mpm_grid *g, sherd_sort_pair *pairs)
{
    for (size_t k = 0; k < g->page_count; ++k)
        pairs[k] = (sherd_sort_pair){g->pages[k].body, (uint32_t)k};
    return sherd_sort_pairs(pairs, g->page_count);
}

static size_t end_of_body(const sherd_sort_pair *pairs, size_t count, size_t begin)
{
    size_t end = begin + 1;
    while (end < count && pairs[end].key == pairs[begin].key)
        ++end;
    return end;
}

static void list_small(sherd_mpm_grid *g, const sherd_sort_pair *pairs, uint8_t *small)
{
    size_t at = 0;
    for (size_t begin = 0, end; begin < g->page_count; begin = end) {
        end = end_of_body(pairs, g->page_count, begin);
        if (!is_small(g, end - begin)) continue;
        g->small[g->small_count++] = at;
        for (size_t k = begin; k < end; ++k)
            g->traversal[at++] = pairs[k].value, small[pairs[k].value] = 1;
    }
    g->small[g->small_count] = at;
}

static void list_large(sherd_mpm_grid *g, const uint8_t *small)
{
    size_t at = g->small[g->small_count];
    for (int colour = 0; colour < SHERD_MPM_COLOURS; ++colour) {
        g->first_large[colour] = at;
        for (size_t k = g->first_page[colour]; k < g->first_page[colour + 1]; ++k)
            if (!small[k]) g->traversal[at++] = (uint32_t)k;
    }
    g->first_large[SHERD_MPM_COLOURS] = at;
}

bool sherd_mpm_order_traversal(sherd_mpm_grid *g)
{
    sherd_sort_pair *pairs = sherd_alloc(g->page_count, sizeof *pairs);
    uint8_t *small = sherd_alloc(g->page_count, sizeof *small);
    g->traversal = sherd_alloc(g->page_count, sizeof *g->traversal);
    g->small = sherd_alloc(g->page_count + 1, sizeof *g->small);
    bool ok = pairs != NULL && small != NULL && g->traversal != NULL && g->small != NULL &&
              sort_pages(g, pairs);
    if (ok) {
        list_small(g, pairs, small), list_large(g, small);
        SHERD_ASSERT(sherd_permutes(g->traversal, g->page_count), "each page is traversed once");
        SHERD_ASSERT(g->first_large[SHERD_MPM_COLOURS] == g->page_count, "colours end with pages");
    }
    sherd_free(pairs), sherd_free(small);
    return ok;
}

typedef struct job {
    const sherd_mpm_grid *grid;
    sherd_mpm_page_function *visit;
    void *context;
    size_t first; // index of the first page to visit
} job;

static double visit_range(void *context, size_t begin, size_t end)
{
    const job *j = context;
    double most = 0.0;
    for (size_t k = begin; k < end; ++k)
        most = fmax(most, j->visit(j->context, j->grid->traversal[j->first + k]));
    return most;
}

static double visit_small(void *context, size_t begin, size_t end)
{
    const job *j = context;
    return visit_range(context, j->grid->small[begin], j->grid->small[end]);
}

double sherd_mpm_traverse(const sherd_mpm_grid *grid, const sherd_parallel *parallel,
                          sherd_mpm_page_function *visit, void *context)
{
    job j = {grid, visit, context, 0};
    double most = sherd_parallel_max(parallel, grid->small_count, 1, visit_small, &j);
    for (int colour = 0; colour < SHERD_MPM_COLOURS; ++colour) {
        j.first = grid->first_large[colour];
        size_t count = grid->first_large[colour + 1] - j.first;
        most = fmax(most, sherd_parallel_max(parallel, count, 1, visit_range, &j));
    }
    return most;
}
