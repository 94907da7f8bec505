// The fields of a material definition, one row for each.
#include "material/material.h"

#include "base/error.h"
#include "base/field.h"
#include "material/strength.h"
#include "math/vec3.h"

#include <sherd/material.h>

enum { MATERIAL_COOKIE = 0x6d617431 };

// Wood has tens; far larger values overflow.
#define MAX_GRAIN 1e6
// For material points: closer to 1/2, pressure waves make steps too short.
static const double MAX_RATIO = 0.4999;

#define FIELD(kind, member, ...) SHERD_FIELD(sherd_material_def, kind, member, __VA_ARGS__)
#define MATERIAL .maps = SHERD_MAP_MATERIAL
#define GRAIN .maps = SHERD_MAP_GRAIN
#define STRESS .quantity = SHERD_QUANTITY_STRESS
#define NOT_PHYSICS .flags = SHERD_FIELD_NOT_PHYSICS
#define FLAG(name) .flags = SHERD_FIELD_##name
#define STRENGTH                                                                                   \
    STRESS, .initial = {INFINITY}, MATERIAL,                                                       \
            .range = {.bound = SHERD_BOUND_ABOVE, .high = INFINITY, .infinite = true},             \
            .hint = "strengths are magnitudes above 0; grains without bonds are `loose` bodies",   \
            .usual = "**required** unless unbreakable"

const char *const sherd_friction_cone_words[] = {"compression", "mean", NULL};
const char *const sherd_bond_radius_words[] = {"mean", "minimum", NULL};
#define FRACTURE                                                                                   \
    .range = {.bound = SHERD_BOUND_ABOVE, .high = INFINITY, .zero = true},                         \
    .hint = "leave it out and bonds break at once"

#define DUCTILE                                                                                    \
    .range = {.bound = SHERD_BOUND_ABOVE, .high = INFINITY, .zero = true},                         \
    .hint = "leave it out and bonds only break at their strengths", MATERIAL, .usual = "none"

#define WORD_AND_DOC(NAME, word, doc, ...) ". `" #word "`: " doc

