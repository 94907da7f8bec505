// Tables of definitions' fields: initial values, checks, fingerprints.
#include "base/field.h"

#include "base/assertion.h"
#include "base/error.h"
#include "base/hash.h"

#include <sherd/types.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

const sherd_field *sherd_field_find(const sherd_definition *definition, const char *name)
{
    for (int k = 0; k < definition->count; ++k) {
        const sherd_field *field = &definition->fields[k];
        if (field->name != NULL && strcmp(field->name, name) == 0) return field;
    }
    return NULL;
}

const char *sherd_field_key(const sherd_field *field)
{
    if (field->key != NULL) return field->key;
    const char *dot = strrchr(field->name, '.');
    return dot != NULL ? dot + 1 : field->name;
}

sherd_word sherd_field_word(const sherd_field *field, int number)
{
    if (field->choice != NULL) return field->choice(number);
    for (int k = 0; number >= 0 && field->choices[k] != NULL; ++k)
        if (k == number) return (sherd_word){field->choices[k], NULL};
    return (sherd_word){NULL, NULL};
}

// ---------------------------------------------------------------- values

// The number of doubles in a value; 0 for other types.
static int component_count(sherd_field_type type)
{
    switch (type) {
    case SHERD_FIELD_REAL:
        return 1;
    case SHERD_FIELD_VECTOR:
    case SHERD_FIELD_COLOR:
        return 3;
    case SHERD_FIELD_ROTATION:
        return 4;
    default:
        return 0;
    }
}

_Static_assert(sizeof(sherd_vec3) == 3 * sizeof(double), "vectors are arrays");
_Static_assert(sizeof(sherd_quat) == 4 * sizeof(double), "quaternions are arrays");

static bool is_whole(sherd_field_type type)
{
    return type == SHERD_FIELD_INT || type == SHERD_FIELD_INT64 || type == SHERD_FIELD_UINT64 ||
           type == SHERD_FIELD_BOOLEAN || type == SHERD_FIELD_CHOICE;
}

static void set_whole(sherd_field_type type, void *member, double value)
{
    if (type == SHERD_FIELD_INT || type == SHERD_FIELD_CHOICE)
        *(int *)member = (int)value;
    else if (type == SHERD_FIELD_INT64)
        *(int64_t *)member = (int64_t)value;
    else if (type == SHERD_FIELD_UINT64)
        *(uint64_t *)member = (uint64_t)value;
    else
        *(bool *)member = value != 0.0;
}

static int64_t whole(sherd_field_type type, const void *member)
{
    if (type == SHERD_FIELD_INT || type == SHERD_FIELD_CHOICE) return *(const int *)member;
    if (type == SHERD_FIELD_BOOLEAN) return *(const bool *)member;
    return *(const int64_t *)member; // the bits of an unsigned one
}

void sherd_fields_set_initial(const sherd_definition *definition, void *values)
{
    for (int k = 0; k < definition->count; ++k) {
        const sherd_field *field = &definition->fields[k];
        if (field->name == NULL) continue;
        void *member = (char *)values + field->offset;
        int count = component_count(field->type);
        if (count > 0) memcpy(member, field->initial, (size_t)count * sizeof(double));
        if (is_whole(field->type)) set_whole(field->type, member, field->initial[0]);
    }
}

// ---------------------------------------------------------------- fingerprints

uint64_t sherd_fields_digest(const sherd_definition *definition, const void *values, uint64_t hash)
{
    for (int k = 0; k < definition->count; ++k) {
        const sherd_field *field = &definition->fields[k];
        if (field->name == NULL || (field->flags & SHERD_FIELD_NOT_PHYSICS) != 0) continue;
        const void *member = (const char *)values + field->offset;
        int count = component_count(field->type);
        int64_t number = is_whole(field->type) ? whole(field->type, member) : 0;
        if (field->digest != NULL)
            hash = field->digest(values, hash);
        else if (count > 0)
            hash = sherd_hash_bytes(hash, member, (size_t)count * sizeof(double));
        else if (is_whole(field->type))
            hash = sherd_hash_bytes(hash, &number, sizeof number);
    }
    return hash;
}

