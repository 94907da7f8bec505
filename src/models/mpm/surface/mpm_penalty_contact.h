// Contact of bodies of material points that stay together (solids) with each other and with
// obstacles, by penalty springs at samples of their surfaces (mpm_body_surface.h).
//
// A spring begins when a sample reaches a face, with an overlap e = 0. The overlap grows with the
// speed of approach of the two sides, interpolated from nodes at points half a cell inside either
// body. The force goes to the nodes by the same weights, so the work done on a spring is the energy
// stored in it, contact loses no energy, and nodes behind a surface are pushed like those before
// it. The stiffness is that of the material between the two points, so bodies between plates have
// the correct stiffness. Friction is a spring along the face that slips by Coulomb's law.
//
// Coupled bodies (mpm_coupling.h) touch by springs, too: samples of points meet their surfaces, and
// their balls meet faces (mpm_coupled_contact.c). Within a grid step they take steps of their own.
// First they move, with the points continuing at constant velocity; then the points get the
// impulses that the springs gave, so momentum is exact.
//
// The velocity at a point y = x_p + d beside a material point is sum w (1 + q (x_i - x_p) . d) v_i
// with q = 3 / h^2 for the cubic kernel and 4 / h^2 for the quadratic one. This is exact for linear
// fields, so forces conserve angular momentum and rolling bodies do not slip. The point that bears
// a force contributes to all nodes that get it, so none of them is too light.
#pragma once

#include "models/mpm/surface/mpm_penalty_springs.h"

void sherd_mpm_penalty_free(sherd_mpm_penalty_contacts *penalty);
size_t sherd_mpm_penalty_bytes(const sherd_mpm_penalty_contacts *penalty);

// Whether bodies of a solid have a lattice of neighbours and a surface. Grains, snow and fluids
// have none.
bool sherd_mpm_has_body_surface(const sherd_solid *solid);

// To be called after points were sorted.
void sherd_mpm_penalty_sort(sherd_mpm_penalty_contacts *penalty, const sherd_mpm_points *points);
// To be called before nodal velocities are updated: finds contact points and adds forces to loads.
// False: memory is short.
bool sherd_mpm_penalty_load(sherd_mpm_penalty_contacts *penalty, const sherd_mpm_penalty_def *def,
                            sherd_mpm_penalty_losses *losses);
// Applies springs to coupled bodies over `dt`, while the points continue at constant velocity.
void sherd_mpm_penalty_push_coupled(sherd_mpm_penalty_contacts *penalty,
                                    const sherd_mpm_penalty_def *def, double dt);
// Applies to nodes the impulses that springs gave to coupled bodies.
void sherd_mpm_penalty_react(const sherd_mpm_penalty_contacts *penalty,
                             const sherd_mpm_penalty_def *def, sherd_mpm_penalty_losses *losses);
// To be called after nodal velocities were updated: advances springs and adds the reactions on
// walls.
bool sherd_mpm_penalty_advance(sherd_mpm_penalty_contacts *penalty,
                               const sherd_mpm_penalty_def *def, sherd_mpm_penalty_losses *losses);
