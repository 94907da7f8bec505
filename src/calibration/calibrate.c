// Calibration of bonds, in this order:
//
//      homogenise      G / E for the requested Poisson's ratio, by affine homogenisation
//      elastic search  the same for bars in tension
//      fracture        bonds' G_f, by pulling notched bars apart
//      strengths       tau_c / sigma_c for the requested ratio of strengths in torsion and tension, with bonds
//                      as ductile as the solid's ductility requires
//      yielding        H_m for the requested hardening, then sigma_y
//      scale           to the requested E, strength and yield stress: everything is linear in them
//
// Bars have a certain size, and their outermost elements lack bonds. The results of a bar are
// therefore divided by sherd_packing_stiffness. Moduli are proportional to it, for bars of 8 to 28
// radii: within 1.5 % for hcp, 1 % for tetrahedra, 2.5 % for random packings (of 1000 elements, by
// chance). Strengths are proportional to its square root, within 3 % for hcp: grips weaken large
// bars more. Yield stresses are proportional to it like moduli, within 5 % (hcp): all bonds of a
// section yield, also those near faces.
#include "base/clock.h"
#include "base/error.h"
#include "base/field.h"
#include "calibration/cache.h"
#include "calibration/cut.h"
#include "calibration/study.h"

#include <math.h>
#include <string.h>

static const uint32_t COOKIE = 0x43414c42; // "CALB"

#define FIELD(kind, member, ...) SHERD_FIELD(sherd_calibration_def, kind, member, __VA_ARGS__)
#define NOT_PHYSICS .flags = SHERD_FIELD_NOT_PHYSICS
#define STRESS .quantity = SHERD_QUANTITY_STRESS
#define STRENGTH                                                                                   \
    STRESS, .initial = {INFINITY},                                                                 \
            .range = {.bound = SHERD_BOUND_ABOVE, .high = INFINITY, .infinite = true},             \
            .hint = "in pascals; infinite: not tested"

static const sherd_field FIELDS[] = {
    FIELD(OTHER, packing, .doc = "packing of the bonds; its radius and seed do not matter"),
    FIELD(INT, layers, .range = SHERD_BETWEEN(0.0, 4.0), .hint = "0 is a solid",
          .doc = "number of layers of hcp or layers plates"),
    FIELD(REAL, bond_reach, .initial = {0.15}, .range = SHERD_UNIT_INTERVAL,
          .doc = "largest gap that a bond spans, as a fraction of the smaller element's radius"),
    FIELD(REAL, youngs_modulus, STRESS, .initial = {1e9}, .range = SHERD_ABOVE(0.0, 1e300),
          .hint = "in pascals", .doc = "Young's modulus of the solid"),
    FIELD(REAL, poissons_ratio, .initial = {0.2}, .range = SHERD_ABOVE(-1.0, 0.5),
          .doc = "Poisson's ratio of the solid"),
    FIELD(CHOICE, law, .choices = sherd_bond_law_words,
          .doc = "bond law: how forces and moments follow from deformation"),
    FIELD(REAL, shear_correction, .range = SHERD_ABOVE(0.0, 1.0), .flags = SHERD_FIELD_UNSET,
          .hint = "0 is that of the bond law", .doc = "shear correction factor kappa of bonds"),
    FIELD(CHOICE, bond_radius, .choices = sherd_bond_radius_words,
          .doc = "radius of a bond, from the radii of its two elements"),
    FIELD(CHOICE, breakage, .choices = sherd_breakage_words,
          .doc = "criterion by which bonds break"),
    FIELD(REAL, tensile_strength, STRENGTH, .doc = "tensile strength of the solid"),
    FIELD(REAL, shear_strength, STRENGTH, .doc = "shear strength of the solid, in torsion"),
    FIELD(REAL, weibull_modulus,
          .range = {.bound = SHERD_BOUND_FROM, .low = 1.0, .high = INFINITY, .zero = true},
          .hint = "0 is no scatter", .doc = "Weibull modulus of the scatter of bonds' strengths"),
    FIELD(REAL, yield_stress, STRENGTH, .doc = "yield stress of the solid, in tension"),
    FIELD(REAL, hardening_modulus, STRESS, .range = SHERD_AT_LEAST(0.0), .hint = "0 is none",
          .doc = "slope of the solid's stress over plastic strain"),
    FIELD(REAL, fracture_energy, .quantity = SHERD_QUANTITY_FRACTURE_ENERGY,
          .range = SHERD_AT_LEAST(0.0), .hint = "in J/m^2; 0: bonds break at once",
          .doc = "fracture energy of the solid, in tension"),
    FIELD(OTHER, body, .doc = "body of tetrahedra from which bars are cut"),
    FIELD(REAL, bar_width, .initial = {16.0}, .range = SHERD_BETWEEN(8.0, 64.0),
          .hint = "in element radii", .doc = "width of test bars"),
    FIELD(BOOLEAN, with_table, NOT_PHYSICS, .doc = "measure more, and keep curves"),
    FIELD(TEXT, cache_folder, NOT_PHYSICS, .usual = "the user's",
          .doc = "folder of cached results; empty: no cache"),
    FIELD(INT, threads, .range = SHERD_AT_LEAST(0.0), .hint = "0 uses all", NOT_PHYSICS,
          .doc = "number of threads, 0: all; results do not depend on it"),
};

