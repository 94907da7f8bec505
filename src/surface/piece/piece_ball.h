// A small ball in place of a fragment that is too small for its surface to be found.
#pragma once

#include "surface/finish/piece_attributes.h"
#include "surface/partition/partition.h"
#include "surface/piece/piece.h"

// Builds a small ball about element `first` (source index in the partition), which carries it;
// `offset` is added to element indices. Returns false when out of memory.
bool sherd_piece_ball(piece *out, const partition *p, const texture_scale *texture, int32_t first,
                      int32_t offset);
