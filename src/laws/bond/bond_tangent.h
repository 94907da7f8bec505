// A law's Gauss-Newton stiffness about a state in which forces may act.
// Its use: models/bonded/tangent/tangent_kernel.h.
#pragma once

#include "math/lane.h"

// What the stiffness is symmetric about: n, the bond's direction, or d, the normal of its sections (bond_state.h).
// Every law with an energy says so by an enumerator bond_symmetry_NAME.
typedef enum bond_symmetry { BOND_ABOUT_DIRECTION, BOND_ABOUT_SECTIONS } bond_symmetry;

// Of a bond at rest, with damping's share.
typedef struct bond_at_rest {
    lane along, shear, bend, twist_over; // E S/l0, G S l0/4, E I/l0, (G J - E I)/l0
    lane half_l0;
    lane tension; // E S/l0 without damping
    lane3 d0;     // BOND_ABOUT_SECTIONS alone
} bond_at_rest;

typedef struct bond_tangent {
    // Along and across the bond or its sections' normal.
    lane along, across; // against relative displacement              [N/m]
    lane bend;          // against relative rotation across the bond  [N m]
    lane twist_over;    // about the bond, beyond that                [N m]
    lane pull;          // F / |b| of the normal force where that is tension, otherwise 0 [N/m]
} bond_tangent;

// `inverse`: of hb^2, the square of half the present length. `pull` is wanted only if `tension`.
typedef bond_tangent bond_tangent_function(const bond_at_rest *k, lane inverse, bool tension);
