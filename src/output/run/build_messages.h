// Notes and warnings about a scene after its world is built: see <sherd/run.h>.
#pragma once

#include "output/messages.h"

#include <sherd/run.h>

void sherd_run_tell_warnings(const sherd_scene *scene, const sherd_scene_build *build,
                             const sherd_step_plan *plan, sherd_messages *messages);

// Predicts the effects of the first impacts.
void sherd_run_predict_impacts(const sherd_scene *scene, const sherd_scene_build *build,
                               sherd_messages *messages);

// Says what scaled stiffness changes, with a warning where strains become large.
void sherd_run_report_scales(const sherd_scene *scene, sherd_messages *messages);

// Warns of a time step beyond the stability limit, and of implicit steps that frames or rows of probes
// shorten; of solver keys that nothing of the scene reads.
void sherd_run_warn_steps(const sherd_scene *scene, const sherd_scene_build *build,
                          const sherd_step_plan *plan, sherd_messages *to);
void sherd_run_warn_solver_keys(const sherd_scene *scene, const sherd_scene_build *build,
                                sherd_messages *to);

// Warns of keys that say nothing to the models of the bodies that have them, and of peridynamic bodies
// whose stiffness is not the material's.
void sherd_run_warn_models(const sherd_scene *scene, const sherd_scene_build *build,
                           sherd_messages *messages);

// Warns of bodies that `fracture` leaves in one piece.
void sherd_run_warn_pieces(const sherd_scene *scene, const sherd_world *world,
                           sherd_messages *messages);

// Warns of calibrated bodies that do not reach their targets, and of strengths limited by the
// fracture energy.
void sherd_run_warn_calibrations(const sherd_scene *scene, const sherd_scene_build *build,
                                 sherd_messages *to);
bool sherd_scene_is_weaker(const sherd_scene_calibration *calibration);
