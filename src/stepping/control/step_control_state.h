// Settings and state of step control (step_control.h).
#pragma once

#include <sherd/method.h>

typedef struct sherd_method_settings {
    const struct sherd_stepper *stepper; // the method's row (stepper.h)
    bool may_switch;                     // between explicit and implicit steps
    bool explicit_only;                  // no implicit steps
    // From the scene: length of steps [s] or, of implicit ones, in stability limits T, 0 = chosen
    // automatically; and the ratio of explicit steps to T.
    double given_dt, given_limits, safety;
    double fixed_dt;     // of implicit steps [s]; 0 = as long as `accuracy` allows
    double accuracy;     // relative error of a step's displacements
    sherd_scheme scheme; // AUTO: BDF2, or Euler where the length is fixed
    bool paper_fracture; // [IBDEM25]: overstressed bonds break at the end of a step
    sherd_step_optimizer optimizer;
    bool as_printed;         // of the algorithms of [IBDEM25]
    bool regions;            // distant parts are stepped separately (regions.h)
    double barrier;          // width of contact barriers of implicit steps [m], 0 = none
    double explicit_dt;      // upper bound of explicit steps [s]
    double section_bonds;    // across the smallest section of any body that can break; 0: none can
    double weakest_strength; // least tensile strength of any material [Pa]
    // smallest sigma_c / (rho c) of any material: vibrations of this speed break it [m/s]
    double brittle_speed;
} sherd_method_settings;

// State carried from step to step; saved unchanged.
typedef struct sherd_step_control {
    int64_t implicit_now; // 1: the next step is implicit
    int64_t begun;
    double next_dt;        // of implicit steps [s]
    double last_dt;        // of the last step [s]
    double last_break;     // time [s]
    double explicit_until; // explicit at least until this time [s]
    double danger_by;      // an impact or a break is expected at about this time [s]
    double backoff;        // length of the next period of explicit steps [s]
    double stop, interval; // the next stop, and its distance from the last one [s]
    int64_t losses;        // consecutive implicit steps that cost more than explicit ones
    int64_t paid;          // implicit steps since the last switch that cost less
    double cost;           // of the last implicit step [explicit steps]
    double last_sample;    // of positions; -infinity: none [s]
    double divide_at;      // time of the next search for regions; in a region: its request [s]
    double divide_wait;    // waiting time of the next search if there is nothing to divide [s]
    double sought_at;      // time of the last search for regions [s]
    double ring_power;     // energy times omega of vibrations that steps must resolve, 0: none [W]
    double tumbling;       // spin of the fastest tumbling component [rad/s]
    double
        ring_stress; // amplitude of the strongest vibration at the last sample, over the strength
    double ring_check,
        ring_wait;  // during explicit steps: time of the next check, and the last waiting time [s]
    double ring_dt; // of the last implicit step [s]
    // during implicit steps: time of the next check whether everything may sleep [s]
    double sleep_check;
    int64_t ring_unchecked; // implicit steps since the last sample
    sherd_solver_counts counts;
} sherd_step_control;

// Called after every step, with its weight in averages over time.
typedef void sherd_after_step(void *context, double weight);
