// Moves the balls of a random packing until their mean overlap has a given small value.
#pragma once

#include "packing/random/random_state.h"

// Overlaps, relative to the radii.
typedef struct sherd_rcp_pressure {
    double mean;       // of all pairs, over six contacts per ball, as in a rigid jammed packing
    double most;       // of any ball with another or the surface, of the smaller radius
    double unbalanced; // root mean square net force, over the same mean overlap
    int steps;
} sherd_rcp_pressure;

typedef struct sherd_rcp_goal {
    double mean; // target of the mean overlap
    double most; // stops when no overlap is larger
    int steps;   // at most
    int least;   // at least
    int ramp;    // number of steps in which the target is approached
    int pull;    // number of steps in which the surface attracts balls near it
} sherd_rcp_goal;

// Allocates velocities and other work arrays. Returns false if memory runs short.
bool sherd_rcp_relax_prepare(sherd_rcp *rcp);

// Moves balls and changes the scale; `from` is the present pressure. Returns false if memory runs
// short.
bool sherd_rcp_relax(sherd_rcp *rcp, const sherd_rcp_goal *goal, sherd_rcp_pressure *pressure);
