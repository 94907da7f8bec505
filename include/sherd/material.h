// Materials of elements and bonds.    docs/theory/physics.md 2, 3
#pragma once

#include <sherd/field.h>
#include <sherd/laws.h>
#include <sherd/types.h>

// Half the width of a bond's section, of the radii of its ends. Packings that know their bonds' sections have them
// whatever this is.
typedef enum sherd_bond_radius {
    SHERD_BOND_RADIUS_MEAN = 0, // [BDEM21] (2)
    SHERD_BOND_RADIUS_MINIMUM,  // [RBDEM] 3.3.2
} sherd_bond_radius;

SHERD_API extern const char
    *const sherd_bond_radius_words[]; // in the order of the enum, NULL-terminated

// Of ends of these radii [m].
static inline double sherd_bond_radius_between(sherd_bond_radius of, double r_i, double r_j)
{
    if (of == SHERD_BOND_RADIUS_MINIMUM) return r_i < r_j ? r_i : r_j;
    return 0.5 * (r_i + r_j);
}

// Which Drucker-Prager cone an angle of friction means, sin phi = (s1 - s3) / (s1 + s3).
typedef enum sherd_friction_cone {
    SHERD_FRICTION_CONE_COMPRESSION = 0, // alpha = sqrt(2/3) 2 sin / (3 - sin): in compression
    SHERD_FRICTION_CONE_MEAN,            // alpha = sqrt(2) sin / 3: between that and extension
} sherd_friction_cone;

SHERD_API extern const char
    *const sherd_friction_cone_words[]; // in the order of the enum, NULL-terminated

typedef struct sherd_material_def {
    uint32_t cookie;       // set by sherd_material_def_default; anything else is refused
    const char *name;      // for messages; copied, may be NULL
    double density;        // of an element [kg/m^3], > 0, default 2600
    double youngs_modulus; // E of bonds [Pa], > 0, default 1e9
    double shear_modulus;  // G of bonds [Pa], > 0, default 4e8
    sherd_bond_law law;    // default SHERD_BOND_LAW_QUATERNION
    double
        shear_correction; // kappa of the shear stiffness kappa G S [-], (0, 1]; 0 = the law's own (default):
                          // 5/6 of rods, 1 of others
    sherd_bond_radius bond_radius; // default SHERD_BOND_RADIUS_MEAN, of all laws
    sherd_breakage breakage;       // default SHERD_BREAKAGE_TENSILE, of all laws
    double tensile_strength;       // sigma_c [Pa], > 0, INFINITY = never; default INFINITY
    double shear_strength;         // tau_c [Pa], > 0, INFINITY = never; default INFINITY
    // Bonds that reach their strength soften: their traction falls linearly, to zero where their share of a crack's area
    // has taken G_f, and they break (docs/theory/physics.md 3). Both 0, the default: they break at once.
    double fracture_energy; // G_f of a crack [J/m^2], > 0, 0 = of the toughness
    double
        fracture_toughness; // K_Ic [Pa m^0.5], > 0, 0 = of the energy: G_f = K_Ic^2 (1 - nu^2) / E with
                            // nu = E / (2 G) - 1, taken as 0 below and 0.5 above these
    // Bonds that store more than their share of G_f at their strength, being too long, are made weaker, which keeps G_f
    // (sherd_world_body_bonds tells how much); strict refuses bodies that have such bonds. Default false
    bool strict;
    // Bonds of rods (law ROD) yield at yield_stress: radial return on the rod's strains, all of them together
    // (docs/theory/physics.md 3). Factors on a bond's strengths are on its yield stress, too.
    double yield_stress; // sigma_y [Pa], > 0, INFINITY = never; default INFINITY
    double
        hardening_modulus; // H_m: slope of the yield stress over plastic strain [Pa], >= 0, default 0
    // A bond breaks where its plastic elongation alpha is over fracture_strain times its length, or over
    // fracture_displacement, whatever its length; at most one of them. Both 0, the default: it does not break by it.
    double fracture_strain;       // eps_f [-], > 0, 0 = none
    double fracture_displacement; // [m], > 0, 0 = none
    // Bonds over their strength take time to break: damage grows by (ratio - 1)^n / rate_time of stress over strength, and
    // one whose damage is 1 breaks (docs/theory/physics.md 3). Not together with softening, yielding, or criteria of elements.
    double rate_time;       // t_c [s], > 0, 0 = they break at once (default)
    double rate_exponent;   // n [-], (0, 20], default 2
    double weibull_modulus; // m of both strengths' scatter, >= 1; 0 = no scatter (default).
                            // Strengths keep their means; one random factor per bond
    double bond_damping;    // damping ratio of a bond's stretch between its two elements, >= 0,
                            // default 0.02. All modes get the same relaxation time:
                            //   c = beta k,  beta = 2 zeta sqrt(m_eff / k_n)
    double restitution; // rebound speed / impact speed of two such elements, (0, 1], default 0.5
    double friction;    // Coulomb coefficient, >= 0; NAN, the default = 0.3, of FLUID 0
    double grain_stiffening;    // lambda >= 0 of [BDEM21] (30): E, G times 1 + lambda (d_g . d_b)^4
    double grain_strengthening; // the same for strengths, default 0
    sherd_vec3 grain_direction; // d_g in the body's rest frame; normalised; default x
    uint64_t seed;              // of the strengths' scatter
    // Of bodies of material points, which have no bonds: density, youngs_modulus and shear_modulus are then the solid's,
    // nu = E / (2 G) - 1, and yield_stress that of von Mises with HENCKY. Default BONDED: elements and bonds.
    sherd_solid_model model;
    double friction_angle;             // SAND: phi [rad], 0 < phi < pi/2
    sherd_friction_cone friction_cone; // SAND: default MEAN
    // SNOW: principal stretches stay in [1 - compression, 1 + extension]; moduli go with exp(hardening (1 - J_p)).
    double critical_compression, critical_extension; // (0, 0.5], defaults 0.025 and 0.0075
    double hardening;                                // >= 0, default 10
    double bulk_modulus;                             // FLUID: K [Pa], > 0; 0 = not given
    double fluid_exponent; // FLUID: gamma of p = K / gamma (J^-gamma - 1), > 1, default 7
} sherd_material_def;

SHERD_API sherd_material_def sherd_material_def_default(void);
SHERD_API const sherd_definition *sherd_material_def_fields(void);

// Factors on one bond's moduli and strengths, >= 0; where one is 0 the bond is broken from the start,
// a pre-crack.
typedef struct sherd_bond_scale {
    double stiffness, strength;
} sherd_bond_scale;

// Of the bond between elements at `i` and `j`, positions in the body's rest frame. Called from several
// threads at once.
typedef sherd_bond_scale sherd_bond_scale_function(const void *context, sherd_vec3 i, sherd_vec3 j);

// The face of a pre-crack near an element. Contacts of elements that look at each other across one act along it, so
// that faces slide on each other (docs/notebook/decisions/0018).
typedef struct sherd_cut_face {
    int cut;         // which one; both its sides have the same number, from 0
    double distance; // of the element's centre from it, along `normal`, >= 0 [m]
    double
        beyond; // how far the place of the face that it looks at lies past the cut's edge [m]; 0: within
    sherd_vec3 normal; // unit, from the element to the face
} sherd_cut_face;

// Of an element at `x` in the body's rest frame: writes at most `most` faces nearer than `reach` and returns how
// many.
typedef int sherd_cut_face_function(const void *context, sherd_vec3 x, double reach, int most,
                                    sherd_cut_face *faces);
