// One implicit step of elements, bonds, contacts and free rigid bodies.    docs/theory/implicit.md
//
//   try     from the present state over dt: predicts, minimises, estimates the error in time
//   accept  makes the new state the present one, including contact histories
//   reject  restores the state before the try
//
// The previous state is kept for BDF2 and for the error estimate; without it a step is an Euler
// step. Not thread-safe; results are bitwise independent of the number of threads.
#pragma once

#include "models/bonded/storage/adjacency.h"
#include "stepping/control/step_limits.h"
#include "stepping/implicit/newton.h"
#include "stepping/implicit/numerical_damping.h"
#include "stepping/implicit/time_error.h"

typedef struct sherd_implicit sherd_implicit;

// The system that steps work on; borrowed.
typedef struct sherd_implicit_parts {
    sherd_elements *elements;
    const sherd_bonds *bonds;
    sherd_bond_blocks *blocks;
    const sherd_adjacency *adjacency;
    sherd_contacts *contacts; // NULL: none
    sherd_parallel parallel;
} sherd_implicit_parts;

typedef struct sherd_implicit_outcome sherd_implicit_outcome;

typedef struct sherd_implicit_request {
    double time, dt; // from `time` to time + dt [s]
    sherd_scheme_kind scheme;
    sherd_vec3 gravity;
    double *const *external; // additional accelerations, three arrays (n); NULL = none
    // Sets `external` for a step by `scheme` that follows one of length `before`; NULL: it stays
    // constant.
    void (*set_external)(void *context, const struct sherd_implicit_request *request,
                         sherd_scheme_kind scheme, double before);
    // Moves held elements to their poses at time + dt.
    void (*pose_held)(void *context, double time, double dt);
    void *context;
    sherd_newton_settings newton;
    // True if the time error exceeds the tolerance (outcome.time); also called before convergence.
    // NULL: never.
    bool (*exceeds_tolerance)(void *context, const sherd_implicit_outcome *outcome);
    void *tolerance_context;
    double impact;  // largest rho c v_n of new contacts [Pa]: above it a step does not converge
    double rebound; // nor above this rebound speed of dangling elements or free bodies [m/s]
    double
        drag; // largest retardation of fragments on contacts by steps (numerical_damping.h) [m/s^2],
    double visible_speed;             // and the speed above which their rebounds are visible [m/s]
    double barrier;                   // width of contact barriers [m], 0 = quadratic contact
    sherd_manifold_settings manifold; // [IBDEM25]'s algorithms in place of Newton's method
} sherd_implicit_request;

struct sherd_implicit_outcome {
    sherd_newton_report newton;
    sherd_scheme_kind scheme; // the scheme used: no BDF2 without history
    sherd_time_error time;    // estimated error in time of the step
    sherd_time_error bodies;  // that of free rigid bodies; 0 if there are none
    // upper bound of the remaining displacement error of the iteration, mass-weighted rms [m]
    double noise;
    double drag;            // retardation of fragments over request.drag
    bool exceeds_tolerance; // the try ended because request.exceeds_tolerance returned true
    // Normal forces that limit friction still changed by more than 2 % of the largest after the
    // last round.
    bool friction_unconverged;
    bool retried; // an element left the reach of the listed contacts
};

sherd_implicit *sherd_implicit_create(const sherd_implicit_parts *parts, sherd_error *error);
void sherd_implicit_destroy(sherd_implicit *implicit); // NULL is fine

sherd_status sherd_implicit_try(sherd_implicit *implicit, const sherd_implicit_request *request,
                                sherd_implicit_outcome *outcome, sherd_error *error);
// Accepts the try: loads f, t and velocities are those of the new state; `before`: contact_trial.h.
// `dissipated` is the work of bond damping [J].
sherd_status sherd_implicit_accept(sherd_implicit *implicit, double before, double *dissipated,
                                   sherd_error *error);
void sherd_implicit_reject(sherd_implicit *implicit);

// During explicit steps: the error of a step of length h (time_error.h). The first call only takes
// a sample.
sherd_time_error sherd_implicit_sample_history(sherd_implicit *implicit, double h);
void sherd_implicit_clear_history(sherd_implicit *implicit);

// Bonds broke or were restored since the last step.
void sherd_implicit_bonds_changed(sherd_implicit *implicit);
// Extrapolates the state backwards to a time h before the present one from velocities and loads, as
// if loads had been constant, so that the first step is of second order. If they were not, the
// error estimate is large. Fragments get the momentum and the angular momentum that follow from
// their loads. `external`: accelerations in that time that are not in the loads, three arrays (n),
// or NULL.
sherd_status sherd_implicit_extrapolate_history(sherd_implicit *implicit, double h,
                                                sherd_vec3 gravity, double *const *external,
                                                sherd_error *error);

// Alternatively takes the last but one sample as the previous state, if there is one
// (sherd_implicit_has_history). If the present loads explain the change of velocity of fragments
// only up to more than `jump` [m/s^2], the first step is of first order. `visible_speed`: as in requests.
sherd_status sherd_implicit_restore_history(sherd_implicit *implicit, sherd_vec3 gravity,
                                            double jump, double visible_speed, sherd_error *error);
bool sherd_implicit_has_history(const sherd_implicit *implicit);

bool sherd_implicit_touches(const sherd_implicit *implicit); // contacts pressed after the last step
double sherd_implicit_radius(const sherd_implicit *implicit); // of the smallest element [m]
// Arrays for accelerations of all elements by drivers, x, y and z; kept. NULL: out of memory.
double *sherd_implicit_external_scratch(sherd_implicit *implicit);
// Borrowed (softening_rounds.h).
struct sherd_softening_rounds *sherd_implicit_softening_rounds(sherd_implicit *implicit);
struct sherd_overstress_step *sherd_implicit_overstress(sherd_implicit *implicit); // likewise
size_t sherd_implicit_bytes(const sherd_implicit *implicit);

// Previous states, for checkpoints.
void sherd_implicit_save(const sherd_implicit *implicit, sherd_byte_buffer *out);
sherd_status sherd_implicit_restore(sherd_implicit *implicit, sherd_record_reader *in,
                                    sherd_error *error);
