// Sums over the points of models, in a fixed order.
#pragma once

#include "base/parallel.h"
#include "models/models.h"

double sherd_models_stored_energy(sherd_models models);
double sherd_models_damping_power(sherd_models models);
double sherd_models_noise_energy(sherd_models models);
double sherd_models_kinetic_energy(sherd_models models, const sherd_parallel *parallel);
// Potential energy in gravity, - sum m g . p. Its zero is arbitrary.
double sherd_models_gravity(sherd_models models, sherd_vec3 gravity,
                            const sherd_parallel *parallel);

// Return `sum` plus the momentum. Angular momentum is about the origin.
sherd_vec3 sherd_models_momentum(sherd_models models, sherd_vec3 sum);
sherd_vec3 sherd_models_angular_momentum(sherd_models models, sherd_vec3 sum);
