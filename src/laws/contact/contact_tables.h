// Contact parameters of every combination of materials and obstacles, computed once.
#pragma once

#include "laws/contact/contact_law.h"

// Contact parameters of one material.
typedef struct sherd_contact_material {
    double youngs_modulus;                  // E [Pa]
    double friction;                        // mu
    double restitution;                     // e in (0, 1]
    sherd_contact_potential_kind potential; // the same for all materials
    double poissons_ratio;                  // nu in [0, 0.5], for potentials that use it
    // of the barrier, > 0 for potentials that have one, the same for all materials [m]
    double width;
    bool walled; // the barrier is infinite, so explicit steps are not possible; the same for all
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

// Stiffness between two spheres, and between a sphere and a flat face.  [BDEM21] (22): k_r = E pi
// r^2 / (r_i + r_j) with the smaller radius, as of a bond. A face acts as the sphere's mirror
// image, half a bond's length away. Hertz's spring is then that of a rigid sphere of infinite
// radius: 4/3 E/(1 - nu^2) sqrt(r).
double sherd_contact_pair_stiffness(const sherd_contact_pairing *pairing, double r_i, double r_j);
double sherd_contact_face_stiffness(const sherd_contact_pairing *pairing, double radius);
contact_spring sherd_contact_pair_spring(const sherd_contact_pairing *pairing, double r_i,
                                         double r_j);
contact_spring sherd_contact_face_spring(const sherd_contact_pairing *pairing, double radius);

// Damping ratio of sticking contacts in the tangential direction: that of the normal direction
// within these limits, so that perfectly elastic bodies come to rest too and the spins of inelastic
// ones are stable.
#define SHERD_TANGENTIAL_DAMPING_MIN 0.1
#define SHERD_TANGENTIAL_DAMPING_MAX 0.3
