// Well-known solids by name: typical figures to begin with, and where they come from.    docs/reference/materials.md
//
//     sherd_material_def glass;
//     if (sherd_material_named("glass", &glass, &error) != SHERD_OK) ...
//     glass.youngs_modulus = 60e9; // shear_modulus stays: set it as well
//
// Figures are of the solid. Bonds that have them make bodies 1.6 to 1.7 times as stiff in close
// packing: sherd_calibrate finds the bonds that make a body have them.
#pragma once

#include <sherd/error.h>
#include <sherd/material.h>

// What does not belong to a solid is 0; a yield stress or strength it does not have is 0, too.
typedef struct sherd_material_figures {
    const char *name;        // as scenes say it, "glass"
    const char *about;       // which sort of it, a few words
    double density;          // [kg/m^3]
    double youngs_modulus;   // E [Pa]; of wood across its grain
    double poissons_ratio;   // nu [-]
    double tensile_strength; // [Pa]; of wood across its grain
    double
        compressive_strength; // [Pa]: nothing takes it; brittle solids' shear strength follows from it
    double
        shear_strength; // [Pa]: brittle solids' cohesion, half the root of tensile times compressive strength
    double fracture_energy;    // G_f of a crack [J/m^2], or
    double fracture_toughness; // K_Ic [Pa m^0.5]; at most one of the two
    double yield_stress;       // sigma_y in tension [Pa]
    double hardening_modulus;  // slope of the yield stress over plastic strain [Pa]
    double fracture_strain;    // plastic strain at which it parts [-]
    double weibull_modulus;    // of strengths' scatter [-]
    double friction;           // Coulomb coefficient on the same solid, dry [-]
    double restitution;        // of slow impacts of the same solid [-]
    double bond_damping;       // a numerical choice, not a figure of handbooks [-]
    double friction_angle;     // of model SAND [rad]
    double grain_stiffening, grain_strengthening; // of wood [-]
    sherd_vec3 grain_direction;                   // in the body's rest frame
    sherd_solid_model model;                      // BONDED; another: figures are of material points
    sherd_solid_model points; // model that suits it as material points; BONDED: none
    sherd_vec3 color;         // sRGB, 0..1 each
    double opacity;           // (0, 1]
    const char *varies;       // how much typical figures vary, a line
    const char *sources;      // of the figures, a line
} sherd_material_figures;

// Returns the number of solids in the library.
SHERD_API int sherd_material_library_count(void);
// Returns solid number `index`, from 0, in the order of docs/reference/materials.md; static. NULL
// if the index is out of range.
SHERD_API const sherd_material_figures *sherd_material_library_at(int index);
// Returns the solid of this name; static. NULL if there is none.
SHERD_API const sherd_material_figures *sherd_material_library_find(const char *name);

// Fills `def` with a solid's figures and G = E / (2 (1 + nu)), otherwise the defaults of
// sherd_material_def_default. Ductile solids get the bond law ROD. def->name is static.
// SHERD_ERROR_INPUT with the nearest name as hint if there is none of this name.
SHERD_API sherd_status sherd_material_named(const char *name, sherd_material_def *def,
                                            sherd_error *error);
