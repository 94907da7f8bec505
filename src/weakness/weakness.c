// The definition of a weakness, and the functions of all patterns.
#include "base/assertion.h"
#include "base/error.h"
#include "base/field.h"
#include "base/memory.h"
#include "math/vec3.h"
#include "weakness/pattern.h"

// ---------------------------------------------------------------- definition

// The fields of a weakness definition: numbers in the order of the fingerprint of scenes, then
// choices and counts. Patterns check what only they need.

enum { COOKIE = 0x776b7331 };

static const char *const WORDS[] = {"noise", "voronoi", "paint", "curve", "cut", "region", NULL};
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
    FIELD(CHOICE, kind, .choices = WORDS, .hint = "SHERD_WEAKNESS_NOISE, ...",
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

// ---------------------------------------------------------------- patterns

static const sherd_pattern_kind *const KINDS[SHERD_WEAKNESS_KIND_COUNT] = {
    [SHERD_WEAKNESS_NOISE] = &sherd_pattern_noise,
    [SHERD_WEAKNESS_VORONOI] = &sherd_pattern_voronoi,
    [SHERD_WEAKNESS_PAINT] = &sherd_pattern_paint,
    [SHERD_WEAKNESS_CURVE] = &sherd_pattern_curve,
    [SHERD_WEAKNESS_CUT] = &sherd_pattern_cut,
    [SHERD_WEAKNESS_REGION] = &sherd_pattern_region,
};

// ---------------------------------------------------------------- checks

sherd_status sherd_pattern_check_length(const char *field, double value, sherd_error *error)
{
    if (value > 0.0 && isfinite(value)) return SHERD_OK;
    return sherd_fail(error, SHERD_ERROR_INPUT, field, "in metres",
                      "must be > 0 and finite, got %g", value);
}

sherd_status sherd_pattern_check_vector(const char *field, sherd_vec3 value, sherd_error *error)
{
    if (vec3_is_finite(value)) return SHERD_OK;
    return sherd_fail(error, SHERD_ERROR_INPUT, field, NULL, "must be finite, got (%g, %g, %g)",
                      value.x, value.y, value.z);
}

// ---------------------------------------------------------------- life

sherd_weakness *sherd_weakness_create(const sherd_weakness_def *def, sherd_error *error)
{
    if (sherd_weakness_def_check(def, error) != SHERD_OK) return NULL;
    const sherd_pattern_kind *kind = KINDS[def->kind];
    sherd_weakness *weakness = sherd_alloc(1, kind->size);
    if (weakness == NULL) {
        sherd_fail_memory(error, "a pattern");
        return NULL;
    }
    *weakness = (sherd_weakness){kind, def->strength, def->stiffness};
    if (kind->init(weakness, def, error) == SHERD_OK) return weakness;
    sherd_weakness_destroy(weakness);
    return NULL;
}

void sherd_weakness_destroy(sherd_weakness *weakness)
{
    if (weakness == NULL) return;
    if (weakness->kind->release != NULL) weakness->kind->release(weakness);
    sherd_free(weakness);
}

// ---------------------------------------------------------------- use

double sherd_pattern_fade(double distance, double falloff)
{
    if (distance <= 0.0) return 1.0;
    if (!(distance < falloff)) return 0.0;
    double t = distance / falloff;
    return 1.0 - t * t * (3.0 - 2.0 * t);
}

double sherd_weakness_amount(const sherd_weakness *weakness, sherd_vec3 i, sherd_vec3 j)
{
    double amount = weakness->kind->amount(weakness, i, j);
    SHERD_ASSERT(amount >= 0.0 && amount <= 1.0, "an amount is a part of one");
    return amount;
}

sherd_pattern_point sherd_pattern_point_at(const sherd_weakness *weakness, sherd_vec3 x)
{
    sherd_pattern_point place = {.x = x};
    if (weakness->kind->locate != NULL) weakness->kind->locate(weakness, &place);
    return place;
}

double sherd_pattern_amount(const sherd_weakness *weakness, const sherd_pattern_point *i,
                            const sherd_pattern_point *j)
{
    const sherd_pattern_kind *kind = weakness->kind;
    double amount = kind->amount_located != NULL ? kind->amount_located(weakness, i, j)
                                                 : kind->amount(weakness, i->x, j->x);
    SHERD_ASSERT(amount >= 0.0 && amount <= 1.0, "an amount is a part of one");
    return amount;
}

// Exactly `factor` at 1: a factor of 0 must break.
static double factor_at(double amount, double factor)
{
    return (1.0 - amount) + amount * factor;
}

sherd_bond_scale sherd_weakness_list_scale(const void *list, sherd_vec3 i, sherd_vec3 j)
{
    const sherd_weakness_list *all = list;
    sherd_bond_scale scale = {.stiffness = 1.0, .strength = 1.0};
    for (int k = 0; k < all->count; ++k) {
        const sherd_weakness *w = all->items[k];
        double amount = sherd_weakness_amount(w, i, j);
        scale.strength *= factor_at(amount, w->strength);
        scale.stiffness *= factor_at(amount, w->stiffness);
    }
    SHERD_ASSERT(scale.stiffness >= 0.0 && scale.strength >= 0.0,
                 "bonds are not scaled below zero");
    return scale;
}

int sherd_weakness_list_faces(const void *list, sherd_vec3 x, double reach, int most,
                              sherd_cut_face *faces)
{
    const sherd_weakness_list *all = list;
    int count = 0;
    for (int k = 0; k < all->count && count < most; ++k) {
        const sherd_weakness *w = all->items[k];
        bool breaks = w->strength == 0.0 || w->stiffness == 0.0;
        if (!breaks || w->kind->face == NULL) continue;
        if (!w->kind->face(w, x, reach, &faces[count])) continue;
        faces[count++].cut = k;
    }
    SHERD_ASSERT(count <= most, "faces fit where they are listed");
    return count;
}
