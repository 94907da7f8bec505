// The pieces of a body while they are brought up to date, for surfaces made fragment by fragment.
#pragma once

#include "surface/partition/key_map.h"
#include "surface/piece/piece.h"

typedef struct piece_list {
    key_map number; // of pieces, by fragment
    piece *pieces;
    uint8_t *stale, *failed; // to be built; memory was short  (pieces)
} piece_list;

// Room for as many pieces as `number` holds, all stale. False when memory is short.
bool sherd_piece_list_allocate(piece_list *list);
// Takes former pieces whose fragment and fingerprint are still the same.
void sherd_piece_list_keep(piece_list *list, piece_array *former);
// Numbers the versions of stale pieces and puts the list in place of the former pieces; with `good`
// false, or where a piece has failed, there are none afterwards and false is returned.
bool sherd_piece_list_finish(piece_list *list, bool good, uint64_t *next_version,
                             piece_array *pieces);
