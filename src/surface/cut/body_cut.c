// A body's pieces by cutting its outline: where cracks may have changed.
#include "surface/body_update.h"

#include "base/memory.h"

typedef struct stale_job {
    const body_surface *b;
    const uint8_t *crack_changed; // by element
    uint8_t *stale;               // by block of the crack grid
} stale_job;

// Blocks in reach of elements that changed.
static void mark_crack_blocks(void *context, size_t begin, size_t end)
{
    stale_job *job = context;
    const partition *p = &job->b->partition;
    for (size_t k = begin; k < end; ++k) {
        const crack_block *block = &job->b->cracks.blocks[k];
        sherd_bounds box = sherd_crack_block_bounds(&job->b->cracks, block);
        int32_t first, last;
        job->stale[k] = block->sparse;
        // Fracture points lie up to a radius from their elements and reach about as far as these.
        bins_rows rows = sherd_bins_rows(&p->elements, box.low, box.high, 1.5 * p->reach);
        while (!job->stale[k] && sherd_bins_next(&p->elements, &rows, &first, &last))
            for (int32_t e = first; e < last; ++e)
                job->stale[k] |= p->changed[e] | job->crack_changed[p->elements.source[e]];
    }
}

// Pieces whose elements changed must follow other elements even where their mesh is the same.
static void mark_changed_pieces(body_update *u)
{
    const partition *p = &u->b->partition;
    for (int32_t k = 0; k < p->elements.count; ++k) {
        int32_t e = p->elements.source[k];
        if (!p->changed[k]) continue;
        sherd_body_mark_piece(u, u->frame->label[e]);
        sherd_body_mark_piece(u, u->frame->former_label[e]);
    }
}

// Marks the blocks whose cracks are not what they were.
static bool update_cracks(body_update *u, uint8_t *stale, const sherd_parallel *parallel)
{
    body_surface *b = u->b;
    stale_job job = {b, u->frame->crack_changed, stale};
    sherd_parallel_for(parallel, (size_t)b->cracks.count, 16, mark_crack_blocks, &job);
    return sherd_crack_grid_update(&b->cracks, &b->partition, &b->slits, stale, parallel);
}

cut_result sherd_body_cut(body_update *u, const sherd_parallel *parallel)
{
    body_surface *b = u->b;
    uint8_t *stale = sherd_alloc((size_t)b->cracks.count, 1);
    cut_result result = CUT_MEMORY;
    if (stale != NULL && update_cracks(u, stale, parallel)) {
        mark_changed_pieces(u);
        cut_build build = {.o = &b->outline,
                           .k = &b->cut,
                           .stale_block = stale,
                           .p = &b->partition,
                           .decoration = &b->decoration,
                           .offset = b->first,
                           .half_gap = b->half_gap,
                           .number = &u->number,
                           .piece_count = u->piece_count,
                           .pieces = u->pieces,
                           .first = u->first,
                           .stale = u->stale,
                           .former = b->pieces,
                           .former_count = b->fell_back ? 0 : b->piece_count};
        result = sherd_cut_build(&build, parallel);
    }
    sherd_free(stale);
    if (result != CUT_OK) b->cut.valid = false;
    for (int32_t k = 0; result == CUT_OK && k < u->piece_count; ++k)
        if (u->pieces[k].version == 0) u->pieces[k].version = (*u->frame->next_version)++;
    return result;
}
