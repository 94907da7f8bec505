// The tables of bond laws, breakage criteria and contact potentials.
#pragma once

#include <sherd/export.h>

#include <stdbool.h>

// Enumerator, word in scenes, what it is;
//   ability   ENERGY: loads are the gradient of an energy, so that implicit steps can minimise it;
//             FORCES: explicit steps only
//   history   numbers that every bond stores, floats that begin as 0
// To add one: a row here, src/laws/bond/law_<word>.h and the line in src/laws/bond/bond_laws.h that includes it.
//
// QUATERNION: [IBDEM25] (7)-(11), as corrected. LU: [BDEM21] (3)-(16). ROD: [RBDEM] (13)-(23), as corrected.
#define SHERD_BOND_LAWS(ROW)                                                                       \
    ROW(QUATERNION, quaternion, "from an energy", ENERGY, 0)                                       \
    ROW(LU, lu, "forces of [BDEM21]", FORCES, 0)                                                   \
    ROW(ROD, rod, "Cosserat rods of [RBDEM]", ENERGY, 0)

// Enumerator, word in scenes, what it is, and the criterion: with n(F_n) the normal force, tension positive, or its
// magnitude, bonds break when
//   n(F_n) / S + bending |M_b| r0 / I > sigma_c   or   shear |F_s| / S + twisting |M_t| r0 / J > tau_c
//   normal                     SIGNED or MAGNITUDE
//   bending, shear, twisting   weights, > 0
//   breaks                     AT_STRENGTH, or NEVER, whatever the strengths; or by the stress of the element at
//                              either end (sherd/stress.h) over sigma_c: AT_MEAN_STRESS, a third of its trace, or
//                              AT_PRINCIPAL_STRESS, the largest of its principal stresses. normal to twisting then
//                              say nothing
// To add one: a row here.
#define SHERD_BREAKAGES(ROW)                                                                       \
    ROW(TENSILE, tensile, "tension only", SIGNED, 1.0, 1.0, 1.0, AT_STRENGTH)                      \
    ROW(ABSOLUTE, absolute, "compression breaks too, as printed in [BDEM21] (17)", MAGNITUDE, 1.0, \
        1.0, 1.0, AT_STRENGTH)                                                                     \
    ROW(NONE, none, "as `unbreakable`", SIGNED, 1.0, 1.0, 1.0, NEVER)                              \
    ROW(ROD, rod,                                                                                  \
        "tension only, with the largest shear stress of a round section, [RBDEM] (24), (25)",      \
        SIGNED, 1.0, 4.0 / 3.0, 1.0, AT_STRENGTH)                                                  \
    ROW(HYDROSTATIC, hydrostatic,                                                                  \
        "an element's mean stress above `tensile_strength` breaks its bonds, [RBDEM] (32)",        \
        SIGNED, 1.0, 1.0, 1.0, AT_MEAN_STRESS)                                                     \
    ROW(PRINCIPAL, principal,                                                                      \
        "an element's largest principal stress above `tensile_strength` breaks its bonds", SIGNED, \
        1.0, 1.0, 1.0, AT_PRINCIPAL_STRESS)

// Enumerator, word in scenes, what it is: V(s) of how deep surfaces press into each other, s = overlap - rest [m];
//   stiffest   the largest V'' while s is below the smaller radius, in stiffnesses k of the linear spring, which bounds
//              explicit steps; at least 1, that of friction across
// To add one: a row here, src/laws/contact/potential_<word>.h and the line in src/laws/contact/contact_potentials.h
// that includes it.
#define SHERD_CONTACT_POTENTIALS(ROW)                                                              \
    ROW(LINEAR, linear, "k s²/2, [BDEM21] (22)", 1.0)                                              \
    ROW(HERTZ, hertz, "2/5 k_H s^2.5, elastic spheres, [RBDEM] 3.5", 1.0)                          \
    ROW(BARRIER, barrier, "-k s²/2 ln(1 - s/w), [RBDEM] (30), w from `contact_barrier`", 1.0)

