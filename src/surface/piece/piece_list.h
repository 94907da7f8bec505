// The pieces of a body during an update, for surfaces built fragment by fragment.
#pragma once

#include "surface/partition/key_map.h"
#include "surface/piece/piece.h"

typedef struct piece_list {
    key_map number; // maps a fragment to its piece
    piece *pieces;
    uint8_t *stale, *failed; // to be built; out of memory  (pieces)
} piece_list;

// Allocates a piece for each key in `number`, all stale. Returns false when out of memory.
bool sherd_piece_list_allocate(piece_list *list);
// Takes over previous pieces whose fragment and fingerprint are unchanged.
void sherd_piece_list_keep(piece_list *list, piece_array *former);
// Numbers the versions of stale pieces and replaces the previous pieces by the list. If `good` is
// false, or a piece has failed, no pieces remain and false is returned.
bool sherd_piece_list_finish(piece_list *list, bool good, uint64_t *next_version,
                             piece_array *pieces);
