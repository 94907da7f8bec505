// Errors of the energy balance: energy lost or gained by time integration, and rounding errors.
#pragma once

#include <sherd/run.h>
#include <sherd/run_file.h>
#include <sherd/scene.h>

// The largest of the stored energies: kinetic, elastic, contact, gravitational relative to the
// start. Dissipated energy and work are excluded because they grow with the length of a run. [J]
double sherd_largest_store(const sherd_energy *e);

// Writes "integration took 3.1 % of the largest stored energy" (or "gave"), from the energy `taken`
// [J] and the largest stored energy of all frames [J]; "" up to 0.5 %. Returns `text`.
const char *sherd_integration_text(double taken, double largest_store,
                                   char text[SHERD_RUN_ENERGY_TEXT]);

// Elastic energy of strains of 1e-10 in all elements, which rounding errors of a long run do not
// reach; the energy balance uses the same bound (world/measure.c) [J]. 0 without a scene (NULL).
double sherd_noise_energy(const sherd_run_model *model, const sherd_scene *scene);