// How material points resist: enumerator, word in scenes, what it is. To add one: a row here,
// src/laws/solid/solid_<word>.h and its include in src/laws/solid/solid_lanes.h.
#define SHERD_SOLID_LAWS(ROW)                                                                      \
    ROW(COROTATED, corotated, "fixed-corotated elasticity")                                        \
    ROW(NEO_HOOKEAN, neo_hookean, "neo-Hookean elasticity")                                        \
    ROW(HENCKY, hencky,                                                                            \
        "elasticity of logarithmic strains; yields as von Mises has it with a `yield_stress`")     \
    ROW(SNOW, snow, "fixed-corotated; stretches beyond two limits become plastic and harden it")   \
    ROW(SAND, sand, "Drucker-Prager friction without cohesion, with volume correction")            \
    ROW(FLUID, fluid, "weakly compressible, without shear stress")

#define SHERD_SOLID_MODEL_ENUMERATOR(NAME, ...) SHERD_SOLID_MODEL_##NAME,
typedef enum sherd_solid_model {
    SHERD_SOLID_MODEL_BONDED = 0, // elements and bonds: the laws below; the default
    SHERD_SOLID_LAWS(SHERD_SOLID_MODEL_ENUMERATOR) SHERD_SOLID_MODEL_COUNT // how many there are
} sherd_solid_model;

SHERD_API extern const char *const sherd_solid_model_words[]; // in that order, NULL-terminated

#define SHERD_BOND_LAW_ENUMERATOR(NAME, ...) SHERD_BOND_LAW_##NAME,
typedef enum sherd_bond_law {                                       // QUATERNION is 0, the default
    SHERD_BOND_LAWS(SHERD_BOND_LAW_ENUMERATOR) SHERD_BOND_LAW_COUNT // how many there are
} sherd_bond_law;

#define SHERD_BREAKAGE_ENUMERATOR(NAME, ...) SHERD_BREAKAGE_##NAME,
typedef enum sherd_breakage {                                       // TENSILE is 0, the default
    SHERD_BREAKAGES(SHERD_BREAKAGE_ENUMERATOR) SHERD_BREAKAGE_COUNT // how many there are
} sherd_breakage;

#define SHERD_CONTACT_ENUMERATOR(NAME, ...) SHERD_CONTACT_##NAME,
typedef enum sherd_contact_potential_kind {            // LINEAR is 0, the default
    SHERD_CONTACT_POTENTIALS(SHERD_CONTACT_ENUMERATOR) //
    SHERD_CONTACT_POTENTIAL_COUNT,                     // how many there are
} sherd_contact_potential_kind;

// Properties of a bond law.
typedef struct sherd_bond_law_info {
    const char *word; // name in scenes
    const char *doc;  // one line for people
    bool has_energy;  // true if loads are the gradient of an energy, as implicit steps need
    int history;      // history variables that each bond stores, as floats
} sherd_bond_law_info;

// Whose stress breaks bonds.
typedef enum sherd_breakage_measure {
    SHERD_BREAKAGE_OF_BONDS,         // their own
    SHERD_BREAKAGE_MEAN_STRESS,      // of the elements that they join
    SHERD_BREAKAGE_PRINCIPAL_STRESS, // of these, the largest
} sherd_breakage_measure;

typedef struct sherd_breakage_info {
    const char *word;                // in scenes
    const char *doc;                 // what it is, for people
    bool magnitude;                  // |F_n|: compression breaks, too
    double bending, shear, twisting; // weights in the sums of stresses [-], > 0
    bool breaks;                     // false: never, whatever the strengths
    sherd_breakage_measure measure;
} sherd_breakage_info;

// The row of a criterion, static; NULL: there is none of that number.
SHERD_API const sherd_bond_law_info *sherd_bond_law_describe(sherd_bond_law law);
SHERD_API const sherd_breakage_info *sherd_breakage_describe(sherd_breakage breakage);

// The words in the order of the enums, NULL-terminated.
SHERD_API extern const char *const sherd_bond_law_words[];
SHERD_API extern const char *const sherd_breakage_words[];
SHERD_API extern const char *const sherd_contact_potential_words[];
