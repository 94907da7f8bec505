// The exact Hessian of the bonds' energy on the manifold as an operator for linear solvers
// (linear/linear_operator.h), stored in single precision: [IBDEM25] (23)-(29), and with every bond's
// part projected to positive semi-definite (its 5.2). Coarse levels of a multigrid solver take the
// springs of the Gauss-Newton tangent (tangent.h).
//
//   A = c M + (1 + c' beta) H
//
// M's rotational part on the sphere is I q.q^, the curvature of the inertia term included.
#pragma once

#include "linear/linear_system.h"
#include "models/bonded/tangent/tangent.h"

typedef struct sherd_bond_hessians sherd_bond_hessians;

sherd_bond_hessians *sherd_bond_hessians_create(sherd_error *error);
void sherd_bond_hessians_destroy(sherd_bond_hessians *hessians); // NULL is fine
size_t sherd_bond_hessians_bytes(const sherd_bond_hessians *hessians);

typedef struct sherd_bond_hessian_parts {
    sherd_tangent_parts model; // bonds of the quaternion law that neither yield nor soften
    bool projected;
    double *const *target; // q^ of the inertia term, four columns (n); NULL: I in place of I q.q^
} sherd_bond_hessian_parts;

// Replaces the operator of a system that sherd_tangent_fill has filled. Everything is borrowed until
// the system is solved.
void sherd_bond_hessians_fill(sherd_bond_hessians *hessians, const sherd_bond_hessian_parts *parts,
                              sherd_linear_system *system);
