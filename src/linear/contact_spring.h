// The tangent of one contact, for a solver of linear systems.
#pragma once

#include <stdint.h>

// Nodes are elements 0 .. n - 1, then free rigid bodies n, n + 1, ... A small motion (dp, dtheta)
// of a node moves the contact point by dp + dtheta x arm. The spring resists the difference between
// the motions of that point by i and by j with a symmetric positive semi-definite stiffness.
typedef struct sherd_contact_spring {
    int32_t i, j; // j = -1: against something without unknowns
    // from the node's centre (of mass) to the contact point, world axes [m]
    float arm_i[3], arm_j[3];
    // xx yy zz xy xz yz, world axes [N/m]. In double precision: it is singular along a sliding
    // direction, in which rounding to single precision would leave a stiffness of either sign far
    // above the inertia of long steps.
    double stiffness[6];
} sherd_contact_spring;
