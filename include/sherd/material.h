// Materials of elements and bonds.    docs/theory/physics.md 2, 3
#pragma once

#include <sherd/field.h>
#include <sherd/laws.h>
#include <sherd/types.h>

// Radius of a bond's round section from the radii of its ends. Packings that know their bonds'
// sections override it.
typedef enum sherd_bond_radius {
    SHERD_BOND_RADIUS_MEAN = 0, // the mean                 [BDEM21] (2)
    SHERD_BOND_RADIUS_MINIMUM,  // the smaller one          [RBDEM] 3.3.2
} sherd_bond_radius;

// Their words in the order of the enum, NULL-terminated.
SHERD_API extern const char *const sherd_bond_radius_words[];

// Returns the radius of a bond between ends of radius r_i and r_j [m].
static inline double sherd_bond_radius_between(sherd_bond_radius of, double r_i, double r_j)
{
    if (of == SHERD_BOND_RADIUS_MINIMUM) return r_i < r_j ? r_i : r_j;
    return 0.5 * (r_i + r_j);
}

// The Drucker-Prager cone for an angle of friction phi, sin phi = (s1 - s3) / (s1 + s3).
typedef enum sherd_friction_cone {
    SHERD_FRICTION_CONE_COMPRESSION =
        0,                    // alpha = sqrt(2/3) 2 sin phi / (3 - sin phi): triaxial compression
    SHERD_FRICTION_CONE_MEAN, // alpha = sqrt(2) sin phi / 3: between compression and extension
} sherd_friction_cone;

// Their words in the order of the enum, NULL-terminated.
SHERD_API extern const char *const sherd_friction_cone_words[];

