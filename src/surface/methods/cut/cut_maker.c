// Surfaces cut from the body's own outer surface.

#include "base/error.h"
#include "base/memory.h"
#include "surface/methods/cut/cut_build.h"
#include "surface/methods/march/body_march.h"
#include "surface/methods/solid/solid_body.h"
#include "surface/methods/solid/solid_update.h"

#include <math.h>

// Wide kernels hide the terraces of cracks through a lattice: steps of two layers over eight radii
// shrink to a tenth. Such smooth surfaces need no finer cells. An unbroken sheet of cracks in a
// close packing has up to 3 times the required weight, a single broken bond 0.4 or less. Along
// walls a sheet has 1.6 (one glue bond per squared spacing), half of that at the body's surface, a
// quarter at its edges; a single broken bond has 0.2.
static const solid_options OPTIONS = {.cell_size = 1.0,
                                      .wall_cell_size = 0.5,
                                      .smoothing = 2.2,
                                      .slit_support = 0.85,
                                      .wall_slit_support = 0.2,
                                      .chips = true};
// Longer edges of the outer surface are halved [mean radii], so that bodies can bend and a crack
// cuts each triangle into few parts.
static const double LONGEST_EDGE = 4.0;

typedef struct cut_state {
    outline outline;
    crack_grid cracks;
    cut cut;     // outline and cracks
    bool failed; // the last update failed
} cut_state;

// ---------------------------------------------------------------- where cracks may have changed

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

// Builds the pieces; if this fails, none has a mesh.
static cut_result cut_pieces(solid_update *u, cut_state *state, const sherd_parallel *parallel)
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

static void cut_state_release(cut_state *state)
{
    sherd_cut_release(&state->cut);
    sherd_crack_grid_release(&state->cracks);
    sherd_outline_release(&state->outline);
}

typedef struct cut_body {
    solid_body solid;
    bool cuts; // the outer surface can be cut; otherwise all pieces are marched
    cut_state state;
    march_state march; // created on first use
} cut_body;

// Builds the outer surface and the grid of cracks. A body whose outer surface is not closed is
// marched.
static sherd_status create_outline(cut_body *b, const sherd_parallel *parallel, sherd_error *error)
{
    solid_body *s = &b->solid;
    cut_state *c = &b->state;
    sherd_error why = {0};
    double margin = 3.0 * CRACK_BLOCK * s->cell;
    double edge = s->source.def->outer_edge > 0.0 ? s->source.def->outer_edge : 1.0;
    sherd_status status = sherd_outline_create(&c->outline, s->source.body->shape, edge * s->radius,
                                               LONGEST_EDGE * s->radius, margin, &why);
    crack_result made = CRACK_TOO_LARGE;
    if (status == SHERD_OK)
        made = sherd_crack_grid_create(&c->cracks, &c->outline, &s->partition, s->cell, parallel);
    if (status == SHERD_ERROR_MEMORY || made == CRACK_MEMORY)
        return sherd_fail_memory(error, "a body's surface");
    b->cuts = made == CRACK_OK;
    c->failed = !b->cuts;
    double patch = fmax(CRACK_BLOCK * s->cell, LONGEST_EDGE * s->radius);
    // Uses the distance whose zero set is the meshed outer surface, where cracks end.
    if (b->cuts) s->decoration.roughness.shape = c->outline.solid;
    if (b->cuts && !sherd_cut_create(&c->cut, &c->outline, &c->cracks, patch))
        return sherd_fail_memory(error, "a body's surface");
    return SHERD_OK;
}

static sherd_status create_march(cut_body *b, const sherd_parallel *parallel, sherd_error *error)
{
    return sherd_march_create(&b->march, &b->solid, b->solid.source.body->shape, parallel, error);
}

static sherd_status create(void **state, const maker_source *source, const sherd_parallel *parallel,
                           sherd_error *error)
{
    cut_body *b = *state = sherd_alloc(1, sizeof *b);
    if (b == NULL) return sherd_fail_memory(error, "a body's surface");
    sherd_status status = sherd_solid_create(&b->solid, source, &OPTIONS, error);
    if (status == SHERD_OK) status = create_outline(b, parallel, error);
    return status == SHERD_OK && !b->cuts ? create_march(b, parallel, error) : status;
}

static void destroy(void *state)
{
    cut_body *b = state;
    if (b == NULL) return;
    sherd_march_release(&b->march);
    cut_state_release(&b->state);
    sherd_solid_release(&b->solid);
    sherd_free(b);
}

static bool make(cut_body *b, solid_update *u, const sherd_parallel *parallel)
{
    if (!sherd_solid_begin(u, parallel)) return false;
    if (!b->cuts) return sherd_body_march(u, &b->march, MARCH_ON, parallel);
    cut_result result = cut_pieces(u, &b->state, parallel);
    if (result != CUT_INCONSISTENT) return result == CUT_OK;
    if (b->march.grid.blocks == NULL && create_march(b, parallel, NULL) != SHERD_OK) return false;
    return sherd_body_march(u, &b->march, MARCH_AFRESH, parallel);
}

static sherd_status update(void *state, const body_frame *frame, piece_array *pieces,
                           const sherd_parallel *parallel, sherd_error *error)
{
    cut_body *b = state;
    solid_update u = {.b = &b->solid, .frame = frame, .former = pieces};
    bool good = make(b, &u, parallel);
    return sherd_solid_finish(&u, good, error);
}

static bool follow(void *state, piece_array *pieces, const sherd_fragment_id *own,
                   const sherd_fragment_view *now, const sherd_parallel *parallel)
{
    return sherd_solid_follow(&((cut_body *)state)->solid, pieces, own, now, parallel);
}

static bool fell_back(const void *state)
{
    return ((const cut_body *)state)->state.failed;
}

static const char *note(const void *state)
{
    return ((const cut_body *)state)->state.outline.note;
}

const surface_maker sherd_surface_maker_cut = {.can_make = sherd_solid_can_make,
                                               .volume = sherd_surface_rest_volume,
                                               .create = create,
                                               .destroy = destroy,
                                               .update = update,
                                               .follow = follow,
                                               .fell_back = fell_back,
                                               .note = note};
