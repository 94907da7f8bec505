// Glue in a step: overloaded glue breaks or softens, and softening glue (mpm_glue_law.h) is a
// cohesive zone between pieces. Each of its sides has a position of its own, which moves with its
// piece. Its force is distributed to the piece's nodes with weights f that satisfy sum f = 1 and
// sum f x_i = x. Momentum and angular momentum are therefore conserved, and rigid rotation of both
// pieces opens nothing.
#pragma once

#include "models/mpm/glue/mpm_glue.h"

// Called before nodes move. Tests glue against the nodal stress if a test is due
// (sherd_mpm_glues_due), adds the impulses of softening glue over `kick` [s] to the loads of its
// pieces, and finds the nodes that intact glue joins. False when memory is short.
bool sherd_mpm_glues_load(sherd_mpm_glues *g, sherd_mpm_grid *grid, const sherd_parallel *parallel,
                          double time, double kick);

// Called after nodes moved. Moves and opens glue by the layers' motion; glue that has fully opened
// is broken at `time`. False when memory is short.
typedef struct sherd_mpm_glue_motion {
    double way;  // in: upper bound of points' displacement along an axis; out: of glue's [m]
    double work; // work done on softening glue [J]
} sherd_mpm_glue_motion;
bool sherd_mpm_glues_advance(sherd_mpm_glues *g, const sherd_mpm_grid *grid,
                             const sherd_parallel *parallel, double dt, double time,
                             sherd_mpm_glue_motion *motion);

// Recoverable energy of softening glue [J].
double sherd_mpm_cohesion_stored(const sherd_mpm_glues *g);
// The part of it that was present when softening began without work having been done, since rigid
// glue stores no energy. It is repaid as damage grows [J].
double sherd_mpm_cohesion_lent(const sherd_mpm_glues *g);
