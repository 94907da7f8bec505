// The fields of a weakness definition: numbers in the order of the fingerprint of scenes, then
// choices and counts. Patterns check what only they need.
#include "weakness/pattern.h"

#include "base/error.h"
#include "base/field.h"

enum { COOKIE = 0x776b7331 };

static const char *const KINDS[] = {"noise", "voronoi", "paint", "curve", "cut", "region", NULL};
static const char *const CUTS[] = {"plane", "disc", "polygon", "shape", "sheet", NULL};
static const char *const CHANNELS[] = {"red", "green", "blue", "mean", NULL};

#define FIELD(kind, member, ...) SHERD_FIELD(sherd_weakness_def, kind, member, __VA_ARGS__)
#define LENGTH .quantity = SHERD_QUANTITY_LENGTH
#define FLAG(name) .flags = SHERD_FIELD_##name
// Stored in single precision; larger factors make no sense.
#define FACTOR .initial = {1.0}, .range = SHERD_BETWEEN(0.0, 1e6), .hint = "a factor"
#define MAX_STRETCH 1e6

static const sherd_field FIELDS[] = {
    FIELD(REAL, strength, FACTOR,
          .doc = "factor on both strengths of a bond where the pattern applies fully; linear in "
                 "between"),
    FIELD(REAL, stiffness, FACTOR, .doc = "factor on both moduli, likewise"),
    FIELD(REAL, size, LENGTH, .range = SHERD_POSITIVE, FLAG(UNSET), .hint = "in metres",
          .doc = "`noise`: wavelength of the largest features. `voronoi`: edge of a cube as large "
                 "as the mean fragment"),
    FIELD(REAL, share, .initial = {0.5}, .range = SHERD_UNIT_INTERVAL, .hint = "of the body",
          .doc = "`noise`: fraction of the body that is weak"),
    FIELD(REAL, contrast, .initial = {1.0}, .range = SHERD_BETWEEN(1e-6, 1e6),
          .hint = "1 spreads evenly, 10 makes patches",
          .doc =
              "`noise`: 1 makes all degrees equally frequent, 10 makes patches with narrow edges"),
    FIELD(VECTOR, stretch, .initial = {1.0, 1.0, 1.0},
          .range = SHERD_BETWEEN(1.0 / MAX_STRETCH, MAX_STRETCH),
          .hint = "1 leaves cells as they are",
          .doc = "`voronoi`: factors on the length of cells along x, y, z"),
    FIELD(REAL, irregularity, .initial = {1.0}, .range = SHERD_UNIT_INTERVAL,
          .doc = "`voronoi`: 0 makes cubes, 1 is most irregular"),
    FIELD(REAL, warp, .range = SHERD_UNIT_INTERVAL,
          .doc = "`voronoi`: bending of walls, 0 flat, 1 strongly bent"),
    FIELD(REAL, wall, LENGTH, .range = SHERD_AT_LEAST(0.0), .hint = "in metres",
          .doc = "`voronoi`: thickness of walls; bonds inside are weak too"),
    FIELD(REAL, depth, LENGTH, .initial = {INFINITY},
          .range = {.bound = SHERD_BOUND_ABOVE, .high = INFINITY, .infinite = true},
          .hint = "in metres",
          .doc = "`paint`: depth below the mesh's surface to which it applies fully"),
    FIELD(VECTOR, along, .doc = "`curve`: direction in which it extends through the body; 0: none"),
    FIELD(REAL, radius, LENGTH, .range = SHERD_POSITIVE, FLAG(UNSET), .hint = "in metres",
          .doc = "half the width of a `curve`; radius of a `disc`"),
    FIELD(REAL, falloff, LENGTH, .range = SHERD_AT_LEAST(0.0), .hint = "in metres",
          .doc = "`curve`, `paint`, `region`: width of the soft edge"),
    FIELD(VECTOR, point, LENGTH, .doc = "`cut`: a point of a plane; the centre of a disc"),
    FIELD(VECTOR, normal, .doc = "`cut`: normal of a plane or a disc, of any length but 0"),
    FIELD(CHOICE, kind, .choices = KINDS, .hint = "SHERD_WEAKNESS_NOISE, ...",
          .doc = "kind of pattern"),
    FIELD(UINT64, seed, .doc = "`noise`, `voronoi`: random seed"),
    FIELD(INT, octaves, .initial = {4.0}, .range = SHERD_BETWEEN(1.0, 16.0),
          .doc =
              "`noise`: number of octaves, each with half the size and strength of the one before"),
    FIELD(CHOICE, channel, .choices = CHANNELS,
          .doc = "`paint`: colour channel; dark is 0, bright is full"),
    FIELD(BOOLEAN, invert, .doc = "`paint`: true: dark is full"),
    FIELD(CHOICE, cut, .choices = CUTS, .doc = "kind of surface of a `cut`"),
    FIELD(INT, point_count, .range = SHERD_AT_LEAST(0.0), .doc = "number of `points`"),
    FIELD(OTHER, points, .doc = "points of a `curve`, or of a `polygon` in one plane"),
    FIELD(OTHER, mesh,
          .doc = "`paint`: mesh with vertex colours; `cut`: a sheet, which may be open"),
    FIELD(OTHER, shape, .doc = "`region`, `cut`: the shape"),
};

const sherd_definition *sherd_weakness_def_fields(void)
{
    static const sherd_definition DEFINITION = SHERD_DEFINITION(sherd_weakness_def, FIELDS);
    return &DEFINITION;
}

sherd_weakness_def sherd_weakness_def_default(void)
{
    sherd_weakness_def def = {.cookie = COOKIE};
    sherd_fields_set_initial(sherd_weakness_def_fields(), &def);
    return def;
}

sherd_status sherd_weakness_def_check(const sherd_weakness_def *def, sherd_error *error)
{
    if (def->cookie != COOKIE)
        return sherd_fail(error, SHERD_ERROR_INPUT, "sherd_weakness_def",
                          "start from sherd_weakness_def_default()",
                          "the definition was not initialised");
    return sherd_fields_check(sherd_weakness_def_fields(), def, NULL, error);
}
