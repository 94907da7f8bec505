// Defaults and validation of obstacle definitions.
#include "bodies/obstacle_def.h"

#include "base/error.h"
#include "base/field.h"
#include "bodies/motion_eval.h"

#include <math.h>
#include <stdio.h>

enum { OBSTACLE_COOKIE = 0x0b57ac1e };

static const char *const KINDS[] = {"fixed", "driven", "free", NULL};

#define FIELD(kind, member, ...) SHERD_FIELD(sherd_obstacle_def, kind, member, __VA_ARGS__)
#define OBSTACLE .maps = SHERD_MAP_OBSTACLE
#define FREE .maps = SHERD_MAP_FREE
#define NOT_PHYSICS .flags = SHERD_FIELD_NOT_PHYSICS
#define FLAG(name) .flags = SHERD_FIELD_##name

static uint64_t digest_motion(const void *definition, uint64_t hash)
{
    return sherd_motion_digest(&((const sherd_obstacle_def *)definition)->motion, hash);
}

static const sherd_field FIELDS[] = {
    FIELD(NAME, name, OBSTACLE, .flags = SHERD_FIELD_NOT_PHYSICS | SHERD_FIELD_REQUIRED,
          .doc = "unique among obstacles, drivers and probes"),
    FIELD(CHOICE, kind, .choices = KINDS, .hint = "fixed, driven or free",
          .doc = "fixed, driven or free"),
    FIELD(BOOLEAN, is_plane, .doc = "true: a half-space, no shape"),
    {.key = "plane",
     OBSTACLE,
     .values = "`{point, normal}`, both **required**",
     .doc = "a half-space, solid below the plane. Excludes `position` and `rotation`"},
    FIELD(OTHER, shape, NOT_PHYSICS,
          .doc = "shape of the solid, in the obstacle's frame"), // scenes have its digest
    FIELD(VECTOR, pose.position, .quantity = SHERD_QUANTITY_LENGTH, OBSTACLE,
          .doc = "position of the shape"),
    FIELD(ROTATION, pose.rotation, .initial = {0.0, 0.0, 0.0, 1.0}, OBSTACLE,
          .doc = "rotation of the shape"),
    FIELD(OTHER, motion, .digest = digest_motion, OBSTACLE, .values = "map",
          .doc = "prescribed motion, below"),
    {.key = "free", OBSTACLE, .values = "map", .doc = "free rigid body, below; not for planes"},
    {.key = "fixed",
     OBSTACLE,
     .values = "true",
     .doc = "fixed; the default without `motion` or `free`"},
    FIELD(REAL, density, .quantity = SHERD_QUANTITY_DENSITY, .range = SHERD_ABOVE(0.0, 1e6), FREE,
          FLAG(UNSET), .doc = "density of a free body, or give `mass`"),
    FIELD(REAL, mass, .quantity = SHERD_QUANTITY_MASS, .range = SHERD_POSITIVE, FREE, FLAG(UNSET),
          .doc = "mass of a free body, or give `density`"),
    FIELD(VECTOR, velocity, .quantity = SHERD_QUANTITY_SPEED, FREE, .doc = "initial velocity"),
    FIELD(VECTOR, angular_velocity, .quantity = SHERD_QUANTITY_ANGULAR_SPEED, FREE,
          .doc = "initial angular velocity about the centre of mass"),
    FIELD(REAL, friction, .initial = {NAN}, .range = SHERD_AT_LEAST(0.0), OBSTACLE, FLAG(UNSET),

          .usual =
              "the touching material's; between obstacles that of the scene's stiffest material",
          .doc = "Coulomb friction coefficient. A contact has the geometric mean of this and the "
                 "body's: 0.1 and the default 0.3 give 0.17"),
    FIELD(REAL, restitution, .initial = {NAN}, .range = SHERD_ABOVE(0.0, 1.0), OBSTACLE,
          FLAG(UNSET), .usual = "as of `friction`",
          .doc = "coefficient of restitution, combined as `friction` is"),
    FIELD(BOOLEAN, sticky, OBSTACLE,
          .doc = "true: material points that touch it stick to it. No effect on elements"),
};

const sherd_definition *sherd_obstacle_def_fields(void)
{
    static const sherd_definition DEFINITION = SHERD_DEFINITION(sherd_obstacle_def, FIELDS);
    return &DEFINITION;
}

sherd_obstacle_def sherd_obstacle_def_default(void)
{
    sherd_obstacle_def def = {.cookie = OBSTACLE_COOKIE};
    sherd_fields_set_initial(sherd_obstacle_def_fields(), &def);
    return def;
}

// "NAME.field", or "obstacle.field" without a name.
static void field_name(char *where, size_t size, const sherd_obstacle_def *def, const char *field)
{
    snprintf(where, size, "%s.%s", def->name != NULL ? def->name : "obstacle", field);
}

static sherd_status fail_field(sherd_error *error, const sherd_obstacle_def *def, const char *field,
                               const char *hint, const char *what)
{
    char where[SHERD_ERROR_TEXT_SIZE];
    field_name(where, sizeof where, def, field);
    return sherd_fail(error, SHERD_ERROR_INPUT, where, hint, "%s", what);
}

static sherd_status check_shape(const sherd_obstacle_def *def, sherd_error *error)
{
    if (!def->is_plane && def->shape == NULL)
        return fail_field(error, def, "shape", "give a shape, or set is_plane", "is missing");
    if (def->is_plane && def->shape != NULL)
        return fail_field(error, def, "shape", "choose one of them",
                          "an obstacle is either a plane or a shape, got both");
    return SHERD_OK;
}

static sherd_status check_free(const sherd_obstacle_def *def, sherd_error *error)
{
    if (def->is_plane)
        return fail_field(error, def, "kind", "use a box, or a fixed or driven plane",
                          "a half-space has infinite mass and can't be free");
    if (def->mass > 0.0 || def->density > 0.0) return SHERD_OK;
    return fail_field(error, def, "density", NULL,
                      "a free body needs mass > 0 or density > 0, got 0 kg, 0 kg/m^3");
}

sherd_status sherd_obstacle_def_check(const sherd_obstacle_def *def, sherd_error *error)
{
    if (def->cookie != OBSTACLE_COOKIE)
        return sherd_fail(error, SHERD_ERROR_INPUT, "obstacle",
                          "begin with sherd_obstacle_def_default()",
                          "the definition was not initialised");
    const char *name = def->name != NULL ? def->name : "obstacle";
    sherd_status status = sherd_fields_check(sherd_obstacle_def_fields(), def, name, error);
    if (status == SHERD_OK) status = check_shape(def, error);
    if (status == SHERD_OK && def->kind == SHERD_OBSTACLE_FREE) status = check_free(def, error);
    if (status == SHERD_OK && def->kind == SHERD_OBSTACLE_DRIVEN) {
        char where[SHERD_ERROR_TEXT_SIZE];
        field_name(where, sizeof where, def, "motion");
        status = sherd_motion_check(&def->motion, where, error);
    }
    return status;
}
