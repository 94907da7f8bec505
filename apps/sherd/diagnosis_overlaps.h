// What lies within what, in one frame of a run.
#pragma once

#include <sherd/run_file.h>
#include <sherd/scene.h>

typedef struct overlap {
    sherd_element_index element; // -1: none was found
    int32_t other;               // the other element, or the obstacle
    double depth;                // [m]
    double share;                // of the smaller radius, or the element's
} overlap;

// The deepest by share. Of elements of one body counts what they overlap more than at rest; bonded pairs and
// those of one fragment do not count. Memory short: none is found.
overlap deepest_among_elements(const sherd_run_model *model, const sherd_run_frame *frame);

overlap deepest_in_obstacles(const sherd_run_model *model, const sherd_run_frame *frame,
                             const sherd_scene *scene);
