// Which element limits the explicit time step.
#pragma once

#include <sherd/run_file.h>
#include <sherd/scene.h>

typedef struct sherd_step_limit {
    sherd_element_index
        element; // the element with the largest stiffness per mass; -1: there are no bonds
    // Next element by stiffness per mass after excluding that one, its bond partner and one element
    // in a thousand.
    sherd_element_index next;
    double gain; // factor by which steps could be longer without the excluded elements
} sherd_step_limit;

// Estimates each element's frequency from the stretching stiffness of its bonds along the stiffest
// direction, its mass, and the moduli of the scene. Good for ratios between elements, not for the
// step limit itself. Returns none if memory is short.
sherd_step_limit sherd_step_limit_find(const sherd_run_model *model, const sherd_scene *scene);
