// Where elements are a little later than a frame has them: each fragment turns and goes on as a whole, as the velocities
// of its elements say, and what they have besides carries them straight on.
#pragma once

#include <sherd/error.h>
#include <sherd/fragments.h>
#include <sherd/run_file.h>
#include <sherd/surface.h>

typedef struct sherd_moved_elements {
    double *numbers; // owned
    sherd_surface_pose pose;
} sherd_moved_elements;

// `later` [s] may be negative. Owned result, freed with sherd_moved_elements_release, on failure too.
sherd_status sherd_moved_elements_make(sherd_moved_elements *moved, const sherd_run_model *model,
                                       const sherd_run_frame *frame,
                                       const sherd_fragment_view *fragments, double later,
                                       sherd_error *error);
void sherd_moved_elements_release(sherd_moved_elements *moved);
