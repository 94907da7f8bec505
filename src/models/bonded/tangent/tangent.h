// The tangent stiffness of bonded elements as an operator for linear solvers
// (linear/linear_operator.h): products, matrix-free and in single precision, and the springs of
// single bonds.
//
// The Gauss-Newton stiffness of the bonds' laws: with n, b = p_j - p_i of the present state,
//   e = dp_j - dp_i - (dtheta_i + dtheta_j)/2 x b,    k_e = E S/l0 along n, G S l0/l^2 across
//   k = dtheta_j - dtheta_i,                          k_k = G J/l0 about n, E I/l0 across
// for the quaternion law.
#pragma once

#include "linear/linear_system.h"
#include "models/bonded/storage/adjacency.h"
#include "models/bonded/storage/bond_blocks.h"

typedef struct sherd_tangent sherd_tangent;

// The model whose tangent this is; all pointers are borrowed.
typedef struct sherd_tangent_parts {
    const sherd_elements *elements;
    const sherd_bonds *bonds;
    const sherd_bond_blocks *blocks; // arranged in mixed precision
    const sherd_adjacency *adjacency;
} sherd_tangent_parts;

sherd_tangent *sherd_tangent_create(sherd_error *error);
void sherd_tangent_destroy(sherd_tangent *tangent); // NULL is fine

// Sets model, state, points and graph of a linear system. The parts are borrowed and are read
// whenever the system is prepared; a tangent serves one system at a time.
void sherd_tangent_fill(sherd_tangent *tangent, const sherd_tangent_parts *parts,
                        sherd_linear_system *system);
size_t sherd_tangent_bytes(const sherd_tangent *tangent);
