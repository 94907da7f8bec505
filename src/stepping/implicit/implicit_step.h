// One implicit step of a system, including fracture.    docs/theory/physics.md 3
//
// A step that does not converge, or whose time error exceeds the tolerance, is undone and repeated
// with a shorter dt. Stresses are those of the converged state. Overstressed bonds then break
//   at the end of the step, all of them, as in [IBDEM25]; or
//   as a cascade: bonds within 0.9 of the worst ratio break, and the step is repeated without them,
// until nothing more breaks. A cascade that exceeds its budget is undone, including its breaks.
#pragma once

#include "stepping/control/step_limits.h"
#include "stepping/implicit/implicit.h"
#include "stepping/system.h"

typedef enum sherd_implicit_end {
    SHERD_IMPLICIT_DONE,
    // would need steps shorter than `shortest`, or more iterations than the budget
    SHERD_IMPLICIT_TOO_SHORT,
    SHERD_IMPLICIT_IMPACT,   // an impact is imminent
    SHERD_IMPLICIT_FRACTURE, // more breaks than the budget allows
} sherd_implicit_end;

typedef struct sherd_implicit_result {
    sherd_implicit_end end;
    double dt;             // of the step, or of the last try [s]
    double danger_in;      // IMPACT, FRACTURE: time until the event [s]
    double next;           // length that the error estimate would allow [s]
    sherd_time_error time; // of the step that was made
    sherd_scheme_kind scheme;
    double stress_ratio; // largest ratio before any break
    int64_t breaks;
    // Its friction has not converged (sherd_implicit_outcome), or its iteration has not, by [IBDEM25].
    bool unsettled;
    int newton, linear, rejected; // iterations, and undone attempts
    double coarse; // linear iterations times the relative cost of their preconditioner
} sherd_implicit_result;

// Tries a step of dt from the present state. Unless DONE, the state is unchanged.
sherd_status sherd_system_step_implicit(sherd_system *system, double dt, sherd_scheme_kind scheme,
                                        const sherd_newton_settings *newton,
                                        const sherd_step_limits *limits,
                                        sherd_implicit_result *result, sherd_error *error);

// Samples positions during explicit steps, a time h after the last sample, and estimates the error
// of a step.
sherd_status sherd_system_sample_history(sherd_system *system, double h, sherd_time_error *time,
                                         sherd_error *error);

// Prepares a system for implicit steps after explicit ones: velocities are brought up to date,
// sleepers wake; the first step will be about `dt`.
sherd_status sherd_system_enter_implicit(sherd_system *system, double dt, sherd_error *error);
// The reverse.
void sherd_system_leave_implicit(sherd_system *system);

// Reads what sherd_implicit_save wrote.
sherd_status sherd_system_restore_implicit(sherd_system *system, sherd_record_reader *in,
                                           sherd_error *error);
