// Damage of bonds by overstress within an implicit step (laws/breakage/overstress.h): their
// stresses are interpolated linearly in time between the start and the end of the step.
#pragma once

#include "stepping/system.h"

typedef struct sherd_overstress_step {
    // stress over strength at the start of the step, 0 for bonds that break at once (bonds); owned
    double *start;
    int64_t over;        // number of these above 1
    double dt;           // of the tried step [s]
} sherd_overstress_step; // valid when zero-filled; kept from step to step

// Starts a step; memory is kept from step to step. Does nothing if all bonds break at once.
sherd_status sherd_overstress_begin(sherd_overstress_step *step, const sherd_system *system,
                                    sherd_error *error);

// Damage of a bond that takes time to break, at the end of the step, if its stress over strength is
// `ratio` then.
double sherd_overstress_damage(const sherd_overstress_step *step, const sherd_system *system,
                               int64_t bond, double ratio);

// Accepts the step: increases the damage of bonds that it has not broken.
void sherd_overstress_accept(const sherd_overstress_step *step, sherd_system *system);

void sherd_overstress_free(sherd_overstress_step *step);
size_t sherd_overstress_bytes(const sherd_overstress_step *step, int64_t bonds);
