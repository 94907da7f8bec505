// Obstacles of a world as walls of a grid (models/mpm/grid/mpm_walls.h).
#pragma once

#include "models/mpm/grid/mpm_walls.h"
#include "stepping/grid/grid_edges.h"
#include "stepping/system.h"

// All obstacles except free bodies; the caller frees the lists.
typedef struct sherd_grid_walls {
    sherd_mpm_wall *list;         // (count)
    sherd_mpm_reaction *reaction; // (count)
    double *friction;             // by wall, then by body
    int *obstacle;                // index of each obstacle (count)
    sherd_grid_edges *edges;      // of each, for contact with solids of points (count)
    int count;
} sherd_grid_walls;

sherd_status sherd_grid_walls_make(sherd_grid_walls *walls, const sherd_system *system,
                                   sherd_error *error);
void sherd_grid_walls_free(sherd_grid_walls *walls);

// Moves obstacles to `time`. Returns an upper bound of the displacement of any surface near points;
// INFINITY: unknown [m].
double sherd_grid_walls_move(sherd_system *system, double time, double dt);

// Adds the loads of the last step to obstacles.
void sherd_grid_walls_load(sherd_system *system, const sherd_grid_walls *walls, double dt);
