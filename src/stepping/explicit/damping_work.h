// What bond damping takes in explicit steps.
//
// Damping sees the velocities r half a step before; with rho what half a kick changes them by, its impulse dt D
// takes dt D.(r + rho) from the motion, and not dt P with the power P = c r^2 that kernels sum up. As the
// next r is r + 2 rho, r rho = 1/4 (r_next^2 - r^2) - rho^2: over many steps damping takes dt (P(r) - P(rho)),
// less by (w dt)^2 / 4 for what swings with w. P(rho) needs accelerations that are known only once all loads
// are. So some bonds are asked for both whenever a twentieth of all was booked since, a fiftieth once something
// has broken, and the ratio that they have, now and lately, is taken for it.
#pragma once

#include "stepping/explicit/swing.h"
#include "stepping/system.h"

// Books dt P of a step and now and then what that was too much; while loads are those of the step's end.
void sherd_system_book_damping(sherd_system *system, double power);

// Books what dt P is too much by where a bond breaks, whose last force acts in one half kick only: before it is
// taken out, with settled velocities.
void sherd_system_book_last_damping(sherd_system *system, int64_t bond);

// Books what changes where the load of element i changes after its first half kick, `before`, as the bond to j
// breaks: the change of r that follows is the sum of both half kicks, not twice the last one.
void sherd_system_book_changed_kick(sherd_system *system, sherd_element_index i,
                                    sherd_element_index j, const sherd_half_kick *before);
