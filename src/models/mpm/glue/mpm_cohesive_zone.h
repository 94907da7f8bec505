// Glue that softens (mpm_glue_law.h) between pieces. Each side
// has a place of its own, which moves with its piece, and its force goes to the piece's nodes with weights of which sum f =
// 1, sum f x_i = x: neither momentum nor its moment is lost, and turning as one opens nothing.
#pragma once

#include "models/mpm/glue/mpm_glue.h"

// Adds the impulses of what softens, `kick` [s] long, to the loads of both pieces. False when memory is short.
bool sherd_mpm_cohesion_load(const sherd_mpm_glues *g, sherd_mpm_grid *grid,
                             const sherd_parallel *parallel, double kick);
// Moves and opens it by the layers' motion; what has parted is broken at `time`. Returns the largest velocity of a side
// along an axis [m/s]; `work` is what was done on it [J].
double sherd_mpm_cohesion_move(sherd_mpm_glues *g, const sherd_mpm_grid *grid,
                               const sherd_parallel *parallel, double dt, double time,
                               double *work);
// What it would give back [J].
double sherd_mpm_cohesion_stored(const sherd_mpm_glues *g);
// Of that, what it began with: rigid glue had stored nothing. It is paid back as damage grows [J].
double sherd_mpm_cohesion_lent(const sherd_mpm_glues *g);
