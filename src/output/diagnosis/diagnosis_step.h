// Which element limits explicit time steps.
#pragma once

#include <sherd/run_file.h>
#include <sherd/scene.h>

typedef struct sherd_step_limit {
    sherd_element_index element; // the stiffest for its mass; -1: there are no bonds
    // Stiffest that are left out with it for `gain`: its partner, and one in a thousand.
    sherd_element_index next;
    double gain; // how many times as long steps could be without these
} sherd_step_limit;

// By the stiffness of each element alone among its bonds, in stretching and along its stiffest direction, over its
// mass, with moduli as the scene has them: an estimate of shares, not of the limit. Memory short: none.
sherd_step_limit sherd_step_limit_find(const sherd_run_model *model, const sherd_scene *scene);
