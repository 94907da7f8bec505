// Energy balance of material points: the energy that was dissipated or supplied since the start,
// and what the next step needs to balance it.
//
// In symplectic Euler velocities lag by half a step. Let K be kinetic and V stored energy, and J
// the next impulses except those of contact. Then steps conserve K + V + 1/2 sum J . v. A transfer
// that turns nodal velocities v into u dissipates K(u) - K(v) + 1/2 sum J . (u' - v), where u' is u
// advected with the points.
//
// Between steps J is not known yet. The impulses of the step that was made, in its place, put the
// balance out by (w dt)^2 of the kinetic energy of a vibration of frequency w, as long as it lasts:
// 4 % where glue breaks. J . v is therefore taken to go on growing as it did in this step, but
// beside coupled bodies, which take their part of J at other times.
#pragma once

#include "models/mpm/surface/mpm_penalty_contact.h"
#include "models/mpm/transfer/mpm_node_update.h"
#include "models/mpm/transfer/mpm_transfer.h"

typedef struct sherd_mpm_accounts {
    double plastic, contact, friction;
    double work;     // work done by walls
    double softened; // work done on softening glue, including its recoverable energy
    double transfer; // dissipated by transfers so far [J]
    double after;    // kinetic energy of nodes after the last step; of points before the first
    double last;     // 1/2 sum J . v of the last step, J its impulses
    double growth;   // what J . v / 2 gained by the last step's J, with the v before
    double offset;   // 1/2 sum J . v after the last step, extrapolated, less that at the start
    double start;    // 1/2 sum J . v at the start
    double carried;  // what nodal velocities lose by advection, over dt kick [W/s]
    // kinetic energy that points got from outside since the last step; steps reset it
    double given;
    // sum of wave speed and point speed, largest of the last step; 0: unknown [m/s]
    double fastest;
    double speed;   // largest component of any point's velocity in the last step [m/s]
    double closing; // largest recent speed of approach of a coupled body and points; decays [m/s]
} sherd_mpm_accounts;

// Called after points were transferred to nodes. Adds the plastic dissipation of points, and
// computes what nodal velocities lose by advection, from the work of stress along the motion of the
// last step. `last_dt` [s] is that step's length; 0: skipped in this step. `has_unresolved`: that
// motion contains unresolved modes.
void sherd_mpm_book_scatter(sherd_mpm_accounts *accounts, const sherd_mpm_transfer *transfer,
                            const sherd_parallel *parallel, double last_dt, bool has_unresolved);

// Adds the dissipation of the transfer from nodes to points and back, when impulses are known.
// `last_dt` is the length of the previous step; 0: there was none [s].
void sherd_mpm_book_transfer(sherd_mpm_accounts *accounts, const sherd_mpm_scattered_energy *now,
                             double last_dt, double kick);

// Adds the dissipation of contact at nodes.
void sherd_mpm_book_node_contact(sherd_mpm_accounts *accounts, const sherd_mpm_losses *losses);

// Adds the dissipation of the surface springs.
void sherd_mpm_book_penalty(sherd_mpm_accounts *accounts, const sherd_mpm_penalty_losses *losses);

// Kinetic energy of points [J].
double sherd_mpm_kinetic_energy(const sherd_mpm_points *points, const sherd_solid *solids,
                                const sherd_parallel *parallel);
