// Damage of bonds by overstress within an implicit step (laws/breakage/overstress.h): their stresses go in proportion to
// time from those at the step's start to those of the state found.
#pragma once

#include "stepping/system.h"

typedef struct sherd_overstress_step {
    double
        *start;   // stress over strength as the step began, 0 of what breaks at once (bonds); owned
    int64_t over; // that were above 1
    double dt;    // of the step that is tried [s]
} sherd_overstress_step; // starts from zeros; kept from step to step

// The step begins; room stays from step to step. Nothing where all bonds break at once.
sherd_status sherd_overstress_begin(sherd_overstress_step *step, const sherd_system *system,
                                    sherd_error *error);

// Damage of a bond that takes time to break, at the end of the step, where its stress over strength is `ratio`.
double sherd_overstress_damage(const sherd_overstress_step *step, const sherd_system *system,
                               int64_t bond, double ratio);

// The step is made: damage of the bonds that it has not broken grows.
void sherd_overstress_accept(const sherd_overstress_step *step, sherd_system *system);

void sherd_overstress_free(sherd_overstress_step *step);
size_t sherd_overstress_bytes(const sherd_overstress_step *step, int64_t bonds);
