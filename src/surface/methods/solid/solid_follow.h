// Carries the pieces of one frame by the fragments of another.
#pragma once

#include "surface/methods/solid/solid_body.h"

// The `follow` callback of the methods for solids (surface_maker.h).
bool sherd_solid_follow(solid_body *b, piece_array *pieces, const sherd_fragment_id *own,
                        const sherd_fragment_view *now, const sherd_parallel *parallel);