static const sherd_field FIELDS[] = {
    FIELD(NAME, name, NOT_PHYSICS, .doc = "name in messages"),
    FIELD(REAL, density, .quantity = SHERD_QUANTITY_DENSITY, .initial = {2600.0},
          .range = SHERD_ABOVE(0.0, 1e6), .hint = "in kg/m^3", MATERIAL, FLAG(REQUIRED),
          .doc = "density of elements"),
    FIELD(REAL, youngs_modulus, STRESS, .initial = {1e9}, .range = SHERD_POSITIVE, .hint = "in Pa",
          MATERIAL, .usual = "**required** but of `model: fluid`",
          .doc = "Young's modulus E of bonds; of the solid for material points"),
    FIELD(REAL, shear_modulus, STRESS, .initial = {4e8}, .range = SHERD_POSITIVE, .hint = "in Pa",
          MATERIAL, .usual = "0.4 E", .doc = "shear modulus G of bonds"),
    FIELD(REAL, tensile_strength, STRENGTH, .doc = "normal stress at which a bond breaks"),
    FIELD(REAL, shear_strength, STRENGTH,
          .doc = "shear stress at which a bond breaks; unused if `breakage` compares stresses of "
                 "elements"),
    FIELD(REAL, fracture_energy, .quantity = SHERD_QUANTITY_FRACTURE_ENERGY, FRACTURE, MATERIAL,
          .usual = "none: bonds break at once",
          .doc = "fracture energy G_f per crack area: past its strength, a bond's traction falls "
                 "linearly to zero"),
    FIELD(REAL, fracture_toughness, .quantity = SHERD_QUANTITY_TOUGHNESS, FRACTURE, MATERIAL,
          .usual = "none",
          .doc =
              "fracture toughness K_Ic, instead of `fracture_energy`: G_f = K_Ic^2 (1 - nu^2) / E"
              " with nu = E / (2 G) - 1, at least 0 and at most 0.5"),
    FIELD(BOOLEAN, strict, MATERIAL,
          .doc =
              "true: bonds too long to dissipate G_f at their strength are an error; false: their"
              " strength is reduced, which keeps G_f, with a warning"),
    FIELD(REAL, yield_stress, STRESS, .initial = {INFINITY}, MATERIAL,
          .range = {.bound = SHERD_BOUND_ABOVE, .high = INFINITY, .infinite = true},
          .hint = "leave it out and bonds do not yield", .usual = "none: bonds do not yield",
          .doc =
              "normal stress at which a bond yields. Selects `bond_law: rod` if no law is given. "
              "Factors on strengths, scatter included, apply to it too"),
    FIELD(REAL, hardening_modulus, STRESS, .range = SHERD_AT_LEAST(0.0), MATERIAL,
          .hint = "0 is no hardening; bonds do not soften by yielding",
          .doc = "increase of the yield stress per plastic strain"),
    FIELD(REAL, fracture_strain, DUCTILE, .doc = "plastic strain at which a yielding bond breaks"),
    FIELD(REAL, fracture_displacement, .quantity = SHERD_QUANTITY_LENGTH, DUCTILE,
          .doc =
              "plastic elongation at which a yielding bond breaks, instead of `fracture_strain`: "
              "does not depend on the size of elements"),
    FIELD(REAL, separation_force, .quantity = SHERD_QUANTITY_FORCE, MATERIAL,
          .range = {.bound = SHERD_BOUND_ABOVE, .high = INFINITY, .zero = true},
          .hint = "in newtons; leave it out and nodes separate at tensile_strength",
          .usual = "none: `tensile_strength` times the node's area",
          .doc = "`model: fem` of `packing: {tetra: ...}`: force tau at which a node separates, as "
                 "printed in the paper ([finite elements](../papers/fem.md))"),
    FIELD(REAL, rate_time, .quantity = SHERD_QUANTITY_TIME, MATERIAL,
          .range = {.bound = SHERD_BOUND_ABOVE, .high = INFINITY, .zero = true},
          .hint = "leave it out and bonds break as soon as they are over their strength",
          .usual = "none: strengths do not depend on the rate of loading",
          .doc =
              "t_c: above its strength a bond's damage grows by ((stress / strength - 1)^n / t_c)"
              " dt; it breaks at damage 1 (Tuler and Butcher). Not with softening, yielding or "
              "`breakage` by stresses of elements"),
    FIELD(REAL, rate_exponent, .initial = {2.0}, .range = SHERD_ABOVE(0.0, 20.0), MATERIAL,
          .hint = "n of `rate_time`", .doc = "exponent n of `rate_time`"),
    FIELD(REAL, weibull_modulus,
          .range = {.bound = SHERD_BOUND_FROM, .low = 1.0, .high = INFINITY, .zero = true},
          .hint = "0 is no scatter; ceramics have 5 to 20", MATERIAL,
          .usual = "0; with `calibrate` 12",
          .doc =
              "Weibull modulus of the scatter of both strengths about their means; 0: no scatter"),
    FIELD(REAL, bond_damping, .initial = {0.02}, .range = SHERD_BETWEEN(0.0, 10.0),
          .hint = "a damping ratio, 1 is critical", MATERIAL,
          .doc = "damping ratio of a bond's stretch, 1: critical"),
    FIELD(REAL, restitution, .initial = {0.5}, .range = SHERD_ABOVE(0.0, 1.0),
          .hint = "1 is a perfect rebound", MATERIAL,
          .doc =
              "coefficient of restitution of two single elements: rebound speed over impact speed. "
              "A body of many bonded elements rebounds by its elasticity, mostly faster: balls of "
              "28 and 311 came back with 0.75 and 0.95 of their speed at 0.1, with 0.98 at 0.8; "
              "`bond_damping: 1` made it 0.93. Free rigid bodies rebound as it says. Does not "
              "change the time step. Loose grains, which limit the step themselves, meet it "
              "within about 0.1 on average and 0.2 in single impacts. `method: auto` makes "
              "explicit steps where loose grains or free rigid bodies would rebound by more than "
              "about half an element's radius; `method: implicit`, with steps longer than a "
              "collision, gives hardly any rebound"),
    FIELD(REAL, friction, .initial = {NAN}, .range = SHERD_AT_LEAST(0.0), FLAG(UNSET),
          .hint = "a Coulomb coefficient", MATERIAL, .usual = "0.3; 0 of `model: fluid`",
          .doc = "Coulomb friction coefficient. A contact has the geometric mean sqrt(a b) of both "
                 "materials' coefficients; the same holds for restitution"),
    FIELD(REAL, rolling_friction, .range = SHERD_AT_LEAST(0.0),
          .hint = "0.1 is much: a ball rests on a slope of 1 in 10", MATERIAL,
          .doc =
              "coefficient μ_r of the couple against rolling of elements that touch, at most μ_r R "
              "times the normal force; of two materials sqrt(a b) ([rolling "
              "friction](../papers/rolling-friction.md))"),
    FIELD(REAL, grain_stiffening, .key = "stiffening", .range = SHERD_BETWEEN(0.0, MAX_GRAIN),
          .hint = "0 is isotropic", GRAIN,
          .doc = "factor 1 + stiffening (d·b)^4 on E and G of a bond of direction b, d the grain's "
                 "direction, [BDEM21] (30)"),
    FIELD(REAL, grain_strengthening, .key = "strengthening", .range = SHERD_BETWEEN(0.0, MAX_GRAIN),
          .hint = "0 is isotropic", GRAIN, .doc = "the same factor on strengths"),
    FIELD(VECTOR, grain_direction, .key = "direction", .initial = {1.0, 0.0, 0.0},
          .hint = "any vector of the rest frame will do", GRAIN, FLAG(REQUIRED),
          .doc = "direction d of the grain in the body's frame; any length but 0"),
    FIELD(CHOICE, law, .key = "bond_law", .choices = sherd_bond_law_words, MATERIAL,
          .doc = "bond law: how forces and moments follow from deformation" SHERD_BOND_LAWS(
              WORD_AND_DOC)),
    FIELD(CHOICE, central, .choices = sherd_central_words, MATERIAL,
          .doc = "stiffness of `bond_law: central`, "
                 "[its page](../papers/springs-and-peridynamics.md)" SHERD_CENTRAL_FORMS(
                     WORD_AND_DOC)),
    FIELD(REAL, reach, .range = SHERD_BETWEEN(1.0, 4.0), MATERIAL, FLAG(UNSET),
          .hint = "2 joins neighbours of neighbours, 3 is usual in peridynamics",
          .usual = "2 for springs, 3 for peridynamics",
          .doc = "largest length of bonds of `bond_law: central`, in spacings of elements, twice "
                 "their mean radius: peridynamics' horizon"),
    FIELD(REAL, shear_correction, .range = SHERD_ABOVE(0.0, 1.0),
          .hint = "Timoshenko's kappa; leave it out for that of the bond law", MATERIAL,
          FLAG(UNSET), .usual = "5/6 with `bond_law: rod`, else 1",
          .doc =
              "shear correction factor kappa: shear stiffness is kappa G S, S the bond's section"),
    FIELD(CHOICE, bond_radius, .choices = sherd_bond_radius_words, MATERIAL,
          .doc = "radius of a bond, from the radii of its two elements; [RBDEM] uses the minimum. "
                 "Tetrahedra and yarns have bond sections of their own"),
    FIELD(CHOICE, breakage, .choices = sherd_breakage_words, MATERIAL,
          .doc = "criterion by which bonds break" SHERD_BREAKAGES(WORD_AND_DOC)),
    FIELD(UINT64, seed, .initial = {1}, MATERIAL, .doc = "random seed of the scatter of strengths"),
    FIELD(CHOICE, model, .choices = sherd_solid_model_words, MATERIAL,
          .doc =
              "constitutive model. `bonded`: elements and bonds. The others are laws of bodies of"
              " material points (`packing: {points: ...}`), [material "
              "points](../theory/material-points.md)" SHERD_SOLID_LAWS(WORD_AND_DOC)),
    FIELD(REAL, friction_angle, .quantity = SHERD_QUANTITY_ANGLE, .range = SHERD_ABOVE(0.0, 1.55),
          FLAG(UNSET), .hint = "30 to 40 degrees is usual of sand", MATERIAL,
          .usual = "**required** by `model: sand` and `nacc`",
          .doc =
              "`sand`: angle of internal friction phi; while sand slides, sin(phi) = (s1 - s3) / "
              "(s1 + s3), s1 and s3 the largest and smallest principal compressive stress"),
    FIELD(CHOICE, friction_cone, .choices = sherd_friction_cone_words,
          .initial = {SHERD_FRICTION_CONE_MEAN}, MATERIAL,
          .doc = "`sand`: stress state in which sand has the friction angle. `mean`: plane strain, "
                 "as in heaps and at walls; `compression`: triaxial compression; in other states "
                 "sand then resists more, and above 36.9 degrees carries some tension"),
    FIELD(REAL, critical_compression, .initial = {0.025}, .range = SHERD_ABOVE(0.0, 0.5), MATERIAL,
          .doc = "`snow`: strain beyond which compression is plastic"),
    FIELD(REAL, critical_extension, .initial = {0.0075}, .range = SHERD_ABOVE(0.0, 0.5), MATERIAL,
          .doc = "`snow`: strain beyond which extension is plastic"),
    FIELD(REAL, hardening, .initial = {10.0}, .range = SHERD_BETWEEN(0.0, 100.0), MATERIAL,
          .doc = "`snow`: E grows with plastic compression by exp(hardening (1 - J_p)), at most "
                 "twentyfold"),
    FIELD(REAL, bulk_modulus, STRESS, .range = SHERD_POSITIVE, FLAG(UNSET),
          .hint = "a few hundred times density times speed squared", MATERIAL,
          .usual = "**required** by `model: fluid`",
          .doc = "`fluid`: bulk modulus K; p = K / gamma (J^-gamma - 1)"),
    FIELD(REAL, fluid_exponent, .initial = {7.0}, .range = SHERD_ABOVE(1.0, 20.0), MATERIAL,
          .doc = "`fluid`: exponent gamma of the pressure"),
    FIELD(REAL, damage_length, .quantity = SHERD_QUANTITY_LENGTH, .range = SHERD_AT_LEAST(0.0),
          MATERIAL,
          .doc = "`phase_field`: length l0 over which [damage](../papers/cd-mpm.md) is spread; 0: "
                 "each point has its own"),
    FIELD(REAL, damage_time, .quantity = SHERD_QUANTITY_TIME, .range = SHERD_AT_LEAST(0.0),
          MATERIAL,
          .doc = "`phase_field`: time in which damage follows what drives it; 0: at once"),
    FIELD(REAL, residual_stiffness, .initial = {0.001}, .range = SHERD_BETWEEN(0.0, 0.5), MATERIAL,
          .doc = "`phase_field`: share of the tensile stiffness that broken points keep"),
    FIELD(REAL, cohesion, .initial = {0.8}, .range = SHERD_BETWEEN(0.0, 1000.0), MATERIAL,
          .doc =
              "`nacc`: tensile over compressive strength, beta of [CD-MPM](../papers/cd-mpm.md)"),
    FIELD(REAL, compaction_hardening, .initial = {3.0}, .range = SHERD_BETWEEN(0.0, 100.0),
          MATERIAL, .doc = "`nacc`: xi, growth of strength with compaction"),
    FIELD(REAL, initial_compaction, .initial = {0.03}, .range = SHERD_BETWEEN(0.0, 1.0), MATERIAL,
          .doc = "`nacc`: logarithmic volume strain of earlier compaction, from which its strength "
                 "at the start follows"),
};

