// Modes of the nodes' velocity that points do not resolve. Of a change c of nodes' velocities, the
// next step has what points bring back, S c: from nodes to points and to nodes again. The rest
// moves points within its step and is lost. So short waves at the edge of what is driven or glued
// have no inertia: they creep towards rest by c dt in each step, where c is acceleration times dt.
// Steps of a tenth take ten times as long for that, and forces and strains stay higher meanwhile.
//
// In steps shorter than a body's usual ones, tau, places and strains therefore move with
//
//   u = v+ + (tau / dt - 1) (1 - S) (v+ - v),
//
// so that unresolved modes move as far in a time as in usual steps; points still get v+ as their
// velocity. Bodies that push each other share one such correction. Nodes where walls or coupled
// bodies may touch, or that drivers move, are left out; while some glue softens, all nodes where
// bodies may touch are: the balance of what softening takes was 0.5 % off with them, 0.1 % without.
#pragma once

#include "base/parallel.h"
#include "models/mpm/glue/mpm_glue.h"
#include "models/mpm/kernels/mpm_kernels.h"

// tau / dt - 1 where a step of dt is so short that it counts, otherwise 0, as for what has no waves
// (tau is infinite) [s].
double sherd_mpm_unresolved_factor(double dt, double usual_dt);

// Adds `factor`, by body, times what is not resolved of nodes' changes of velocity to the layers'
// motion; pieces that glue joins at a node share one change, and `glue` is NULL where none is
// intact. `fall` is the change of velocity by gravity [m/s]. Sets half of what the step's impulses
// of stress and gravity do along what was added, to which the next step adds the other half [J].
// False when memory is short.
bool sherd_mpm_unresolved_begin(const sherd_mpm_transfer *transfer, const sherd_mpm_glues *glue,
                                const sherd_parallel *parallel, const double *factor,
                                const double fall[3], double *half_work);
// Layers have v+ again, and beside it, in place of v+ - alpha v, what was added.
void sherd_mpm_unresolved_end(sherd_mpm_grid *grid, const sherd_parallel *parallel);
