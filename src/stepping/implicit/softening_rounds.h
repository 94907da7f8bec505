// How far bonds open within an implicit step. A step is minimised with the openings that there are, bonds resist with
// their secants; then openings become what the state found asks for, and the step is made again, until they agree.
#pragma once

#include "stepping/system.h"

typedef struct sherd_softening_round {
    double opening, target; // of the round before; 0: none
} sherd_softening_round;

typedef struct sherd_softening_rounds {
    float *before;               // openings as the step began (bonds); owned
    sherd_softening_round *last; // (bonds); owned
    int count;                   // rounds
} sherd_softening_rounds;        // starts from zeros; kept from step to step

// The step begins; room stays from step to step. Nothing where no bond can soften.
sherd_status sherd_softening_rounds_begin(sherd_softening_rounds *rounds, sherd_system *system,
                                          sherd_error *error);

// Takes openings from the state that was evaluated last. *changed: how many that changed.
sherd_status sherd_softening_rounds_open(sherd_softening_rounds *rounds, sherd_system *system,
                                         int64_t *changed, sherd_error *error);

// Takes all back to where the step began.
sherd_status sherd_softening_rounds_undo(sherd_softening_rounds *rounds, sherd_system *system,
                                         sherd_error *error);

// Bonds that parted in a step, and what they still stored, in pressure [J].
typedef struct sherd_parted_bonds {
    int64_t count;
    double energy;
} sherd_parted_bonds;

// The step is made and ends at `time` [s]: what was lost is booked, and bonds that are open as far as they can be break.
sherd_status sherd_softening_rounds_accept(const sherd_softening_rounds *rounds,
                                           sherd_system *system, double time,
                                           sherd_parted_bonds *parted, sherd_error *error);

void sherd_softening_rounds_free(sherd_softening_rounds *rounds);
size_t sherd_softening_rounds_bytes(const sherd_softening_rounds *rounds, int64_t bonds);
