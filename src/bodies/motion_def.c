// Field table of prescribed motions.
#include "base/field.h"
#include "base/hash.h"
#include "bodies/motion_eval.h"

#define KEY(kind, member, ...) SHERD_FIELD(sherd_motion_key, kind, member, __VA_ARGS__)
#define FIELD(kind, member, ...) SHERD_FIELD(sherd_motion, kind, member, __VA_ARGS__)
#define IN_TABLE .maps = SHERD_MAP_MOTION_KEY
#define MOTION .maps = SHERD_MAP_MOTION

static const sherd_field KEY_FIELDS[] = {
    KEY(REAL, time, .quantity = SHERD_QUANTITY_TIME, .range = SHERD_AT_LEAST(0.0), IN_TABLE,
        .flags = SHERD_FIELD_REQUIRED, .doc = "time, increasing along the table"),
    KEY(VECTOR, translation, .quantity = SHERD_QUANTITY_LENGTH, IN_TABLE,
        .doc = "displacement from the start"),
    KEY(VECTOR, rotation, .quantity = SHERD_QUANTITY_ANGLE, IN_TABLE,
        .doc = "rotation vector about the pivot, world axes"),
};

const sherd_definition *sherd_motion_key_fields(void)
{
    static const sherd_definition DEFINITION = SHERD_DEFINITION(sherd_motion_key, KEY_FIELDS);
    return &DEFINITION;
}

static uint64_t digest_keys(const void *definition, uint64_t hash)
{
    const sherd_motion *motion = definition;
    for (int k = 0; k < motion->key_count; ++k)
        hash = sherd_fields_digest(sherd_motion_key_fields(), &motion->keys[k], hash);
    return hash;
}

static const sherd_field FIELDS[] = {
    FIELD(INT, key_count, .doc = "number of keys"),
    FIELD(OTHER, keys, .key = "table", .digest = digest_keys, MOTION,
          .values = "list of `{time, translation, rotation}`", .usual = "none",
          .doc =
              "positions over time: linear between entries, constant before the first and after "
              "the last. Times (**required**) increase; the first entry must be zero displacement"),
    FIELD(VECTOR, velocity, .quantity = SHERD_QUANTITY_SPEED, MOTION, .doc = "constant velocity"),
    FIELD(VECTOR, angular_velocity, .quantity = SHERD_QUANTITY_ANGULAR_SPEED, MOTION,
          .doc = "constant angular velocity about the pivot, world axes"),
    FIELD(VECTOR, pivot, .quantity = SHERD_QUANTITY_LENGTH, MOTION,
          .usual =
              "the `position` of the obstacle or region; of drivers without region, the body's",
          .doc = "centre of rotation, in the world at time 0"),
};

const sherd_definition *sherd_motion_fields(void)
{
    static const sherd_definition DEFINITION = SHERD_DEFINITION(sherd_motion, FIELDS);
    return &DEFINITION;
}

uint64_t sherd_motion_digest(const sherd_motion *motion, uint64_t hash)
{
    return sherd_fields_digest(sherd_motion_fields(), motion, hash);
}
