// Bound of an implicit step's length for self-contact: parts of one body, such as a closing ring or
// a whipping rope, must not pass through each other undetected.
#pragma once

#include "bodies/driver_motion.h"
#include "stepping/regions/component_boxes.h"
#include "stepping/system.h"

// Scratch memory, reused from step to step.
typedef struct sherd_folding_scratch {
    struct sherd_mean_motion *means;   // by component (elements)
    sherd_element_index *begins, *end; // of runs (elements)
    size_t mean_capacity, begin_capacity, end_capacity;
    sherd_boxes boxes; // the `root` of a box is the index of its run
} sherd_folding_scratch;

void sherd_folding_scratch_free(sherd_folding_scratch *scratch);
size_t sherd_folding_scratch_bytes(const sherd_folding_scratch *scratch);

// Shortens *safe_time [s] so that no two unbonded elements of a component, moving relative to the
// component's mean motion and rotation, overlap by more than the radius of the smaller one. `root`:
// components (n).
sherd_status sherd_system_unfolded_time(const sherd_system *system, const sherd_element_index *root,
                                        const sherd_element_course *courses,
                                        sherd_folding_scratch *scratch, double *safe_time,
                                        sherd_error *error);
