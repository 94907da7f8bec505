// Openings of softening bonds within an implicit step. A step is minimised with the present
// openings, with secant stiffnesses; then openings are updated to those required by the state
// found, and the step is repeated, until both agree.
#pragma once

#include "stepping/system.h"

typedef struct sherd_softening_round {
    double opening, target; // of the previous round; 0: none
} sherd_softening_round;

typedef struct sherd_softening_rounds {
    float *before;               // openings at the start of the step (bonds); owned
    sherd_softening_round *last; // (bonds); owned
    int count;                   // rounds
} sherd_softening_rounds;        // valid when zero-filled; kept from step to step

// Starts a step; memory is kept from step to step. Does nothing if no bond can soften.
sherd_status sherd_softening_rounds_begin(sherd_softening_rounds *rounds, sherd_system *system,
                                          sherd_error *error);

// Updates openings from the last evaluated state. *changed: number of changed ones.
sherd_status sherd_softening_rounds_open(sherd_softening_rounds *rounds, sherd_system *system,
                                         int64_t *changed, sherd_error *error);

// Restores the openings at the start of the step.
sherd_status sherd_softening_rounds_undo(sherd_softening_rounds *rounds, sherd_system *system,
                                         sherd_error *error);

// Bonds that failed in a step, and the energy that they still stored in compression [J].
typedef struct sherd_parted_bonds {
    int64_t count;
    double energy;
} sherd_parted_bonds;

// Accepts the step, which ends at `time` [s]: books the losses, and breaks bonds at their largest
// opening.
sherd_status sherd_softening_rounds_accept(const sherd_softening_rounds *rounds,
                                           sherd_system *system, double time,
                                           sherd_parted_bonds *parted, sherd_error *error);

void sherd_softening_rounds_free(sherd_softening_rounds *rounds);
size_t sherd_softening_rounds_bytes(const sherd_softening_rounds *rounds, int64_t bonds);
