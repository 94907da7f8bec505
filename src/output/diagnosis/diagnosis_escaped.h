// Elements that moved far away from the initial bounds.
#pragma once

#include <sherd/diagnosis.h>
#include <sherd/run_file.h>
#include <sherd/scene.h>

// Reports elements that are more than ten times the bodies' size away from their initial bounds,
// separately for those that fly and those that moved along an obstacle (nearer to it than their own
// extent). Heights above an obstacle do not count, and bodies that are whole are left out where they
// move along or above one. Obstacles and gravity need a scene (may be NULL).
void sherd_diagnose_escaped(sherd_diagnosis *d, const sherd_run_model *model,
                            const sherd_scene *scene, const sherd_run_frame *start,
                            const sherd_run_frame *last);
