// The choice of each step's method: the settings of a run, and the state that is carried from step to step
// (step_control.h).
#pragma once

#include <sherd/method.h>

typedef struct sherd_method_settings {
    const struct sherd_stepper *stepper; // the method's row (stepper.h)
    bool may_switch;                     // between explicit and implicit steps
    bool explicit_only;                  // no implicit steps
    // As given: length of steps [s] or, of implicit ones, in stability limits T, 0 = chosen; and the share of T that
    // explicit ones have.
    double given_dt, given_limits, safety;
    double fixed_dt;         // of implicit steps [s]; 0 = as long as `accuracy` allows
    double accuracy;         // error of a step's displacements, as a share of them
    sherd_scheme scheme;     // AUTO: BDF2, or Euler where the length is fixed
    bool paper_fracture;     // [IBDEM25]: overstressed bonds break at the end of a step
    bool regions;            // parts that are far apart are stepped separately (regions.h)
    double barrier;          // width of contact barriers of implicit steps [m], 0 = none
    double explicit_dt;      // of explicit steps, at most [s]
    double section_bonds;    // across the smallest section of any body that can break; 0: none can
    double weakest_strength; // least tensile strength of any material [Pa]
    double
        brittle_speed; // least sigma_c / (rho c) of any material: vibrations of this speed break it [m/s]
} sherd_method_settings;

// State that the methods carry from step to step; saved as it is.
typedef struct sherd_step_control {
    int64_t implicit_now; // 1: the next step is implicit
    int64_t begun;
    double next_dt;        // of implicit steps [s]
    double last_dt;        // of the last step [s]
    double last_break;     // time [s]
    double explicit_until; // explicit at least until this time [s]
    double danger_by;      // something will be hit or break at about this time [s]
    double backoff;        // length of the next explicit spell [s]
    double stop, interval; // the next stop, and the time to it from the last [s]
    int64_t losses;        // implicit steps in a row that cost more than explicit ones
    int64_t paid;          // implicit steps since the last switch that did not
    double cost;           // of the last implicit step [explicit steps]
    double last_sample;    // of positions; -infinity: none [s]
    double divide_at;      // search for regions at this time; of a region: it asks for that [s]
    double divide_wait;    // how long the next search waits if there is nothing to divide [s]
    double sought_at;      // when regions were last searched for [s]
    double
        ring_power; // energy times omega of what vibrates so that it must not be lost, 0: nothing [W]
    double tumbling; // spin of what tumbles fastest [rad/s]
    double
        ring_stress; // amplitude of the strongest vibration at the last sample, over the strength
    double ring_check,
        ring_wait;  // during explicit steps: when to check again, and the last wait for that [s]
    double ring_dt; // of the last implicit step [s]
    double sleep_check;     // during implicit steps: when to check whether all may sleep [s]
    int64_t ring_unchecked; // implicit steps since the last sample
    sherd_solver_counts counts;
} sherd_step_control;

// Called after every step, with its weight in averages over time.
typedef void sherd_after_step(void *context, double weight);
