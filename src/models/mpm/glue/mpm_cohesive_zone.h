// Glue in a step: overloaded glue breaks or softens, and softening glue (mpm_glue_law.h) is a
// cohesive zone between pieces. Each of its sides belongs to the nearest point of its piece. Force
// and opening are dual: nodes get the force with the weights that give the side's velocity, which
// are exact for linear fields, so that momentum and angular momentum are conserved, and a rigid
// rotation of both pieces opens nothing.
//
// Weights are those of the point's own kernel, so that glue follows what points do. Weights from
// all nodes near the side also follow modes of nodal velocity that points do not resolve
// (mpm_unresolved_modes.h): glue then closes by modes that open no crack, at a rate that grows with
// its traction, and stops softening.
//
// The part of the traction along the normal acts as deep inside as the point is, a quarter of a
// cell; the rest acts at the face, as it would otherwise be a couple. Normal forces at the face
// itself load the nodes beyond the last point, which creep, and points leave their body from a
// tenth of E on.
#pragma once

#include "models/mpm/glue/mpm_glue.h"

// Called before nodes move. Tests glue against the nodal stress if a test is due
// (sherd_mpm_glues_due), adds the impulses of softening glue over `kick` [s] to the loads of its
// pieces, and finds the nodes that intact glue joins. False when memory is short.
bool sherd_mpm_glues_load(sherd_mpm_glues *g, sherd_mpm_grid *grid, const sherd_mpm_points *points,
                          const sherd_parallel *parallel, double time, double kick);

// Called after nodes moved and before points do. Opens softening glue by the layers' motion; glue
// that has fully opened is broken at `time`. False when memory is short.
typedef struct sherd_mpm_glue_motion {
    double way;  // upper bound of softening glue's displacement along an axis [m]
    double work; // work done on softening glue [J]
} sherd_mpm_glue_motion;
bool sherd_mpm_glues_open(sherd_mpm_glues *g, const sherd_mpm_grid *grid,
                          const sherd_mpm_points *points, const sherd_parallel *parallel, double dt,
                          double time, sherd_mpm_glue_motion *out);

// Called after points moved, by at most `way` along an axis [m]: moves intact glue. Returns its
// displacement along an axis [m].
double sherd_mpm_glues_advance(sherd_mpm_glues *g, const sherd_mpm_grid *grid,
                               const sherd_parallel *parallel, double dt, double way);

// Energy that glue can return [J].
double sherd_mpm_cohesion_stored(const sherd_mpm_glues *g);
