// Queries of material points: energy and momentum, stresses, and extents.
#pragma once

#include "math/bounds.h"
#include "models/mpm/mpm.h"

#include <sherd/stress.h>

typedef struct sherd_mpm_energy {
    double kinetic, stored; // of points [J]; `stored` is valid once points are sorted
    double glue;            // part of stored: energy of softening glue [J]
    double pending;         // part of the plastic dissipation that belongs to the next step [J]
    sherd_vec3 momentum;    // [kg m/s]
    sherd_vec3 angular;     // about the origin, including that of velocity gradients [kg m^2/s]
} sherd_mpm_energy;

sherd_mpm_energy sherd_mpm_sum(const sherd_mpm *m);

// Angular momentum in the points' velocity gradients, with `affine` [kg m^2/s].
sherd_vec3 sherd_mpm_gradients_spin(const sherd_mpm *m);

// Sets the Cauchy stress tau / J of each point, indexed by its number, after the law's return
// mapping of the present strain. Leaves the stresses of other elements unchanged.
void sherd_mpm_find_stresses(const sherd_mpm *m, sherd_stress *stress);

typedef struct sherd_mpm_extent {
    sherd_bounds bounds; // of points [m]
    double speed;        // largest speed of its points [m/s]
} sherd_mpm_extent;

typedef struct sherd_mpm_extents {
    sherd_mpm_extent *list; // owned
    size_t count, capacity;
} sherd_mpm_extents; // starts from zeros

void sherd_mpm_extents_free(sherd_mpm_extents *extents);

// Finds the bounding box of the points in each cube of 16 cells that contains any. Cubes are larger
// if there would be more than 1024.
sherd_status sherd_mpm_extents_find(sherd_mpm_extents *extents, const sherd_mpm *m,
                                    sherd_error *error);
