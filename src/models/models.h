// All models of a system, in a fixed order.
#pragma once

#include "base/parallel.h"
#include "models/model.h"

typedef struct sherd_models {
    const sherd_model_part *part;
    int count;
} sherd_models;

static inline const sherd_points *sherd_models_points(sherd_models models, int m)
{
    return models.part[m].model->points(models.part[m].state);
}

// Sets the loads of all models. `advance` is passed to the model whose points it advances. NULL:
// all points are already advanced.
void sherd_models_set_loads(sherd_models models, const sherd_point_advance *advance);

// The points of all models are numbered consecutively, in the order of models. `ratio` may be NULL.
sherd_model_measures sherd_models_measure(sherd_models models, float *ratio);
void sherd_models_find_stresses(sherd_models models, sherd_stress *stress);
void sherd_models_find_components(sherd_models models, sherd_element_index *first);

uint64_t sherd_models_hash(sherd_models models, uint64_t hash);
sherd_status sherd_models_save(sherd_models models, sherd_byte_buffer *out, sherd_error *error);
sherd_status sherd_models_restore(sherd_models models, sherd_record_reader *in, sherd_error *error);

// Sums over the points of models, in a fixed order:
double sherd_models_stored_energy(sherd_models models);
double sherd_models_damping_power(sherd_models models);
double sherd_models_kinetic_energy(sherd_models models, const sherd_parallel *parallel);
// Potential energy in gravity, - sum m g . p. Its zero is arbitrary.
double sherd_models_gravity(sherd_models models, sherd_vec3 gravity,
                            const sherd_parallel *parallel);

// Return `sum` plus the momentum. Angular momentum is about the origin.
sherd_vec3 sherd_models_momentum(sherd_models models, sherd_vec3 sum);
sherd_vec3 sherd_models_angular_momentum(sherd_models models, sherd_vec3 sum);
