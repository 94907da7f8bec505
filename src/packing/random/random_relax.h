// Moving the balls of a random packing until they press on each other a given little.
#pragma once

#include "packing/random/random_state.h"

// Overlaps, as shares of the radii.
typedef struct sherd_rcp_pressure {
    double mean;       // of all pairs, per six contacts a ball, as a rigid jammed packing has
    double most;       // of any ball with another or the surface, of the smaller radius
    double unbalanced; // root mean square net force, over the same mean overlap
    int steps;
} sherd_rcp_pressure;

typedef struct sherd_rcp_goal {
    double mean; // overlap to settle at
    double most; // done when no overlap is larger
    int steps;   // at most
    int least;   // at least
    int ramp;    // number of steps over which the goal is approached
    int pull;    // so long the surface pulls balls that almost touch it
} sherd_rcp_goal;

// Room for velocities and the like. False when memory is short.
bool sherd_rcp_relax_prepare(sherd_rcp *rcp);

// Moves balls and changes the scale; `from` is the pressure now. False when memory is short.
bool sherd_rcp_relax(sherd_rcp *rcp, const sherd_rcp_goal *goal, sherd_rcp_pressure *pressure);
