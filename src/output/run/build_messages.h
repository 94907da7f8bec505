// Notes and warnings about a scene whose world is built: see <sherd/run.h>.
#pragma once

#include "output/messages.h"

#include <sherd/run.h>

void sherd_run_tell_warnings(const sherd_scene *scene, const sherd_scene_build *build,
                             const sherd_step_plan *plan, sherd_messages *messages);

// What first impacts will do to bodies.
void sherd_run_tell_impacts(const sherd_scene *scene, const sherd_scene_build *build,
                            sherd_messages *messages);

// Of bodies that `fracture` leaves in one piece.
void sherd_run_warn_pieces(const sherd_scene *scene, const sherd_world *world,
                           sherd_messages *messages);

// Calibrated bodies that have not what was asked for; one whose strength gives way to its fracture energy.
void sherd_run_warn_calibrations(const sherd_scene *scene, const sherd_scene_build *build,
                                 sherd_messages *to);
bool sherd_scene_is_weaker(const sherd_scene_calibration *calibration);