static bool same_text(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

bool sherd_fields_equal(const sherd_definition *definition, const void *a, const void *b)
{
    for (int k = 0; k < definition->count; ++k) {
        const sherd_field *field = &definition->fields[k];
        if (field->name == NULL) continue;
        const void *p = (const char *)a + field->offset, *q = (const char *)b + field->offset;
        int count = component_count(field->type);
        bool text = field->type == SHERD_FIELD_TEXT || field->type == SHERD_FIELD_NAME;
        SHERD_ASSERT(count > 0 || text || is_whole(field->type), "members can be compared");
        if (count > 0 && memcmp(p, q, (size_t)count * sizeof(double)) != 0) return false;
        if (text && !same_text(*(const char *const *)p, *(const char *const *)q)) return false;
        if (is_whole(field->type) && whole(field->type, p) != whole(field->type, q)) return false;
    }
    return true;
}

// ---------------------------------------------------------------- checks

bool sherd_range_holds(const sherd_range *range, double value)
{
    if (isinf(value)) return value > 0.0 && range->infinite;
    if (range->bound == SHERD_BOUND_NONE) return !isnan(value);
    if (range->zero && value == 0.0) return true;
    bool above = range->bound == SHERD_BOUND_ABOVE ? value > range->low : value >= range->low;
    return above && value <= range->high;
}

static bool is_unset(const sherd_field *field, double value)
{
    if ((field->flags & SHERD_FIELD_UNSET) == 0) return false;
    return value == field->initial[0] || (isnan(value) && isnan(field->initial[0]));
}

// Vectors: all components are.
static bool are_unset(const sherd_field *field, const double *value, int count)
{
    for (int k = 0; k < count; ++k)
        if (!is_unset(field, value[k])) return false;
    return true;
}

// The hint: that of the field, or how to leave the member out.
static const char *hint_of(const sherd_field *field, char text[64])
{
    if (field->hint != NULL || (field->flags & SHERD_FIELD_UNSET) == 0) return field->hint;
    snprintf(text, 64, "%g leaves it to the library", field->initial[0]);
    return text;
}

static sherd_status fail_real(const sherd_field *field, const char *where, double value,
                              sherd_error *error)
{
    char range[SHERD_FIELD_TEXT_SIZE], hint[64];
    bool bad = isnan(value) || (isinf(value) && !field->range.infinite);
    return sherd_fail(error, SHERD_ERROR_INPUT, where, hint_of(field, hint), "must be %s, got %g",
                      bad ? "finite" : sherd_field_range_text(field, range), value);
}

static sherd_status check_components(const sherd_field *field, const double *value, int count,
                                     const char *where, sherd_error *error)
{
    for (int k = 0; k < count; ++k)
        if (!sherd_range_holds(&field->range, value[k]))
            return fail_real(field, where, value[k], error);
    if (field->type != SHERD_FIELD_ROTATION) return SHERD_OK;
    double length =
        sqrt(value[0] * value[0] + value[1] * value[1] + value[2] * value[2] + value[3] * value[3]);
    // A deviation of 1e-3 is accepted, for rotations typed with few digits; they are normalised.
    if (fabs(length - 1.0) < 1e-3) return SHERD_OK;
    return sherd_fail(error, SHERD_ERROR_INPUT, where, "no rotation is (0, 0, 0, 1)",
                      "must be a unit quaternion, its length is %g", length);
}

static sherd_status check_choice(const sherd_field *field, int value, const char *where,
                                 sherd_error *error)
{
    char words[SHERD_FIELD_TEXT_SIZE], hint[SHERD_FIELD_TEXT_SIZE + 16];
    if (sherd_field_word(field, value).word != NULL) return SHERD_OK;
    snprintf(hint, sizeof hint, "one of %s", sherd_words_text(field, words, sizeof words));
    return sherd_fail(error, SHERD_ERROR_INPUT, where, hint, "is none, got %d", value);
}

static sherd_status check_whole(const sherd_field *field, int64_t value, const char *where,
                                sherd_error *error)
{
    if (sherd_range_holds(&field->range, (double)value)) return SHERD_OK;
    char range[SHERD_FIELD_TEXT_SIZE], hint[64];
    return sherd_fail(error, SHERD_ERROR_INPUT, where, hint_of(field, hint), "must be %s, got %lld",
                      sherd_field_range_text(field, range), (long long)value);
}

static sherd_status check_member(const sherd_field *field, const void *member, const char *where,
                                 sherd_error *error)
{
    int count = component_count(field->type);
    if (count > 0 && are_unset(field, member, count)) return SHERD_OK;
    if (count > 0) return check_components(field, member, count, where, error);
    if (field->type == SHERD_FIELD_CHOICE)
        return check_choice(field, *(const int *)member, where, error);
    if (field->type != SHERD_FIELD_INT && field->type != SHERD_FIELD_INT64) return SHERD_OK;
    int64_t number = whole(field->type, member);
    return is_unset(field, (double)number) ? SHERD_OK : check_whole(field, number, where, error);
}

sherd_status sherd_fields_check(const sherd_definition *definition, const void *values,
                                const char *prefix, sherd_error *error)
{
    for (int k = 0; k < definition->count; ++k) {
        const sherd_field *field = &definition->fields[k];
        if (field->name == NULL) continue;
        char where[SHERD_ERROR_TEXT_SIZE];
        snprintf(where, sizeof where, "%.200s%s%s", prefix != NULL ? prefix : "",
                 prefix != NULL ? "." : "", field->name);
        sherd_status status =
            check_member(field, (const char *)values + field->offset, where, error);
        if (status != SHERD_OK) return status;
    }
    return SHERD_OK;
}
