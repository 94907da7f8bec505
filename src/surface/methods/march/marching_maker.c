// Surfaces by marching tetrahedra, from the shape and the partition among fragments.
#include "surface/methods/march/body_march.h"

#include "base/error.h"
#include "base/memory.h"
#include "surface/methods/solid/solid_body.h"

// Vertices are smoothed in addition, and thin pieces are lost sooner: kernels are narrower and
// cells finer than for cut surfaces.
static const solid_options OPTIONS = {.cell_size = 0.75, .smoothing = 1.5, .slit_support = 0.85};

typedef struct marched_body {
    solid_body solid;
    march_state march;
} marched_body;

static sherd_status create(void **state, const maker_source *source, const sherd_parallel *parallel,
                           sherd_error *error)
{
    marched_body *b = *state = sherd_alloc(1, sizeof *b);
    if (b == NULL) return sherd_fail_memory(error, "a body's surface");
    sherd_status status = sherd_solid_create(&b->solid, source, &OPTIONS, error);
    if (status != SHERD_OK) return status;
    return sherd_march_create(&b->march, &b->solid, source->body->shape, parallel, error);
}

static void destroy(void *state)
{
    marched_body *b = state;
    if (b == NULL) return;
    sherd_march_release(&b->march);
    sherd_solid_release(&b->solid);
    sherd_free(b);
}

static sherd_status update(void *state, const body_frame *frame, piece_array *pieces,
                           const sherd_parallel *parallel, sherd_error *error)
{
    marched_body *b = state;
    solid_update u = {.b = &b->solid, .frame = frame, .former = pieces};
    bool good =
        sherd_solid_begin(&u, parallel) && sherd_body_march(&u, &b->march, MARCH_ON, parallel);
    return sherd_solid_finish(&u, good, error);
}

static bool follow(void *state, piece_array *pieces, const sherd_fragment_id *own,
                   const sherd_fragment_view *now, const sherd_parallel *parallel)
{
    return sherd_solid_follow(&((marched_body *)state)->solid, pieces, own, now, parallel);
}

const surface_maker sherd_surface_maker_marching = {.can_make = sherd_solid_can_make,
                                                    .volume = sherd_surface_rest_volume,
                                                    .create = create,
                                                    .destroy = destroy,
                                                    .update = update,
                                                    .follow = follow};
