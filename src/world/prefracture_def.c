// Fields, defaults and check of sherd_fracture_def: the walls that divide a body of material points
// into pieces, and the strength of the glue between them.
#include "world/prefracture_def.h"

#include "base/error.h"
#include "base/field.h"

#include <math.h>

enum { COOKIE = 0x66726163 };

#define FIELD(kind, member, ...) SHERD_FIELD(sherd_fracture_def, kind, member, __VA_ARGS__)
#define STRENGTH                                                                                   \
    .quantity = SHERD_QUANTITY_STRESS, .initial = {INFINITY},                                      \
    .range = {.bound = SHERD_BOUND_FROM, .high = INFINITY, .infinite = true}, .hint = "in pascals"

static const sherd_field FIELDS[] = {
    FIELD(INT, wall_count, .range = SHERD_AT_LEAST(0.0), .doc = "number of `walls`"),
    FIELD(OTHER, walls, .doc = "surfaces that separate pieces"),
    FIELD(REAL, tensile_strength, STRENGTH,
          .doc = "normal stress on its wall at which glue breaks"),
    FIELD(REAL, shear_strength, STRENGTH, .doc = "shear stress on its wall at which glue breaks"),
    FIELD(REAL, fracture_energy, .quantity = SHERD_QUANTITY_FRACTURE_ENERGY,
          .range = SHERD_AT_LEAST(0.0),
          .doc = "fracture energy G_f of glue per area: past its strength its traction falls "
                 "linearly to zero; 0: it breaks at once"),
    FIELD(REAL, scatter, .range = SHERD_UNIT_INTERVAL,
          .doc = "strengths are uniformly distributed from 1 - scatter to 1 + scatter times these"),
    FIELD(UINT64, seed, .doc = "random seed of the scatter"),
    FIELD(OTHER, glued, .doc = "shape that limits where glue is"),
};

const sherd_definition *sherd_fracture_def_fields(void)
{
    static const sherd_definition DEFINITION = SHERD_DEFINITION(sherd_fracture_def, FIELDS);
    return &DEFINITION;
}

sherd_fracture_def sherd_fracture_def_default(void)
{
    sherd_fracture_def def = {.cookie = COOKIE};
    sherd_fields_set_initial(sherd_fracture_def_fields(), &def);
    return def;
}

sherd_status sherd_fracture_def_check(const sherd_fracture_def *def, const char *name,
                                      sherd_error *error)
{
    if (def->cookie != COOKIE)
        return sherd_fail(error, SHERD_ERROR_INPUT, name, "start from sherd_fracture_def_default()",
                          "the definition of its fracture was not initialised");
    if (def->wall_count > 0 && def->walls == NULL)
        return sherd_fail(error, SHERD_ERROR_INPUT, name, NULL, "has %d walls that are not there",
                          def->wall_count);
    sherd_status status = sherd_fields_check(sherd_fracture_def_fields(), def, name, error);
    bool one = isfinite(def->tensile_strength) != isfinite(def->shear_strength);
    if (status == SHERD_OK && def->fracture_energy > 0.0 && one)
        return sherd_fail(error, SHERD_ERROR_INPUT, name, "give both strengths, or neither",
                          "has glue with a fracture energy that can only break in one way: one "
                          "strength is infinite");
    return status;
}
