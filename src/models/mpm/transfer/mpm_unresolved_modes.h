// What nodes do and points cannot carry. A change c of the nodes' velocities is there in the next step as far as points
// keep it, S c: to points and back. The rest moves what it has to move within its step, and is lost. So what points hardly
// see, short waves at the edge of what is held or glued, has no inertia but creeps towards rest, by c dt in each step, c
// being acceleration times dt: with steps of a tenth ten times as slowly, and forces and strains stay higher for as long.
//
// Cured for steps shorter than the usual ones of a body, tau: in each of them places and strains move with
//
//   u = v+ + (tau / dt - 1) (1 - S) (v+ - v),
//
// so that the unseen moves as far in a time as in usual steps, and v+ remains what points get. Where bodies push each other
// they move by it as one. Nodes where walls or coupled bodies may touch or drivers hold are left out; while some glue
// softens, all where bodies may touch: the balance of what it takes was 0.5 % off with them, 0.1 % without.
#pragma once

#include "base/parallel.h"
#include "models/mpm/glue/mpm_glue.h"
#include "models/mpm/kernels/mpm_kernels.h"

// tau / dt - 1 where a step of dt is so short that it counts, otherwise 0, as for what has no waves (tau is infinite) [s].
double sherd_mpm_unresolved_factor(double dt, double usual_dt);

// Adds `factor`, by body, times what is not resolved of nodes' changes of velocity to the layers' motion; pieces that glue
// joins at a node share one change, and `glue` is NULL where none is intact. `fall` is the change of velocity by gravity
// [m/s]. Sets half of what the step's impulses of stress and gravity do along what was added, to which the next step adds
// the other half [J]. False when memory is short.
bool sherd_mpm_unresolved_begin(const sherd_mpm_transfer *transfer, const sherd_mpm_glues *glue,
                                const sherd_parallel *parallel, const double *factor,
                                const double fall[3], double *half_work);
// Layers have v+ again, and beside it, in place of v+ - alpha v, what was added.
void sherd_mpm_unresolved_end(sherd_mpm_grid *grid, const sherd_parallel *parallel);
