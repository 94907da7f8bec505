#include "base/error.h"
#include "math/vec3.h"

#include <sherd/material.h>

#include <stdio.h>

enum { MATERIAL_COOKIE = 0x6d617431 };

sherd_material_def sherd_material_def_default(void)
{
    return (sherd_material_def){
        .cookie = MATERIAL_COOKIE,
        .density = 2600.0,
        .youngs_modulus = 1e9,
        .shear_modulus = 4e8,
        .law = SHERD_BOND_LAW_QUATERNION,
        .breakage = SHERD_BREAKAGE_TENSILE,
        .tensile_strength = INFINITY,
        .shear_strength = INFINITY,
        .bond_damping = 0.02,
        .restitution = 0.5,
        .friction = 0.3,
        .grain_direction = {1.0, 0.0, 0.0},
        .seed = 1,
    };
}

typedef struct field_range {
    const char *name;
    double value, low, high; // low < value or low <= value <= high
    int low_allowed, infinity_allowed;
    const char *hint;
} field_range;

static int in_range(const field_range *field)
{
    if (isnan(field->value)) return 0;
    if (isinf(field->value)) return field->infinity_allowed && field->value > 0.0;
    if (field->value > field->high) return 0;
    return field->low_allowed ? field->value >= field->low : field->value > field->low;
}

static sherd_status fail_field(const sherd_material_def *def, const field_range *field,
                               sherd_error *error)
{
    char where[SHERD_ERROR_TEXT_SIZE];
    snprintf(where, sizeof where, "%.200s.%s", def->name != NULL ? def->name : "material",
             field->name);
    if (field->high < INFINITY)
        return sherd_fail(
            error, SHERD_ERROR_INPUT, where, field->hint, "must be %s %g and at most %g, got %g",
            field->low_allowed ? "at least" : "above", field->low, field->high, field->value);
    return sherd_fail(error, SHERD_ERROR_INPUT, where, field->hint,
                      "must be %s %g and finite, got %g", field->low_allowed ? "at least" : "above",
                      field->low, field->value);
}

// Wood has tens: far beyond that moduli leave the range of numbers.
#define MOST_GRAIN 1e6

static sherd_status fail_choice(const sherd_material_def *def, const char *field, int value,
                                const char *hint, sherd_error *error)
{
    char where[SHERD_ERROR_TEXT_SIZE];
    snprintf(where, sizeof where, "%.200s.%s", def->name != NULL ? def->name : "material", field);
    return sherd_fail(error, SHERD_ERROR_INPUT, where, hint, "is none, got %d", value);
}

sherd_status sherd_material_def_check(const sherd_material_def *def, sherd_error *error)
{
    if (def->cookie != MATERIAL_COOKIE)
        return sherd_fail(error, SHERD_ERROR_INPUT, "sherd_material_def",
                          "start from sherd_material_def_default()",
                          "the definition was not initialised");
    if (def->law < SHERD_BOND_LAW_QUATERNION || def->law > SHERD_BOND_LAW_LU)
        return fail_choice(def, "law", (int)def->law, "SHERD_BOND_LAW_QUATERNION, ...", error);
    if (def->breakage < SHERD_BREAKAGE_TENSILE || def->breakage > SHERD_BREAKAGE_NONE)
        return fail_choice(def, "breakage", (int)def->breakage, "SHERD_BREAKAGE_TENSILE, ...",
                           error);
    const field_range fields[] = {
        {"density", def->density, 0.0, INFINITY, 0, 0, "in kg/m^3"},
        {"youngs_modulus", def->youngs_modulus, 0.0, INFINITY, 0, 0, "in Pa"},
        {"shear_modulus", def->shear_modulus, 0.0, INFINITY, 0, 0, "in Pa"},
        {"tensile_strength", def->tensile_strength, 0.0, INFINITY, 0, 1,
         "strengths are magnitudes in Pa; INFINITY never breaks"},
        {"shear_strength", def->shear_strength, 0.0, INFINITY, 0, 1,
         "strengths are magnitudes in Pa; INFINITY never breaks"},
        {"weibull_modulus", def->weibull_modulus == 0.0 ? 1.0 : def->weibull_modulus, 1.0, INFINITY,
         1, 0, "0 is no scatter; ceramics have 5 to 20"},
        {"bond_damping", def->bond_damping, 0.0, 10.0, 1, 0, "a damping ratio, 1 is critical"},
        {"restitution", def->restitution, 0.0, 1.0, 0, 0, "1 is a perfect rebound"},
        {"friction", def->friction, 0.0, INFINITY, 1, 0, "a Coulomb coefficient"},
        {"grain_stiffening", def->grain_stiffening, 0.0, MOST_GRAIN, 1, 0, "[BDEM21] eq. (30)"},
        {"grain_strengthening", def->grain_strengthening, 0.0, MOST_GRAIN, 1, 0, "0 is isotropic"},
    };
    for (size_t k = 0; k < sizeof fields / sizeof fields[0]; ++k)
        if (!in_range(&fields[k])) return fail_field(def, &fields[k], error);
    if (!vec3_is_finite(def->grain_direction) || !(vec3_length(def->grain_direction) > 0.0))
        return sherd_fail(error, SHERD_ERROR_INPUT, "material.grain_direction",
                          "any vector of the rest frame will do", "must be finite and not zero");
    return SHERD_OK;
}
