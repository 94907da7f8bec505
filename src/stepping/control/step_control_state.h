// What chooses the method of each step: the settings of a run, and what is remembered from one step to the next
// (step_control.h).
#pragma once

#include <sherd/world.h>

typedef struct sherd_method_settings {
    sherd_method method;
    bool explicit_only;      // auto: no implicit steps
    double fixed_dt;         // of implicit steps [s]; 0 = as long as `accuracy` allows
    double accuracy;         // error of a step's displacements, as a share of them
    sherd_scheme scheme;     // AUTO: BDF2, or Euler where the length is fixed
    bool paper_fracture;     // [IBDEM25]: what is overstressed breaks at the end of a step
    bool regions;            // AUTO: what is far apart is stepped by itself (regions.h)
    double barrier;          // width of contact barriers of implicit steps [m], 0 = none
    double explicit_dt;      // of explicit steps, at most [s]
    double weakest_strength; // least tensile strength of any material [Pa]
    double
        brittle_speed; // least sigma_c / (rho c) of any material: vibrations of this speed break it [m/s]
} sherd_method_settings;

// What the methods remember from one step to the next; saved as it is.
typedef struct sherd_step_control {
    int64_t implicit_now; // 1: the next step is implicit
    int64_t begun;
    double next_dt;        // of implicit steps [s]
    double last_dt;        // of the last step [s]
    double last_break;     // time [s]
    double explicit_until; // explicit at least until this time [s]
    double danger_by;      // something will be hit or break at about this time [s]
    double backoff;        // length of the next explicit spell [s]
    double stop, interval; // until when to go, and how long that was since the last stop [s]
    int64_t losses;        // implicit steps in a row that cost more than explicit ones
    int64_t paid;          // implicit steps since the last switch that did not
    double cost;           // of the last implicit step [explicit steps]
    double last_look;      // at what an implicit step would err by; -infinity: none [s]
    double divide_at;      // look for regions at this time; of a region: it asks for that [s]
    double divide_wait;    // how long the next look waits if there is nothing to divide [s]
    double sought_at;      // when regions were last looked for [s]
    double
        ring_power; // energy times omega of what vibrates so that it must not be lost, 0: nothing [W]
    double tumbling;    // spin of what tumbles fastest [rad/s]
    double ring_stress; // amplitude of what vibrates most at the last look, over the strength
    double ring_look,
        ring_wait; // while explicit steps are made: when to look again, and the last wait for that [s]
    double ring_dt;        // of the last implicit step [s]
    double calm_look;      // while implicit steps are made: when to look whether all may sleep [s]
    int64_t ring_unlooked; // implicit steps since the last look
    sherd_solver_counts counts;
} sherd_step_control;

// Called after every step that was made, with its weight for averages over time.
typedef void sherd_after_step(void *context, double weight);
