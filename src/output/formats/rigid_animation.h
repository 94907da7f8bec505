// One animated .glb or .usda for a whole run: rigid fragments over time.
#pragma once

#include "animation/animation.h"
#include "output/formats/format_job.h"

// If a frame is damaged, poses of the previous one are repeated. SHERD_ERROR_UNSUPPORTED if the run
// has nothing that the file can show.
sherd_status sherd_rigid_animation_write(sherd_format_job *job, sherd_animation_format format,
                                         sherd_error *error);
