// How a grain of dust flies: weight, and air that holds it back in proportion to its speed (Stokes), until it meets a
// plane, where it stays.
//
//     dv/dt = g - v / tau,      x(t) = p + v a(t) + g b(t),
//     a(t) = tau (1 - exp(-t / tau)),      b(t) = tau (t - a(t));      without air a = t, b = t^2 / 2
//
// A function of the launch alone, so that every frame is told without those before it.
#pragma once

#include <sherd/types.h>

typedef struct flight {
    sherd_vec3 place, velocity; // at the launch [m], [m/s]
    double relaxation;          // tau [s]; INFINITY: no air
} flight;

// Solid below it.
typedef struct flight_plane {
    sherd_vec3 point, normal; // [m]; of length 1
} flight_plane;

sherd_vec3 sherd_flight_place(const flight *f, sherd_vec3 gravity, double age);
sherd_vec3 sherd_flight_velocity(const flight *f, sherd_vec3 gravity, double age);

// The age at which a ball of this radius meets the plane [s]: INFINITY where it never does or began below it.
double sherd_flight_landing(const flight *f, sherd_vec3 gravity, const flight_plane *plane,
                            double radius);
