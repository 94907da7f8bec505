// Energy dissipated by bond damping in explicit steps.
//
// Damping is computed from the velocities r of half a step before. With rho the change of r by half
// a kick, its impulse dt D dissipates dt D.(r + rho), and not dt P with the power P = c r^2 that
// kernels sum. Because the next r is r + 2 rho, r rho = 1/4 (r_next^2 - r^2) - rho^2: over many
// steps damping dissipates dt (P(r) - P(rho)), less by (w dt)^2 / 4 for a vibration of frequency w.
// P(rho) needs accelerations, which are known only once all loads are. So both powers are sampled
// in some bonds whenever a twentieth of the total was booked since the last sample (a fiftieth once
// something has broken), and their recent ratio is applied to all.
#pragma once

#include "stepping/explicit/verlet_energy_offset.h"
#include "stepping/system.h"

// Books dt P of a step, and at intervals its correction; to be called while loads are those of the
// step's end.
void sherd_system_account_damping(sherd_system *system, double power);

// Books the correction of dt P for a bond that breaks, whose last force acts in one half kick only:
// before it is removed, with velocities up to date.
void sherd_system_account_last_damping(sherd_system *system, int64_t bond);

// By element, for qsort and bsearch.
int sherd_changed_kick_order(const void *a, const void *b);

// The same for intact bonds of elements whose loads changed after the first half kick
// (sherd_system.changed): the change of r is the sum of both half kicks, not twice the last one. To
// be called after the change.
void sherd_system_account_changed_kicks(sherd_system *system);
