// Surfaces cut from the body's own outer surface.
#include "surface/methods/cut/body_cut.h"

#include "base/error.h"
#include "base/memory.h"
#include "surface/methods/march/body_march.h"
#include "surface/methods/solid/solid_follow.h"

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
    sherd_status status = sherd_outline_create(&c->outline, s->source.body->shape, s->radius,
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
    sherd_cut_state_release(&b->state);
    sherd_solid_release(&b->solid);
    sherd_free(b);
}

static bool make(cut_body *b, solid_update *u, const sherd_parallel *parallel)
{
    if (!sherd_solid_begin(u, parallel)) return false;
    if (!b->cuts) return sherd_body_march(u, &b->march, MARCH_ON, parallel);
    cut_result result = sherd_body_cut(u, &b->state, parallel);
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
