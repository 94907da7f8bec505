// Data of material points beyond those of elements. sherd_world_elements has their positions and
// velocities too, sherd_world_stress their stresses.
#pragma once

#include <sherd/world_def.h>

// Material points in the world's internal order, sorted by position, which changes from step to
// step. Empty before the first step and in worlds without points. Valid until the next non-const
// call on the world.
typedef struct sherd_point_view {
    int64_t count;              // n, padding included
    const int32_t *element;     // element number; -1 for padding, whose data mean nothing       (n)
    const double *x, *y, *z;    // position                                             [m]      (n)
    const double *vx, *vy, *vz; // velocity                                          [m/s]    (n)
    // Elastic left Cauchy-Green tensor b = F F^T, F the elastic deformation gradient, world axes
    // [-] (n)
    const double *b_xx, *b_yy, *b_zz, *b_yz, *b_xz, *b_xy;
    const double *rest_volume; // volume at rest [m^3] (n)
    // State of the law [-] (n): J_p for snow; for sand the volume correction v_c, or, if negative,
    // the trace of the strain.
    const double *state;
    const uint32_t *piece; // piece of the point, numbered over all bodies, from 0             (n)
} sherd_point_view;

// Returns views of all material points.
SHERD_API sherd_point_view sherd_world_points(const sherd_world *world);

// The same data of one point, without position and velocity.
typedef struct sherd_point_state {
    double b_xx, b_yy, b_zz, b_yz, b_xz, b_xy; // elastic left Cauchy-Green tensor [-]
    double rest_volume;                        // [m^3]; 0: the element is not a point
    double state;                              // of the law, see sherd_point_view [-]
    int64_t piece;                             // number of its piece, over all bodies
} sherd_point_state;

// Copies the state of all points to `states` (elements), in the order of elements; zeros for
// elements that are not points.
SHERD_API void sherd_world_point_states(const sherd_world *world, sherd_point_state *states);
