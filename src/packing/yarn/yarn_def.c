// The fields of a yarn definition, one row for each.
#include "base/error.h"
#include "base/field.h"
#include "base/hash.h"
#include "packing/yarn/yarn_build.h"

#include <math.h>

static const uint32_t COOKIE = 0x7961726e; // "yarn"

static const char *const KINDS[] = {"rope", "woven", "knitted", NULL};
static const char *const GLUES[] = {"none", "edges", "all", NULL};
static const char *const WEAVES[] = {"plain", "twill", "satin", NULL};

#define FIELD(kind, member, ...) SHERD_FIELD(sherd_yarn_def, kind, member, __VA_ARGS__)
#define NOT_PHYSICS .flags = SHERD_FIELD_NOT_PHYSICS
#define FLAG(name) .flags = SHERD_FIELD_##name
#define ROPE .maps = SHERD_MAP_ROPE
#define WOVEN .maps = SHERD_MAP_WOVEN
#define KNITTED .maps = SHERD_MAP_KNITTED
#define ALL .maps = SHERD_MAP_ROPE | SHERD_MAP_WOVEN | SHERD_MAP_KNITTED
#define RADIUS                                                                                     \
    .quantity = SHERD_QUANTITY_LENGTH, .range = SHERD_POSITIVE, FLAG(REQUIRED) | SHERD_FIELD_UNSET
#define LENGTH .quantity = SHERD_QUANTITY_LENGTH, .range = SHERD_POSITIVE, FLAG(UNSET)
#define PITCH .quantity = SHERD_QUANTITY_LENGTH, FLAG(UNSET)
#define COUNT(most) .range = SHERD_BETWEEN(1.0, most)

static uint64_t digest_path(const void *definition, uint64_t hash)
{
    const sherd_rope_def *rope = &((const sherd_yarn_def *)definition)->rope;
    for (int k = 0; k < rope->path_count; ++k)
        hash = sherd_hash_bytes(hash, &rope->path[k], sizeof rope->path[k]);
    return hash;
}

static const sherd_field FIELDS[] = {
    FIELD(REAL, spacing, .initial = {1.0}, .range = SHERD_BETWEEN(0.6, 1.2),
          .hint = "it is in diameters of the yarn", ALL,
          .doc = "distance of elements along a yarn, in yarn diameters; smaller values slide more "
                 "smoothly"),
    FIELD(REAL, fiber_share, .initial = {1.0}, .range = SHERD_ABOVE(0.0, 1.0), ALL,
          .doc = "fraction of a yarn's section that is fibre. Fibres bend one by one: stretching "
                 "stiffness is proportional to the fraction, bending stiffness to its square"),
    FIELD(REAL, rope.radius, RADIUS, ROPE, .doc = "radius of the whole rope"),
    FIELD(REAL, rope.length, LENGTH, ROPE, .usual = "**required** without `path`",
          .doc = "length of the rope along z, centred"),
    FIELD(REAL, rope.pitch, PITCH, ROPE, .usual = "10 radii",
          .doc = "length of one turn of a strand; < 0: left-handed"),
    FIELD(REAL, rope.ply_pitch, PITCH, ROPE, .usual = "10 radii of the strand, opposite to `pitch`",
          .doc = "length of one turn of a yarn within its strand"),
    FIELD(REAL, woven.radius, RADIUS, WOVEN, .doc = "radius of a yarn"),
    FIELD(REAL, woven.warp_distance, LENGTH, WOVEN, .usual = "5 radii",
          .doc = "distance of neighbouring warp yarns; at least 3.46 radii with equal crimp"),
    FIELD(REAL, woven.weft_distance, LENGTH, WOVEN, .usual = "5 radii",
          .doc = "distance of neighbouring weft yarns, with the same minimum"),
    FIELD(REAL, woven.crimp, .initial = {0.5}, .range = SHERD_UNIT_INTERVAL, WOVEN,
          .doc = "fraction of the waviness in the warp, the rest is in the weft; 0: the warp is "
                 "straight"),
    FIELD(REAL, knitted.radius, RADIUS, KNITTED, .doc = "radius of the yarn"),
    FIELD(REAL, knitted.row_distance, LENGTH, KNITTED, .usual = "7.2 radii",
          .doc = "distance of rows, 5.2 to 80 radii"),
    FIELD(REAL, knitted.column_distance, LENGTH, KNITTED, .usual = "9 radii",
          .doc = "distance of neighbouring loops, 8 to 80 radii"),
    FIELD(CHOICE, kind, .choices = KINDS, .doc = "kind of yarn body"),
    FIELD(CHOICE, glue, .choices = GLUES, ALL,
          .doc = "bonds where yarns touch: `none`; `edges`: along the edges of cloth, so that it "
                 "can't unravel, and at the ends of a rope; `all`"),
    FIELD(INT, rope.strands, .initial = {3}, COUNT(64.0), ROPE,
          .doc = "number of strands twisted into the rope"),
    FIELD(INT, rope.plies, .initial = {1}, COUNT(64.0), ROPE,
          .doc = "number of yarns twisted into each strand; with `filled`, of its outside"),
    FIELD(BOOLEAN, rope.filled, ROPE,
          .doc = "fills strands to their middle with rings of yarns as thick as those outside"),
    FIELD(BOOLEAN, rope.core, ROPE, .doc = "adds a straight strand in the middle"),
    FIELD(INT, rope.path_count, .range = SHERD_AT_LEAST(0.0), .doc = "points of `path`"),
    FIELD(INT, woven.warp, .initial = {2}, COUNT(INFINITY), WOVEN, FLAG(REQUIRED),
          .doc = "number of warp yarns, along y; at least 2"),
    FIELD(INT, woven.weft, .initial = {2}, COUNT(INFINITY), WOVEN, FLAG(REQUIRED),
          .doc = "number of weft yarns, along x; at least 2"),
    FIELD(CHOICE, woven.weave, .choices = WEAVES, WOVEN,
          .doc = "`plain`; `twill`: two over, two under; `satin`: four over, one under"),
    FIELD(INT, knitted.rows, .initial = {1}, COUNT(INFINITY), KNITTED, FLAG(REQUIRED),
          .doc = "number of rows of loops, along y"),
    FIELD(INT, knitted.columns, .initial = {1}, COUNT(INFINITY), KNITTED, FLAG(REQUIRED),
          .doc = "number of loops in a row, along x"),
    FIELD(OTHER, rope.path, .digest = digest_path, ROPE, .values = "list of vectors",
          .doc = "at least two points of a smooth curve for the rope's axis, instead of `length`"),
    FIELD(INT64, max_elements, .initial = {5e7}, .range = SHERD_AT_LEAST(1.0), ALL, NOT_PHYSICS,
          .doc = "largest number of elements; more are an error"),
};

const sherd_definition *sherd_yarn_def_fields(void)
{
    static const sherd_definition DEFINITION = SHERD_DEFINITION(sherd_yarn_def, FIELDS);
    return &DEFINITION;
}

sherd_yarn_def sherd_yarn_def_default(void)
{
    sherd_yarn_def def = {.cookie = COOKIE};
    sherd_fields_set_initial(sherd_yarn_def_fields(), &def);
    return def;
}

sherd_status sherd_yarn_def_check(const sherd_yarn_def *def, sherd_error *error)
{
    if (def->cookie != COOKIE)
        return sherd_fail(error, SHERD_ERROR_INPUT, "sherd_yarn_create",
                          "start from sherd_yarn_def_default()", "definition not initialised");
    return sherd_fields_check(sherd_yarn_def_fields(), def, "yarn", error);
}
