// Initial positions of the elements of a random packing: random but uniform.
//
// Independent random points have density fluctuations at all wavelengths, which jamming can't
// remove. So space is divided into randomly rotated cubes of the volume of one element, with a
// random point in each: the cubes are not visible in the result, and no region has too many points.
#pragma once

#include "packing/random/random_state.h"

// Fills count, ball, with radii. Sites where the shape is too thin for their element are omitted;
// `cell` is the volume for each [m^3]. `shallow` is the fraction of sites that are less than `skin`
// below the surface. Status INPUT beyond max_elements.
sherd_status sherd_rcp_seed(sherd_rcp *rcp, const sherd_packing_def *def, double cell, double skin,
                            double *shallow, sherd_error *error);
