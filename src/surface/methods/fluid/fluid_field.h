// What fragments fill at points and at the corners of a grid, as if they were a fluid.
#pragma once

#include "surface/methods/fluid/fluid.h"
#include "surface/methods/march/grid.h"

// f_k and its gradient [1/m] at x for up to four fragments.
void sherd_fluid_fields(const fluid *f, sherd_vec3 x, const sherd_fragment_id *label, int count,
                        double value[], sherd_vec3 gradient[]);

// The same of a vertex's owners: the outside fills the level everywhere, a slit nothing.
void sherd_fluid_owners(const fluid *f, sherd_vec3 x, const sherd_fragment_id *owner, int count,
                        double value[], sherd_vec3 gradient[]);

// Recomputes the owners of a block's corners, see sherd_grid_assign. False when memory is short.
bool sherd_fluid_assign(const fluid *f, const grid *g, grid_block *block, const slits *s,
                        double half_slit);

// Sets the level such that the whole body has its volume, if that is known; within 0.1 to 0.7. False
// when memory is short.
bool sherd_fluid_level(fluid *f, const grid *g, const sherd_parallel *parallel);

// How much of the body's surface about x was made by fracture, seen along the unit vector n: the sum of
// lost bonds' directions nearby along n, over their length; 0 where none was lost.
double sherd_fluid_lost(const fluid *f, sherd_fragment_id label, sherd_vec3 x, sherd_vec3 n);
