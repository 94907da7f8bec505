// The functions of all patterns.
#include "base/assertion.h"
#include "base/error.h"
#include "base/memory.h"
#include "math/vec3.h"
#include "weakness/pattern.h"

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
