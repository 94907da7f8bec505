// Makers of surfaces by method.
#include "surface/surface_maker.h"

#include "geometry/tetra/tetra_mesh.h"

// A test adds a row of its own by compiling this file with one (tests/unit/test_surface_table.c).
#ifndef SHERD_MORE_SURFACE_METHODS
#define SHERD_MORE_SURFACE_METHODS(ROW)
#endif

#define DECLARATION(NAME, word, doc) extern const surface_maker sherd_surface_maker_##word;
SHERD_SURFACE_METHODS(DECLARATION)
SHERD_MORE_SURFACE_METHODS(DECLARATION)

typedef struct maker_row {
    const char *word, *doc;
    const surface_maker *maker; // NULL: the first that can
} maker_row;

#define MAKER_ROW(NAME, word, doc) {#word, doc, &sherd_surface_maker_##word},
static const maker_row ROWS[] = {{"auto", SHERD_SURFACE_AUTO_DOC, NULL},
                                 SHERD_SURFACE_METHODS(MAKER_ROW)
                                     SHERD_MORE_SURFACE_METHODS(MAKER_ROW)};
enum { ROW_COUNT = sizeof ROWS / sizeof ROWS[0] };

static const maker_row *row_of(sherd_surface_method method)
{
    return (size_t)method < ROW_COUNT ? &ROWS[method] : NULL;
}

sherd_surface_method_info sherd_surface_method_describe(sherd_surface_method method)
{
    const maker_row *row = row_of(method);
    return row != NULL ? (sherd_surface_method_info){row->word, row->doc}
                       : (sherd_surface_method_info){0};
}

const surface_maker *sherd_surface_maker_of(sherd_surface_method method,
                                            const sherd_surface_body *body)
{
    const maker_row *row = row_of(method);
    if (row != NULL && row->maker != NULL && row->maker->can_make(body)) return row->maker;
    for (int k = 0; k < ROW_COUNT; ++k)
        if (ROWS[k].maker != NULL && ROWS[k].maker->can_make(body)) return ROWS[k].maker;
    return NULL;
}

double sherd_surface_rest_volume(const maker_source *source)
{
    const sherd_surface_body *body = source->body;
    return body->shape != NULL ? sherd_shape_volume(body->shape)
                               : sherd_tetra_mesh_volume(body->tetra);
}
