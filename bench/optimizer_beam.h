// The beams that optimizers are compared on.
#pragma once

#include "research/optimizers.h"

typedef enum beam_load {
    BEAM_TWIST = 0,   // both end faces turned against each other about the axis, within one step
    BEAM_BEND,        // both end faces turned against each other across it, within one step
    BEAM_THREE_POINT, // on two supports, pressed down in the middle at constant speed
} beam_load;

typedef struct beam_case {
    beam_load load;
    double periods; // time step in T
    double angle;   // between the end faces [degrees]; not of BEAM_THREE_POINT
    double youngs_modulus;
    double penalty; // kappa of the fixed penalty, in bend stiffnesses of a bond; 0: the default
} beam_case;

typedef struct beam {
    sherd_optimizer *optimizer; // owned
    int32_t count;
    double time_step; // [s]
} beam;

const char *beam_load_name(beam_load load); // "twist"
const char *beam_load_verb(beam_load load); // "twisted"

// Free with beam_free in any case.
sherd_status beam_make(beam *b, const beam_case *c, int threads, sherd_error *error);
void beam_free(beam *b);
