// Extrapolates elements to a time shortly after a frame: each fragment moves as a rigid body by the
// velocities of its elements, and each element's remaining velocity moves it straight on.
#pragma once

#include <sherd/error.h>
#include <sherd/fragments.h>
#include <sherd/run_file.h>
#include <sherd/surface.h>

typedef struct sherd_moved_elements {
    double *numbers; // owned
    sherd_surface_pose pose;
} sherd_moved_elements;

// `later` [s] may be negative. Free with sherd_moved_elements_release, also on failure.
sherd_status sherd_moved_elements_make(sherd_moved_elements *moved, const sherd_run_model *model,
                                       const sherd_run_frame *frame,
                                       const sherd_fragment_view *fragments, double later,
                                       sherd_error *error);
void sherd_moved_elements_release(sherd_moved_elements *moved);
