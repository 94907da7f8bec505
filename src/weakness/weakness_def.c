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
#define MOST_STRETCH 1e6

static const sherd_field FIELDS[] = {
    FIELD(REAL, strength, FACTOR,
          .doc =
              "on both strengths of a bond where the pattern applies fully; straight in between"),
    FIELD(REAL, stiffness, FACTOR, .doc = "on both moduli, likewise"),
    FIELD(REAL, size, LENGTH, .range = SHERD_POSITIVE, FLAG(UNSET), .hint = "in metres",
          .doc = "`noise`: wavelength of the largest features. `voronoi`: edge of a cube as large "
                 "as the mean fragment"),
    FIELD(REAL, share, .initial = {0.5}, .range = SHERD_UNIT_INTERVAL, .hint = "of the body",
          .doc = "`noise`: of the body that is more weak than not"),
    FIELD(REAL, contrast, .initial = {1.0}, .range = SHERD_BETWEEN(1e-6, 1e6),
          .hint = "1 spreads evenly, 10 makes patches",
          .doc = "`noise`: 1 makes all degrees equally frequent, 10 weak or not"),
    FIELD(VECTOR, stretch, .initial = {1.0, 1.0, 1.0},
          .range = SHERD_BETWEEN(1.0 / MOST_STRETCH, MOST_STRETCH),
          .hint = "1 leaves cells as they are", .doc = "`voronoi`: of cells along the axes"),
    FIELD(REAL, irregularity, .initial = {1.0}, .range = SHERD_UNIT_INTERVAL,
          .doc = "`voronoi`: 0 makes cubes, 1 is most irregular"),
    FIELD(REAL, warp, .range = SHERD_UNIT_INTERVAL,
          .doc = "`voronoi`: bends walls, 0 flat, 1 strongly bent"),
    FIELD(REAL, wall, LENGTH, .range = SHERD_AT_LEAST(0.0), .hint = "in metres",
          .doc = "`voronoi`: bonds nearer to a wall than half of this are weak too"),
    FIELD(REAL, depth, LENGTH, .initial = {INFINITY},
          .range = {.bound = SHERD_BOUND_ABOVE, .high = INFINITY, .infinite = true},
          .hint = "in metres", .doc = "`paint`: how deep it goes from the mesh's surface"),
    FIELD(VECTOR, along,
          .doc = "`curve`: direction in which it goes through the body; 0: it does not"),
    FIELD(REAL, radius, LENGTH, .range = SHERD_POSITIVE, FLAG(UNSET), .hint = "in metres",
          .doc = "half the width of a `curve`; of a `disc`"),
    FIELD(REAL, falloff, LENGTH, .range = SHERD_AT_LEAST(0.0), .hint = "in metres",
          .doc = "`curve`, `paint`, `region`: width of the soft edge beyond"),
    FIELD(VECTOR, point, LENGTH, .doc = "`cut`: of a plane; the centre of a disc"),
    FIELD(VECTOR, normal, .doc = "`cut`: of a plane or a disc, of any length but 0"),
    FIELD(CHOICE, kind, .choices = KINDS, .hint = "SHERD_WEAKNESS_NOISE, ...",
          .doc = "what the pattern is"),
    FIELD(UINT64, seed, .doc = "`noise`, `voronoi`: of what is random"),
    FIELD(INT, octaves, .initial = {4.0}, .range = SHERD_BETWEEN(1.0, 16.0),
          .doc = "`noise`: each half as large and half as strong as the one before"),
    FIELD(CHOICE, channel, .choices = CHANNELS, .doc = "`paint`: dark is 0, bright is full"),
    FIELD(BOOLEAN, invert, .doc = "`paint`: dark is weak"),
    FIELD(CHOICE, cut, .choices = CUTS, .doc = "the surface of a `cut`"),
    FIELD(INT, point_count, .range = SHERD_AT_LEAST(0.0), .doc = "of `points`"),
    FIELD(OTHER, points, .doc = "of a `curve`; of a `polygon`, in one plane"),
    FIELD(OTHER, mesh, .doc = "`paint`: with vertex colours; `cut`: a sheet, which may be open"),
    FIELD(OTHER, shape, .doc = "`region`, `cut`: a shape"),
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
