// What the energy of explicit steps swings by.
//
// Velocity Verlet keeps the energy of a slightly different system: in a step
//   K_new - K_old = 1/2 (F_old + F_new) . v dt + dt^2/8 sum m (|a_new|^2 - |a_old|^2)
// with v half way; so K - dt^2/8 sum (m |a|^2 + I |dw/dt|^2), the swing, changes by the trapezoids that all
// accounts are kept by, while K itself swings by it: by (w dt)^2 / 4 of the energy of a spring. A balance is
// judged without what the swing has changed by since explicit steps began. When they end, or their length
// changes, that is where energy stays and is booked under integration; so is what the swing jumps by
// where a bond's force goes between two half kicks.
#pragma once

#include "stepping/system.h"

// What the energy has swung by since explicit steps began; of regions, the sum. Velocities must be settled. [J]
double sherd_system_swing(const sherd_system *system);

// Explicit steps begin from the present state and loads.
void sherd_system_begin_swing(sherd_system *system);
// They end.
void sherd_system_end_swing(sherd_system *system);
// They go on with another length. Velocities must be settled.
void sherd_system_change_step(sherd_system *system, double dt);

// What half a kick of its present loads changes an element's velocities by.
typedef struct sherd_half_kick {
    sherd_vec3 v, w; // [m/s], [rad/s]
} sherd_half_kick;

sherd_half_kick sherd_element_half_kick(const sherd_system *system, sherd_element_index k);

// Of one element with its present loads: the energy that half a kick would give it at rest [J].
double sherd_element_swing(const sherd_system *system, sherd_element_index k);