const sherd_definition *sherd_calibration_def_fields(void)
{
    static const sherd_definition DEFINITION = SHERD_DEFINITION(sherd_calibration_def, FIELDS);
    return &DEFINITION;
}

sherd_calibration_def sherd_calibration_def_default(void)
{
    sherd_calibration_def def = {.cookie = COOKIE, .packing = sherd_packing_def_default()};
    sherd_fields_set_initial(sherd_calibration_def_fields(), &def);
    return def;
}

// ---------------------------------------------------------------- what is asked

static bool yields(const sherd_calibration_def *def)
{
    return isfinite(def->yield_stress);
}

static sherd_status check_fracture(const sherd_calibration_def *def, sherd_error *error)
{
    if (!isfinite(def->tensile_strength))
        return sherd_fail(error, SHERD_ERROR_INPUT, "calibration.fracture_energy",
                          "give tensile_strength", "needs a strength from which bonds soften");
    if (yields(def))
        return sherd_fail(error, SHERD_ERROR_INPUT, "calibration.fracture_energy",
                          "remove one of them",
                          "does not go with yield_stress: bonds either soften or yield");
    return SHERD_OK;
}

static sherd_status check_def(const sherd_calibration_def *def, sherd_error *error)
{
    if (def == NULL || def->cookie != COOKIE)
        return sherd_fail(error, SHERD_ERROR_INPUT, "calibration",
                          "start from sherd_calibration_def_default()",
                          "definition not initialised");
    sherd_status status = sherd_fields_check(sherd_calibration_def_fields(), def, NULL, error);
    if (status == SHERD_OK &&
        sherd_breakage_describe(def->breakage)->measure != SHERD_BREAKAGE_OF_BONDS)
        return sherd_fail(error, SHERD_ERROR_INPUT, "calibration.breakage",
                          "use tensile, absolute or rod",
                          "must be a criterion of bonds, not of elements");
    if (status == SHERD_OK && def->law == SHERD_BOND_LAW_CENTRAL)
        return sherd_fail(error, SHERD_ERROR_INPUT, "calibration.law", "use another law",
                          "bond law central fixes Poisson's ratio: nothing is left to calibrate");
    if (status == SHERD_OK && yields(def) && def->law != SHERD_BOND_LAW_ROD)
        return sherd_fail(error, SHERD_ERROR_INPUT, "calibration.yield_stress",
                          "use law SHERD_BOND_LAW_ROD", "does not go with bond law %s",
                          sherd_bond_law_describe(def->law)->word);
    if (status == SHERD_OK && def->fracture_energy > 0.0) status = check_fracture(def, error);
    return status;
}

static bool breaks(const sherd_calibration_def *def)
{
    return sherd_breakage_describe(def->breakage)->breaks;
}

static bool softens(const sherd_calibration_def *def)
{
    return breaks(def) && def->fracture_energy > 0.0;
}

