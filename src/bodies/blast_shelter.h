// Which faces a blast does not reach, as others stand between them and the charge.
#pragma once

#include "bodies/surface_force.h"

// Sets hidden[f] to 1 for faces that are shielded, else 0. Faces stand for balls of these radii [m].
// They are compared in the directions from `charge`, in cells as wide as the nearest elements'
// radius, at least 0.35 degrees. `cells` is scratch of SHERD_SHELTER_CELLS.
enum {
    SHERD_SHELTER_ROWS = 256,
    SHERD_SHELTER_CELLS = 6 * SHERD_SHELTER_ROWS * SHERD_SHELTER_ROWS
};
void sherd_find_sheltered(sherd_vec3 charge, const sherd_moving_face *faces, const double *radius,
                          size_t count, float *cells, uint8_t *hidden);
