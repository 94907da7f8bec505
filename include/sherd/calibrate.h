// Calibration: finds bonds that give a solid of a packing the requested Young's modulus, Poisson's
// ratio and
// strengths, fracture energy, or yield stress and hardening.              docs/theory/calibration.md
//
//     sherd_calibration_def def = sherd_calibration_def_default();
//     def.packing.kind = SHERD_PACKING_HCP;
//     def.youngs_modulus = 70e9, def.poissons_ratio = 0.2, def.tensile_strength = 40e6, ...
//     sherd_calibration result;
//     if (sherd_calibrate(&def, &result, &error) != SHERD_OK) return report(&error);
//     sherd_calibration_apply(&result, packing, &material);
//
// First the packing's bonds are homogenised; then bars of it are pulled, bent and twisted, at rest
// and until they break, and the bonds corrected until the bars behave as requested. Everything is
// linear in the moduli, and does not depend on the elements' size but where bonds soften, so that a
// result serves all bodies of one packing; it is kept in a cache.
#pragma once

#include <sherd/field.h>
#include <sherd/material.h>
#include <sherd/packing.h>

#include <stdbool.h>

// Raised whenever the same task would get other results.
enum { SHERD_CALIBRATION_VERSION = 7 };

// What to calibrate: a packing, and the properties that the solid is to have.
typedef struct sherd_calibration_def {
    uint32_t cookie; // set by sherd_calibration_def_default; anything else is refused
    // Its seed does not matter, and its radius only beside a fracture energy; default hcp.
    sherd_packing_def packing;
    int layers;            // of plates of hcp or layers, 1 to 4; 0 = thicker: a solid (default)
    double bond_reach;     // as sherd_body_def.bond_reach
    double youngs_modulus; // of the solid [Pa], > 0, default 1e9
    double poissons_ratio; // of the solid, within (-1, 0.5], default 0.2
    sherd_bond_law law; // of the bonds, default quaternion. Bars are at rest implicitly: bonds of a
                        // law without an energy are found as if it were the default
    double shear_correction;       // as sherd_material_def's, default 0
    sherd_bond_radius bond_radius; // likewise, default mean
    sherd_breakage breakage;       // default tensile; one that never breaks: strengths don't count
    double tensile_strength;       // of the solid [Pa], > 0 or INFINITY, default INFINITY
    double shear_strength;  // of the solid, in torsion [Pa], > 0 or INFINITY, default INFINITY
    double weibull_modulus; // scatter of bonds' strengths, 0 = none (default). Strengths asked
                            // for are those of the test bars with their scatter
    // Of the solid in tension, with law ROD: the line of stress over plastic strain
    // (src/calibration/yield_test.h).
    double yield_stress;      // [Pa], > 0 or INFINITY, the default: does not yield
    double hardening_modulus; // its slope [Pa], >= 0, default 0
    // Of the solid: what a crack across a bar takes, as bonds soften
    // (src/calibration/fracture_test.h). With a tensile strength, and without a yield stress.
    double fracture_energy; // G_f [J/m^2], >= 0, default 0: bonds break at once
    // A body's packing of tetrahedra from elsewhere: bars are cut out of it, where it has room for
    // one, instead of made of the packing's kind. Borrowed; NULL (default).
    const sherd_packing *body;
    double bar_width;         // of test bars in element radii, [8, 64], default 16
    bool with_table;          // measure bending and the third direction too and keep curves: the
                              // cache is then not read; default false
    const char *cache_folder; // NULL = the user's (default), "" = none
    int threads;              // 0 = all
} sherd_calibration_def;

// Returns a definition with the defaults above.
SHERD_API sherd_calibration_def sherd_calibration_def_default(void);
// Returns the table of the definition's members; static.
SHERD_API const sherd_definition *sherd_calibration_def_fields(void);

// Largest number of points of a curve.
enum { SHERD_CALIBRATION_POINTS = 160 };
// Stress over strain of a bar that was pulled or twisted until it broke.
typedef struct sherd_calibration_curve {
    int count;                               // 0: not run, or taken from the cache
    double strain[SHERD_CALIBRATION_POINTS]; // nominal, of the gauge while elastic [-]
    double stress[SHERD_CALIBRATION_POINTS]; // over the shape's section [Pa]
} sherd_calibration_curve;

// Properties of bonds, as in sherd_material_def.
typedef struct sherd_calibration_bonds {
    double youngs_modulus, shear_modulus;    // [Pa]
    double tensile_strength, shear_strength; // [Pa]
    double yield_stress, hardening_modulus;  // INFINITY, 0: they don't yield [Pa]
    double fracture_energy;                  // 0: they don't soften [J/m^2]
} sherd_calibration_bonds;

