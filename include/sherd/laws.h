// Tables of bond laws, breakage criteria, contact potentials and solid laws.
#pragma once

#include <sherd/export.h>

#include <stdbool.h>

// Bond laws: enumerator, word in scenes, description;
//   ability   ENERGY: loads are the gradient of an energy, as implicit steps need;
//             CENTRAL: the same, and the energy depends on the bond's length alone: no torques;
//             FORCES: explicit steps only
//   history   history variables per bond, floats with initial value 0
// To add one: a row here, src/laws/bond/law_<word>.h and the line in src/laws/bond/bond_laws.h that
// includes it.
//
// QUATERNION: [IBDEM25] (7)-(11), as corrected. LU: [BDEM21] (3)-(16). ROD: [RBDEM] (13)-(23), as
// corrected. CENTRAL: springs and bond-based peridynamics, which [BDEM21] compares with.
#define SHERD_BOND_LAWS(ROW)                                                                       \
    ROW(QUATERNION, quaternion, "elastic energy of [IBDEM25]", ENERGY, 0)                          \
    ROW(LU, lu, "forces of [BDEM21], explicit only", FORCES, 0)                                    \
    ROW(ROD, rod, "Cosserat rods of [RBDEM]", ENERGY, 0)                                           \
    ROW(CENTRAL, central, "resists stretch only, to all elements within `reach`", CENTRAL, 0)

// Stiffness of bonds with the law CENTRAL: enumerator, word in scenes, description;
//   reach   default reach, in spacings of the packing
//   solid   SPRING, or HORIZON_3D, HORIZON_2D: peridynamics of solids and of one layer
// To add one: a row here and its section in src/models/bonded/storage/bond_horizon.c.
#define SHERD_CENTRAL_FORMS(ROW)                                                                   \
    ROW(SPRINGS, springs, "k = E S / l0", 2.0, SPRING)                                             \
    ROW(EQUAL_SPRINGS, equal_springs, "all bonds have the k of the shortest", 2.0, SPRING)         \
    ROW(PERIDYNAMICS, peridynamics, "k = c V_i V_j / l0 with c = 12 E / (pi delta^4)", 3.0,        \
        HORIZON_3D)                                                                                \
    ROW(PERIDYNAMICS_LAYER, peridynamics_layer,                                                    \
        "the same for one layer of thickness t, c = 9 E / (pi t delta^3)", 3.0, HORIZON_2D)

// Breakage criteria: enumerator, word in scenes, description, and coefficients. With n(F_n) the
// normal force, tension positive, or its magnitude, a bond breaks when
//   n(F_n) / S + bending |M_b| r0 / I > sigma_c   or   shear |F_s| / S + twisting |M_t| r0 / J > tau_c
//   normal                     SIGNED or MAGNITUDE
//   bending, shear, twisting   weights, > 0
//   breaks                     AT_STRENGTH; NEVER, for any strengths; or when the stress of the element
//                              at either end (sherd/stress.h) exceeds sigma_c: AT_MEAN_STRESS by
//                              a third of its trace, AT_PRINCIPAL_STRESS by its largest principal
//                              stress. normal to twisting are then unused
// To add one: a row here.
#define SHERD_BREAKAGES(ROW)                                                                       \
    ROW(TENSILE, tensile, "tension only", SIGNED, 1.0, 1.0, 1.0, AT_STRENGTH)                      \
    ROW(ABSOLUTE, absolute, "compression breaks too, as printed in [BDEM21] (17)", MAGNITUDE, 1.0, \
        1.0, 1.0, AT_STRENGTH)                                                                     \
    ROW(NONE, none, "bonds never break", SIGNED, 1.0, 1.0, 1.0, NEVER)                             \
    ROW(ROD, rod,                                                                                  \
        "tension only, with the largest shear stress of a round section, [RBDEM] (24), (25)",      \
        SIGNED, 1.0, 4.0 / 3.0, 1.0, AT_STRENGTH)                                                  \
    ROW(HYDROSTATIC, hydrostatic,                                                                  \
        "an element's mean stress above `tensile_strength` breaks its bonds, [RBDEM] (32)",        \
        SIGNED, 1.0, 1.0, 1.0, AT_MEAN_STRESS)                                                     \
    ROW(PRINCIPAL, principal,                                                                      \
        "an element's largest principal stress above `tensile_strength` breaks its bonds", SIGNED, \
        1.0, 1.0, 1.0, AT_PRINCIPAL_STRESS)

// Contact potentials V(s) of the overlap s beyond that at rest [m]: enumerator, word in scenes,
// description;
//   stiffest   largest V'' while s is below the smaller radius, in units of the stiffness k of the
//              linear spring; it bounds explicit steps. At least 1, the stiffness of friction
// To add one: a row here, src/laws/contact/potential_<word>.h and the line in
// src/laws/contact/contact_potentials.h that includes it.
#define SHERD_CONTACT_POTENTIALS(ROW)                                                              \
    ROW(LINEAR, linear, "k s²/2, [BDEM21] (22)", 1.0)                                              \
    ROW(HERTZ, hertz, "2/5 k_H s^2.5, elastic spheres, [RBDEM] 3.5", 1.0)                          \
    ROW(BARRIER, barrier, "-k s²/2 ln(1 - s/w), [RBDEM] (30), w from `contact_barrier`", 1.0)

