// Distance of a plane figure extended along z and cut off at |z| = half: used by cylinder and
// extrusion.
#pragma once

#include "math/vec3.h"

#include <stddef.h>

// `across` is the signed distance to the figure's outline within its plane, `outward` its unit
// gradient. Exact inside and outside. `normal` (may be NULL) receives the unit gradient.
static inline double slab_distance(double across, sherd_vec3 outward, double z, double half,
                                   sherd_vec3 *normal)
{
    double along = fabs(z) - half;
    sherd_vec3 up = vec3(0.0, 0.0, copysign(1.0, z));
    if (across > 0.0 && along > 0.0) { // beyond the rim: nearest is the edge
        double distance = sqrt(across * across + along * along);
        if (normal != NULL)
            *normal = vec3_add_scaled(vec3_scale(across / distance, outward), along / distance, up);
        return distance;
    }
    if (normal != NULL) *normal = across >= along ? outward : up;
    return fmax(across, along);
}
