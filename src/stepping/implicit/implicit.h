// One implicit step of elements, bonds, contacts and free rigid bodies.    docs/theory/implicit.md
//
//   try     from the present state over dt: predicts, minimises, estimates the error in time
//   accept  the state becomes the present one, contact histories take it over
//   reject  everything as it was before
//
// History (the state before the present one) is kept for BDF2 and for the error estimate; without it a step
// is an Euler step. Not thread-safe; results are bitwise independent of the number of threads.
#pragma once

#include "models/bonded/storage/adjacency.h"
#include "stepping/implicit/newton.h"
#include "stepping/implicit/rigid_drag.h"
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
    double *const *external; // further accelerations, three arrays (n); NULL = none
    // Sets `external` for a step by `scheme` that follows one of length `before`; NULL: it stays as it is.
    void (*push)(void *context, const struct sherd_implicit_request *request,
                 sherd_scheme_kind scheme, double before);
    // Puts freedoms that are held where they will be at time + dt.
    void (*place_held)(void *context, double time, double dt);
    void *context;
    sherd_newton_settings newton;
    // Whether the time error exceeds the tolerance (outcome.time), asked before it has converged, too. NULL: it never does.
    bool (*exceeds_tolerance)(void *context, const sherd_implicit_outcome *outcome);
    void *tolerance_context;
    double impact;  // most rho c v_n of what newly touches [Pa]: above it a step does not converge
    double rebound; // nor above this speed of dangling elements or free bodies that rebound [m/s]
    double drag;    // most that steps may take from fragments on contacts (rigid_drag.h) [m/s^2],
    double seen;    // and the speed from which on their rebounds are seen [m/s]
    double barrier; // width of contact barriers [m], 0 = quadratic contact
} sherd_implicit_request;

struct sherd_implicit_outcome {
    sherd_newton_report newton;
    sherd_scheme_kind scheme; // that was used: no BDF2 without history
    sherd_time_error time;    // estimated error in time of the step
    double noise; // displacement that the iteration has left, at most, mass-weighted rms [m]
    double drag;  // what it takes from fragments, over what request.drag allows
    bool exceeds_tolerance; // the try was ended because request.exceeds_tolerance was true
    // Normal forces that cap friction still changed by more than 2 % of the largest after the last round.
    bool unsettled;
    bool retried; // an element went beyond the reach of the listed contacts
};

sherd_implicit *sherd_implicit_create(const sherd_implicit_parts *parts, sherd_error *error);
void sherd_implicit_destroy(sherd_implicit *implicit); // NULL is fine

sherd_status sherd_implicit_try(sherd_implicit *implicit, const sherd_implicit_request *request,
                                sherd_implicit_outcome *outcome, sherd_error *error);
// Loads f, t and velocities are those of the new state; `before`: contact_trial.h. `dissipated` is what bond damping
// took [J].
sherd_status sherd_implicit_accept(sherd_implicit *implicit, double before, double *dissipated,
                                   sherd_error *error);
void sherd_implicit_reject(sherd_implicit *implicit);

// During explicit steps: the error that a step of length h would have (time_error.h). First call: a sample only.
sherd_time_error sherd_implicit_sample_history(sherd_implicit *implicit, double h);
void sherd_implicit_clear_history(sherd_implicit *implicit);

// Bonds broke or came back since the last step.
void sherd_implicit_bonds_changed(sherd_implicit *implicit);
// Extrapolates the state back to a time h before the present one from the elements' velocities and loads, as if loads
// had been constant since: a step can then be of second order at once. Where they were not, the error estimate is
// large. Fragments get the momentum and the angular momentum that their loads have changed since. `external`:
// accelerations in that time that are not in the loads, three arrays (n), or NULL.
sherd_status sherd_implicit_extrapolate_history(sherd_implicit *implicit, double h,
                                                sherd_vec3 gravity, double *const *external,
                                                sherd_error *error);

// Or: the state at the last sample but one, if there was one (sherd_implicit_has_history). Where fragments have changed
// their velocity otherwise than by their present loads, by more than `jump` [m/s^2] over that time, the first step is of
// first order. `seen`: as in requests.
sherd_status sherd_implicit_restore_history(sherd_implicit *implicit, sherd_vec3 gravity,
                                            double jump, double seen, sherd_error *error);
bool sherd_implicit_has_history(const sherd_implicit *implicit);

bool sherd_implicit_touches(
    const sherd_implicit *implicit); // something pressed after the last step
double sherd_implicit_radius(const sherd_implicit *implicit); // of the smallest element [m]
// Room for accelerations of all elements by drivers, x, y and z; kept. NULL: memory is short.
double *sherd_implicit_push_room(sherd_implicit *implicit);
// Borrowed (softening_rounds.h).
struct sherd_softening_rounds *sherd_implicit_softening_rounds(sherd_implicit *implicit);
struct sherd_overstress_step *sherd_implicit_overstress(sherd_implicit *implicit); // likewise
size_t sherd_implicit_bytes(const sherd_implicit *implicit);

// History, for checkpoints.
void sherd_implicit_save(const sherd_implicit *implicit, sherd_byte_buffer *out);
sherd_status sherd_implicit_restore(sherd_implicit *implicit, sherd_record_reader *in,
                                    sherd_error *error);
