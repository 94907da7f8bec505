// Acceleration of coupled elements by everything but points and gravity: the mean by bonds and
// contacts over about thirty steps of the grid. Contact with points is solved at the velocities
// that include it. Otherwise a block would sink into its support in each step, by the effect of its
// weight on its lowest elements. A mean is used because the acceleration in the last step alone
// oscillates if elements are stiff. Stored by element of the system, in checkpoints, too
// (models/mpm/mpm.h: trend).
#pragma once

#include "stepping/system.h"

// Before the steps of the part within one of the grid, and after them; coupled bodies have received
// the impulses of nodes.
void sherd_grid_trend_begin(sherd_system *system);
void sherd_grid_trend_end(sherd_system *system, double dt);
