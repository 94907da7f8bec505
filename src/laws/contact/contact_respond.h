// The force between surfaces in contact: a pure function of overlap, velocity and history, on
// lanes.
//                                                                       [BDEM21] (21)-(27)
//   normal       F_n = V'(delta - delta_0) + c v_close, never attractive        [N]
//                V of contact_potentials.h: [BDEM21]'s is 1/2 k_r s^2
//   tangential   F_t = -k_t xi - c_t v_t, |F_t| <= mu F_n                        [N]
//
// n points from j to i; forces are those on i. In addition to the paper: dashpots (from a
// restitution), an initial overlap delta_0 without force for pairs that overlap at the start, and
// an exact account of energy: velocity Verlet changes the kinetic energy by the trapezoid 1/2
// (F_old + F_new) . v_half dt, so the history stores the last forces to compute the same sums.
// Where a contact begins or ends, the spring's force is modified (contact_onset.h), so that the
// trapezoids take the energy from the motion that springs store.
//
// Lanes in contact and lanes that separate are computed alike: pairs that separate have no force,
// and lose their spring's energy.
#pragma once

#include "laws/contact/contact_law.h"
#include "laws/contact/contact_onset.h"
#include "laws/contact/potential_lanes.h"
#include "math/lane.h"

#include <stdbool.h>

// Across n, an element's rotation responds to a force too: 1/m + r^2/I = 3.5/m for a solid sphere. So
// contacts oscillate at the same frequency across n as along it with k_t = k/3.5 = 2/7 k_r.
static const real CONTACT_ACROSS = (real)(1.0 / SHERD_CONTACT_TANGENTIAL_RATIO);

typedef struct contact_law {
    sherd_contact_potential_kind kind; // a constant in vector code, as is `lags`
    lane scale, width;                 // of this potential; its width [m]
    lane stiffness, inverse_stiffness; // k_r [N/m], 1/k_r [m/N]
    lane friction;                     // mu
    lane damping_ratio;                // zeta of the normal dashpot
    lane tangential_damping;           // zeta of the tangential dashpot
    bool lags;                         // whether friction lags
} contact_law;

typedef struct contact_state {
    lane overlap;      // delta; negative: a gap [m]
    lane3 normal;      // n
    lane3 velocity;    // of i's surface relative to j's at the contact [m/s]
    lane inverse_mass; // 1/m, m the effective mass along n [1/kg]
    // the same, with each side weighted by the number of its contacts [1/kg]
    lane weighted_mobility;
    lane
        ahead; // of the closing speed: what the normal dashpot sees beyond it, where many act as one [m/s]
} contact_state;

// See sherd_contact_history and, where friction lags, sherd_obstacle_history.
typedef struct contact_history {
    lane rest_overlap, damping, pressing;
    lane3 spring, tangential;
    lane lasting, filled, slides;
} contact_history;

// See sherd_contact_response.
typedef struct contact_response {
    lane3 force, tangential;
    lane stored, damped, slid, onset, pending;
    lane_mask presses; // spring in contact, beyond the initial overlap
} contact_response;

LANE_INLINE lane3 lane3_keep(lane_mask mask, lane3 a)
{
    return (lane3){lane_keep(mask, a.x), lane_keep(mask, a.y), lane_keep(mask, a.z)};
}

LANE_INLINE lane3 lane3_select(lane_mask mask, lane3 yes, lane3 no)
{
    return (lane3){lane_select(mask, yes.x, no.x), lane_select(mask, yes.y, no.y),
                   lane_select(mask, yes.z, no.z)};
}

// c = 2 zeta sqrt(k m), reduced to c / (1 + c dt/2m), so that the dashpot acts as if its velocity
// were centred in the step, which is exact for an isolated pair; and limited so that dashpots never
// overshoot, however many act on an element:
//   c' <= 1/(g dt),   g = n_i/m_i + n_j/m_j
// with the n contacts that were active on each side in the last step. With u the difference of
// velocities at a contact, (a - b)^2 <= (p + q) (a^2/p + b^2/q) with p, q = n_i/m_i, n_j/m_j gives
//   sum c' u^2 <= sum c' g (m_i v_i^2/n_i + m_j v_j^2/n_j) <= sum m v^2 / dt:
// an explicit step removes at most the whole of any motion. In terms of omega = sqrt(k / m), c' is
// 2 zeta k over the larger of omega + zeta dt omega^2 and 2 zeta dt k g. Without mass there is no
// damping.
LANE_INLINE lane contact_dashpot(lane zeta, lane k, lane omega, lane weighted, lane dt)
{
    lane zeta_dt = zeta * dt, centred = lane_fma(zeta_dt, omega * omega, omega);
    lane c = 2 * zeta * k / lane_max(centred, 2 * zeta_dt * weighted);
    return lane_keep(lane_greater(omega, lane_of(0)), c);
}