// Definition of a material: of elements and bonds, or of material points.
typedef struct sherd_material_def {
    uint32_t cookie;            // set by sherd_material_def_default; any other value is rejected
    const char *name;           // for messages; copied, may be NULL
    double density;             // of an element [kg/m^3], > 0, default 2600
    double youngs_modulus;      // E of bonds [Pa], > 0, default 1e9
    double shear_modulus;       // G of bonds [Pa], > 0, default 4e8
    sherd_bond_law law;         // default SHERD_BOND_LAW_QUATERNION
    sherd_central_form central; // law CENTRAL: stiffness, default SPRINGS
    // Law CENTRAL: bonds join all elements of a body within this distance, in spacings (twice the
    // mean radius) [-], 1 to 4; 0 (default): 2 for springs, 3 for peridynamics.
    double reach;
    // kappa of the shear stiffness kappa G S [-], (0, 1]; 0 (default): 5/6 with law ROD, else 1.
    double shear_correction;
    sherd_bond_radius bond_radius; // default SHERD_BOND_RADIUS_MEAN, with every law
    sherd_breakage breakage;       // default SHERD_BREAKAGE_TENSILE, with every law
    double tensile_strength;       // sigma_c [Pa], > 0, default INFINITY: never breaks
    double shear_strength;         // tau_c [Pa], > 0, default INFINITY: never breaks
    // Fracture energy G_f of a crack [J/m^2], > 0. Bonds then soften at their strength: their
    // traction falls linearly and reaches zero, where they break, when their part of the crack's
    // area has taken G_f (docs/theory/physics.md 3). 0: from the toughness; both 0 (default): bonds
    // break at once.
    double fracture_energy;
    // K_Ic [Pa m^0.5], > 0, instead of the energy: G_f = K_Ic^2 (1 - nu^2) / E with nu = E / (2 G)
    // - 1, limited to [0, 0.5]. Default 0.
    double fracture_toughness;
    // Bonds that are so long that they store more than their part of G_f at their strength get a
    // lower strength, which keeps G_f (sherd_world_body_bonds reports by how much). True: bodies
    // with such bonds are rejected. Default false.
    bool strict;
    // sigma_y [Pa], > 0; default INFINITY: bonds do not yield. Bonds with law ROD yield by a radial
    // return of all their strains together (docs/theory/physics.md 3). Factors on a bond's
    // strengths apply to its yield stress too.
    double yield_stress;
    double
        hardening_modulus; // H_m, slope of yield stress over plastic strain [Pa], >= 0, default 0
    // eps_f [-], > 0: a yielding bond breaks when its plastic elongation exceeds eps_f times its
    // length. 0 (default): not by strain.
    double fracture_strain;
    // [m], > 0: a yielding bond breaks when its plastic elongation exceeds this, for any length; at
    // most one of this and fracture_strain. 0 (default): not by displacement.
    double fracture_displacement;
    // tau [N], > 0: finite elements separate where the largest eigenvalue of the separation tensor
    // exceeds this force, not tensile_strength times a node's area. 0 (default): not given.
    double separation_force;
    // t_c [s], > 0: rate dependence. The damage of a bond above its strength grows at the rate
    // (stress / strength - 1)^n / t_c, and the bond breaks at 1 (docs/theory/physics.md 3). Not
    // with softening, yielding, or criteria of elements. 0 (default): bonds break at once.
    double rate_time;
    double rate_exponent;   // n [-], (0, 20], default 2
    double weibull_modulus; // Weibull modulus of the scatter of both strengths, >= 1; 0
                            // (default): no scatter. One factor per bond, with mean 1
    // Damping ratio zeta of a bond's stretch between its two elements [-], >= 0, default 0.02. All
    // modes get the same relaxation time: c = beta k, beta = 2 zeta sqrt(m_eff / k_n).
    double bond_damping;
    double restitution; // rebound speed over impact speed of two elements [-], (0, 1], default 0.5
    double friction;    // Coulomb coefficient [-], >= 0; NAN (default): 0.3, with FLUID 0
    // Coefficient mu_r of rolling friction of elements [-], >= 0, default 0: the couple against rolling is at
    // most mu_r R F_n, R the effective radius (docs/papers/rolling-friction.md)
    double rolling_friction;
    double grain_stiffening; // lambda of [BDEM21] (30): E, G times 1 + lambda (d_g . d_b)^4, >= 0
    double grain_strengthening; // the same for strengths, default 0
    sherd_vec3 grain_direction; // d_g in the body's rest frame; normalised; default x
    uint64_t seed;              // of the scatter of strengths
    // Constitutive law. BONDED (default): elements and bonds. Others are for material points, which
    // have no bonds: density, youngs_modulus and shear_modulus are then the solid's, nu = E / (2 G)
    // - 1, and with HENCKY yield_stress is von Mises'.
    sherd_solid_model model;
    double friction_angle;             // SAND: angle phi [rad], (0, pi/2)
    sherd_friction_cone friction_cone; // SAND: cone for that angle, default MEAN
    // SNOW: elastic principal stretches stay in [1 - compression, 1 + extension] [-], (0, 0.5],
    // defaults 0.025 and 0.0075.
    double critical_compression, critical_extension;
    double hardening; // SNOW: moduli are multiplied by exp(hardening (1 - J_p)), >= 0, default 10
    double bulk_modulus;   // FLUID: K [Pa], > 0; 0: not given
    double fluid_exponent; // FLUID: gamma of p = K / gamma (J^-gamma - 1), > 1, default 7
    // PHASE_FIELD (docs/papers/cd-mpm.md): damage is driven by the largest principal stress over tensile_strength or, if that is
    // INFINITY, by the tensile energy over fracture_energy.
    double damage_length; // l0 [m], >= 0; 0 (default): damage is local
    double damage_time;   // relaxation time eta of damage [s], >= 0, default 0: it follows at once
    double
        residual_stiffness; // r, share of the tensile stiffness that stays [-], [0, 1), default 0.001
    // NACC, with friction_angle: tensile over compressive strength beta [-], >= 0, default 0.8
    double cohesion;
    double compaction_hardening; // xi [-], >= 0, default 3
    double initial_compaction;   // -log J_p at the start [-], >= 0, default 0.03
} sherd_material_def;

// Returns a definition with the defaults above.
SHERD_API sherd_material_def sherd_material_def_default(void);
// Returns the table of the definition's members; static.
SHERD_API const sherd_definition *sherd_material_def_fields(void);

// Factors on one bond's moduli and strengths. If one of them is 0 the bond is broken from the
// start, a pre-crack.
typedef struct sherd_bond_scale {
    double stiffness, strength; // [-], >= 0
} sherd_bond_scale;

// A function that returns the factors of the bond between elements at `i` and `j`, positions in the
// body's rest frame [m]. It is called from several threads at once.
typedef sherd_bond_scale sherd_bond_scale_function(const void *context, sherd_vec3 i, sherd_vec3 j);

// The face of a pre-crack near an element. Contacts of two elements across a face act along its
// normal, so faces slide on each other (docs/notebook/decisions/0018).
typedef struct sherd_cut_face {
    int cut;           // number of the cut, from 0, the same on both sides
    double distance;   // of the element's centre from the face along `normal`, >= 0 [m]
    double beyond;     // distance of the foot point beyond the cut's edge, 0 within it [m]
    sherd_vec3 normal; // unit vector from the element to the face
} sherd_cut_face;

// A function that writes the faces within `reach` [m] of an element at `x` in the body's rest frame
// to `faces` (most), and returns their number, at most `most`.
typedef int sherd_cut_face_function(const void *context, sherd_vec3 x, double reach, int most,
                                    sherd_cut_face *faces);
