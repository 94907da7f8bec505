// Limits of an implicit step: its error, its loss of energy, its impacts and its breaks.
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef enum sherd_fracture_mode {
    SHERD_FRACTURE_CASCADE,     // within the step, as far as the budget goes
    SHERD_FRACTURE_END_OF_STEP, // [IBDEM25]
} sherd_fracture_mode;

typedef struct sherd_step_limits {
    double barrier;    // width of contact barriers [m], 0 = none
    double shortest;   // dt below which a step is not repeated but given up [s]
    double error;      // largest estimate allowed, as a share of the step's move; 0 = not judged
    double rest_move;  // moves below this count as this [m]
    double rest_speed; // and those slower than this as this fast [m/s]
    // Or: limits of the second difference in a step (stepping/implicit/time_error.h): the error of positions, as a
    // share of the way so far or of bend_way [m] if that is less; and a speed [m/s]. Or the remainder of the budget for
    // the errors of all steps.
    double accuracy, bend_way, bend_speed;
    double loss;       // power that integration may take from vibrations, INFINITY: any [W]
    double drag, seen; // of what moves on contacts (sherd_implicit_request) [m/s^2], [m/s]
    double impact;     // most rho c v of what newly touches [Pa]; above it the step is given up
    double rebound;    // and the most speed at which dangling elements or free bodies rebound [m/s]
    sherd_fracture_mode fracture;
    int most_resolves;   // of a cascade
    int64_t most_breaks; // of a cascade
    int most_openings;   // rounds of openings of softening bonds. If they still change then,
    bool openings_agree; // the step is given up, or else made as it is
} sherd_step_limits;