// The strength that serves as unit; 0 if none is requested.
static double unit_strength(const sherd_calibration_def *def)
{
    if (!breaks(def)) return 0.0;
    if (isfinite(def->tensile_strength)) return def->tensile_strength;
    return isfinite(def->shear_strength) ? def->shear_strength : 0.0;
}

// E G_f / (sigma^2 r) of the solid, with the radius r that serves as unit of bars.
static double solid_size(const sherd_calibration_def *def)
{
    double radius = sherd_bar_radius_of(def), sigma = def->tensile_strength;
    return def->youngs_modulus * def->fracture_energy / (sigma * sigma * radius);
}

// Similar radii shall have one result: sizes are rounded to a grid of ratio root 2, and strengths
// are extrapolated from there. Above the largest size, bonds soften so slowly that strengths do not
// depend on it; below the smallest, no packing reaches the strength.
static const double MIN_SIZE = 0.25, MAX_SIZE = 1024.0;

static double grid_size(double size)
{
    return fmin(fmax(exp2(0.5 * round(2.0 * log2(size))), MIN_SIZE), MAX_SIZE);
}

// The same task in units of E and of a strength; irrelevant members are reset.
static sherd_calibration_def without_units(const sherd_calibration_def *def)
{
    sherd_calibration_def unit = *def;
    double strength = unit_strength(def);
    if (!sherd_bond_law_describe(def->law)->has_energy) unit.law = sherd_material_def_default().law;
    unit.packing.radius = SHERD_BAR_RADIUS;
    unit.youngs_modulus = 1.0;
    unit.yield_stress = yields(def) ? 1.0 : INFINITY;
    unit.hardening_modulus = yields(def) ? def->hardening_modulus / def->youngs_modulus : 0.0;
    unit.fracture_energy = softens(def) ? SHERD_BAR_RADIUS * grid_size(solid_size(def)) : 0.0;
    if (strength > 0.0) {
        unit.tensile_strength = def->tensile_strength / strength;
        unit.shear_strength = def->shear_strength / strength;
    } else {
        unit.breakage = SHERD_BREAKAGE_NONE;
        unit.tensile_strength = unit.shear_strength = INFINITY;
        if (!yields(def)) unit.weibull_modulus = 0.0;
    }
    return unit;
}

// Lattices are calibrated by bars along their rows: bodies have rows along their longest extent,
// where they are weakest, and bars across rows differ only by the missing bonds at their sides. For
// packings without such a direction, two bars are better than one.
static int bars_that_decide(const sherd_calibration_def *def)
{
    sherd_packing_kind kind = def->packing.kind;
    bool has_rows = kind == SHERD_PACKING_HCP || kind == SHERD_PACKING_HEX_LAYERS ||
                    kind == SHERD_PACKING_CUBIC;
    return has_rows ? 1 : 2;
}

// ---------------------------------------------------------------- all of it

static sherd_status study_bars(sherd_study *s)
{
    sherd_status status = sherd_study_elastic(s);
    if (status == SHERD_OK) {
        sherd_study_no_strengths(s->out);
        if (breaks(s->def)) status = sherd_study_strengths(s);
        sherd_study_no_yielding(s->out);
        if (status == SHERD_OK && yields(s->def)) status = sherd_study_yielding(s);
    }
    if (status == SHERD_OK && s->def->with_table) status = sherd_study_show_more(s);
    return status;
}

// Static tests are fast, and the cut sides affect a bar less the wider it is.
static const double WIDER = 1.5;

// The k-th bar cut out of the body; *found is false if there is no room.
static sherd_status cut_bar(sherd_study *s, int k, bool *found)
{
    const sherd_calibration_def *def = s->def;
    bool narrow = false;
    sherd_status status = sherd_bar_cut(&s->bar[k], def->body, WIDER * def->bar_width, k,
                                        def->threads, found, s->error);
    if (status == SHERD_OK && *found && breaks(def))
        status = sherd_bar_cut(&s->narrow[k], def->body, def->bar_width, k, def->threads, &narrow,
                               s->error);
    if (narrow) s->broken[k] = &s->narrow[k];
    return status;
}