// Result of a calibration.
typedef struct sherd_calibration {
    // Bonds for a geometric stiffness of the packing of 1: that is the share of the shape that
    // elements of a lattice fill, or the affine modulus of other packings. sherd_calibration_apply
    // computes it, and so the bonds, for a body; that of the test bars is, in the mean,
    // bar_stiffness.
    sherd_calibration_bonds full;
    double bar_stiffness;
    // A bar's bonds, the guess by homogenisation alone, and the measured results of the bars.
    sherd_calibration_bonds bar, guess;
    double youngs_modulus, poissons_ratio;             // of the bars that decide      [Pa], [-]
    double tensile_strength, shear_strength;           // INFINITY: not tested          [Pa]
    double guess_youngs_modulus, guess_poissons_ratio; // of the guessed bonds, by homogenisation
    double yield_stress, hardening_modulus;            // INFINITY, 0: not tested       [Pa]
    // 0: not tested [J/m^2]. The guess is what cracks take of bonds with the fracture energy
    // requested.
    double fracture_energy, guess_fracture_energy;
    double fracture_radius; // up to which elements carry it with these bonds; 0: not tested [m]
    // What bars bear that are pulled on to five times the strain that they would have their
    // strength at were they elastic: more than that where a lattice of bonds that soften hardens
    // [Pa].
    double stretched_strength;
    // What bars bear at least that are pressed, of materials whose shear strength c a twisted bar
    // does not show, which breaks by tension before: 4 c^2 over the tensile strength is what such
    // solids should. 0: not tested [Pa].
    double pressed_strength;
    // Up to which bonds can make a solid that has the strength requested beside the fracture
    // energy; 0: not tested [m]. Of larger elements r it has the share sqrt(strength_radius / r) of
    // it, and so says tensile_strength.
    double strength_radius;
    // Along x, y and z; 0 = not measured. Bars along x decide for lattices, whose rows they follow,
    // those along x and y, in the mean, for other packings. The rest is only measured with_table.
    double axis_modulus[3];             // [Pa]
    double axis_poissons_ratio[3];      // mean of both sides
    double axis_strength[3];            // [Pa]
    double bending_modulus;             // from a bar's curvature   [Pa]
    double torsion_modulus;             // of shear                 [Pa]
    double poissons_low, poissons_high; // within reach of this packing
    bool poissons_ratio_reached;        // else the nearest was taken
    bool tensile_strength_reached;      // else it is less, for the fracture energy's sake
    bool shear_strength_reached;        // else the nearest was taken
    // Within a tenth of what is asked for, or bonds do not harden because nothing is asked for:
    // bars have a slope of about half a per cent of E in any case.
    bool hardening_reached;
    int elements;  // of a bar
    bool own_bars; // cut out of the body: `full` is what its bonds are, and directions those of
                   // the body's extents, the longest first
    int tests;     // bars loaded, 0 from the cache
    bool cached;
    double seconds; // wall time it took
    sherd_calibration_curve tension, torsion;
} sherd_calibration;

// SHERD_ERROR_INPUT for values out of their ranges; SHERD_ERROR_UNSUPPORTED for packings that don't
// fill solids. Same definition, same result, bit for bit, for every number of threads.
SHERD_API sherd_status sherd_calibrate(const sherd_calibration_def *def, sherd_calibration *out,
                                       sherd_error *error);

// Turns a solid's material into its bonds' for one body: moduli, strengths and density. The body's
// packing says how much of its shape elements fill; `material` is changed in place.
SHERD_API void sherd_calibration_apply(const sherd_calibration *calibration,
                                       const sherd_packing *body, sherd_material_def *material);

// How stiff a calibrated body is. Its bonds give the requested stiffness in tension; a body's
// outermost elements lack bonds and lie below its faces, and lattices are not alike in all
// directions, so that it bends differently, the more so the thinner it is. The prediction comes
// from loading a piece from the body's middle, of its own elements and bonds, along its longest
// principal axis.
typedef struct sherd_stiffness_task {
    const sherd_packing *body;       // borrowed
    const sherd_shape *shape;        // that it fills, borrowed; NULL: no prediction
    const sherd_material_def *bonds; // of sherd_calibration_apply, borrowed
    double bond_reach;               // as sherd_body_def.bond_reach
    double youngs_modulus;           // requested [Pa], > 0
    double yield_stress;             // requested [Pa]; 0 or INFINITY: none
    int threads;                     // 0 = all
} sherd_stiffness_task;

// Predicted stiffness of a calibrated body.
typedef struct sherd_body_stiffness_result {
    // Why there is no prediction, static; NULL: there is one. A piece must be at least twice as
    // long as it is wide, of an even section, and of at most 20000 elements.
    const char *reason;
    // Along the bar, along the longer and the shorter side of its section; in the body's rest
    // frame.
    sherd_vec3 axis[3];
    double tension; // Young's modulus over that asked for
    // Towards axis 1 and axis 2: moment over curvature, over that of the shape's section with the
    // Young's modulus asked for.
    double bending[2];
    // Pulled until it flows: over the yield stress asked for, and the slope of stress over plastic
    // strain [Pa]. 0: not asked.
    double yield, hardening;
    double thickness; // of the section's shorter side [m]
    int elements;     // of the piece
} sherd_body_stiffness_result;

// As much work as 20000 elements at rest take in three loads, at most. Same definition, same
// result, bit for bit, for every number of threads. Weak regions and grain are ignored.
SHERD_API sherd_status sherd_calibration_stiffness(const sherd_stiffness_task *task,
                                                   sherd_body_stiffness_result *out,
                                                   sherd_error *error);
