// Surfaces of bodies whose elements are tetrahedra.
#include "surface/methods/tetra/tetra_surface.h"

#include "base/error.h"
#include "base/memory.h"
#include "surface/finish/piece_texture.h"

typedef struct tetra_state {
    tetra_surface *surface;
    texture_scale scale;
} tetra_state;

static bool can_make(const sherd_surface_body *body)
{
    return body->kind == SHERD_SURFACE_SOLID && body->tetra != NULL;
}

static sherd_status check(const maker_source *source, sherd_error *error)
{
    const sherd_surface_body *b = source->body;
    if (b->tetra->tetra_count == b->count) return SHERD_OK;
    return sherd_fail(error, SHERD_ERROR_INPUT, "surface.bodies", NULL,
                      "body %d has %d elements, but its mesh %d tetrahedra", source->index,
                      (int)b->count, (int)b->tetra->tetra_count);
}

static sherd_status create(void **state, const maker_source *source, const sherd_parallel *parallel,
                           sherd_error *error)
{
    sherd_status status = check(source, error);
    if (status != SHERD_OK) return status;
    tetra_state *s = *state = sherd_alloc(1, sizeof *s);
    if (s == NULL) return sherd_fail_memory(error, "tetra surface");
    const sherd_surface_def *d = source->def;
    const tetra_surface_source from = {.body = source->index,
                                       .mesh = source->body->tetra,
                                       .radius = d->radius + source->body->first,
                                       .first = source->body->first,
                                       .bond_count = d->bond_count,
                                       .bond_i = d->bond_i,
                                       .bond_j = d->bond_j};
    s->scale = sherd_piece_texture_scale(source);
    s->surface = sherd_tetra_surface_create(&from, parallel, error);
    if (s->surface != NULL) return SHERD_OK;
    return error != NULL ? error->status : SHERD_ERROR_MEMORY;
}

static void destroy(void *state)
{
    tetra_state *s = state;
    if (s == NULL) return;
    sherd_tetra_surface_destroy(s->surface);
    sherd_free(s);
}

static sherd_status update(void *state, const body_frame *frame, piece_array *pieces,
                           const sherd_parallel *parallel, sherd_error *error)
{
    const tetra_state *s = state;
    sherd_status status = sherd_tetra_surface_update(s->surface, frame, pieces, parallel, error);
    if (status == SHERD_OK && !sherd_texture_pieces(pieces, &s->scale, NULL))
        status = sherd_fail_memory(error, "texture coordinates");
    return status;
}

const surface_maker sherd_surface_maker_tetra_faces = {.can_make = can_make,
                                                       .volume = sherd_surface_rest_volume,
                                                       .create = create,
                                                       .destroy = destroy,
                                                       .update = update};
