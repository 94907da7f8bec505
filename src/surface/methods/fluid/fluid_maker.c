// Surfaces of bodies drawn as fluids whose particles are the elements, and as blobs around them.
#include "surface/methods/fluid/fluid_field.h"

#include "base/error.h"
#include "base/memory.h"
#include "surface/methods/march/body_march.h"
#include "surface/methods/solid/solid_body.h"

#include <math.h>

// A fluid's surface is as smooth as a cut one and needs no finer cells. Its surface covers cracks
// narrower than its kernels: only open cracks, which are whole sheets, are worth drawing.
static const solid_options OPTIONS = {.cell_size = 1.0, .smoothing = 1.5, .slit_support = 1.3};

// Narrow enough for a lone element to be a ball of 0.8 of its radius, wide enough to fill the holes
// of a close packing. No opening is drawn for cracks inside a fragment.
static const solid_options BLOBS = {.cell_size = 0.75, .smoothing = 0.9, .slit_support = INFINITY};

typedef struct fluid_body {
    solid_body solid;
    march_state march;
    fluid *fluid;
} fluid_body;

// Handles every body that has a surface.
static bool can_make(const sherd_surface_body *body)
{
    return body->kind == SHERD_SURFACE_YARNS || body->shape != NULL || body->tetra != NULL;
}

// The volume that the body's own method computes; 0: no other method applies.
static double volume(const maker_source *source)
{
    const surface_maker *own = sherd_surface_maker_of(SHERD_SURFACE_AUTO, source->body);
    return own->volume != volume ? own->volume(source) : 0.0;
}

static sherd_status create_fluid(fluid_body *b, const maker_source *source, bool blobs,
                                 const sherd_parallel *parallel, sherd_error *error)
{
    const sherd_surface_def *d = source->def;
    fluid_source as_fluid = {.volume = volume(source),
                             .blobs = blobs,
                             .first = b->solid.first,
                             .bond_count = d->bond_count,
                             .bond_i = d->bond_i,
                             .bond_j = d->bond_j};
    b->fluid = sherd_fluid_create(&b->solid.partition, &as_fluid, parallel);
    if (b->fluid == NULL) return sherd_fail_memory(error, "a body's surface");
    b->march.fluid = b->fluid;
    sherd_status status = sherd_march_create(&b->march, &b->solid, NULL, parallel, error);
    if (status == SHERD_OK && !sherd_fluid_level(b->fluid, &b->march.grid, parallel))
        status = sherd_fail_memory(error, "a body's surface");
    return status;
}

static sherd_status create(void **state, const maker_source *source, bool blobs,
                           const sherd_parallel *parallel, sherd_error *error)
{
    fluid_body *b = *state = sherd_alloc(1, sizeof *b);
    if (b == NULL) return sherd_fail_memory(error, "a body's surface");
    sherd_status status = sherd_solid_create(&b->solid, source, blobs ? &BLOBS : &OPTIONS, error);
    return status == SHERD_OK ? create_fluid(b, source, blobs, parallel, error) : status;
}

static sherd_status create_as_fluid(void **state, const maker_source *source,
                                    const sherd_parallel *parallel, sherd_error *error)
{
    return create(state, source, false, parallel, error);
}

static sherd_status create_as_blobs(void **state, const maker_source *source,
                                    const sherd_parallel *parallel, sherd_error *error)
{
    return create(state, source, true, parallel, error);
}

static void destroy(void *state)
{
    fluid_body *b = state;
    if (b == NULL) return;
    sherd_march_release(&b->march);
    sherd_solid_release(&b->solid);
    sherd_fluid_destroy(b->fluid);
    sherd_free(b);
}

static sherd_status update(void *state, const body_frame *frame, piece_array *pieces,
                           const sherd_parallel *parallel, sherd_error *error)
{
    fluid_body *b = state;
    solid_update u = {.b = &b->solid, .frame = frame, .former = pieces};
    bool good = sherd_solid_begin(&u, parallel) &&
                sherd_fluid_update(b->fluid, &b->solid.partition, frame->broken, parallel) &&
                sherd_body_march(&u, &b->march, MARCH_ON, parallel);
    return sherd_solid_finish(&u, good, error);
}

static bool follow(void *state, piece_array *pieces, const sherd_fragment_id *own,
                   const sherd_fragment_view *now, const sherd_parallel *parallel)
{
    return sherd_solid_follow(&((fluid_body *)state)->solid, pieces, own, now, parallel);
}

const surface_maker sherd_surface_maker_fluid = {.can_make = can_make,
                                                 .volume = volume,
                                                 .create = create_as_fluid,
                                                 .destroy = destroy,
                                                 .update = update,
                                                 .follow = follow};

const surface_maker sherd_surface_maker_blobs = {.can_make = can_make,
                                                 .volume = volume,
                                                 .create = create_as_blobs,
                                                 .destroy = destroy,
                                                 .update = update,
                                                 .follow = follow};
