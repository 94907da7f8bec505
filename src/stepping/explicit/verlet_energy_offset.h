// The offset between K + V and the energy that velocity Verlet conserves.
//
// Velocity Verlet conserves the energy of a slightly different system, its shadow energy: in a step
//   K_new - K_old = 1/2 (F_old + F_new) . v dt + dt^2/8 sum m (|a_new|^2 - |a_old|^2)
// with v at mid-step. So K - dt^2/8 sum (m |a|^2 + I |dw/dt|^2) changes by the trapezoidal work
// that all accounts use, while K itself oscillates by the offset, which is (w dt)^2 / 4 of the
// energy of a spring. The balance leaves out the change of the offset since explicit steps began.
// When they end, or their length changes, that change stays in the energy and is booked under
// integration; so is the jump of the offset when a bond's force vanishes between two half kicks.
#pragma once

#include "stepping/system.h"

// Change of the offset since explicit steps began; for regions, the sum. Velocities must be up to
// date. [J]
double sherd_verlet_energy_offset(const sherd_system *system);

// Call when explicit steps begin, with the present state and loads.
void sherd_verlet_energy_begin(sherd_system *system);
// Call when they end.
void sherd_verlet_energy_end(sherd_system *system);
// Call when their length changes. Velocities must be up to date.
void sherd_system_change_step(sherd_system *system, double dt);

// Offset of an element by its present loads.
sherd_half_kick sherd_element_half_kick(const sherd_system *system, sherd_element_index k);

// Energy that half a kick of its present loads would give an element at rest: its part of the
// offset [J].
double sherd_element_kick_energy(const sherd_system *system, sherd_element_index k);