const sherd_definition *sherd_material_def_fields(void)
{
    static const sherd_definition DEFINITION = SHERD_DEFINITION(sherd_material_def, FIELDS);
    return &DEFINITION;
}

sherd_material_def sherd_material_def_default(void)
{
    sherd_material_def def = {.cookie = MATERIAL_COOKIE};
    sherd_fields_set_initial(sherd_material_def_fields(), &def);
    return def;
}

// ---------------------------------------------------------------- the law CENTRAL

double sherd_material_reach(const sherd_material_def *def)
{
    return def->reach > 0.0 ? def->reach : sherd_central_describe(def->central)->reach;
}

double sherd_material_horizon_weight(const sherd_material_def *def, double length)
{
    double within = fmin(sherd_material_reach(def) + 0.5 - length, 1.0);
    return within * (1.0 - 0.5 * (1.0 - within) / length);
}

double sherd_material_micromodulus(const sherd_material_def *def, double spacing)
{
    double delta = sherd_material_reach(def) * spacing, cube = delta * delta * delta;
    return sherd_central_describe(def->central)->dimensions == 3 ? 12.0 / (M_PI * cube * delta)
                                                                 : 9.0 / (M_PI * spacing * cube);
}

bool sherd_material_is_peridynamic(const sherd_material_def *def)
{
    return def->law == SHERD_BOND_LAW_CENTRAL &&
           sherd_central_describe(def->central)->dimensions > 0;
}

