// One implicit step of a system, with what breaks in it.    docs/theory/physics.md 3
//
// A step that does not converge, or whose time error exceeds the tolerance, is undone and made again with
// a shorter dt. Stresses are those of the converged state. Overstressed bonds then break
//   at the end of the step, all of them, as in [IBDEM25]; or
//   as a cascade: what is within 0.9 of the worst ratio breaks, and the step is made again without it, until
//   nothing more breaks. A cascade that does not end within its budget is undone, bonds and all.
#pragma once

#include "stepping/control/step_limits.h"
#include "stepping/implicit/implicit.h"
#include "stepping/system.h"

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
    bool unsettled;               // its friction (sherd_implicit_outcome)
    int newton, linear, rejected; // iterations, and attempts undone
    double coarse;                // linear iterations times their preconditioner's work
} sherd_implicit_result;

// Tries a step of dt from the present state. Unless DONE the state is as it was.
sherd_status sherd_system_step_implicit(sherd_system *system, double dt, sherd_scheme_kind scheme,
                                        const sherd_newton_settings *newton,
                                        const sherd_step_limits *limits,
                                        sherd_implicit_result *result, sherd_error *error);

// Samples positions during explicit steps, a time h after the last sample: the error that a step would have.
sherd_status sherd_system_sample_history(sherd_system *system, double h, sherd_time_error *time,
                                         sherd_error *error);

// Makes a system ready for implicit steps after explicit ones: velocities are brought up to date, sleepers
// wake; the first step will be about `dt`.
sherd_status sherd_system_enter_implicit(sherd_system *system, double dt, sherd_error *error);
// And back.
void sherd_system_leave_implicit(sherd_system *system);

// Reads what sherd_implicit_save wrote.
sherd_status sherd_system_restore_implicit(sherd_system *system, sherd_record_reader *in,
                                           sherd_error *error);
