// What elements and bonds are made of.    docs/physics.md 2, 3
#pragma once

#include <sherd/error.h>
#include <sherd/types.h>

typedef enum sherd_bond_law {
    SHERD_BOND_LAW_QUATERNION = 0, // energy of [IBDEM25] (7)-(11), as corrected; the default
    SHERD_BOND_LAW_LU,             // forces of [BDEM21] (3)-(16); not the gradient of an energy
} sherd_bond_law;

typedef enum sherd_breakage {
    SHERD_BREAKAGE_TENSILE = 0, // signed normal force, tension positive; the default
    SHERD_BREAKAGE_ABSOLUTE,    // |F_n| as printed in [BDEM21] (17): compression breaks too
    SHERD_BREAKAGE_NONE,        // unbreakable
} sherd_breakage;

typedef struct sherd_material_def {
    uint32_t cookie;       // set by sherd_material_def_default; anything else is refused
    const char *name;      // for messages; copied, may be NULL
    double density;        // of an element [kg/m^3], > 0, default 2600
    double youngs_modulus; // E of bonds [Pa], > 0, default 1e9
    double shear_modulus;  // G of bonds [Pa], > 0, default 4e8
    sherd_bond_law law;
    sherd_breakage breakage;
    double tensile_strength; // sigma_c [Pa], > 0, INFINITY = never; default INFINITY
    double shear_strength;   // tau_c [Pa], > 0, INFINITY = never; default INFINITY
    double weibull_modulus;  // m of both strengths' scatter, >= 1; 0 = no scatter (default).
                             // Strengths keep their means; one random factor per bond
    double bond_damping;     // damping ratio of a bond's stretch between its two elements, >= 0,
                             // default 0.02. All modes get the same relaxation time:
                             //   c = beta k,  beta = 2 zeta sqrt(m_eff / k_n)
    double restitution; // rebound speed / impact speed of two such elements, (0, 1], default 0.5
    double friction;    // Coulomb coefficient, >= 0, default 0.3
    double grain_stiffening;    // lambda >= 0 of [BDEM21] (30): E, G times 1 + lambda (d_g . d_b)^4
    double grain_strengthening; // the same for strengths, default 0
    sherd_vec3 grain_direction; // d_g in the body's rest frame; normalised; default x
    uint64_t seed;              // of the strengths' scatter
} sherd_material_def;

SHERD_API sherd_material_def sherd_material_def_default(void);

// SHERD_ERROR_INPUT with where = "NAME.field" for the first field out of its range.
SHERD_API sherd_status sherd_material_def_check(const sherd_material_def *def, sherd_error *error);

// Factors on one bond's moduli and strengths, >= 0; where one is 0 the bond is broken from the start,
// a pre-crack.
typedef struct sherd_bond_scale {
    double stiffness, strength;
} sherd_bond_scale;

// Of the bond between elements at `i` and `j`, positions in the body's rest frame. Called from several
// threads at once.
typedef sherd_bond_scale sherd_bond_scale_function(const void *context, sherd_vec3 i, sherd_vec3 j);
