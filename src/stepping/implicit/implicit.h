// One implicit step of elements, bonds, contacts and free rigid bodies.    docs/method.md
//
//   try     from the present state over dt: predicts, minimises, estimates the error in time
//   accept  the state becomes the present one, contact remembers it
//   reject  everything as it was before
//
// History (the state before the present one) is kept for BDF2 and for the error estimate; without it a step
// is an Euler step. Not thread-safe; results are bitwise independent of the number of threads.
#pragma once

#include "stepping/implicit/newton.h"
#include "stepping/implicit/time_error.h"

typedef struct sherd_implicit sherd_implicit;

// What steps work on; borrowed.
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
    // Puts freedoms that are held where they will be at time + dt.
    void (*place_held)(void *context, double time, double dt);
    void *context;
    sherd_newton_settings newton;
    // Whether a step errs too much (outcome.time), asked before it has converged, too. NULL: no step does.
    bool (*errs)(void *context, const sherd_implicit_outcome *outcome);
    void *errs_context;
    double impact;  // most rho c v_n of what newly touches [Pa]: above it a step does not converge
    double rebound; // nor above this speed of loose elements or free bodies that rebound [m/s]
    double barrier; // width of contact barriers [m], 0 = quadratic contact
} sherd_implicit_request;

struct sherd_implicit_outcome {
    sherd_newton_report newton;
    sherd_scheme_kind scheme; // that was used: no BDF2 without history
    sherd_time_error time;    // estimated error in time of the step
    double noise; // at most, of what the iteration has left undone, mass-weighted rms [m]
    bool errs;    // broken off, as request.errs said
    bool retried; // something went farther than contact had looked
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

// While explicit steps are made: what a step of length h would err by (time_error.h). First call: a note only.
sherd_time_error sherd_implicit_watch(sherd_implicit *implicit, double h);
void sherd_implicit_look_away(sherd_implicit *implicit);

// Bonds broke or came back since the last step.
void sherd_implicit_bonds_changed(sherd_implicit *implicit);
// Invents the state a time h before the present one, from the elements' velocities and loads, as if these had
// been the same since: a step can then be of second order at once. Where they had not, the error estimate tells.
// Fragments had the momentum and the spin then that their loads have changed since.
sherd_status sherd_implicit_recall(sherd_implicit *implicit, double h, sherd_vec3 gravity,
                                   sherd_error *error);

// Or: the state at the last look but one of watch. False: there was none.
bool sherd_implicit_look_back(sherd_implicit *implicit);

bool sherd_implicit_touches(
    const sherd_implicit *implicit); // something pressed after the last step
double sherd_implicit_radius(const sherd_implicit *implicit); // of the smallest element [m]
size_t sherd_implicit_bytes(const sherd_implicit *implicit);

// History, for checkpoints.
typedef struct sherd_byte_buffer sherd_byte_buffer;
typedef struct sherd_byte_reader sherd_byte_reader;
void sherd_implicit_save(const sherd_implicit *implicit, sherd_byte_buffer *out);
sherd_status sherd_implicit_restore(sherd_implicit *implicit, sherd_byte_reader *in,
                                    sherd_error *error);
