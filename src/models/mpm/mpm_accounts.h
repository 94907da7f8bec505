// Energy of material points: what left it since the start, or entered it, and what the next step
// needs to balance it.
//
// Symplectic Euler's steps have velocities half a step ago. With J the next impulses but those of
// contact, steps conserve K + V + 1/2 sum J . v, and a transfer that makes u of nodes' v takes K(u)
// - K(v) + 1/2 sum J . (u' - v), where u' is u as points carry it along.
#pragma once

#include "models/mpm/surface/mpm_penalty_contact.h"
#include "models/mpm/transfer/mpm_node_update.h"
#include "models/mpm/transfer/mpm_transfer.h"

typedef struct sherd_mpm_accounts {
    double plastic, contact, friction;
    double work;     // done by walls
    double softened; // done on glue that softens, with what that would give back
    double transfer; // lost by transfers so far [J]
    double after;    // K of nodes after the last step; of points before the first
    double offset;   // 1/2 sum J . v of the last step, less that at the start
    double start;    // 1/2 sum J . v at the start
    double carried;  // what nodes' velocities lose by being carried along, over dt kick [W/s]
    double given;    // kinetic energy that points got from outside since then; reset by steps
    double fastest;  // of waves and points together, in the last step; 0: unknown [m/s]
    double speed;    // the largest component of any point's velocity in it [m/s]
    double closing;  // the largest speed at which a coupled body and points met; fades away [m/s]
} sherd_mpm_accounts;

// Once points went to nodes: books what they lost by plastic flow, and notes what velocities lose
// by being carried along, by stress along the motion of the last step of `last_dt` (0: not in this
// step) [s]. `has_unresolved`: that has unresolved modes.
void sherd_mpm_book_scatter(sherd_mpm_accounts *accounts, const sherd_mpm_transfer *transfer,
                            const sherd_parallel *parallel, double last_dt, bool has_unresolved);

// Books what the way from nodes to points and back has taken, once impulses are known. `last_dt` is
// the length of the step before; 0: there was none [s].
void sherd_mpm_book_transfer(sherd_mpm_accounts *accounts, const sherd_mpm_scattered_energy *now,
                             double last_dt, double kick);

// Books what contact at nodes took.
void sherd_mpm_book_node_contact(sherd_mpm_accounts *accounts, const sherd_mpm_losses *losses);

// Books what springs of surfaces took.
void sherd_mpm_book_penalty(sherd_mpm_accounts *accounts, const sherd_mpm_penalty_losses *losses);

// Kinetic energy of points [J].
double sherd_mpm_kinetic_energy(const sherd_mpm_points *points, const sherd_solid *solids,
                                const sherd_parallel *parallel);
