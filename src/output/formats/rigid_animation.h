// One animated .glb or .usda for a whole run: rigid fragments over time.
#pragma once

#include "animation/animation.h"
#include "output/formats/format_job.h"

// Where a frame is damaged, things stay where they were in the one before.
// SHERD_ERROR_UNSUPPORTED when there is nothing that such a file can show.
sherd_status sherd_rigid_animation_write(sherd_format_job *job, sherd_animation_format format,
                                         sherd_error *error);
