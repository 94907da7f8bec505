// An update of one solid body's pieces: code common to cutting and marching.
#pragma once

#include "surface/methods/solid/solid_body.h"
#include "surface/partition/key_map.h"

// One update's working data. Pieces are numbered in the order of the fragment view.
typedef struct solid_update {
    solid_body *b;
    const body_frame *frame;
    piece_array *former; // of the last update; those that are still right may move over
    int32_t piece_count;
    piece *pieces;
    int32_t *first; // first element of each, in the body
    uint8_t *stale; // to be rebuilt
    key_map number; // fragment id -> piece
} solid_update;

// Takes over labels and cracks and numbers the pieces. False when memory is short; finish in any case.
bool sherd_solid_begin(solid_update *u, const sherd_parallel *parallel);
// Puts the new pieces in place of the former ones, if `good`.
sherd_status sherd_solid_finish(solid_update *u, bool good, sherd_error *error);

// Marks the fragment's piece, if it has one, as stale.
void sherd_solid_mark_piece(solid_update *u, sherd_fragment_id label);
