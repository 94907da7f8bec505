// The energy below which values are rounding errors.
#pragma once

#include <sherd/run_file.h>
#include <sherd/scene.h>

// Elastic energy of strains of 1e-10 in all elements, which rounding errors of a long run do not
// reach; the energy balance uses the same bound (world/measure.c) [J]. 0 without a scene (NULL).
double sherd_noise_energy(const sherd_run_model *model, const sherd_scene *scene);
