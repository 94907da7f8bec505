// Field table of driver definitions.
#include "base/error.h"
#include "base/field.h"
#include "base/hash.h"
#include "bodies/driver.h"
#include "bodies/motion_eval.h"

#include <math.h>

enum { DRIVER_COOKIE = 0x64727631 };

static const char *const DRIVES[] = {"motion", "force", "none", NULL};

#define FIELD(kind, member, ...) SHERD_FIELD(sherd_driver_def, kind, member, __VA_ARGS__)
#define DRIVER .maps = SHERD_MAP_DRIVER
#define REGION .maps = SHERD_MAP_REGION
#define NOT_PHYSICS .flags = SHERD_FIELD_NOT_PHYSICS

static uint64_t digest_motion(const void *definition, uint64_t hash)
{
    return sherd_motion_digest(&((const sherd_driver_def *)definition)->motion, hash);
}

static uint64_t digest_free_axes(const void *definition, uint64_t hash)
{
    const sherd_driver_def *def = definition;
    const int64_t axes[] = {def->free_axes[0], def->free_axes[1], def->free_axes[2]};
    return sherd_hash_bytes(hash, axes, sizeof axes);
}

static uint64_t digest_force_table(const void *definition, uint64_t hash)
{
    const sherd_driver_def *def = definition;
    for (int k = 0; k < def->force_key_count; ++k) {
        const double key[] = {def->force_times[k], def->force_factors[k]};
        hash = sherd_hash_bytes(hash, key, sizeof key);
    }
    return hash;
}

static const sherd_field FIELDS[] = {
    FIELD(NAME, name, DRIVER, .flags = SHERD_FIELD_NOT_PHYSICS | SHERD_FIELD_REQUIRED,
          .doc = "unique among obstacles, drivers and probes"),
    FIELD(OTHER, region.body, NOT_PHYSICS,
          .doc = "only elements of this body"), // scenes have its index
    FIELD(OTHER, region.shape, NOT_PHYSICS,
          .doc = "only elements inside this shape"), // scenes have its digest
    {.key = "region",
     DRIVER,
     .values = "map",
     .usual = "everywhere",
     .doc = "a shape in the world, with `position` and `rotation`: selects the elements inside"},
    FIELD(VECTOR, region.pose.position, .quantity = SHERD_QUANTITY_LENGTH, REGION,
          .doc = "position of the region's shape"),
    FIELD(ROTATION, region.pose.rotation, .initial = {0.0, 0.0, 0.0, 1.0}, REGION,
          .doc = "rotation of the region's shape"),
    FIELD(CHOICE, drive, .choices = DRIVES, .initial = {SHERD_DRIVE_NONE}, .doc = "kind of driver"),
    FIELD(OTHER, motion, .digest = digest_motion, DRIVER, .values = "map",
          .doc = "prescribed motion of the elements as one rigid body, as above"),
    {.key = "hold", DRIVER, .values = "true", .doc = "fixes the elements"},
    FIELD(OTHER, free_axes, .key = "free", .digest = digest_free_axes, DRIVER,
          .values = "list of `x`, `y`, `z`", .usual = "none",
          .doc =
              "with `motion` or `hold`: axes along which elements may move, e.g. `[x]` for a "
              "roller; elements may then rotate too. A region that holds one row of elements is a"
              " hinge, one with more rows a clamp"),
    FIELD(
        VECTOR, force, .quantity = SHERD_QUANTITY_FORCE, DRIVER, .flags = SHERD_FIELD_BY_HAND,
        .usual = "", .values = "`[x, y, z]`, or `{total: [x, y, z], table: [[time, factor], ...]}`",
        .doc = "total force, distributed by mass; factors are linear between entries of the table"),
    FIELD(INT, force_key_count, .range = SHERD_AT_LEAST(0.0),
          .doc = "number of entries of force's table"),
    FIELD(OTHER, force_times, .digest = digest_force_table, .doc = "times of force's table"),
    FIELD(OTHER, force_factors, .doc = "factors of force's table"), // hashed with the times
};

const sherd_definition *sherd_driver_def_fields(void)
{
    static const sherd_definition DEFINITION = SHERD_DEFINITION(sherd_driver_def, FIELDS);
    return &DEFINITION;
}

sherd_driver_def sherd_driver_def_default(void)
{
    sherd_driver_def def = {.cookie = DRIVER_COOKIE};
    sherd_fields_set_initial(sherd_driver_def_fields(), &def);
    return def;
}

static sherd_status check_force_table(const sherd_driver_def *def, const char *name,
                                      sherd_error *error)
{
    for (int k = 0; k < def->force_key_count; ++k) {
        bool later = k == 0 || def->force_times[k] > def->force_times[k - 1];
        if (!isfinite(def->force_times[k]) || !isfinite(def->force_factors[k]) || !later)
            return sherd_fail(error, SHERD_ERROR_INPUT, name,
                              "give finite factors at strictly increasing times",
                              "key %d of the force table is out of order or not finite", k);
    }
    return SHERD_OK;
}

sherd_status sherd_driver_def_check(const sherd_driver_def *def, sherd_error *error)
{
    const char *name = def->name != NULL ? def->name : "driver";
    if (def->cookie != DRIVER_COOKIE)
        return sherd_fail(error, SHERD_ERROR_INPUT, "sherd_driver_def",
                          "start from sherd_driver_def_default()",
                          "the definition was not initialised");
    sherd_status status = sherd_fields_check(sherd_driver_def_fields(), def, name, error);
    if (status == SHERD_OK) status = check_force_table(def, name, error);
    return status == SHERD_OK ? sherd_motion_check(&def->motion, name, error) : status;
}
