// Contact of bodies of material points that stay together, with each other and with obstacles, by
// springs at samples of their surfaces (mpm_body_surface.h).
//
// A spring begins where a sample reaches a face, with an overlap e of 0, and e grows with the rate
// at which both sides approach each other, by the velocities that nodes have at places half a cell
// inside either side. Its force is given to nodes by the same weights, so that the work that it
// takes is the energy that it holds: nothing is lost where bodies touch, and nodes behind a body
// are pushed as those before it. Its stiffness is that of the material between both places, so that
// bodies between plates are as stiff as they should be. Friction is a spring along the face that
// slips where it bears more than Coulomb allows.
//
// Coupled bodies (mpm_coupling.h) touch likewise: samples their surfaces, and their balls faces
// (mpm_coupled_contact.c). They take steps of their own within one of the grid's: first they move
// against points that stand still, and then points against coupled bodies that do, with the
// impulses that springs gave, so that what a spring gives one side it takes from the other.
//
// Nodes' velocities at a place y = x_p + d beside a point are sum w (1 + q (x_i - x_p) . d) v_i, q
// = 3 / h^2 with the cubic kernel and 4 / h^2 with the quadratic one: exact for linear fields, so
// that forces keep angular momentum and what rolls does not slip. A point that bears a force is
// itself at the nodes that get it, so that none is too light for it.
#pragma once

#include "models/mpm/surface/mpm_penalty_springs.h"

void sherd_mpm_penalty_free(sherd_mpm_penalty_contacts *penalty);
size_t sherd_mpm_penalty_bytes(const sherd_mpm_penalty_contacts *penalty);

// Whether points of a solid stay together, so that its bodies have a lattice and a surface: grains,
// snow and fluids have none.
bool sherd_mpm_has_body_surface(const sherd_solid *solid);

// Points have been sorted.
void sherd_mpm_penalty_sort(sherd_mpm_penalty_contacts *penalty, const sherd_mpm_points *points);
// Before nodes move: finds what touches, and adds forces to loads. False: memory is short.
bool sherd_mpm_penalty_load(sherd_mpm_penalty_contacts *penalty, const sherd_mpm_penalty_def *def,
                            sherd_mpm_penalty_losses *losses);
// Coupled bodies, as they are now, are pushed over `dt` by springs whose other side has not moved
// yet.
void sherd_mpm_penalty_push_coupled(sherd_mpm_penalty_contacts *penalty,
                                    const sherd_mpm_penalty_def *def, double dt);
// Nodes get what springs gave coupled bodies.
void sherd_mpm_penalty_react(const sherd_mpm_penalty_contacts *penalty,
                             const sherd_mpm_penalty_def *def, sherd_mpm_penalty_losses *losses);
// After nodes moved: springs follow, and walls get their reactions.
bool sherd_mpm_penalty_advance(sherd_mpm_penalty_contacts *penalty,
                               const sherd_mpm_penalty_def *def, sherd_mpm_penalty_losses *losses);
