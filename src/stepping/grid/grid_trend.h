// What pushes elements beside points, but for points and gravity: the mean acceleration by bonds and contacts over some
// thirty steps of the grid. Contact with points is solved at the velocities that it would lead to, so that a block does not
// sink into what it lies on by what its weight makes of its lowest elements in each step. A mean, for the last step's alone
// rings where elements are stiff. Kept by element of the system, in checkpoints, too (models/mpm/mpm.h: trend).
#pragma once

#include "stepping/system.h"

// Before the steps of the part within one of the grid, and after them; coupled bodies have what nodes gave them.
void sherd_grid_trend_begin(sherd_system *system);
void sherd_grid_trend_end(sherd_system *system, double dt);
