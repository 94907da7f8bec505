// A body's pieces by cutting its outer surface.
#pragma once

#include "surface/methods/cut/cut_build.h"
#include "surface/methods/solid/solid_update.h"

typedef struct cut_state {
    outline outline;
    crack_grid cracks;
    cut cut;     // outline and cracks
    bool failed; // the last update failed
} cut_state;

void sherd_cut_state_release(cut_state *state);

// Builds the pieces; if this fails, none has a mesh.
cut_result sherd_body_cut(solid_update *u, cut_state *state, const sherd_parallel *parallel);
