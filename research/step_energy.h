// The energy that one implicit Euler step minimises, over positions and orientations of all elements together, with
// its derivatives: the reference.                                     [IBDEM25] (6), docs/theory/physics.md 4
//
//   Phi(x) = sum 1/2 c m |p - p^|^2 + 1/2 c 4I |q - q^|^2 - m g.p  +  bonds  +  floor,   c = 1/dt^2
//
// x^ is where elements would get without loads, rotations along geodesics: q^ = exp(dt w/2) q_n. At
// |q| = 1 the second term is c 4I (1 - q.q^). A state is seven numbers an element, p and q = (x, y, z, w);
// Phi is defined off the sphere, too.
#pragma once

#include "base/parallel.h"
#include "models/bonded/hessian/bond_energy.h"

typedef struct sherd_ref_floor {
    sherd_vec3 normal; // solid where normal.p < offset; unit length
    double offset;     // [m]
    double stiffness;  // k_c of (33) [N/m]; 0: no floor
} sherd_ref_floor;

typedef struct sherd_ref_step {
    sherd_element_index count; // n
    const double *mass, *radius;
    int64_t bond_count; // m
    const sherd_ref_bond *bonds;
    double inertia;       // c = 1/dt^2 [1/s^2]
    const double *target; // x^ (7 n)
    const double *former; // x_n (7 n) and
    const double *spin;   // w_n (3 n), for methods that integrate otherwise; may be NULL
    sherd_vec3 gravity;   // [m/s^2]
    sherd_ref_floor floor;
    sherd_parallel parallel; // results do not depend on it
} sherd_ref_step;

enum { SHERD_REF_CHUNK = 64 }; // bonds of a chunk of parallel loops

// I = 2/5 m r^2
double sherd_ref_moment(const sherd_ref_step *step, sherd_element_index k);

double sherd_ref_step_energy(const sherd_ref_step *step, const double *x);

// g = dPhi/dx (7 n). `scratch` has room for 14 m numbers.
void sherd_ref_step_gradient(const sherd_ref_step *step, const double *x, double *scratch,
                             double *g);

// d2Phi/dp2 of an element by itself: inertia and floor. With respect to q it is 4 I c.
void sherd_ref_node_hessian(const sherd_ref_step *step, const double *x, sherd_element_index k,
                            double h[3][3]);
