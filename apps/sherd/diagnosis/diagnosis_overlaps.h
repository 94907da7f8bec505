// What lies within what, in one frame of a run.
#pragma once

#include <sherd/run_file.h>
#include <sherd/scene.h>

#include <stdbool.h>

typedef struct overlap {
    sherd_element_index element; // -1: none was found
    int32_t other;               // the other element, or the obstacle
    double depth;                // beyond that of the start [m]
    double share;                // of the smaller radius, or the element's
    bool began;                  // they overlapped at the start, too
} overlap;

// The deepest by share. Contact takes what overlaps at the start for rest (laws/contact/contact_respond.h), so what they
// overlap more than in `start`, frame 0, counts. Without it (NULL) that is what elements of one body overlap more than
// at rest and all else in full, but for tetrahedra, whose spheres stand out of them. Bonded pairs and those of one
// fragment do not count. Memory short: none is found.
overlap deepest_among_elements(const sherd_run_model *model, const sherd_run_frame *start,
                               const sherd_run_frame *frame);

overlap deepest_in_obstacles(const sherd_run_model *model, const sherd_run_frame *start,
                             const sherd_run_frame *frame, const sherd_scene *scene);
