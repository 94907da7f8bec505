// What outsiders ask of material points: energy and momentum, stresses, and where points are.
#pragma once

#include "math/bounds.h"
#include "models/mpm/mpm.h"

#include <sherd/stress.h>

typedef struct sherd_mpm_energy {
    double kinetic, stored; // of points [J]; the latter once they are sorted
    double glue, lent;      // of stored, by glue that softens; of that, what nobody paid for [J]
    double pending;         // of plastic, what points will have spent with the next step [J]
    sherd_vec3 momentum;    // [kg m/s]
    sherd_vec3 angular;     // about the origin, with what gradients of velocity hold [kg m^2/s]
} sherd_mpm_energy;

sherd_mpm_energy sherd_mpm_sum(const sherd_mpm *m);

// Angular momentum that points hold beside their velocities: of gradients, with `affine` [kg
// m^2/s].
sherd_vec3 sherd_mpm_gradients_spin(const sherd_mpm *m);

// Sets Cauchy's stress of each point by number: tau / J of the present strain as its law would
// return it. Stresses of elements that are no points are left alone.
void sherd_mpm_find_stresses(const sherd_mpm *m, sherd_stress *stress);

typedef struct sherd_mpm_extent {
    sherd_bounds bounds; // of points [m]
    double speed;        // no point of it is faster [m/s]
} sherd_mpm_extent;

typedef struct sherd_mpm_extents {
    sherd_mpm_extent *list; // owned
    size_t count, capacity;
} sherd_mpm_extents; // starts from zeros

void sherd_mpm_extents_free(sherd_mpm_extents *extents);

// A box around the points of each cube of 16 cells that has any; cubes are larger where there would
// be more than 1024.
sherd_status sherd_mpm_extents_find(sherd_mpm_extents *extents, const sherd_mpm *m,
                                    sherd_error *error);
