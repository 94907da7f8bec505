// What is far from where everything began.
#pragma once

#include <sherd/diagnosis.h>
#include <sherd/run_file.h>
#include <sherd/scene.h>

// Tells what is farther than ten times the bodies' size from where they began: what flew, and what rolled, slid or
// hopped there. The latter is near an obstacle, by less than its own size: known with a scene (or NULL) only.
void sherd_tell_lost(sherd_diagnosis *d, const sherd_run_model *model, const sherd_scene *scene,
                     const sherd_run_frame *start, const sherd_run_frame *last);
