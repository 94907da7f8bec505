// The quaternion energy of one bond with its exact derivatives, written to be read, in double
// precision: the reference for fast code.               [IBDEM25] (7)-(11) as corrected, docs/theory/physics.md 2
//
//   V = 1/2 kn (l - l0)^2 + 1/2 ks theta^2 + 1/2 t.K t
//   theta = angle(n, d),  n = b / l,  d = R(q_c) d0,  q_c = s / |s|,  t = 2 G_l(q_j) q_i
//   b = p_j - p_i,  s = q_i + q_j (q_j's sign such that q_i.q_j >= 0),  K = bend (1 - d0 d0') + twist d0 d0'
//
// An end is seven numbers x = (p, q) with q = (x, y, z, w), in which V is defined for every q, of unit
// length or not, as printed: stretch and shear don't depend on the lengths of quaternions, bending and
// twisting grow with them. The derivatives are with respect to all 14 numbers of both ends; nullspace.h
// restricts them to rotations. The shear of folds beyond a third of a turn does not fade here
// (bond_fold_fading in laws/bond/bond_state.h).
#pragma once

#include "models/bonded/storage/bonds.h"

enum { SHERD_REF_END = 7, SHERD_REF_PAIR = 14 };

static const sherd_bond_law SHERD_REF_BOND_LAW = SHERD_BOND_LAW_QUATERNION; // whose energy that is

typedef struct sherd_ref_bond {
    sherd_element_index i, j;
    sherd_vec3 d0;      // rest direction i -> j
    double l0;          // [m]
    double stretch;     // kn = E S / l0              [N/m]
    double shear;       // ks = G S l0                [N m]
    double bend, twist; // E I_b / l0, G J_b / l0     [N m]
} sherd_ref_bond;

typedef enum sherd_ref_hessian {
    SHERD_REF_FULL = 0,     // exact
    SHERD_REF_GAUSS_NEWTON, // J' K J of the strains l - l0, theta along n - d, t: never indefinite
} sherd_ref_hessian;

sherd_ref_bond sherd_ref_bond_of(const sherd_bonds *bonds, const sherd_elements *elements,
                                 int64_t bond);

// [J]. Not finite where the ends coincide.
double sherd_ref_bond_energy(const sherd_ref_bond *bond, const double *x_i, const double *x_j);

// dV/d(x_i, x_j)
void sherd_ref_bond_gradient(const sherd_ref_bond *bond, const double *x_i, const double *x_j,
                             double gradient[SHERD_REF_PAIR]);

// d2V/d(x_i, x_j)2, or its Gauss-Newton part.
void sherd_ref_bond_hessian(const sherd_ref_bond *bond, const double *x_i, const double *x_j,
                            sherd_ref_hessian kind, double hessian[SHERD_REF_PAIR][SHERD_REF_PAIR]);
