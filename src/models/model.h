// A row of the table of models: points, and their interactions besides contact. Contact, obstacles and drivers
// work on the points (points/points.h) and know no model; what is asked of a whole world goes over all models of a
// system (models.h, model_sums.h, stepping/system_models.h). Calls are coarse: each is about all of a model's points.
#pragma once

#include "base/record.h"
#include "points/point_advance.h"

#include <sherd/error.h>
#include <sherd/stress.h>

#include <stdbool.h>

// Relaxation times of damping that is a stiffness times such a time [s].
typedef struct sherd_relaxation_range {
    double shortest, longest;
} sherd_relaxation_range;

typedef struct sherd_model {
    const sherd_points *(*points)(const void *state); // masses are theirs

    // Sets F and T of all points to the loads between them, at their present velocities; contact and drivers add
    // theirs afterwards. With `advance`, points are advanced first, each range just before its loads are computed;
    // NULL: they are already advanced.
    void (*set_loads)(void *state, const sherd_point_advance *advance);

    double (*stored_energy)(const void *state); // [J]
    // Of damping, in the last set_loads [W]
    double (*damping_power)(const void *state);
    // Bound of the energy that rounding of positions makes (rounding.h) [J]
    double (*noise_energy)(const void *state);

    // Small motions about the present state: displacements and rotation vectors, six numbers for each point.
    bool (*is_stiff)(const void *state); // something resists them
    // Stiffness is a sum K = sum K_b over what joins points, damping is C = sum beta_b K_b. Zeros without anything.
    sherd_relaxation_range (*relaxation)(const void *state);
    // y = M^(-1/2) (K + c C) M^(-1/2) x, c >= 0 [1/s]. With c = 0 its eigenvalues are the squares of angular
    // frequencies [1/s^2]
    void (*apply_scaled_stiffness)(const void *state, double c, const double *x, double *y);

    // The largest ratio of stress to strength of all points; that of each point, and its stress. 0: without stress.
    double (*largest_stress_ratio)(const void *state);
    void (*find_stress_ratios)(const void *state, float *ratio);
    void (*find_stresses)(const void *state, sherd_stress *stress);

    // first[k] becomes the first point of the connected component that point k is in. Components are fragments.
    void (*find_components)(const void *state, sherd_element_index *first);

    // Continues `hash` (base/hash.h) with the state that equal runs have in common.
    uint64_t (*hash)(const void *state, uint64_t hash);
    // The changing state that the next step reads, as sections and columns of names that no other model has.
    sherd_status (*save)(const void *state, sherd_byte_buffer *out, sherd_error *error);
    // Into a state made from the same definitions, otherwise SHERD_ERROR_INPUT.
    sherd_status (*restore)(void *state, sherd_record_reader *in, sherd_error *error);
} sherd_model;

// A model of a system. The state is borrowed, and only read where the system is const.
typedef struct sherd_model_part {
    const sherd_model *model;
    void *state;
} sherd_model_part;
