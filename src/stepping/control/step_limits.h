// Limits of an implicit step: its error, its loss of energy, its impacts and its breaks.
#pragma once

#include <sherd/method.h>

#include <stdbool.h>
#include <stdint.h>

// The algorithms of [IBDEM25], of which a step is one (implicit/manifold.h).
typedef struct sherd_manifold_settings {
    sherd_step_optimizer algorithm; // NEWTON: none of them
    bool as_printed;
    double tolerance;   // of the unbalanced force
    double explicit_dt; // stability limit, or a little less [s]
} sherd_manifold_settings;

static inline bool sherd_manifold_is_used(const sherd_manifold_settings *settings)
{
    return settings->algorithm != SHERD_STEP_OPTIMIZER_NEWTON;
}

typedef enum sherd_fracture_mode {
    SHERD_FRACTURE_CASCADE,     // within the step, limited by a budget
    SHERD_FRACTURE_END_OF_STEP, // [IBDEM25]
} sherd_fracture_mode;

typedef struct sherd_step_limits {
    double barrier;     // width of contact barriers [m], 0 = none
    double shortest;    // dt below which a step is abandoned instead of repeated [s]
    double error;       // largest estimate allowed, relative to the step's move; 0 = not checked
    double move_floor;  // smaller moves count as this [m]
    double speed_floor; // and slower ones as this fast [m/s]
    // Or limits of the second difference in a step (stepping/implicit/time_error.h): the position
    // error relative to the path so far, or to bend_displacement [m] if that is less; and a speed [m/s]. Or
    // the remaining budget for the errors of all steps.
    double accuracy, bend_displacement, bend_speed;
    double loss; // power that integration may take from vibrations, INFINITY: any [W]
    double drag, visible_speed; // of what moves on contacts (sherd_implicit_request) [m/s^2], [m/s]
    double impact;  // largest rho c v of new contacts [Pa]; above it the step is abandoned
    double rebound; // largest rebound speed of dangling elements or free bodies [m/s]
    sherd_fracture_mode fracture;
    int max_resolves;       // in a cascade
    int64_t max_breaks;     // in a cascade
    int max_opening_rounds; // rounds of openings of softening bonds. If they have not converged then,
    bool openings_agree;    // the step is abandoned, or else accepted as it is
    sherd_manifold_settings manifold; // [IBDEM25]
} sherd_step_limits;
