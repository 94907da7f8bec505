// Properties of well-known solids. docs/reference/materials.md lists them as a table, which
// tests/unit/test_material_library.c compares with this one, and explains them.
#include "base/assertion.h"
#include "base/error.h"
#include "base/text/suggest.h"

#include <sherd/material_library.h>

#include <string.h>

#define KPA 1e3
#define MPA 1e6
#define GPA 1e9
#define DEGREE 0.017453292519943295
#define MODEL(NAME) SHERD_SOLID_MODEL_##NAME
// Values that handbooks don't have; for most solids they are the library's defaults.
#define USUAL_DAMPING .bond_damping = 0.02, .opacity = 1.0

static const sherd_material_figures LIBRARY[] = {
    {.name = "glass",
     .about = "soda-lime float glass, annealed",
     .density = 2500.0,
     .youngs_modulus = 70.0 * GPA,
     .poissons_ratio = 0.22,
     .tensile_strength = 45.0 * MPA,
     .compressive_strength = 1000.0 * MPA,
     .shear_strength = 106.0 * MPA,
     .fracture_toughness = 0.75 * MPA,
     .weibull_modulus = 7.0,
     .friction = 0.4,
     .restitution = 0.7,
     .bond_damping = 0.02,
     .points = MODEL(COROTATED),
     .color = {0.62, 0.80, 0.78},
     .opacity = 0.35,
     .varies = "strength 30 to 200 MPa with scratches, area and time under load (toughened: above "
               "120); E 68 to 74 GPa, nu 0.20 to 0.23, K_Ic 0.7 to 0.8; m 4 to 12",
     .sources = "data sheets after EN 572-1 (2500 kg/m^3, 70 GPa, nu 0.2, bending strength 45 MPa, "
                "compressive strength 1000 MPa) and Pilkington ATS-129 (mean bending strength 41 "
                "MPa, 72 GPa, nu 0.23); K_Ic 0.77 measured in J. Eng. Mater. Technol. 112 (1990) "
                "151. Typical: m, friction"},
    {.name = "ceramic",
     .about = "stoneware or porcelain, as in plates",
     .density = 2400.0,
     .youngs_modulus = 70.0 * GPA,
     .poissons_ratio = 0.2,
     .tensile_strength = 40.0 * MPA,
     .compressive_strength = 450.0 * MPA,
     .shear_strength = 67.0 * MPA,
     .fracture_toughness = 1.2 * MPA,
     .weibull_modulus = 10.0,
     .friction = 0.4,
     .restitution = 0.6,
     USUAL_DAMPING,
     .points = MODEL(COROTATED),
     .color = {0.90, 0.88, 0.84},
     .varies = "strength 25 to 100 MPa and E 50 to 100 GPa with porosity; K_Ic 0.9 to 1.5; alumina "
               "is five times as strong and stiff: 3900 kg/m^3, 380 GPa, 250 MPa, K_Ic 4",
     .sources = "data sheets of porcelain and stoneware (2300 to 2600 kg/m^3, bending strength 43 "
                "to 160 MPa). Typical, as in Ashby, Materials Selection in Mechanical Design, not "
                "compared: E, K_Ic, m, friction"},
    {.name = "plaster",
     .about = "cast gypsum, dry, mixed with 0.7 to 0.8 parts of water",
     .density = 1100.0,
     .youngs_modulus = 5.0 * GPA,
     .poissons_ratio = 0.2,
     .tensile_strength = 2.0 * MPA,
     .compressive_strength = 12.0 * MPA,
     .shear_strength = 2.45 * MPA,
     .fracture_toughness = 0.14 * MPA,
     .weibull_modulus = 10.0,
     .friction = 0.6,
     .restitution = 0.3,
     USUAL_DAMPING,
     .points = MODEL(COROTATED),
     .color = {0.92, 0.89, 0.82},
     .varies = "with the water in the mix: density 900 to 1400, E 2 to 10 GPa, tensile strength 1 "
               "to 4 MPa, K_Ic 0.1 to 0.2; wet plaster has half the strength",
     .sources = "data sheets for 0.6 parts of water (1200 kg/m^3, bending strength 5 to 7 MPa, "
                "compressive strength 10 to 15 MPa), reduced for more water. Typical: E, K_Ic, m, "
                "friction; as functions of porosity in Vekinis, Ashby and Beaumont, J. Mater. Sci. "
                "28 (1993) 3221, not compared"},
    {.name = "concrete",
     .about = "normal concrete C30/37, 28 days old, without reinforcement",
     .density = 2400.0,
     .youngs_modulus = 33.0 * GPA,
     .poissons_ratio = 0.2,
     .tensile_strength = 2.9 * MPA,
     .compressive_strength = 38.0 * MPA,
     .shear_strength = 5.2 * MPA,
     .fracture_energy = 140.0,
     .weibull_modulus = 12.0,
     .friction = 0.6,
     .restitution = 0.3,
     USUAL_DAMPING,
     .points = MODEL(COROTATED),
     .color = {0.62, 0.61, 0.59},
     .varies = "with class and aggregate: E 25 to 40 GPa, tensile strength 1.5 to 5 MPa, G_f 60 to "
               "200 J/m^2",
     .sources =
         "EN 1992-1-1 table 3.1: f_cm 38 MPa, E = 22 GPa (f_cm/10)^0.3, f_ctm = 0.3 f_ck^(2/3); "
         "fib Model Code 2010 5.1.5.2: G_f = 73 f_cm^0.18. Typical: m, friction"},
    {.name = "brick",
     .about = "fired clay, solid",
     .density = 1800.0,
     .youngs_modulus = 10.0 * GPA,
     .poissons_ratio = 0.2,
     .tensile_strength = 2.0 * MPA,
     .compressive_strength = 30.0 * MPA,
     .shear_strength = 3.9 * MPA,
     .fracture_energy = 80.0,
     .weibull_modulus = 10.0,
     .friction = 0.6,
     .restitution = 0.4,
     USUAL_DAMPING,
     .points = MODEL(COROTATED),
     .color = {0.66, 0.30, 0.21},
     .varies = "with clay and firing: density 1500 to 2100, E 4 to 20 GPa, tensile strength 1 to 4 "
               "MPa, G_f 50 to 130 J/m^2",
     .sources = "typical values; the tensile strength is 0.1 to 0.2 times the compressive strength "
                "of EN 1996-1-1; G_f as in Lourenco, Almeida and Barros, Masonry International 18 "
                "(2005), not compared"},
    {.name = "granite",
     .about = "fine to medium grained, sound; also for other hard stone and for grains of sand",
     .density = 2650.0,
     .youngs_modulus = 55.0 * GPA,
     .poissons_ratio = 0.25,
     .tensile_strength = 10.0 * MPA,
     .compressive_strength = 170.0 * MPA,
     .shear_strength = 20.6 * MPA,
     .fracture_toughness = 1.6 * MPA,
     .weibull_modulus = 12.0,
     .friction = 0.6,
     .restitution = 0.5,
     USUAL_DAMPING,
     .points = MODEL(COROTATED),
     .color = {0.60, 0.56, 0.54},
     .varies = "E 30 to 75 GPa, tensile strength 6 to 15 MPa, compressive 100 to 250 MPa, K_Ic 0.9 "
               "to 2.2; weathered granite far less",
     .sources = "typical values, as in Jaeger, Cook and Zimmerman, Fundamentals of Rock Mechanics, "
                "not compared; K_Ic as in Schmidt and Lutz, ASTM STP 678 (1979) 166"},
    {.name = "chocolate",
     .about = "tempered dark chocolate at 20 degrees Celsius",
     .density = 1300.0,
     .youngs_modulus = 200.0 * MPA,
     .poissons_ratio = 0.35,
     .tensile_strength = 1.2 * MPA,
     .compressive_strength = 3.0 * MPA,
     .shear_strength = 1.2 * MPA,
     .fracture_energy = 50.0,
     .weibull_modulus = 10.0,
     .friction = 0.4,
     .restitution = 0.3,
     .bond_damping = 0.05,
     .opacity = 1.0,
     .points = MODEL(COROTATED),
     .color = {0.25, 0.13, 0.08},
     .varies =
         "orders of magnitude only: chocolate is elastic at small strains only, and all values but "
         "the density vary several times with temperature (18 to 30 degrees), fat, milk and rate",
     .sources =
         "typical values, rounded, of the order measured in bending and Brazilian tests, not "
         "compared: Severa, Acta Univ. Agric. Silvic. Mendel. Brun. 56 (2008) 115; Bikos et al., "
         "J. Mater. Sci. 58 (2023) 5104; Samaras et al., Soft Matter (2024) (G_f)"},
    {.name = "ice",
     .about = "polycrystalline ice of fresh water at -10 degrees Celsius, loaded fast",
     .density = 917.0,
     .youngs_modulus = 9.3 * GPA,
     .poissons_ratio = 0.33,
     .tensile_strength = 1.4 * MPA,
     .compressive_strength = 10.0 * MPA,
     .shear_strength = 1.87 * MPA,
     .fracture_toughness = 0.1 * MPA,
     .weibull_modulus = 5.0,
     .friction = 0.05,
     .restitution = 0.5,
     .bond_damping = 0.02,
     .points = MODEL(COROTATED),
     .color = {0.78, 0.89, 0.95},
     .opacity = 0.5,
     .varies =
         "tensile strength 0.7 to 3.1 MPa, compressive 5 to 25 MPa, K_Ic 0.05 to 0.15; under loads "
         "of seconds and longer ice creeps; friction 0.01 to 0.1 when sliding, more at rest",
     .sources = "Petrovic, J. Mater. Sci. 38 (2003) 1 (strengths, K_Ic, m); E and nu are the "
                "isotropic mean of the crystal constants of Gammon et al., J. Glaciol. 29 (1983) "
                "433: 9.3 GPa, 0.326. Typical: friction"},
    {.name = "wood",
     .about = "spruce or pine, dry, without knots; values across the grain, factors along it",
     .density = 450.0,
     .youngs_modulus = 0.5 * GPA,
     .poissons_ratio = 0.3,
     .tensile_strength = 3.0 * MPA,
     .compressive_strength = 5.0 * MPA,
     .shear_strength = 8.0 * MPA,
     .fracture_energy = 250.0,
     .weibull_modulus = 8.0,
     .friction = 0.4,
     .restitution = 0.5,
     USUAL_DAMPING,
     .grain_stiffening = 21.0,
     .grain_strengthening = 28.0,
     .grain_direction = {1.0, 0.0, 0.0},
     .points = MODEL(COROTATED),
     .color = {0.76, 0.60, 0.40},
     .varies = "along the grain E 9 to 14 GPa and strength 60 to 120 MPa, across it E 0.3 to 0.9 "
               "GPa and strength 2 to 5 MPa; G_f across 150 to 350 J/m^2; all decrease with "
               "moisture. Hardwoods have 1.5 times the density and up to twice the other values",
     .sources =
         "static tests of Sitka spruce, Acta Acustica 9 (2025) table 5: E 9.1 GPa along, 0.82 and "
         "0.40 GPa across. Typical, as in USDA Wood Handbook chapter 5 and Gustafsson in Timber "
         "Engineering (2003), not compared: strengths, G_f, m, friction"},
    {.name = "rubber",
     .about = "vulcanised natural rubber, filled, about 60 Shore A",
     .density = 1100.0,
     .youngs_modulus = 4.0 * MPA,
     .poissons_ratio = 0.49,
     .tensile_strength = 20.0 * MPA,
     .shear_strength = 20.0 * MPA,
     .fracture_energy = 5000.0,
     .friction = 0.9,
     .restitution = 0.7,
     .bond_damping = 0.1,
     .opacity = 1.0,
     .points = MODEL(NEO_HOOKEAN),
     .color = {0.16, 0.16, 0.17},
     .varies = "E 1 to 10 MPa with hardness, strength 10 to 30 MPa, tearing energy 1 to 30 kJ/m^2 "
               "with rate; nu of the real solid is 0.4999, too near 0.5 for explicit steps and "
               "bonds; friction 0.5 to 2",
     .sources = "data sheets of compounded natural rubber (tensile strength 28 MPa, 1.5 MPa at 100 "
                "% strain, 30 to 100 Shore A). Typical, as in Gent, Engineering with Rubber, not "
                "compared: E of 60 Shore A, tearing energy, friction"},
    {.name = "steel",
     .about = "structural steel S235, hot rolled",
     .density = 7850.0,
     .youngs_modulus = 210.0 * GPA,
     .poissons_ratio = 0.3,
     .tensile_strength = 450.0 * MPA,
     .compressive_strength = 235.0 * MPA,
     .shear_strength = 260.0 * MPA,
     .yield_stress = 235.0 * MPA,
     .hardening_modulus = 1.0 * GPA,
     .fracture_strain = 0.2,
     .friction = 0.5,
     .restitution = 0.6,
     USUAL_DAMPING,
     .points = MODEL(HENCKY),
     .color = {0.56, 0.57, 0.60},
     .varies = "yield stress 235 to 960 MPa by grade, more at high rates. The 360 to 510 MPa of "
               "S235 are engineering stresses; 450 MPa is the true stress at necking, above the "
               "yield stress at fracture_strain",
     .sources = "EN 10025-2 table 7 (yield 235 MPa up to 16 mm, 360 to 510 MPa, elongation 26 %); "
                "EN 1993-1-1 3.2.6 (E, nu). Typical: hardening, friction"},
    {.name = "aluminium",
     .about = "alloy 6061-T6",
     .density = 2700.0,
     .youngs_modulus = 69.0 * GPA,
     .poissons_ratio = 0.33,
     .tensile_strength = 350.0 * MPA,
     .compressive_strength = 276.0 * MPA,
     .shear_strength = 202.0 * MPA,
     .yield_stress = 276.0 * MPA,
     .hardening_modulus = 0.5 * GPA,
     .fracture_strain = 0.12,
     .friction = 0.5,
     .restitution = 0.5,
     USUAL_DAMPING,
     .points = MODEL(HENCKY),
     .color = {0.77, 0.78, 0.80},
     .varies =
         "yield stress 30 MPa (pure, soft) to 500 MPa (7075-T6); E 68 to 73 GPa in all alloys",
     .sources = "Aluminum Association, typical values of 6061-T6: yield stress 276 MPa, tensile "
                "strength 310 MPa (engineering stress), elongation 12 %, E 68.9 GPa, nu 0.33. "
                "Typical: hardening, friction"},
    {.name = "sand",
     .about = "dry quartz sand of medium density, in bulk, as material points",
     .density = 1600.0,
     .youngs_modulus = 30.0 * MPA,
     .poissons_ratio = 0.3,
     .friction_angle = 34.0 * DEGREE,
     .friction = 0.5,
     .opacity = 1.0,
     .model = MODEL(SAND),
     .points = MODEL(SAND),
     .color = {0.80, 0.64, 0.38},
     .varies = "friction angle 28 (loose, round) to 45 degrees (dense, angular); E 10 to 80 MPa, "
               "increasing with pressure; density 1400 to 1800",
     .sources = "typical values, as in Bowles, Foundation Analysis and Design, not compared"},
    {.name = "clay",
     .about = "firm, saturated, loaded fast (undrained strength c_u 50 kPa), as material points",
     .density = 1900.0,
     .youngs_modulus = 15.0 * MPA,
     .poissons_ratio = 0.45,
     .yield_stress = 100.0 * KPA,
     .friction = 0.3,
     .opacity = 1.0,
     .model = MODEL(HENCKY),
     .points = MODEL(HENCKY),
     .color = {0.58, 0.44, 0.34},
     .varies = "c_u, half the yield stress, 20 kPa (soft) to 150 kPa (stiff); E 150 to 600 c_u; nu "
               "of the undrained solid is 0.5",
     .sources = "typical values, as in BS 5930 (classes of c_u) and Bowles, Foundation Analysis "
                "and Design (E / c_u), not compared"},
};
enum { LIBRARY_COUNT = sizeof LIBRARY / sizeof LIBRARY[0] };

