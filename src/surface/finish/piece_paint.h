// Colours and material groups of a body's own mesh on the pieces that it breaks into.
#pragma once

#include "base/parallel.h"
#include "geometry/mesh/mesh_tree.h"
#include "surface/piece/piece.h"

#include <sherd/shape.h>

typedef struct body_paint {
    sherd_mesh *surface; // NULL: it has neither
    sherd_mesh_tree tree;
} body_paint;

// `shape` may be NULL. False when memory is short; release in any case.
bool sherd_body_paint_init(body_paint *paint, const sherd_shape *shape);
void sherd_body_paint_release(body_paint *paint);

// Pieces that have none yet get both from the nearest places of the body's mesh, outer faces alone: inner ones are in no
// group, and white. False when memory is short.
bool sherd_paint_pieces(const body_paint *paint, const piece_array *pieces,
                        const sherd_parallel *parallel);