// (26), (27): limits F_t = -k_t xi - c v_t to mu F_n and shortens the spring accordingly. No spring
// becomes longer: where the dashpot alone exceeds the limit, as at the start of a fast contact, a
// longer spring would create energy. Returns the lanes that slide.
LANE_INLINE lane_mask contact_limit_friction(const contact_law *law, lane limit, lane3 *force,
                                             lane3 *spring)
{
    lane size = lane_sqrt(lane3_dot(*force, *force));
    lane_mask slides = lane_greater(size, limit);
    lane3 limited = lane3_scale(limit / size, *force);
    lane softness = CONTACT_ACROSS * law->inverse_stiffness, reach = softness * limit;
    lane3 held = lane3_scale(-softness, limited);
    lane_mask longer = lane_greater(lane3_dot(*spring, *spring), reach * reach);
    *force = lane3_select(slides, limited, *force);
    *spring = lane3_select((lane_mask)(slides & longer), held, *spring);
    return slides;
}

// Against obstacles, friction responds to changes of the normal force with a lag, as measured by
// [Prakash, J. Tribol. 120 (1998) 97], for two reasons.
//
// While a contact sticks, the limit does not fall at once: it falls by at most an eighth of the
// spring's stiffness times the slip distance, and within some periods of the contact. If the limit
// fell with slip as fast as springs unload, slip would be unstable, and friction lost at once is
// regained only as springs stretch: vibrating surfaces would have too little friction, and an
// elastic body on a slope would creep by self-sustained slip waves. A rising limit needs no lag, as
// the spring has to stretch first.
//
// While it slides, the limit is mu times the mean normal force over the last periods. If it were
// proportional to the present force, steady sliding of elastic bodies would be unstable, and
// ill-posed against rigid ones [Ranjith & Rice, J. Mech. Phys. Solids 49 (2001) 341]: friction that
// acts a radius below the axis of a rope rotates its beads, their normal forces depend on their
// relative rotation, and such waves grow by half of mu q r in a radian, q their wave number, until they separate and stick. The
// mean dissipates as much as the present force would.
//
// Collisions last half a period and slide with mu N. The mean is weighted by the square of the
// fraction of its periods for which the contact has lasted, and forces that exceed it by far, as in
// an impact, act at once and do not enter the mean. Sticking friction is at most mu times a
// multiple of the mean force, which in a collision is 1/(pi CONTACT_LASTING) of its largest force.
// All of this ends when the contact ends. It contains no length, force or speed: it is the same at
// every scale.
static const real CONTACT_LAG_STIFFNESS = (real)(SHERD_CONTACT_TANGENTIAL_RATIO / 8),
                  CONTACT_LAG_PERIODS = 30, CONTACT_LASTING = 60, CONTACT_MAX_LAG = 6,
                  CONTACT_BLOW = 2;

// The normal force for sliding friction; updates the means. The fraction `fraction` of their periods
// has passed.
LANE_INLINE lane contact_rubbing_force(contact_history *history, lane normal_force, lane fraction)
{
    lane mean = history->lasting, filled = history->filled;
    lane slow = normal_force + filled * (mean - filled * normal_force);
    lane blow = lane_max(lane_fnma(lane_of(CONTACT_BLOW), mean, normal_force) - slow, lane_of(0));
    history->lasting = lane_fma(fraction, normal_force - blow - mean, mean);
    history->filled = lane_fma(fraction, 1 - filled, filled);
    return slow + blow;
}

LANE_INLINE lane contact_lagging_limit(const contact_law *law, contact_history *history,
                                       lane normal_force, lane3 v_t, lane omega, lane dt)
{
    lane limit = law->friction * normal_force;
    if (!law->lags) return limit;
    lane periods = dt * omega * (1 / (real)(2.0 * M_PI));
    lane rubs = law->friction *
                contact_rubbing_force(history, normal_force, periods * (1 / CONTACT_LASTING));
    lane cap = CONTACT_MAX_LAG * law->friction * history->lasting;
    lane held = lane_sqrt(lane3_dot(history->tangential, history->tangential));
    lane displacement = dt * lane_sqrt(lane3_dot(v_t, v_t));
    lane limit_now = lane_fnma(CONTACT_LAG_STIFFNESS * law->stiffness, displacement, held);
    limit_now =
        lane_min(lane_fnma(periods * (1 / CONTACT_LAG_PERIODS), held - limit, limit_now), cap);
    lane_mask slides = lane_greater(history->slides, lane_of(0));
    return lane_keep(lane_greater(normal_force, lane_of(0)),
                     lane_max(limit_now, lane_select(slides, rubs, limit)));
}