// The second bar is used only if the body is about as long that way. If there is no room for any,
// bars are made from the kind of packing.
// made of the packing's kind then.
static sherd_status cut_bars(sherd_study *s)
{
    int count = 0;
    bool found = s->def->body != NULL;
    sherd_status status = SHERD_OK;
    for (int k = 0; k < 2 && found && status == SHERD_OK; ++k) {
        status = cut_bar(s, k, &found);
        count += found;
    }
    s->out->own_bars = count > 0;
    if (count > 0) s->bar_count = count;
    return status;
}

static sherd_status get_bars(sherd_study *s)
{
    sherd_status status = cut_bars(s);
    for (int k = 0; k < s->bar_count && status == SHERD_OK && !s->out->own_bars; ++k)
        status = sherd_bar_init(&s->bar[k], s->def, k, s->error);
    return status;
}

static sherd_status run_tests(const sherd_calibration_def *unit, sherd_calibration *out,
                              sherd_error *error)
{
    sherd_study s = {.def = unit, .out = out, .error = error, .bar_count = bars_that_decide(unit)};
    for (int k = 0; k < 2; ++k)
        s.broken[k] = &s.bar[k];
    sherd_status status = get_bars(&s);
    if (status == SHERD_OK) {
        out->elements = s.bar[0].packing->count;
        status = study_bars(&s);
    }
    for (int k = 0; k < 2; ++k) {
        sherd_bar_free(&s.bar[k]);
        sherd_bar_free(&s.narrow[k]);
    }
    return status;
}

static void scale_bonds(sherd_calibration_bonds *bonds, double E, double strength, double yield)
{
    bonds->hardening_modulus *= E;
    bonds->yield_stress *= yield;
    bonds->youngs_modulus *= E;
    bonds->shear_modulus *= E;
    bonds->tensile_strength *= strength;
    bonds->shear_strength *= strength;
}

static void scale_curve(sherd_calibration_curve *curve, double E, double strength)
{
    for (int k = 0; k < curve->count; ++k) {
        curve->stress[k] *= strength;
        curve->strain[k] *= strength / E;
    }
}

// Converts from units of E, a strength and a yield stress to pascals.
static void scale(sherd_calibration *out, double E, double strength, double yield)
{
    scale_bonds(&out->full, E, strength, yield);
    scale_bonds(&out->bar, E, strength, yield);
    scale_bonds(&out->guess, E, strength, yield);
    out->yield_stress *= yield;
    out->hardening_modulus *= E;
    double *moduli_of[] = {&out->youngs_modulus,  &out->guess_youngs_modulus, &out->axis_modulus[0],
                           &out->axis_modulus[1], &out->axis_modulus[2],      &out->bending_modulus,
                           &out->torsion_modulus};
    for (size_t k = 0; k < sizeof moduli_of / sizeof moduli_of[0]; ++k)
        *moduli_of[k] *= E;
    double *strengths_of[] = {&out->tensile_strength,   &out->shear_strength,
                              &out->stretched_strength, &out->pressed_strength,
                              &out->axis_strength[0],   &out->axis_strength[1],
                              &out->axis_strength[2]};
    for (size_t k = 0; k < sizeof strengths_of / sizeof strengths_of[0]; ++k)
        *strengths_of[k] *= strength;
    scale_curve(&out->tension, E, strength);
    scale_curve(&out->torsion, E, strength);
}

// Correction from the grid's size to that of the solid. The strength of bars of the same bonds is
// proportional to this power of the size (for all packings and sizes: 0.1 to 0.3); if the strength
// is out of reach, it is proportional to the square root, as is that of bonds.
static const double STRENGTH_BY_SIZE = 0.2;

