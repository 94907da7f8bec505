// Where bodies go, as far as that can be known: before a run, and from a frame of it.
#pragma once

#include <sherd/run_file.h>
#include <sherd/scene.h>

// All that a body passes while it flies, rebounds, slides or rolls as one stiff piece, on obstacles that are fixed or
// move as prescribed: until it meets another body, is farther than `reach` from its start, or the run ends. Empty for
// what drivers hold, and for bodies that meet another one from the start.
sherd_bounds sherd_camera_course(const sherd_scene *scene, const sherd_run_model *model,
                                 const sherd_run_frame *first, int body, double reach);

// Most of a body, some seconds after a frame: all of its largest fragment, if that is more than half of the body, else
// its middle, without what lies or flies far outside.
sherd_bounds sherd_camera_most_of(const sherd_scene *scene, const sherd_run_model *model,
                                  const sherd_run_frame *frame, int body, double later);

// All of a body.
sherd_bounds sherd_camera_all_of(const sherd_run_model *model, const sherd_run_frame *frame,
                                 int body);
