// Surfaces of shells of one layer of elements.
#include "surface/methods/sheet/sheet_body.h"

#include "base/error.h"
#include "base/memory.h"
#include "geometry/shape/shape_kind.h"
#include "surface/finish/piece_texture.h"

typedef struct sheet_state {
    sheet sheet;
    shape_uv outer; // the shape's own coordinates
    texture_scale scale;
} sheet_state;

static bool can_make(const sherd_surface_body *body)
{
    return body->kind == SHERD_SURFACE_SHEET && body->shape != NULL;
}

static sherd_status create(void **state, const maker_source *source, const sherd_parallel *parallel,
                           sherd_error *error)
{
    (void)parallel;
    const sherd_shape *shape = source->body->shape;
    sheet_state *s = *state = sherd_alloc(1, sizeof *s);
    if (s == NULL || !sherd_sheet_create(&s->sheet, source) ||
        !sherd_shape_uv_create(&s->outer, shape, source->def->radius[source->body->first]))
        return sherd_fail_memory(error, "surfaces of sheets");
    s->scale = sherd_piece_texture_scale(source);
    s->scale.outer_is_file = s->outer.surface != NULL && sherd_shape_has_own_texture(shape);
    return SHERD_OK;
}

static void destroy(void *state)
{
    sheet_state *s = state;
    if (s == NULL) return;
    sherd_sheet_release(&s->sheet);
    sherd_shape_uv_release(&s->outer);
    sherd_free(s);
}

static sherd_status update(void *state, const body_frame *frame, piece_array *pieces,
                           const sherd_parallel *parallel, sherd_error *error)
{
    const sheet_state *s = state;
    bool good = sherd_sheet_update(&s->sheet, frame, pieces, parallel) &&
                sherd_texture_pieces(pieces, &s->scale, &s->outer);
    return good ? SHERD_OK : sherd_fail_memory(error, "surfaces of sheets");
}

const surface_maker sherd_surface_maker_sheets = {.can_make = can_make,
                                                  .volume = sherd_surface_rest_volume,
                                                  .create = create,
                                                  .destroy = destroy,
                                                  .update = update};
