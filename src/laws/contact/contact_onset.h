// The spring's force where a contact begins or ends, on lanes.
//
// An explicit step changes the kinetic energy by 1/2 (F_old + F_new) c dt with the closing speed c.
// For F = k delta the energy of the spring changes by the same, except in the two steps in which a
// contact begins or ends: only part of c dt is in contact. The error of each contact is of the
// order (omega dt)^2, with a sign that depends on how the contact falls within steps; the bounces
// of an undamped ball drift. So the first and the last force of a contact are chosen such that both
// steps next to it together change the kinetic energy by the change of the spring's energy. With mu
// = 1/m, a dashpot's force D, m = c - mu dt D/2 the mean closing speed before and after the
// dashpot's impulse, and the closing speed c' after F and D,
//   c' = c - mu dt (F + D)
//   first  F dt c + (F + k delta') dt c' = k delta'^2,  delta' = delta + c' dt
//          F = k delta (delta + (c - mu dt D) dt) / (dt (m + h + S)),
//          S^2 = h (h + mu dt D) + m^2 - mu k delta^2,  h = mu k delta dt/2
//   last   (k delta_o + F) dt c + F dt c' = -k delta_o^2,  delta_o = delta - c dt
//          F = (m + S)/(mu dt) = k delta delta_o / (dt (S - m)),  S^2 = m^2 + mu k delta delta_o
// Nonlinear springs use k = F(delta)/delta. A force is the first one if delta_o < 0, and the last
// one if the pair separates in the next step, which is the case exactly where the last force is
// below k delta; with the first force the pair never separates. Both are between 0 and k delta and
// merge into it, so a force never exceeds the spring's, and depends on the present state only.
//
// This is exact for a pair without other forces; otherwise c' differs, and the remainder is
// accounted for (contact_respond.h). Until the second of the two steps, half of the change is
// pending: the energy taken from the motion, which an isolated pair gets back in that step.
#pragma once

#include "math/lane.h"

typedef struct contact_onset_state {
    lane pressed;  // delta, minus the initial overlap; 0: no contact [m]
    lane closing;  // c, in the step before [m/s]
    lane damping;  // D, also negative [N]
    lane plain;    // the spring's force, k delta [N]
    lane mean;     // its mean over [0, delta], 1/2 k delta: its energy over delta [N]
    lane mobility; // mu; 0: nothing moves [1/kg]
    lane dt;       // [s]
} contact_onset_state;

typedef struct contact_onset_force {
    lane force;   // [N]
    lane pending; // [J]
} contact_onset_force;

// For lanes in their first and in their last evaluation.
LANE_INLINE contact_onset_force contact_onset_evaluate(const contact_onset_state *m,
                                                       lane_mask begins)
{
    const lane none = lane_of(0), plain = m->plain;
    lane kick = m->mobility * m->dt, damped = kick * m->damping;
    lane mean = lane_fnma(lane_of(LANE_HALF), damped, m->closing), mean2 = mean * mean;
    lane weight = m->mobility * plain, h = LANE_HALF * kick * plain;
    lane displacement = m->dt * m->closing, was = m->pressed - displacement;
    lane first = lane_fma(h, h + damped, lane_fnma(weight, m->pressed, mean2));
    lane last = lane_fma(weight, was, mean2);
    lane root = lane_sqrt(lane_max(lane_select(begins, first, last), none));
    lane reach = lane_fnma(m->dt, damped, m->pressed + displacement);
    lane top = plain * lane_select(begins, reach, was);
    lane bottom = m->dt * (root + lane_select(begins, mean + h, lane_abs(mean)));
    // Still closing but about to separate: computed without cancellation.
    lane_mask turns = lane_greater(mean, none) & lane_not(begins);
    top = lane_select(turns, mean + root, top);
    bottom = lane_select(turns, kick, bottom);
    // Without mobility the formula is NaN: use the spring's force.
    lane force = lane_max(lane_min(top / bottom, plain), none);
    lane held = lane_select(begins, 2 * m->mean * m->pressed, plain * displacement);
    return (contact_onset_force){force, LANE_HALF * lane_fma(force, displacement, -held)};
}

LANE_INLINE contact_onset_force contact_onset_spring(const contact_onset_state *m)
{
    const lane none = lane_of(0);
    lane plain = m->plain, kick = m->mobility * m->dt;
    lane_mask begins = lane_greater(m->dt * m->closing, m->pressed);
    lane parting = lane_fnma(kick, plain + m->damping, m->closing);
    lane_mask ends = lane_greater(none, lane_fma(m->dt, parting, m->pressed));
    lane_mask some = (lane_mask)((begins | ends) & lane_greater(m->pressed, none));
    if (__builtin_expect(!lane_any(some), 1)) return (contact_onset_force){plain, none};
    contact_onset_force value = contact_onset_evaluate(m, begins);
    return (contact_onset_force){lane_select(some, value.force, plain),
                                 lane_keep(some, value.pending)};
}
