// What stands for a fragment that is too small for its surface to be found.
#pragma once

#include "surface/finish/inner_uv.h"
#include "surface/partition/partition.h"
#include "surface/piece/piece.h"

// A small ball about element `first` (source index in the partition), which carries it; `offset` is added to
// indices of elements. False when memory is short.
bool sherd_piece_ball(piece *out, const partition *p, const texture_scale *texture, int32_t first,
                      int32_t offset);
