// One implicit step of a system, with what breaks in it.    docs/physics.md 3
//
// A step that did not converge, or that errs in time by more than allowed, is undone and made again with
// a shorter dt. Stresses are those of the converged state. What is overstressed then breaks
//   at the end of the step, all of it, as [IBDEM25] does; or
//   as a cascade: what is within 0.9 of the worst ratio breaks, and the step is made again without it, until
//   nothing more breaks. A cascade that does not end within its budget is undone, bonds and all.
#pragma once

#include "stepping/implicit/implicit.h"
#include "stepping/system.h"

typedef enum sherd_fracture_mode {
    SHERD_FRACTURE_CASCADE,     // within the step, as far as the budget goes
    SHERD_FRACTURE_END_OF_STEP, // [IBDEM25]
} sherd_fracture_mode;

typedef struct sherd_implicit_limits {
    double barrier;    // width of contact barriers [m], 0 = none
    double shortest;   // dt below which a step is not repeated but given up [s]
    double error;      // most that may be estimated, as a share of the step's move; 0 = not judged
    double rest_move;  // moves below this count as this [m]
    double rest_speed; // and those slower than this as this fast [m/s]
    // Or: what limits how much the motion bends in a step (stepping/implicit/time_error.h): the error of places, as a
    // share of the way so far, of bend_way [m] if that is less; and a speed [m/s]. Or what is left of a share of
    // the way for the errors of all steps.
    double accuracy, bend_way, bend_speed;
    double loss;    // power that integration may take of what vibrates, INFINITY: any [W]
    double impact;  // most rho c v of what newly touches [Pa]; above it the step is given up
    double rebound; // and the most speed at which loose elements or free bodies rebound [m/s]
    sherd_fracture_mode fracture;
    int most_resolves;   // of a cascade
    int64_t most_breaks; // of a cascade
} sherd_implicit_limits;

typedef enum sherd_implicit_end {
    SHERD_IMPLICIT_DONE,
    SHERD_IMPLICIT_TOO_SHORT, // would need steps shorter than `shortest`, or more iterations than the budget
    SHERD_IMPLICIT_IMPACT,   // something is about to be hit hard
    SHERD_IMPLICIT_FRACTURE, // more breaks than the budget allows
} sherd_implicit_end;

typedef struct sherd_implicit_result {
    sherd_implicit_end end;
    double dt;             // of the step that was made, or tried last [s]
    double danger_in;      // IMPACT, FRACTURE: something is hit or breaks about so much later [s]
    double next;           // that the error estimate would allow [s]
    sherd_time_error time; // of the step that was made
    sherd_scheme_kind scheme;
    double stress_ratio; // largest, before anything broke
    int64_t breaks;
    int newton, linear, rejected; // iterations, and attempts undone
    double coarse;                // linear iterations times their preconditioner's work
} sherd_implicit_result;

// Tries a step of dt from the present state. Unless DONE the state is as it was.
sherd_status sherd_system_step_implicit(sherd_system *system, double dt, sherd_scheme_kind scheme,
                                        const sherd_newton_settings *newton,
                                        const sherd_implicit_limits *limits,
                                        sherd_implicit_result *result, sherd_error *error);

// By how much longer than its length dt a step might have been, by its error in time. noise: of displacements [m].
double sherd_implicit_allowed_factor(const sherd_implicit_limits *limits,
                                     const sherd_time_error *time, sherd_scheme_kind scheme,
                                     double noise, double dt);
// By how much longer it might have been by what it takes of what vibrates.
double sherd_implicit_loss_factor(const sherd_implicit_limits *limits, const sherd_time_error *time,
                                  sherd_scheme_kind scheme);
// Looks at how the motion goes while explicit steps are made, a time h after the last look: what a step
// would err by.
sherd_status sherd_system_watch(sherd_system *system, double h, sherd_time_error *time,
                                sherd_error *error);

// Stores, of which `elastic` is in bonds, plus what was dissipated minus work: constant, but for what integration
// takes [J].
double sherd_system_closed_total(sherd_system *system, double elastic);

// Makes a system ready for implicit steps after explicit ones: velocities are brought up to date, sleepers
// wake; the first step will be about `dt`.
sherd_status sherd_system_enter_implicit(sherd_system *system, double dt, sherd_error *error);
// And back.
void sherd_system_leave_implicit(sherd_system *system);

// Takes what sherd_implicit_save left.
sherd_status sherd_system_restore_implicit(sherd_system *system, sherd_byte_reader *in,
                                           sherd_error *error);