// (23)-(27): advances the friction spring by v_t dt and limits it; F_t goes to out->tangential.
// Where the contact ends, the spring ends and its energy is lost.
LANE_INLINE void contact_friction(const contact_law *law, const contact_state *at,
                                  contact_history *history, lane normal_force, lane closing, lane c,
                                  lane omega, lane dt, contact_response *out)
{
    lane k_t = (real)SHERD_CONTACT_TANGENTIAL_RATIO * law->stiffness;
    lane3 v_t = lane3_add_scaled(at->velocity, closing, at->normal);
    lane limit = contact_lagging_limit(law, history, normal_force, v_t, omega, dt);
    lane before = LANE_HALF * k_t * lane3_dot(history->spring, history->spring);
    lane3 spring = lane3_sub_scaled(history->spring, lane3_dot(history->spring, at->normal),
                                    at->normal);                       // (23)
    spring = lane3_add_scaled(spring, dt, v_t);                        // (24)
    lane3 force = lane3_sub_scaled(lane3_scale(-k_t, spring), c, v_t); // (26)
    lane_mask slides = contact_limit_friction(law, limit, &force, &spring);
    force = lane3_keep(out->presses, force);
    spring = lane3_keep(out->presses, spring);
    lane after = LANE_HALF * k_t * lane3_dot(spring, spring);
    lane3 v = lane3_select(out->presses, v_t, at->velocity);
    lane lost = lane_fnma(LANE_HALF * dt, lane3_dot(lane3_add(history->tangential, force), v),
                          before - after);
    lane slid = lane_keep((lane_mask)(slides | lane_not(out->presses)), lost);
    out->slid = slid;
    out->damped += lost - slid;
    out->stored += after;
    history->spring = spring;
    history->tangential = out->tangential = force;
    history->lasting = lane_keep(out->presses, history->lasting);
    history->filled = lane_keep(out->presses, history->filled);
    history->slides = lane_keep((lane_mask)(out->presses & slides), lane_of(1));
}

// The difference between the work taken by the trapezoid of the spring's forces and the change of
// the spring's energy: 0 except where a contact begins or ends. The previous energy follows from
// the previous position of the surfaces: `reach` is the overlap minus the initial overlap, negative
// for a gap. Without previous contact it was zero.
LANE_INLINE lane contact_onset_loss(const contact_law *law, lane reach, lane pressed, lane closing,
                                    lane before, lane now, lane dt)
{
    const lane none = lane_of(0);
    lane displacement = dt * closing;
    lane was = lane_keep(lane_greater(before, none), lane_max(reach - displacement, none));
    lane gained = contact_gained(law->kind, law->scale, law->width, was, pressed);
    return LANE_HALF * lane_fma(before + now, displacement, -gained);
}

// One evaluation, dt after the last one (0: nothing has moved since).
LANE_INLINE contact_response contact_respond(const contact_law *law, const contact_state *at,
                                             contact_history *history, real time_step)
{
    const lane none = lane_of(0), dt = lane_of(time_step);
    lane k = law->stiffness, overlap = lane_max(at->overlap, none);
    lane reach = at->overlap - history->rest_overlap;
    // The initial overlap decreases as the pair separates.
    history->rest_overlap = lane_min(overlap, history->rest_overlap);
    lane pressed = overlap - history->rest_overlap;
    contact_response out = {.presses = lane_greater(pressed, none)};
    lane closing = -lane3_dot(at->velocity, at->normal);
    lane tangent = contact_tangent(law->kind, law->scale, law->width, pressed);
    lane c = contact_dashpot(law->damping_ratio, tangent, lane_sqrt(tangent * at->inverse_mass),
                             tangent * at->weighted_mobility, dt);
    lane seen = closing + at->ahead;
    lane omega = lane_sqrt(k * at->inverse_mass), weighted = k * at->weighted_mobility;
    lane k_t = (real)SHERD_CONTACT_TANGENTIAL_RATIO * k; // times 3.5/m: the same omega
    lane c_t = contact_dashpot(law->tangential_damping, k_t, omega, weighted, dt);
    lane plain = contact_force(law->kind, law->scale, law->width, pressed); // (22)
    lane mean_force = contact_mean_force(law->kind, law->scale, law->width, pressed);
    contact_onset_state state = {.pressed = pressed,
                                 .closing = closing,
                                 .damping = c * seen,
                                 .plain = plain,
                                 .mean = mean_force,
                                 .mobility = at->inverse_mass,
                                 .dt = dt};
    contact_onset_force value = contact_onset_spring(&state);
    lane spring_force = value.force;
    lane normal_force = lane_keep(out.presses, lane_max(lane_fma(c, seen, spring_force), none));
    lane damping = normal_force - spring_force; // no spring force without pressing
    out.damped = LANE_HALF * dt * (history->damping + damping) * closing;
    out.onset =
        contact_onset_loss(law, reach, pressed, closing, history->pressing, spring_force, dt);
    out.pending = value.pending;
    out.stored = lane_fma(mean_force, pressed, value.pending);
    history->damping = damping;
    history->pressing = spring_force;
    contact_friction(law, at, history, normal_force, closing, c_t, omega, dt, &out);
    out.force = lane3_add_scaled(out.tangential, normal_force, at->normal);
    return out;
}
