// An update of one solid body's pieces: code common to cutting and marching.
#pragma once

#include "surface/methods/solid/solid_body.h"
#include "surface/partition/key_map.h"

// Working data of one update. Pieces are numbered in the order of the fragment view.
typedef struct solid_update {
    solid_body *b;
    const body_frame *frame;
    piece_array *former; // of the last update; those still valid may be moved
    int32_t piece_count;
    piece *pieces;
    int32_t *first; // first element of each piece, in the body
    uint8_t *stale; // to be rebuilt
    key_map number; // fragment id -> piece
} solid_update;

// Takes over labels and cracks and numbers the pieces. Returns false when out of memory; call
// finish in any case.
bool sherd_solid_begin(solid_update *u, const sherd_parallel *parallel);
// Replaces the previous pieces by the new ones, if `good`.
sherd_status sherd_solid_finish(solid_update *u, bool good, sherd_error *error);

// Marks the fragment's piece, if it has one, as stale.
void sherd_solid_mark_piece(solid_update *u, sherd_fragment_id label);
