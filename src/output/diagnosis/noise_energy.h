// Below what energies are rounding, for people.
#pragma once

#include <sherd/run_file.h>
#include <sherd/scene.h>

// That of strains of 1e-10 in all elements, which rounding in a long run stays below, as balances take it
// (world/measure.c) [J]. 0 without a scene (NULL).
double sherd_noise_energy(const sherd_run_model *model, const sherd_scene *scene);
