// Stiffness of the bonded network, linearised about its present state, matrix-free.
// docs/theory/implicit.md
//
// Unknowns are small displacements and rotation vectors, six per element:
//   x = (dp_x, dp_y, dp_z, dtheta_x, dtheta_y, dtheta_z)  of element 0, then of element 1, ...
// A bond's generalised strains and its stiffness:
//   e = dp_j - dp_i - (dtheta_i + dtheta_j)/2 x b,    k_e = E S/l0 along n, G S/l0 across
//   k = dtheta_j - dtheta_i,                          k_k = G J/l0 about n, E I/l0 across
// with E and G the law's moduli (bond_stiffness.h).
#pragma once

#include "base/parallel.h"
#include "linear/eigenvalue.h"
#include "models/bonded/storage/adjacency.h"

typedef struct sherd_network {
    const sherd_elements *elements;
    const sherd_bonds *bonds;
    const sherd_adjacency *adjacency;
    sherd_parallel parallel;
} sherd_network;

// Prepares products y = M^(-1/2) (K + c C) M^(-1/2) x with M the masses and moments of inertia, and
// damping C = sum beta_b K_b over the stiffnesses K_b of intact bonds, c >= 0 [1/s]. With c = 0 its
// eigenvalues are the squares of the angular frequencies [1/s^2]. x and y have 6 n entries and do
// not overlap; products of one operator are made one after the other. Elements whose motion is
// prescribed are treated as free, which can only raise the largest eigenvalue. What the network
// points to must stay until the product is released.
sherd_status sherd_network_prepare(const sherd_network *network, double c,
                                   sherd_prepared_operator *product, sherd_error *error);
