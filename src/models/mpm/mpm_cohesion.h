// Glue that softens: past its strength it no longer gives pieces one velocity, but pulls them together with a traction that
// falls with their opening, so that parting takes the fracture energy G_f for its area.
//
//   d = sqrt(<w.n>^2 + b^2 |w_t|^2), b = shear over tensile strength, w the opening;
//   T(d) = t0 (d1 - d) / (d1 - d0) from d0 = t0 / K to d1 = d0 + 2 G_f / t0, t0 the traction that it began with;
//   t = T(D) / D (<w.n> n + b^2 w_t), D the largest d so far: it unloads towards the origin and never heals.
//
// K is that of a cell of the material at most, so that time steps stay as they are. Pressure is left to contact. Each side
// has a place of its own, which moves with its piece, and its force goes to the piece's nodes with weights of which sum f =
// 1, sum f x_i = x: neither momentum nor its moment is lost, and turning as one opens nothing.
#pragma once

#include "models/mpm/mpm_glue.h"

// What joins its pieces at nodes.
static inline bool sherd_mpm_glue_joins(const sherd_mpm_glue *glue)
{
    return glue->damage < 1.0 && glue->start == 0.0;
}

static inline bool sherd_mpm_glue_softens(const sherd_mpm_glue *glue)
{
    return glue->damage < 1.0 && glue->start > 0.0;
}

// Largest stiffness [Pa/m] for nodes that are `spacing` apart in a material of modulus lambda + 2 mu.
double sherd_mpm_glue_stiffness(const sherd_mpm_glue *glue, double modulus, double spacing);
// The least G_f that lets it soften, so long that a step sees but a part of it [J/m^2].
double sherd_mpm_glue_least_energy(const sherd_mpm_glue *glue);

// Turns the traction that has just been tested into that of an opening.
void sherd_mpm_glue_begin(sherd_mpm_glue *glue);

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
