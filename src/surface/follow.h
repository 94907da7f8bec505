// Pieces of one frame, carried by the fragments of another.
#pragma once

#include "surface/body.h"

// `own` and `now` are the body's elements' fragments at the last update and in the frame to follow.
// False when memory is short.
bool sherd_body_follow(body_surface *b, const sherd_fragment_id *own,
                       const sherd_fragment_view *now, const sherd_parallel *parallel);
