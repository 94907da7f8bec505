// Field table of driver definitions.
#include "base/error.h"
#include "base/field.h"
#include "base/hash.h"
#include "bodies/driver.h"
#include "bodies/motion_eval.h"
#include "math/vec3.h"

#include <math.h>

enum { DRIVER_COOKIE = 0x64727631 };

static const char *const DRIVES[] = {"motion", "force", "none", "wind", "blast", "pressure", NULL};

#define FIELD(kind, member, ...) SHERD_FIELD(sherd_driver_def, kind, member, __VA_ARGS__)
#define DRIVER .maps = SHERD_MAP_DRIVER
#define REGION .maps = SHERD_MAP_REGION
#define WIND .maps = SHERD_MAP_WIND
#define BLAST .maps = SHERD_MAP_BLAST
#define PRESSURE .maps = SHERD_MAP_PRESSURE
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
    {.key = "wind", DRIVER, .values = "map", .doc = "air that flows past the elements, below"},
    {.key = "blast", DRIVER, .values = "map", .doc = "the explosion of a charge, below"},
    {.key = "pressure",
     DRIVER,
     .values = "map",
     .doc = "a pressure on the surface of the elements, below"},
    FIELD(VECTOR, wind.velocity, .quantity = SHERD_QUANTITY_SPEED, WIND,
          .doc = "velocity of the air"),
    FIELD(REAL, wind.drag, .initial = {1.2}, .range = SHERD_AT_LEAST(0.0), WIND,
          .doc = "drag coefficient, for the area that faces the flow: 1.2 suits plates, panes and "
                 "cloth"),
    FIELD(REAL, wind.density, .initial = {1.2}, .quantity = SHERD_QUANTITY_DENSITY,
          .range = SHERD_BETWEEN(1e-9, 1e4), WIND, .doc = "density of the air, or of water"),
    FIELD(REAL, wind.gust, .quantity = SHERD_QUANTITY_SPEED, .range = SHERD_AT_LEAST(0.0), WIND,
          .doc = "root mean square speed of gusts, which the wind carries along"),
    FIELD(REAL, wind.gust_size, .initial = {1.0}, .quantity = SHERD_QUANTITY_LENGTH,
          .range = SHERD_POSITIVE, WIND,
          .doc = "size of the smallest gusts; others are up to four "
                 "times as large"),
    FIELD(INT, wind.gust_seed, .initial = {1.0}, .range = SHERD_AT_LEAST(0.0), WIND,
          .doc = "another number gives other gusts"),
    FIELD(REAL, wind.vortex, .quantity = SHERD_QUANTITY_SPEED, WIND,
          .doc = "largest speed of a vortex; negative: the other way round"),
    FIELD(REAL, wind.vortex_radius, .initial = {1.0}, .quantity = SHERD_QUANTITY_LENGTH,
          .range = SHERD_POSITIVE, WIND, .doc = "where that speed is reached"),
    FIELD(VECTOR, wind.vortex_center, .quantity = SHERD_QUANTITY_LENGTH, WIND,
          .doc = "a point of the vortex's axis"),
    FIELD(VECTOR, wind.vortex_axis, .initial = {0.0, 0.0, 1.0}, WIND,
          .doc = "direction of the vortex's axis"),
    FIELD(VECTOR, blast.position, .quantity = SHERD_QUANTITY_LENGTH, BLAST,
          .flags = SHERD_FIELD_REQUIRED, .doc = "of the charge"),
    FIELD(REAL, blast.charge, .initial = {1.0}, .quantity = SHERD_QUANTITY_MASS,
          .range = SHERD_POSITIVE, BLAST, .flags = SHERD_FIELD_REQUIRED, .doc = "mass of TNT"),
    FIELD(REAL, blast.time, .quantity = SHERD_QUANTITY_TIME, .range = SHERD_AT_LEAST(0.0), BLAST,
          .doc = "of the detonation; the front arrives later"),
    FIELD(REAL, pressure.value, .quantity = SHERD_QUANTITY_STRESS, PRESSURE,
          .flags = SHERD_FIELD_REQUIRED, .doc = "pressure; negative: suction"),
    FIELD(VECTOR, pressure.source, .initial = {NAN, NAN, NAN}, .quantity = SHERD_QUANTITY_LENGTH,
          PRESSURE, .flags = SHERD_FIELD_UNSET, .usual = "none: all of the surface",
          .doc = "only where the surface faces this point: the middle of a vessel, or a point far "
                 "above a roof"),
    FIELD(REAL, pressure.reach, .initial = {INFINITY}, .quantity = SHERD_QUANTITY_LENGTH,
          .range = {SHERD_BOUND_ABOVE, 0.0, INFINITY, .infinite = true}, PRESSURE,
          .usual = "infinite", .doc = "only within this distance of `source`"),
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
    if (status == SHERD_OK && def->drive == SHERD_DRIVE_WIND &&
        !(vec3_length(def->wind.vortex_axis) > 0.0))
        return sherd_fail(error, SHERD_ERROR_INPUT, name, "e.g. [0, 0, 1]",
                          "vortex_axis has no direction");
    return status == SHERD_OK ? sherd_motion_check(&def->motion, name, error) : status;
}
