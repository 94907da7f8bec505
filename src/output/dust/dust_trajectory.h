// Trajectory of a dust grain under gravity and Stokes drag until it hits a plane, where it stops.
//
//     dv/dt = g - v / tau,      x(t) = p + v a(t) + g b(t),
//     a(t) = tau (1 - exp(-t / tau)),      b(t) = tau (t - a(t));      without drag a = t, b = t^2 / 2
//
// The position is a function of the launch and the time, so frames can be computed in any order.
#pragma once

#include <sherd/types.h>

typedef struct flight {
    sherd_vec3 position, velocity; // at the launch [m], [m/s]
    double relaxation;             // tau [s]; INFINITY: no drag
} flight;

// A half-space, solid below the plane.
typedef struct flight_plane {
    sherd_vec3 point, normal; // [m]; of length 1
} flight_plane;

sherd_vec3 sherd_flight_place(const flight *f, sherd_vec3 gravity, double age);
sherd_vec3 sherd_flight_velocity(const flight *f, sherd_vec3 gravity, double age);

// The age at which a ball of this radius hits the plane [s]; INFINITY if it never does or starts
// below it.
double sherd_flight_landing(const flight *f, sherd_vec3 gravity, const flight_plane *plane,
                            double radius);
