// Contact parameters of every combination of materials and obstacles, computed once.
#pragma once

#include "laws/contact/contact_law.h"

// Contact parameters of one material.
typedef struct sherd_contact_material {
    double youngs_modulus;                  // E [Pa]
    double friction;                        // mu
    double restitution;                     // e in (0, 1]
    sherd_contact_potential_kind potential; // the same of all
    double poissons_ratio;                  // nu in [0, 0.5]: of potentials that use it
    double width; // of the barrier, > 0 of potentials that have one, the same of all [m]
    bool walled;  // that is infinite: no explicit steps are made; the same of all
} sherd_contact_material;

typedef struct sherd_contact_pairing {
    sherd_contact_potential_kind potential;
    double width; // [m]
    bool walled;
    double modulus;       // E_eff [Pa]
    double plane_modulus; // the same of E/(1 - nu^2) [Pa]
    double friction, damping_ratio, tangential_damping;
} sherd_contact_pairing;

// E_eff = 2 E_a E_b / (E_a + E_b): springs in series, as in a bond of two materials; geometric
// means of friction and restitution.
sherd_contact_pairing sherd_contact_pairing_of(const sherd_contact_material *a,
                                               const sherd_contact_material *b);

// Of two spheres, and of a sphere with a flat face.  [BDEM21] (22): k_r = E pi r^2 / (r_i + r_j) with the smaller
// radius, that of a bond. A face is the sphere's mirror image, half a bond's length away. That makes Hertz's spring of
// it the one of a rigid sphere of infinite radius: 4/3 E/(1 - nu^2) sqrt(r).
double sherd_contact_pair_stiffness(const sherd_contact_pairing *pairing, double r_i, double r_j);
double sherd_contact_face_stiffness(const sherd_contact_pairing *pairing, double radius);
contact_spring sherd_contact_pair_spring(const sherd_contact_pairing *pairing, double r_i,
                                         double r_j);
contact_spring sherd_contact_face_spring(const sherd_contact_pairing *pairing, double radius);

// Damping ratio of sticking contacts across n: the normal one within these limits, so that perfectly elastic bodies
// come to rest too and the spins of inelastic ones stay stable.
#define SHERD_TANGENTIAL_DAMPING_MIN 0.1
#define SHERD_TANGENTIAL_DAMPING_MAX 0.3
