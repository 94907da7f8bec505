// Predicts the paths of bodies, before a run and from one of its frames.
#pragma once

#include <sherd/run_file.h>
#include <sherd/scene.h>

// Bounds swept by a body that flies, rebounds, slides or rolls as a rigid piece on obstacles that
// are fixed or have a prescribed motion, until it meets another body, is farther than `reach` from
// its start, or the run ends. Empty for bodies moved by drivers and those in contact with another
// body at the start.
sherd_bounds sherd_predict_body_path(const sherd_scene *scene, const sherd_run_model *model,
                                     const sherd_run_frame *first, int body, double reach);

// Bounds of most of a body some seconds after a frame: its largest fragment if that has more than
// half of the elements, otherwise the middle of the body without outliers.
sherd_bounds sherd_camera_most_of(const sherd_scene *scene, const sherd_run_model *model,
                                  const sherd_run_frame *frame, int body, double later);

// Bounds of all elements of a body.
sherd_bounds sherd_camera_all_of(const sherd_run_model *model, const sherd_run_frame *frame,
                                 int body);
