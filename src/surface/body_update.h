// An update of one body's pieces, by cutting or by marching.
#pragma once

#include "surface/body.h"
#include "surface/key_map.h"

// One update's working data. Pieces are numbered in the order of the fragment view.
typedef struct body_update {
    body_surface *b;
    const body_frame *frame;
    int32_t piece_count;
    piece *pieces;
    int32_t *first; // first element of each, in the body
    uint8_t *stale; // to be rebuilt
    key_map number; // fragment id -> piece
} body_update;

// Marks the fragment's piece, if it has one, as stale.
void sherd_body_mark_piece(body_update *u, sherd_fragment_id label);

// Makes the pieces by cutting the outline.
cut_result sherd_body_cut(body_update *u, const sherd_parallel *parallel);

// Makes the pieces by marching tetrahedra. After a body could not be cut, nothing is known of the frame
// before. False when memory is short.
bool sherd_body_march(body_update *u, const sherd_parallel *parallel);
