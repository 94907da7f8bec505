// Functions on the fields of a definition (sherd/field.h): defaults, checks, fingerprints.
#pragma once

#include <sherd/field.h>

#include <math.h>
#include <stddef.h>

// The table entry of a member: SHERD_FIELD(sherd_world_def, REAL, accuracy, .initial = {0.01}, ...)
#define SHERD_FIELD(definition, kind, member, ...)                                                 \
    {                                                                                              \
        .name = #member, .type = SHERD_FIELD_##kind, .offset = offsetof(definition, member),       \
        __VA_ARGS__                                                                                \
    }

#define SHERD_ABOVE(a, b)                                                                          \
    {                                                                                              \
        .bound = SHERD_BOUND_ABOVE, .low = (a), .high = (b)                                        \
    }
#define SHERD_BETWEEN(a, b)                                                                        \
    {                                                                                              \
        .bound = SHERD_BOUND_FROM, .low = (a), .high = (b)                                         \
    }
#define SHERD_POSITIVE SHERD_ABOVE(0.0, INFINITY)
#define SHERD_AT_LEAST(a) SHERD_BETWEEN(a, INFINITY)
#define SHERD_UNIT_INTERVAL SHERD_BETWEEN(0.0, 1.0)

#define SHERD_DEFINITION(type, array)                                                              \
    {                                                                                              \
#type, sizeof(type), array, sizeof(array) / sizeof((array)[0])                             \
    }

// Sets every member to its initial value, except pointers and fields of type OTHER.
void sherd_fields_set_initial(const sherd_definition *definition, void *values);

// SHERD_ERROR_INPUT for the first member out of its range, with its name as `where`, preceded by
// "PREFIX." unless prefix is NULL. Conditions on several members must be checked by the definition
// itself.
sherd_status sherd_fields_check(const sherd_definition *definition, const void *values,
                                const char *prefix, sherd_error *error);

// Continues `hash` with every member except SHERD_FIELD_NOT_PHYSICS, in the order of the table.
uint64_t sherd_fields_digest(const sherd_definition *definition, const void *values, uint64_t hash);

// Returns whether every member has the same bits in both, texts the same letters. The table has no
// members of type OTHER.
bool sherd_fields_equal(const sherd_definition *definition, const void *a, const void *b);

bool sherd_range_holds(const sherd_range *range, double value); // false for NaN

// Writes the words of a choice, "a, b, c"; returns `text`.
const char *sherd_words_text(const sherd_field *field, char *text, size_t size);

// An item of the lists in docs/reference: "- **`key`** (values; default): description", and a line
// for each word of a choice that has an explanation.
void sherd_field_markdown(const sherd_field *field, char *text, size_t size);

const char *sherd_quantity_name(sherd_quantity quantity); // "a length"; static

// The table entry of a member, or NULL.
const sherd_field *sherd_field_find(const sherd_definition *definition, const char *name);

// Its key in scenes: the field's key, or its name after the last dot.
const char *sherd_field_key(const sherd_field *field);

// "0.85", "[0, 0, -9.81 m/s^2]", "quaternion"; "" if there is no initial value.
const char *sherd_field_initial_text(const sherd_field *field, char text[SHERD_FIELD_TEXT_SIZE]);
