// The interface of a model: a kind of simulated points and their interactions besides contact.
// Contact, obstacles and drivers act on points (points/points.h) and do not depend on the model.
// Queries of a whole world go over all models of a system (models.h,
// stepping/system_state.h). Each function handles all points of a model in one call.
#pragma once

#include "base/record.h"
#include "linear/eigenvalue.h"
#include "points/point_advance.h"

#include <sherd/error.h>
#include <sherd/stress.h>

#include <stdbool.h>

// Range of the relaxation times beta_b [s] of stiffness-proportional damping.
typedef struct sherd_relaxation_range {
    double shortest, longest;
} sherd_relaxation_range;

typedef struct sherd_model_measures {
    double stored; // the stored energy [J]
    double noise;  // upper bound of the energy due to the rounding of positions (rounding.h) [J]
    double stress_ratio; // the largest ratio of stress to strength
} sherd_model_measures;

typedef struct sherd_model {
    const sherd_points *(*points)(const void *state); // the model's points, with their masses

    // Sets force F and torque T of all points to the internal loads at their present velocities.
    // Contact and drivers add their loads afterwards. If `advance` is given, the points are
    // advanced first, each range just before its loads are computed. NULL: they are already
    // advanced.
    void (*set_loads)(void *state, const sherd_point_advance *advance);

    double (*stored_energy)(const void *state); // [J]
    // Power dissipated by damping, from the last set_loads [W]
    double (*damping_power)(const void *state);

    // Linearisation about the present state. A small motion has six numbers for each point:
    // displacement and rotation vector.
    bool (*is_stiff)(const void *state); // any stiffness is present
    // The stiffness is a sum K = sum K_b over the connections b between points, and damping is C =
    // sum beta_b K_b. Both ends of the range are 0 without connections.
    sherd_relaxation_range (*relaxation)(const void *state);
    // Prepares products y = M^(-1/2) (K + c C) M^(-1/2) x, c >= 0 [1/s], for the present state. With
    // c = 0 the operator's eigenvalues are the squares of angular frequencies [1/s^2]. Release it.
    sherd_status (*prepare_stiffness)(const void *state, double c, sherd_prepared_operator *product,
                                      sherd_error *error);

    // A step that is stable for every state that may follow, in place of the three above; NULL: none
    // is known [s]
    double (*stable_dt)(const void *state);

    // What frames tell of the state. Also sets the ratio of stress to strength for each point, unless
    // `ratio` is NULL; 0 for points without stress.
    sherd_model_measures (*measure)(const void *state, float *ratio);
    // The stress of each point; 0 for points without stress.
    void (*find_stresses)(const void *state, sherd_stress *stress);

    // Sets first[k] to the first point of the connected component that contains point k. Components
    // are fragments.
    void (*find_components)(const void *state, sherd_element_index *first);

    // Updates `hash` (base/hash.h) with the state. Equal runs give equal hashes.
    uint64_t (*hash)(const void *state, uint64_t hash);
    // Saves the variable state that the next step depends on, as sections and columns whose names
    // no other model uses.
    sherd_status (*save)(const void *state, sherd_byte_buffer *out, sherd_error *error);
    // Restores it into a state that was made from the same definitions; otherwise
    // SHERD_ERROR_INPUT.
    sherd_status (*restore)(void *state, sherd_record_reader *in, sherd_error *error);
} sherd_model;

// A model and its state in a system. The state is borrowed. It is only read if the system is const.
typedef struct sherd_model_part {
    const sherd_model *model;
    void *state;
} sherd_model_part;