int sherd_material_library_count(void)
{
    return LIBRARY_COUNT;
}

const sherd_material_figures *sherd_material_library_at(int index)
{
    return index >= 0 && index < LIBRARY_COUNT ? &LIBRARY[index] : NULL;
}

const sherd_material_figures *sherd_material_library_find(const char *name)
{
    SHERD_ASSERT(LIBRARY_COUNT > 0, "the library has materials");
    for (int k = 0; name != NULL && k < LIBRARY_COUNT; ++k)
        if (strcmp(LIBRARY[k].name, name) == 0) return &LIBRARY[k];
    return NULL;
}

static sherd_status fail_unknown(const char *name, sherd_error *error)
{
    char hint[SHERD_ERROR_TEXT_SIZE];
    sherd_suggestion suggestion = {.word = name != NULL ? name : ""};
    for (int k = 0; k < LIBRARY_COUNT; ++k)
        sherd_suggest(&suggestion, LIBRARY[k].name);
    sherd_suggestion_hint(&suggestion, hint, sizeof hint);
    return sherd_fail(error, SHERD_ERROR_INPUT, "material", hint,
                      "there is no '%.80s' in the library", suggestion.word);
}

// Properties that a solid does not have are 0.
static void set_fracture(const sherd_material_figures *figures, sherd_material_def *def)
{
    if (figures->tensile_strength > 0.0) def->tensile_strength = figures->tensile_strength;
    if (figures->shear_strength > 0.0) def->shear_strength = figures->shear_strength;
    if (figures->yield_stress > 0.0) def->yield_stress = figures->yield_stress;
    def->fracture_energy = figures->fracture_energy;
    def->fracture_toughness = figures->fracture_toughness;
    def->hardening_modulus = figures->hardening_modulus;
    def->fracture_strain = figures->fracture_strain;
    def->weibull_modulus = figures->weibull_modulus;
    bool bonded = figures->model == SHERD_SOLID_MODEL_BONDED;
    if (bonded && figures->yield_stress > 0.0) def->law = SHERD_BOND_LAW_ROD;
}

sherd_status sherd_material_named(const char *name, sherd_material_def *def, sherd_error *error)
{
    const sherd_material_figures *figures = sherd_material_library_find(name);
    if (figures == NULL) return fail_unknown(name, error);
    *def = sherd_material_def_default();
    def->name = figures->name;
    def->density = figures->density;
    def->youngs_modulus = figures->youngs_modulus;
    def->shear_modulus = figures->youngs_modulus / (2.0 * (1.0 + figures->poissons_ratio));
    set_fracture(figures, def);
    def->friction = figures->friction;
    def->model = figures->model;
    if (figures->restitution > 0.0) def->restitution = figures->restitution;
    if (figures->bond_damping > 0.0) def->bond_damping = figures->bond_damping;
    if (figures->friction_angle > 0.0) def->friction_angle = figures->friction_angle;
    if (figures->grain_stiffening > 0.0) def->grain_direction = figures->grain_direction;
    def->grain_stiffening = figures->grain_stiffening;
    def->grain_strengthening = figures->grain_strengthening;
    return SHERD_OK;
}
