// Contact parameters of every combination of materials and obstacles, worked out once.
#pragma once

#include "laws/contact/contact_law.h"

// Contact parameters of one material.
typedef struct sherd_contact_material {
    double youngs_modulus; // E [Pa]
    double friction;       // mu
    double restitution;    // e in (0, 1]
} sherd_contact_material;

typedef struct sherd_contact_pairing {
    double modulus; // E_eff [Pa]
    double friction, damping_ratio, tangential_damping;
} sherd_contact_pairing;

// E_eff = 2 E_a E_b / (E_a + E_b): springs in series, as in a bond of two materials; geometric
// means of friction and restitution.
sherd_contact_pairing sherd_contact_pairing_of(const sherd_contact_material *a,
                                               const sherd_contact_material *b);

// Share of the critical damping that settles sticking contacts across n: the normal one within
// these limits, so that perfectly elastic things come to rest too and spins of dull ones stay stable.
#define SHERD_TANGENTIAL_DAMPING_MIN 0.1
#define SHERD_TANGENTIAL_DAMPING_MAX 0.3