// ---------------------------------------------------------------- fracture energy

// E / (2 G) - 1 of bonds is Poisson's ratio only for laws in which G is the solid's shear modulus. A
// peridynamic solid has 1/4; a layer is in plane stress, in which G_f = K_Ic^2 / E.
static double poissons_ratio(const sherd_material_def *def)
{
    if (sherd_material_is_peridynamic(def))
        return sherd_central_describe(def->central)->dimensions == 3 ? 0.25 : 0.0;
    return fmin(fmax(0.5 * def->youngs_modulus / def->shear_modulus - 1.0, 0.0), 0.5);
}

// For a crack in plane strain.
static double energy_of_toughness(const sherd_material_def *def)
{
    double nu = poissons_ratio(def), K = def->fracture_toughness;
    return K * K * (1.0 - nu * nu) / def->youngs_modulus;
}

static double given_energy(const sherd_material_def *def)
{
    return def->fracture_energy > 0.0 ? def->fracture_energy : energy_of_toughness(def);
}

double sherd_material_fracture_energy(const sherd_material_def *def)
{
    return sherd_material_is_peridynamic(def) ? 0.0 : given_energy(def);
}

// Silling and Askari (2005): G_f = pi c s^2 delta^5 / 10, in a layer c t s^2 delta^4 / 4.
double sherd_material_critical_stretch(const sherd_material_def *def, double horizon)
{
    double over = given_energy(def) / (def->youngs_modulus * horizon);
    if (!(over > 0.0)) return def->tensile_strength / def->youngs_modulus;
    bool solid = sherd_central_describe(def->central)->dimensions == 3;
    return sqrt(solid ? 5.0 / 6.0 * over : 4.0 * M_PI / 9.0 * over);
}

