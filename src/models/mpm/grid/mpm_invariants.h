// Invariants of the grid between two sortings of points. The code that builds the grid asserts
// them, and all other code relies on them.
#pragma once

#include "base/assertion.h"
#include "models/mpm/grid/mpm_grid.h"

// Layers are sorted by block (z is the most significant), then by body, without duplicates.
static inline bool sherd_mpm_layers_ascend(const sherd_mpm_grid *g)
{
    for (size_t k = 1; k < g->layer_count; ++k) {
        const sherd_mpm_layer *a = &g->layers[k - 1], *b = &g->layers[k];
        int axis = 2;
        while (axis >= 0 && a->block[axis] == b->block[axis])
            --axis;
        if (axis >= 0 ? a->block[axis] > b->block[axis] : a->body >= b->body) return false;
    }
    return true;
}

// Each page consists of whole batches of one body's points, and each point is in exactly one page.
static inline bool sherd_mpm_pages_cover_points(const sherd_mpm_grid *g, const sherd_mpm_points *p)
{
    size_t covered = 0;
    for (size_t k = 0; k < g->page_count; ++k) {
        const sherd_mpm_page *page = &g->pages[k];
        if (page->begin % SHERD_MPM_BATCH != 0 || page->end % SHERD_MPM_BATCH != 0) return false;
        if (page->begin >= page->end || page->end > p->count) return false;
        for (size_t at = page->begin; at < page->end; ++at)
            if (p->body[at] != page->body) return false;
        covered += page->end - page->begin;
    }
    return covered == p->count;
}

// The eight blocks of a page's tile are layers of its own body.
static inline bool sherd_mpm_pages_have_layers(const sherd_mpm_grid *g)
{
    for (size_t k = 0; k < g->page_count; ++k)
        for (int part = 0; part < SHERD_MPM_PARTS; ++part) {
            const sherd_mpm_page *page = &g->pages[k];
            if (page->layer[part] < 0 || (size_t)page->layer[part] >= g->layer_count) return false;
            const sherd_mpm_layer *layer = &g->layers[page->layer[part]];
            if (layer->body != page->body) return false;
            for (int axis = 0; axis < 3; ++axis)
                if (layer->block[axis] != page->block[axis] + (part >> axis & 1)) return false;
        }
    return true;
}

// Pages of one colour share no node: their block indices differ by an even number along each axis.
static inline bool sherd_mpm_colours_are_apart(const sherd_mpm_grid *g)
{
    for (int colour = 0; colour < SHERD_MPM_COLOURS; ++colour)
        for (size_t k = g->first_page[colour]; k < g->first_page[colour + 1]; ++k)
            for (int axis = 0; axis < 3; ++axis)
                if ((g->pages[k].block[axis] & 1) != (colour >> axis & 1)) return false;
    return g->first_page[SHERD_MPM_COLOURS] == g->page_count;
}

// Shared blocks are sorted and do not overlap. Exactly their layers have moments of volume.
static inline bool sherd_mpm_shared_blocks_have_moments(const sherd_mpm_grid *g)
{
    size_t at = 0, count = 0;
    for (size_t k = 0; k < g->shared_count; ++k) {
        if (g->shared[k].begin < at || g->shared[k].begin >= g->shared[k].end) return false;
        for (; at < g->shared[k].begin; ++at)
            if (g->layers[at].moments >= 0) return false;
        for (; at < g->shared[k].end; ++at)
            if (g->layers[at].moments != (int32_t)count++) return false;
    }
    return at <= g->layer_count && count == g->moments_count;
}
