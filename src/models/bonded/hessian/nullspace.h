// The nullspace operators of a quaternion ([IBDEM25] (47)-(49)) and what they make of derivatives in
// (p, q): derivatives over positions and rotations, six an element.
//
// Rotations are world vectors: dtheta turns q into exp(dtheta / 2) q, so dq = 1/2 G_r(q)' dtheta. With
// f a function of q in four dimensions, at |q| = 1 and along geodesics,
//
//   df/dtheta     = 1/2 G_r grad f                                    (minus the torque)
//   d2f/dtheta2   = 1/4 [ G_r (Hess f) G_r' - (q.grad f) 1 ]          (23)-(29)
//
// The second term is the curvature of the sphere: a geodesic leaves its tangent towards -q.
#pragma once

#include "models/bonded/hessian/bond_energy.h"

enum { SHERD_REF_MOTION = 6, SHERD_REF_PAIR_MOTION = 12 };

// G_l(q) = (w 1 - u x, -u):  G_l(q) p = Im(conj(q) p)
void sherd_ref_left_nullspace(const double q[4], double g[3][4]);

// G_r(q) = (w 1 + u x, -u):  G_r(q) p = Im(p conj(q))
void sherd_ref_right_nullspace(const double q[4], double g[3][4]);

// out = (g_p, g_theta) of g = (g_p, g_q), at x = (p, q).
void sherd_ref_restrict_gradient(const double *x, const double *g, double *out);

// Of a bond: 14 x 14 at (x_i, x_j) to 12 x 12. The gradient gives the curvature term; NULL leaves it out
// (Gauss-Newton).
void sherd_ref_restrict_hessian(const double *x_i, const double *x_j, const double *gradient,
                                const double hessian[SHERD_REF_PAIR][SHERD_REF_PAIR],
                                double out[SHERD_REF_PAIR_MOTION][SHERD_REF_PAIR_MOTION]);

// Nine coordinates in which a bond's matrix is the same matrix: (p_j - p_i) / sqrt(2) in bond lengths, and
// both rotations in half angles; moving both ends alike costs nothing.
enum { SHERD_REF_SHARED = 9 };
void sherd_ref_to_shared(double length,
                         double hessian[SHERD_REF_PAIR_MOTION][SHERD_REF_PAIR_MOTION],
                         double shared[SHERD_REF_SHARED][SHERD_REF_SHARED]);
void sherd_ref_from_shared(double length, double shared[SHERD_REF_SHARED][SHERD_REF_SHARED],
                           double hessian[SHERD_REF_PAIR_MOTION][SHERD_REF_PAIR_MOTION]);

// Projects a bond's matrix to positive semi-definite. What that gives depends on units: lengths count in
// bond lengths, rotations in quaternions (half angles).
void sherd_ref_project_hessian(double length,
                               double hessian[SHERD_REF_PAIR_MOTION][SHERD_REF_PAIR_MOTION]);