static sherd_status check_fracture_energy(const sherd_material_def *def, sherd_error *error)
{
    // Rounding of published values.
    static const double SAME = 0.01;
    if (!(given_energy(def) > 0.0)) return SHERD_OK;
    double other = energy_of_toughness(def);
    if (def->fracture_energy > 0.0 && other > 0.0 &&
        fabs(other - def->fracture_energy) > SAME * def->fracture_energy)
        return sherd_fail(error, SHERD_ERROR_INPUT, "material.fracture_toughness",
                          "remove one of them: G_f = K_Ic^2 (1 - nu^2) / E",
                          "contradicts fracture_energy: it makes %.4g J/m^2, not %.4g", other,
                          def->fracture_energy);
    const char *key =
        def->fracture_energy > 0.0 ? "material.fracture_energy" : "material.fracture_toughness";
    if (sherd_material_is_peridynamic(def))
        return isinf(def->tensile_strength)
                   ? SHERD_OK
                   : sherd_fail(error, SHERD_ERROR_INPUT, key, "remove one of them",
                                "contradicts tensile_strength: bonds break at one stretch");
    if (def->law == SHERD_BOND_LAW_CENTRAL)
        return sherd_fail(error, SHERD_ERROR_INPUT, key, "remove it, or use peridynamics",
                          "does not go with central: %s, whose bonds break at a strength",
                          sherd_central_words[def->central]);
    if (!isfinite(def->tensile_strength))
        return sherd_fail(error, SHERD_ERROR_INPUT, key, "give tensile_strength",
                          "needs a strength from which bonds soften");
    const sherd_breakage_info *breakage = sherd_breakage_describe(def->breakage);
    if (breakage->measure != SHERD_BREAKAGE_OF_BONDS)
        return sherd_fail(error, SHERD_ERROR_INPUT, key, "use breakage tensile, absolute or rod",
                          "does not go with breakage %s, which breaks all bonds of an element at "
                          "once",
                          breakage->word);
    if (isfinite(def->yield_stress))
        return sherd_fail(error, SHERD_ERROR_INPUT, key,
                          "remove one of them; bonds that yield break by fracture_strain or "
                          "fracture_displacement",
                          "does not go with yield_stress: bonds either soften or yield");
    if (sherd_bond_law_describe(def->law)->history > 0)
        return sherd_fail(error, SHERD_ERROR_INPUT, key, "use another bond_law",
                          "does not go with bond_law %s, whose bonds yield",
                          sherd_bond_law_describe(def->law)->word);
    return SHERD_OK;
}

