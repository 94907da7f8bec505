// Material points of a world, beyond what elements have: sherd_world_elements has their places and velocities, too,
// sherd_world_stress their stresses.
#pragma once

#include <sherd/world_def.h>

// As a world keeps them, sorted by place, in an order that changes from step to step. Empty where there are none, and
// before the first step.
typedef struct sherd_point_view {
    int64_t count;           // n, with those that fill up batches
    const int32_t *element;  // the element that it is, -1: it fills up, and means nothing     (n)
    const double *x, *y, *z; // position                                             [m]      (n)
    const double *vx, *vy, *vz; // velocity                                             [m/s]    (n)
    // Elastic left Cauchy-Green tensor b = F F^T, F the elastic deformation gradient, world axes [-] (n)
    const double *b_xx, *b_yy, *b_zz, *b_yz, *b_xz, *b_xy;
    const double *rest_volume; // [m^3] (n)
    // Of the law [-]: J_p of snow; the volume correction v_c of sand or, where that is negative, the trace of its strain.
    const double *state;   // (n)
    const uint32_t *piece; // that it belongs to, of all bodies' pieces, from 0                (n)
} sherd_point_view;        // valid until the next non-const call on the world

SHERD_API sherd_point_view sherd_world_points(const sherd_world *world);

// The same of one point, without place and velocity.
typedef struct sherd_point_state {
    double b_xx, b_yy, b_zz, b_yz, b_xz, b_xy; // [-]
    double rest_volume;                        // [m^3]; 0: the element is no point
    double state;                              // [-]
    int64_t piece;
} sherd_point_state;

// In the order of elements; `states` has room for all of them. Zeros where there are no points.
SHERD_API void sherd_world_point_states(const sherd_world *world, sherd_point_state *states);