// Constitutive laws of material points: enumerator, word in scenes, description. To add one: a row
// here, src/laws/solid/solid_<word>.h and its include in src/laws/solid/solid_lanes.h.
#define SHERD_SOLID_LAWS(ROW)                                                                      \
    ROW(COROTATED, corotated, "fixed-corotated elasticity")                                        \
    ROW(NEO_HOOKEAN, neo_hookean, "neo-Hookean elasticity")                                        \
    ROW(HENCKY, hencky,                                                                            \
        "elasticity of logarithmic strains; yields as von Mises has it with a `yield_stress`")     \
    ROW(SNOW, snow, "fixed-corotated; stretches beyond two limits become plastic and harden it")   \
    ROW(SAND, sand, "Drucker-Prager friction without cohesion, with volume correction")            \
    ROW(FLUID, fluid, "weakly compressible, without shear stress")

#define SHERD_SOLID_MODEL_ENUMERATOR(NAME, ...) SHERD_SOLID_MODEL_##NAME,
// Constitutive law of a material: bonds, or one for material points.
typedef enum sherd_solid_model {
    SHERD_SOLID_MODEL_BONDED = 0, // elements and bonds with the laws below; the default
    SHERD_SOLID_LAWS(SHERD_SOLID_MODEL_ENUMERATOR) SHERD_SOLID_MODEL_COUNT // number of models
} sherd_solid_model;

// Their words in the order of the enum, NULL-terminated.
SHERD_API extern const char *const sherd_solid_model_words[];

#define SHERD_BOND_LAW_ENUMERATOR(NAME, ...) SHERD_BOND_LAW_##NAME,
// A bond law; QUATERNION is 0, the default.
typedef enum sherd_bond_law {
    SHERD_BOND_LAWS(SHERD_BOND_LAW_ENUMERATOR) SHERD_BOND_LAW_COUNT // number of laws
} sherd_bond_law;

#define SHERD_CENTRAL_ENUMERATOR(NAME, ...) SHERD_CENTRAL_##NAME,
// Stiffness of bonds with the law CENTRAL; SPRINGS is 0, the default.
typedef enum sherd_central_form {
    SHERD_CENTRAL_FORMS(SHERD_CENTRAL_ENUMERATOR) SHERD_CENTRAL_COUNT // number of forms
} sherd_central_form;

#define SHERD_BREAKAGE_ENUMERATOR(NAME, ...) SHERD_BREAKAGE_##NAME,
// A breakage criterion; TENSILE is 0, the default.
typedef enum sherd_breakage {
    SHERD_BREAKAGES(SHERD_BREAKAGE_ENUMERATOR) SHERD_BREAKAGE_COUNT // number of criteria
} sherd_breakage;

#define SHERD_CONTACT_ENUMERATOR(NAME, ...) SHERD_CONTACT_##NAME,
// A contact potential; LINEAR is 0, the default.
typedef enum sherd_contact_potential_kind {
    SHERD_CONTACT_POTENTIALS(SHERD_CONTACT_ENUMERATOR) //
    SHERD_CONTACT_POTENTIAL_COUNT,                     // number of potentials
} sherd_contact_potential_kind;

// Properties of a bond law.
typedef struct sherd_bond_law_info {
    const char *word; // name in scenes
    const char *doc;  // one line for people
    bool has_energy;  // true if loads are the gradient of an energy, as implicit steps need
    int history;      // history variables that each bond stores, as floats
} sherd_bond_law_info;

// Properties of a form of the law CENTRAL.
typedef struct sherd_central_info {
    const char *word; // name in scenes
    const char *doc;  // one line for people
    double reach;     // default reach of bonds, in spacings of elements
    int dimensions;   // of a peridynamic horizon: 3 in solids, 2 in a layer; 0: springs
} sherd_central_info;

// Which stress a breakage criterion compares with strengths.
typedef enum sherd_breakage_measure {
    SHERD_BREAKAGE_OF_BONDS,         // that of the bond
    SHERD_BREAKAGE_MEAN_STRESS,      // the mean stress of the elements that it joins
    SHERD_BREAKAGE_PRINCIPAL_STRESS, // the largest principal stress of these elements
} sherd_breakage_measure;

// Properties of a breakage criterion.
typedef struct sherd_breakage_info {
    const char *word;                // name in scenes
    const char *doc;                 // one line for people
    bool magnitude;                  // true: uses |F_n|, so compression breaks bonds too
    double bending, shear, twisting; // weights in the sums of stresses [-], > 0
    bool breaks;                     // false: bonds never break
    sherd_breakage_measure measure;  // which stress counts
} sherd_breakage_info;

// Returns the properties of a law, static; NULL if there is no law of this number.
SHERD_API const sherd_bond_law_info *sherd_bond_law_describe(sherd_bond_law law);
// Returns the properties of a form of the law CENTRAL, static; NULL if there is no form of this
// number.
SHERD_API const sherd_central_info *sherd_central_describe(sherd_central_form form);
// Returns the properties of a criterion, static; NULL if there is no criterion of this number.
SHERD_API const sherd_breakage_info *sherd_breakage_describe(sherd_breakage breakage);

// Words of bond laws in the order of the enum, NULL-terminated.
SHERD_API extern const char *const sherd_bond_law_words[];
// Words of the forms of the law CENTRAL in the order of the enum, NULL-terminated.
SHERD_API extern const char *const sherd_central_words[];
// Words of breakage criteria in the order of the enum, NULL-terminated.
SHERD_API extern const char *const sherd_breakage_words[];
// Words of contact potentials in the order of the enum, NULL-terminated.
SHERD_API extern const char *const sherd_contact_potential_words[];
