// Bones and skinning weights of a whole piece, or a small ball in its place.
#pragma once

#include "base/parallel.h"
#include "surface/finish/piece_attributes.h"
#include "surface/partition/partition.h"
#include "surface/piece/piece.h"

// Candidate elements: those of one fragment.
typedef struct skin_source {
    const partition *partition;
    sherd_fragment_id label;
    sherd_element_index count; // of the fragment
    int32_t first;             // one of its elements in the partition
    int32_t offset;            // added to source indices of elements
} skin_source;

// Returns false when out of memory.
bool sherd_skin_piece(piece *p, const skin_source *source, const sherd_parallel *parallel);

// In place of a fragment that is too small for its surface to be found: builds a small ball about
// element `first` (source index in the partition), which carries it; `offset` is added to element
// indices. Returns false when out of memory.
bool sherd_piece_ball(piece *out, const partition *p, const texture_scale *texture, int32_t first,
                      int32_t offset);
