// Dust in animations: one cloud of points per body and frame, visible in that frame only.
#pragma once

#include "output/formats/animation_objects.h"

#include "output/dust/dust.h"

// Processes breaks up to the frame and adds the grains that exist then. `dust` may be NULL.
sherd_status sherd_animation_dust_frame(sherd_animation_objects *c, sherd_dust *dust,
                                        const sherd_run_frame *frame, sherd_error *error);
