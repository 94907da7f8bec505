// Updates a body's pieces by cutting its outer surface: finds where cracks may have changed.
#include "surface/methods/cut/body_cut.h"

#include "base/memory.h"

#include <math.h>

// Shorter cracks inside fragments would show as specks: three adjacent elements [mean radii].
static const double MIN_CRACK = 6.0;

typedef struct stale_job {
    const partition *p;
    const crack_grid *cracks;
    const uint8_t *crack_changed; // by element
    uint8_t *stale;               // by block of the crack grid
} stale_job;

// Marks the blocks in reach of elements that changed.
static void mark_crack_blocks(void *context, size_t begin, size_t end)
{
    stale_job *job = context;
    const partition *p = job->p;
    // Fracture points lie up to a radius from their elements, and their reach is about the same.
    double reach = fmax(1.5 * p->reach, p->chips.reach);
    for (size_t k = begin; k < end; ++k) {
        const crack_block *block = &job->cracks->blocks[k];
        sherd_bounds box = sherd_crack_block_bounds(job->cracks, block);
        int32_t first, last;
        job->stale[k] = block->sparse;
        sherd_bin_rows rows = sherd_point_bins_rows(&p->elements, box.low, box.high, reach);
        while (!job->stale[k] && sherd_point_bins_next(&p->elements, &rows, &first, &last))
            for (int32_t e = first; e < last; ++e)
                job->stale[k] |= p->changed[e] | job->crack_changed[p->elements.source[e]];
    }
}

// Pieces whose elements changed must follow other elements even if their mesh is unchanged.
static void mark_changed_pieces(solid_update *u)
{
    const partition *p = &u->b->partition;
    for (int32_t k = 0; k < p->elements.count; ++k) {
        int32_t e = p->elements.source[k];
        bool cracked = p->wall_count > 0 && u->frame->crack_changed[e];
        if (!p->changed[k] && !cracked) continue;
        sherd_solid_mark_piece(u, u->frame->label[e]);
        sherd_solid_mark_piece(u, u->frame->former_label[e]);
    }
}

// Marks the blocks whose cracks have changed.
static bool update_cracks(const solid_update *u, crack_grid *cracks, uint8_t *stale,
                          const sherd_parallel *parallel)
{
    const solid_body *b = u->b;
    stale_job job = {&b->partition, cracks, u->frame->crack_changed, stale};
    sherd_parallel_for(parallel, (size_t)cracks->count, 16, mark_crack_blocks, &job);
    return sherd_crack_grid_update(cracks, &b->partition, &b->slits, stale, parallel);
}

cut_result sherd_body_cut(solid_update *u, cut_state *state, const sherd_parallel *parallel)
{
    const solid_body *b = u->b;
    uint8_t *stale = sherd_alloc((size_t)state->cracks.count, 1);
    cut_result result = CUT_MEMORY;
    if (stale != NULL && update_cracks(u, &state->cracks, stale, parallel)) {
        mark_changed_pieces(u);
        cut_build build = {.o = &state->outline,
                           .k = &state->cut,
                           .stale_block = stale,
                           .p = &b->partition,
                           .decoration = &b->decoration,
                           .offset = b->first,
                           .rigid = b->source.def->rigid,
                           .slits = {b->half_gap, MIN_CRACK * b->radius},
                           .number = &u->number,
                           .piece_count = u->piece_count,
                           .pieces = u->pieces,
                           .first = u->first,
                           .stale = u->stale,
                           .former = u->former->items,
                           .former_count = state->failed ? 0 : u->former->count};
        result = sherd_cut_build(&build, parallel);
    }
    sherd_free(stale);
    if (result != CUT_OK) state->cut.valid = false;
    for (int32_t k = 0; result == CUT_OK && k < u->piece_count; ++k)
        if (u->pieces[k].version == 0) u->pieces[k].version = (*u->frame->next_version)++;
    state->failed = result != CUT_OK;
    return result;
}

void sherd_cut_state_release(cut_state *state)
{
    sherd_cut_release(&state->cut);
    sherd_crack_grid_release(&state->cracks);
    sherd_outline_release(&state->outline);
}
