// Modes of nodal velocity that points do not resolve. Of a change c of nodal velocities, the next
// step keeps only S c, which is c transferred from nodes to points and back to nodes. The remainder
// moves points within its step and is then lost. Short waves at the edge of driven or glued regions
// therefore have no inertia: they creep towards rest by c dt per step, where c is acceleration
// times dt. With steps of a tenth of the length this takes ten times as long, and forces and
// strains stay higher meanwhile.
//
// In steps shorter than a body's usual step tau, positions and strains therefore move with
//
//   u = v+ + (tau / dt - 1) (1 - S) (v+ - v),
//
// so that unresolved modes move as far per time as in usual steps. The points' velocities are still
// updated with v+. Bodies that push each other share one correction. It leaves out nodes where
// walls or coupled bodies may touch, or that drivers move. While any glue softens it leaves out all
// nodes where bodies may touch: the energy balance of softening was off by 0.5 % with these nodes
// and by 0.1 % without.
#pragma once

#include "base/parallel.h"
#include "models/mpm/glue/mpm_glue.h"
#include "models/mpm/kernels/mpm_kernels.h"

// tau / dt - 1 if the step dt is short enough to need the correction, else 0. It is 0 for bodies
// without waves, whose tau is infinite [s].
double sherd_mpm_unresolved_factor(double dt, double usual_dt);

// Adds `factor` (by body) times the unresolved part of the nodes' velocity change to the layers'
// motion. Pieces that glue joins at a node share one change; `glue` is NULL if no glue is intact.
// `fall` is the velocity change by gravity [m/s]. Sets `half_work` to half of the work that the
// step's impulses of stress and gravity do along the added motion; the next step adds the other
// half [J]. False when memory is short.
bool sherd_mpm_unresolved_begin(const sherd_mpm_transfer *transfer, const sherd_mpm_glues *glue,
                                const sherd_parallel *parallel, const double *factor,
                                const double fall[3], double *half_work);
// Restores v+ in the layers. The added motion is stored beside it, in place of v+ - alpha v.
void sherd_mpm_unresolved_end(sherd_mpm_grid *grid, const sherd_parallel *parallel);