static sherd_status check_yield(const sherd_material_def *def, sherd_error *error)
{
    const struct {
        const char *where;
        double value;
    } numbers[] = {{"material.hardening_modulus", def->hardening_modulus},
                   {"material.fracture_strain", def->fracture_strain},
                   {"material.fracture_displacement", def->fracture_displacement}};
    bool yields = isfinite(def->yield_stress);
    for (int k = 0; k < 3 && !yields; ++k)
        if (numbers[k].value > 0.0)
            return sherd_fail(error, SHERD_ERROR_INPUT, numbers[k].where, "give yield_stress",
                              "needs a stress from which bonds yield");
    if (!yields) return SHERD_OK;
    if (def->law != SHERD_BOND_LAW_ROD)
        return sherd_fail(error, SHERD_ERROR_INPUT, "material.yield_stress", "use bond_law: rod",
                          "does not go with bond_law %s: only rods yield",
                          sherd_bond_law_describe(def->law)->word);
    if (def->fracture_strain > 0.0 && def->fracture_displacement > 0.0)
        return sherd_fail(error, SHERD_ERROR_INPUT, "material.fracture_displacement",
                          "remove one of them",
                          "contradicts fracture_strain: a bond breaks by one of the two");
    return SHERD_OK;
}

// Returns the name of another field that decides about breakage, if any.
static const char *other_fracture(const sherd_material_def *def, const char **hint)
{
    const sherd_breakage_info *breakage = sherd_breakage_describe(def->breakage);
    *hint = "remove one of them";
    if (!breakage->breaks) return "bonds that never break";
    *hint = "use breakage tensile, absolute or rod";
    if (breakage->measure != SHERD_BREAKAGE_OF_BONDS)
        return "a criterion of elements, which break all their bonds at once";
    *hint = "remove one of them";
    if (sherd_material_fracture_energy(def) > 0.0)
        return "a fracture energy: bonds that soften part by their opening";
    return isfinite(def->yield_stress) ? "yield_stress: bonds that yield break at once" : NULL;
}

static sherd_status check_rate(const sherd_material_def *def, sherd_error *error)
{
    if (!(def->rate_time > 0.0)) return SHERD_OK;
    const char *hint, *other = other_fracture(def, &hint);
    if (other != NULL)
        return sherd_fail(error, SHERD_ERROR_INPUT, "material.rate_time", hint,
                          "does not go with %s", other);
    if (isfinite(def->tensile_strength) || isfinite(def->shear_strength)) return SHERD_OK;
    return sherd_fail(error, SHERD_ERROR_INPUT, "material.rate_time",
                      "give tensile_strength or shear_strength",
                      "needs a strength beyond which damage grows");
}

// Keys of the law CENTRAL.
static sherd_status check_central(const sherd_material_def *def, sherd_error *error)
{
    if (def->law == SHERD_BOND_LAW_CENTRAL) return SHERD_OK;
    bool reach = def->reach > 0.0;
    if (!reach && def->central == SHERD_CENTRAL_SPRINGS) return SHERD_OK;
    return sherd_fail(error, SHERD_ERROR_INPUT, reach ? "material.reach" : "material.central",
                      "give bond_law: central", "has no meaning for bond_law %s",
                      sherd_bond_law_describe(def->law)->word);
}

