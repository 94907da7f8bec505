// Dust in animations: a cloud of points for each body and frame, there in that frame alone.
#pragma once

#include "output/formats/animation_objects.h"

#include "output/dust/dust.h"

// Takes what broke up to the frame, and adds the grains there are then. `dust` NULL: none.
sherd_status sherd_animation_dust_frame(sherd_animation_objects *c, sherd_dust *dust,
                                        const sherd_run_frame *frame, sherd_error *error);
