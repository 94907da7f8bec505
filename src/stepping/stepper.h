// The table of stepping methods: one row each, with everything that differs between them.
//
//   explicit   explicit/explicit_stepper.c     steps of one length below the stability limit
//   implicit   control/step_control.c          steps as long as their error in time allows, or of a given length
//   auto       control/step_control.c          switches between both
//   regions    regions/region_advance.c        wraps another: parts that cannot meet are stepped separately
//   grid       grid/grid_stepper.c             in place of explicit and auto where there are material points
//   fem        explicit/explicit_stepper.c     the same where there are finite elements
//
// The first are named in <sherd/method.h>; `regions`, `grid` and `fem` are not methods of a scene:
// they wrap or replace one.
#pragma once

#include "base/record.h"
#include "stepping/control/step_control_state.h"
#include "stepping/system.h"

#include <sherd/method.h>

// How far to advance, and the callback after each step.
typedef struct sherd_advance_goal {
    double until; // [s]; INFINITY: only `max_steps` limits, for methods with steps of one length
    int64_t max_steps; // stops after this many; results do not depend on stops
    sherd_after_step *after;
    void *context; // of `after`
} sherd_advance_goal;

typedef struct sherd_stepper {
    bool explicit_steps, implicit_steps, even_steps; // sherd_method_info
    // Chooses the lengths of steps on the way to `until`, if they are not known yet; settings and
    // system are then ready for `advance`. A finite `until` may shorten constant steps so that they
    // divide it.
    sherd_status (*prepare)(sherd_system *system, sherd_method_settings *settings, double until,
                            sherd_error *error);
    // Advances to goal->until exactly, or for goal->max_steps; SHERD_ERROR_INPUT for an
    // unreachable time.
    sherd_status (*advance)(sherd_system *system, const sherd_method_settings *settings,
                            const sherd_advance_goal *goal, sherd_error *error);
    // The stability limit of the present state [s].
    sherd_status (*stable_dt)(const sherd_system *system, double *time_step, sherd_error *error);
    double (*last_dt)(
        const sherd_system *system); // of the last step, or of all [s]; 0: not known yet
    sherd_solver_counts (*counts)(const sherd_system *system); // since the start
    // The changing state, as sections of a record and back (stepper_state.h).
    sherd_status (*save)(const sherd_system *system, sherd_byte_buffer *out, sherd_error *error);
    sherd_status (*restore)(sherd_system *system, sherd_record_reader *in, sherd_error *error);
} sherd_stepper;

// The row of a method; NULL if there is none.
const sherd_stepper *sherd_stepper_of(sherd_method method);

extern const sherd_stepper sherd_stepper_regions; // wraps settings->stepper
extern const sherd_stepper sherd_stepper_grid;
extern const sherd_stepper sherd_stepper_fem;

// The requested time is past, or invalid.
sherd_status sherd_fail_past(double time, double until, sherd_error *error);
