// A law's Gauss-Newton stiffness about a loaded state. Used by
// models/bonded/tangent/tangent_kernel.h.
#pragma once

#include "math/lane.h"

// The axis of symmetry of the stiffness: n, the bond's direction, or d, the normal of its sections
// (bond_state.h). Every law with an energy defines an enumerator bond_symmetry_NAME.
typedef enum bond_symmetry { BOND_ABOUT_DIRECTION, BOND_ABOUT_SECTIONS } bond_symmetry;

// The stiffness of an undeformed bond, including damping.
typedef struct bond_reference_stiffness {
    lane along, shear, bend, twist_over; // E S/l0, G S l0/4, E I/l0, (G J - E I)/l0
    lane half_l0;
    lane tension; // E S/l0 without damping
    lane3 d0;     // for BOND_ABOUT_SECTIONS only
} bond_reference_stiffness;

typedef struct bond_tangent {
    // Components along and across the bond, or along and across its sections' normal.
    lane along, across; // against relative displacement              [N/m]
    lane bend;          // against relative rotation across the bond  [N m]
    lane twist_over;    // additional stiffness about the bond          [N m]
    lane pull;          // F / |b| of the normal force in tension, otherwise 0 [N/m]
} bond_tangent;

// `inverse`: of hb^2, the square of half the present length. `pull` is needed only if `tension`.
typedef bond_tangent bond_tangent_function(const bond_reference_stiffness *k, lane inverse,
                                           bool tension);
