// What touches in a step, or may do so by its end.
#pragma once

#include "models/mpm/mpm_weigh.h"
#include "models/mpm/touch/mpm_touch.h"

typedef struct sherd_mpm_touch_side {
    size_t place, page; // of a point: that of the sample, or that of the partner's face
    double to[3];       // from it to where both touch [m]
    double depth;       // half of what lies behind the face, at most a spacing [m]
} sherd_mpm_touch_side;

typedef struct sherd_mpm_touch {
    uint64_t sample;
    uint32_t partner;
    sherd_mpm_touch_side side[2]; // of walls the first one alone
    double at[3], normal[3];      // the sample [m]; of the partner's face, outwards
    double gap;                   // [m]
    double stiffness;             // [N/m]
    double friction;
    double overlap, slip[3]; // of the spring [m]
    double energy;           // of the spring [J]
    // Of the step: contact, friction, work by a wall [J]; force on the sample's body [N].
    double lost[3], force[3];
} sherd_mpm_touch;

// By sample and partner. False: memory is short.
bool sherd_mpm_touches_find(sherd_mpm_touches *touches, const sherd_mpm_touch_def *def);
