// Transfers colours and material groups from a body's own mesh to the pieces it breaks into.
#pragma once

#include "base/parallel.h"
#include "geometry/mesh/mesh_tree.h"
#include "surface/piece/piece.h"

#include <sherd/shape.h>

typedef struct body_paint {
    sherd_mesh *surface; // NULL: the mesh has neither colours nor groups
    sherd_mesh_tree tree;
} body_paint;

// `shape` may be NULL. Returns false when out of memory; call release in any case.
bool sherd_body_paint_init(body_paint *paint, const sherd_shape *shape);
void sherd_body_paint_release(body_paint *paint);

// Gives pieces without colours and groups those of the nearest points of the body's mesh. Only
// outer faces take part: inner faces belong to no group and are white. Returns false when out of
// memory.
bool sherd_paint_pieces(const body_paint *paint, const piece_array *pieces,
                        const sherd_parallel *parallel);
