// The pieces of a body while they are brought up to date, for surfaces made fragment by fragment.
#pragma once

#include "surface/key_map.h"
#include "surface/piece.h"

#include <sherd/shape.h>

// A body that is made of bonds; arrays by element or bond of all bodies.
typedef struct bond_map {
    sherd_element_index first, count; // its elements
    const sherd_shape *shape;         // a sheet's wall
    const double *x, *y, *z, *radius; // at rest [m]
    sherd_bond_index bond_count;
    const sherd_element_index *bond_i, *bond_j;
} bond_map;

// A frame of it.
typedef struct bond_frame {
    const sherd_fragment_view *view;
    const sherd_fragment_id *label; // by element of the body
    const uint8_t *broken;          // by bond of all bodies
    int index, smallest;            // of the body; fragments with fewer elements have no piece
    uint64_t *next_version;
} bond_frame;

typedef struct piece_list {
    key_map number; // of pieces, by fragment
    piece *pieces;
    uint8_t *stale, *failed; // to be built; memory was short  (pieces)
} piece_list;

// Room for as many pieces as `number` holds, all stale. False when memory is short.
bool sherd_piece_list_allocate(piece_list *list);
// Takes former pieces whose fragment and fingerprint are still the same.
void sherd_piece_list_keep(piece_list *list, piece *former, int32_t former_count);
// Numbers the versions of stale pieces and puts the list in place of the former pieces; with `good`
// false, or where a piece has failed, there are none afterwards and false is returned.
bool sherd_piece_list_finish(piece_list *list, bool good, uint64_t *next_version, piece **pieces,
                             int32_t *piece_count);

// Mesh with normals and kinds of faces, and its skin.
bool sherd_piece_make_room(piece *out, int64_t vertices, int64_t triangles);
