// Glue in a step: what bears too much breaks or softens, and glue that softens (mpm_glue_law.h) is
// a cohesive zone between pieces. Each of its sides has a place of its own, which moves with its
// piece, and its force goes to the piece's nodes with weights of which sum f = 1, sum f x_i = x:
// neither momentum nor its moment is lost, and turning as one opens nothing.
#pragma once

#include "models/mpm/glue/mpm_glue.h"

// Before nodes move: tests glue against the stress at nodes where that is due
// (sherd_mpm_glues_due), adds the impulses of glue that softens, `kick` [s] long, to the loads of
// its pieces, and finds the nodes that intact glue joins. False when memory is short.
bool sherd_mpm_glues_load(sherd_mpm_glues *g, sherd_mpm_grid *grid, const sherd_parallel *parallel,
                          double time, double kick);

// After nodes moved: moves and opens glue by the layers' motion; what has parted is broken at
// `time`. False when memory is short.
typedef struct sherd_mpm_glue_motion {
    double way;  // in: bound of how far points went along an axis; out: of how far glue went [m]
    double work; // done on glue that softens [J]
} sherd_mpm_glue_motion;
bool sherd_mpm_glues_advance(sherd_mpm_glues *g, const sherd_mpm_grid *grid,
                             const sherd_parallel *parallel, double dt, double time,
                             sherd_mpm_glue_motion *motion);

// What glue that softens would give back [J].
double sherd_mpm_cohesion_stored(const sherd_mpm_glues *g);
// Of that, what it began with: rigid glue had stored nothing. It is paid back as damage grows [J].
double sherd_mpm_cohesion_lent(const sherd_mpm_glues *g);