static void carry_on(sherd_calibration *out, double size)
{
    double from = grid_size(size), power = size > MAX_SIZE ? 0.0 : -STRENGTH_BY_SIZE;
    if (!out->tensile_strength_reached) power = 0.5;
    double bonds = pow(size / from, power), solid = 1.0;
    if (!out->tensile_strength_reached) {
        double attained = out->tensile_strength * bonds;
        out->tensile_strength_reached = attained > 1.0;
        solid = fmin(attained, 1.0) / out->tensile_strength;
    }
    sherd_calibration_bonds *all[3] = {&out->full, &out->bar, &out->guess};
    for (int k = 0; k < 3; ++k)
        all[k]->tensile_strength *= bonds, all[k]->shear_strength *= bonds;
    out->tensile_strength *= solid, out->shear_strength *= solid, out->stretched_strength *= solid;
    out->pressed_strength *= solid;
    for (int k = 0; k < 3; ++k)
        out->axis_strength[k] *= solid;
    scale_curve(&out->tension, 1.0, solid);
    scale_curve(&out->torsion, 1.0, solid);
    out->fracture_radius /= bonds * bonds;
}

static void scale_fracture(sherd_calibration *out, double E, double strength, double energy)
{
    out->full.fracture_energy *= energy;
    out->bar.fracture_energy *= energy;
    out->guess.fracture_energy *= energy;
    out->fracture_energy *= energy;
    out->guess_fracture_energy *= energy;
    out->fracture_radius *= E * energy / (strength * strength);
    out->strength_radius *= E * energy / (strength * strength);
}

sherd_status sherd_calibrate(const sherd_calibration_def *def, sherd_calibration *out,
                             sherd_error *error)
{
    sherd_error_clear(error);
    *out = (sherd_calibration){0};
    sherd_status status = check_def(def, error);
    if (status != SHERD_OK) return status;
    double start = sherd_clock_seconds(), strength = unit_strength(def);
    sherd_calibration_def unit = without_units(def);
    sherd_calibration_key key = sherd_calibration_key_of(&unit);
    bool cached = !def->with_table && sherd_calibration_cache_read(def->cache_folder, &key, out);
    if (!cached) {
        status = run_tests(&unit, out, error);
        if (status != SHERD_OK) return status;
        sherd_calibration_cache_write(def->cache_folder, &key, out);
    }
    if (softens(def)) carry_on(out, solid_size(def));
    scale(out, def->youngs_modulus, strength > 0.0 ? strength : 1.0,
          yields(def) ? def->yield_stress : 1.0);
    if (softens(def)) scale_fracture(out, def->youngs_modulus, strength, def->fracture_energy);
    out->cached = cached;
    out->seconds = sherd_clock_seconds() - start;
    return SHERD_OK;
}

bool sherd_calibration_same(const sherd_calibration_def *a, const sherd_calibration_def *b)
{
    sherd_calibration_def unit_a = without_units(a), unit_b = without_units(b);
    sherd_calibration_key key_a = sherd_calibration_key_of(&unit_a);
    sherd_calibration_key key_b = sherd_calibration_key_of(&unit_b);
    return a->youngs_modulus == b->youngs_modulus && unit_strength(a) == unit_strength(b) &&
           a->yield_stress == b->yield_stress && a->fracture_energy == b->fracture_energy &&
           strcmp(key_a.text, key_b.text) == 0;
}

void sherd_calibration_apply(const sherd_calibration *calibration, const sherd_packing *body,
                             sherd_material_def *material)
{
    const sherd_calibration_bonds *full = &calibration->full;
    double g = full->shear_modulus / full->youngs_modulus;
    sherd_affine_bonds bonds = sherd_affine_bonds_of(material, g);
    double measure = calibration->own_bars ? 1.0 : sherd_body_stiffness(body, &bonds);
    double root = sqrt(measure);
    material->youngs_modulus = full->youngs_modulus / measure;
    material->shear_modulus = full->shear_modulus / measure;
    material->tensile_strength = full->tensile_strength / root;
    material->shear_strength = full->shear_strength / root;
    material->yield_stress = full->yield_stress / measure;
    material->hardening_modulus = full->hardening_modulus / measure;
    if (full->fracture_energy > 0.0) {
        material->fracture_energy = full->fracture_energy;
        material->fracture_toughness = 0.0; // that of the solid
    }
    material->density /= sherd_packing_fill(body);
}
