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

// tau / dt - 1 where a step of dt is so short that it counts, otherwise 0, as for what has no waves (tau is infinite) [s].
double sherd_mpm_unresolved_factor(double dt, double usual_dt);

// Before: sets the changes of all layers, one for pieces that glue joins at a node; `glue` is NULL without any. False when
// memory is short.
bool sherd_mpm_unresolved_begin(sherd_mpm_grid *grid, const sherd_mpm_glues *glue,
                                const sherd_parallel *parallel);
// After pages have added what they see: adds `factor`, by body, times the rest to the layers' motion.
void sherd_mpm_unresolved_add(sherd_mpm_grid *grid, const sherd_mpm_glues *glue,
                              const sherd_parallel *parallel, const double *factor);
// Half of what this step's impulses of stress and gravity do along it [J]: 1/2 sum (J + m kick g) . (u - v+). The other half
// is that of the next step's, as motion keeps it (sherd_mpm_node_def.has_unseen).
double sherd_mpm_unresolved_work(const sherd_mpm_grid *grid, const sherd_parallel *parallel,
                                 const double fall[3]);
// Layers have v+ again, and beside it, in place of v+ - alpha v, what was added.
void sherd_mpm_unresolved_end(sherd_mpm_grid *grid, const sherd_parallel *parallel);
