// The tangent of one contact, for a solver of linear systems.
#pragma once

#include <stdint.h>

// Nodes are elements 0 .. n - 1, then free rigid bodies n, n + 1, ... A small motion (dp, dtheta) of a
// node moves the point of contact by dp + dtheta x arm; the spring resists the difference between i's and
// j's motion of that point with a symmetric positive semi-definite stiffness.
typedef struct sherd_contact_spring {
    int32_t i, j;             // j = -1: against something that is not an unknown
    float arm_i[3], arm_j[3]; // from the node's centre (of mass) to the point, world axes [m]
    // xx yy zz xy xz yz, world axes [N/m]. In double precision: it is singular along what slides, where rounding to
    // single precision would leave a stiffness of either sign far above the inertia of long steps.
    double stiffness[6];
} sherd_contact_spring;