static sherd_status check_grain(const sherd_material_def *def, sherd_error *error)
{
    if (vec3_length(def->grain_direction) > 0.0) return SHERD_OK;
    return sherd_fail(error, SHERD_ERROR_INPUT, "material.grain_direction",
                      "any vector of the rest frame will do", "must not be the zero vector");
}

// ---------------------------------------------------------------- material points

// A solid resists changes of volume and of shape.
static sherd_status check_ratio(const sherd_material_def *def, sherd_error *error)
{
    double ratio = 0.5 * def->youngs_modulus / def->shear_modulus - 1.0;
    if (ratio > -1.0 && ratio <= MAX_RATIO) return SHERD_OK;
    return sherd_fail(error, SHERD_ERROR_INPUT, "material.shear_modulus",
                      "poissons_ratio up to 0.49",
                      "makes a Poisson's ratio of %.4g with youngs_modulus: a solid's is above -1 "
                      "and below 0.5",
                      ratio);
}

// Damage has one of two causes; that of an energy needs the length over which it is spread.
static sherd_status check_damage(const sherd_material_def *def, sherd_error *error)
{
    if (def->fracture_energy > 0.0 && isfinite(def->tensile_strength))
        return sherd_fail(error, SHERD_ERROR_INPUT, "material.fracture_energy",
                          "remove one of them",
                          "contradicts tensile_strength: either a stress or "
                          "an energy drives damage");
    if (def->fracture_energy > 0.0 && !(def->damage_length > 0.0))
        return sherd_fail(error, SHERD_ERROR_INPUT, "material.fracture_energy",
                          "e.g. damage_length: as much as the points' spacing",
                          "needs damage_length");
    if (def->fracture_energy > 0.0 || isfinite(def->tensile_strength)) return SHERD_OK;
    return sherd_fail(error, SHERD_ERROR_INPUT, "material.model",
                      "e.g. tensile_strength: 5 MPa, or model: neo_hookean, which never breaks",
                      "phase_field needs tensile_strength or fracture_energy");
}

static sherd_status check_points(const sherd_material_def *def, sherd_error *error)
{
    const char *word = sherd_solid_model_words[def->model];
    bool slides = def->model == SHERD_SOLID_MODEL_SAND || def->model == SHERD_SOLID_MODEL_NACC;
    if (slides && !(def->friction_angle > 0.0))
        return sherd_fail(error, SHERD_ERROR_INPUT, "material.model", "e.g. friction_angle: 35 deg",
                          "%s needs friction_angle", word);
    if (def->model == SHERD_SOLID_MODEL_PHASE_FIELD && check_damage(def, error) != SHERD_OK)
        return SHERD_ERROR_INPUT;
    if (def->model == SHERD_SOLID_MODEL_FLUID && !(def->bulk_modulus > 0.0))
        return sherd_fail(error, SHERD_ERROR_INPUT, "material.model", "e.g. bulk_modulus: 100 kPa",
                          "%s needs bulk_modulus", word);
    if (isfinite(def->yield_stress) && def->model != SHERD_SOLID_MODEL_HENCKY)
        return sherd_fail(error, SHERD_ERROR_INPUT, "material.yield_stress", "use model: hencky",
                          "has no meaning for model %s", word);
    return def->model == SHERD_SOLID_MODEL_FLUID ? SHERD_OK : check_ratio(def, error);
}

sherd_status sherd_material_def_check(const sherd_material_def *def, sherd_error *error)
{
    if (def->cookie != MATERIAL_COOKIE)
        return sherd_fail(error, SHERD_ERROR_INPUT, "sherd_material_def",
                          "start from sherd_material_def_default()",
                          "the definition was not initialised");
    const char *name = def->name != NULL ? def->name : "material";
    sherd_status status = sherd_fields_check(sherd_material_def_fields(), def, name, error);
    if (status == SHERD_OK && def->model != SHERD_SOLID_MODEL_BONDED)
        return check_points(def, error);
    if (status == SHERD_OK) status = check_grain(def, error);
    if (status == SHERD_OK) status = check_central(def, error);
    if (status == SHERD_OK) status = check_fracture_energy(def, error);
    if (status == SHERD_OK) status = check_yield(def, error);
    return status == SHERD_OK ? check_rate(def, error) : status;
}
