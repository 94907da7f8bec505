// Contact potentials V(s), s = overlap - rest [m]; their table is in sherd/laws.h. They are used by
// explicit contacts, by trial contacts of implicit steps, by the bound of time steps, and in energy
// accounts where contacts begin and end. To add a potential: add a row there, and a file with its
// functions (potential_linear.h is the shortest); vector kernels are compiled once for each row.
// Implicit steps may add a barrier to any of them (contact_barrier.h).
//
// Each potential NAME defines these SIMD functions of its scale (its stiffness, in its own unit), its
// width [m] and s >= 0:
//
//   NAME_scale(k_r, modulus, radius)      the scale; E/(1 - nu^2) and the radius of sherd_contact_spring_of
//   NAME_force(scale, width, s)           dV/ds
//   NAME_mean_force(scale, width, s)      V/s
//   NAME_tangent(scale, width, s)         d2V/ds2, >= 0 and not falling with s
//   NAME_gained(scale, width, from, to)   2 (V(to) - V(from)), exact where both are close
//   NAME_mean_depth(scale, width, F)      V/F at the force F; of doubles
//
// Forces are proportional to the scale. Dashpots depend on the tangent, friction on the linear
// stiffness k_r.
#pragma once

#include <sherd/laws.h>

#ifdef SHERD_LANES // defined before the first include
#include "laws/contact/potential_barrier.h"
#include "laws/contact/potential_hertz.h"
#include "laws/contact/potential_linear.h"
#endif

typedef struct contact_potential_value {
    double energy;  // [J], infinite beyond a barrier
    double force;   // N >= 0 [N]
    double tangent; // dN/ds >= 0 [N/m]
} contact_potential_value;

// One spring. All zero: a linear one without stiffness.
typedef struct contact_spring {
    sherd_contact_potential_kind kind;
    double scale; // k_r for a linear spring
    double width; // of potentials that have one [m]
    bool walled;  // V is infinite at s = width, which explicit steps can't integrate
    // > 0, of walled ones: V continues from limit * width with constant tangent (contact_barrier.h)
    double limit;
} contact_spring;

// The spring of a contact of linear stiffness k_r, without width.
contact_spring sherd_contact_spring_of(sherd_contact_potential_kind kind, double stiffness,
                                       double modulus, double radius);

// The push at s >= 0. Infinite energy: beyond the barrier.
contact_potential_value sherd_contact_spring_evaluate(const contact_spring *spring, double s);

// Spring and dashpot of one implicit step, without adhesion: V(s) + 1/2 dashpot (s - start)^2 minus
// its minimum, where it increases with s > 0; `dashpot` is c/dt [N/m], and `start` is s at the
// start of the step [m].
contact_potential_value sherd_contact_damped_evaluate(const contact_spring *spring, double dashpot,
                                                      double start, double s);

// The square of the rebound speed from a spring compressed by s, over the body's mobility: 2 V(s)
// [J].
double sherd_contact_spring_rebound2(const contact_spring *spring, double s);

// V at the force F, over F [m].
double sherd_contact_spring_mean_depth(const contact_spring *spring, double force);
