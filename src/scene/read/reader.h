// Reading a tree of nodes into structs: typed, with units, ranges, required keys and suggestions.
// Everything wrong is added to the diagnostics and reading goes on, so that one run finds it all.
#pragma once

#include "scene/text/node.h"
#include "scene/text/units.h"

#include <stdint.h>

typedef struct sherd_scene_reader {
    sherd_diagnostics *diagnostics;
    sherd_arena *arena; // lives as long as the scene
    sherd_scene *scene; // being filled
    sherd_unit_system units;
    const char *folder;    // of the scene file, "" or ending in '/'
    uint64_t shape_digest; // of all that was read of shapes: keys, numbers, lengths of lists
} sherd_scene_reader;

// ---- reporting: the node's own place, or its key's

void sherd_reader_fail(sherd_scene_reader *reader, const sherd_node *node, const char *hint,
                       const char *what_format, ...) SHERD_PRINTF(4, 5);
void sherd_reader_fail_key(sherd_scene_reader *reader, const sherd_node *node, const char *hint,
                           const char *what_format, ...) SHERD_PRINTF(4, 5);
void sherd_reader_fail_unsupported(sherd_scene_reader *reader, const sherd_node *node,
                                   const char *hint, const char *what);
// Passes on an error of the library, at this node's place.
void sherd_reader_fail_error(sherd_scene_reader *reader, const sherd_node *node,
                             const sherd_error *error);
void sherd_reader_fail_memory(sherd_scene_reader *reader);
// "file:line:column  key.path", kept in the arena. Never NULL.
const char *sherd_reader_where(sherd_scene_reader *reader, const sherd_node *node);

// ---- single values; on failure *value is left alone and false returned

typedef enum sherd_range {
    SHERD_RANGE_ANY = 0,
    SHERD_RANGE_POSITIVE,     // > 0
    SHERD_RANGE_NOT_NEGATIVE, // >= 0
    SHERD_RANGE_STRENGTH,     // > 0, inf allowed
    SHERD_RANGE_DENSITY,      // (0, 1e6]: above it, units were mixed up
    SHERD_RANGE_SHARE,        // [0, 1]
    SHERD_RANGE_SHARE_OPEN,   // (0, 1]
    SHERD_RANGE_HALF,         // [0, 0.5]
    SHERD_RANGE_POISSON,      // (-1, 0.5]
    SHERD_RANGE_WEIBULL,      // 0 or >= 1
    SHERD_RANGE_FOV,          // (0, 175 deg]
    SHERD_RANGE_AT_LEAST_1,
    SHERD_RANGE_PIXELS,  // [16, 16384]
    SHERD_RANGE_SAMPLES, // [1, 4096]
    SHERD_RANGE_COUNT,
} sherd_range;

bool sherd_read_real(sherd_scene_reader *reader, const sherd_node *node, sherd_quantity quantity,
                     sherd_range range, double *value);
// Integral within +-2^53; "1e4" is fine.
bool sherd_read_integer(sherd_scene_reader *reader, const sherd_node *node, sherd_range range,
                        int64_t *value);
bool sherd_read_boolean(sherd_scene_reader *reader, const sherd_node *node, bool *value);
// `count` numbers in a list.
bool sherd_read_numbers(sherd_scene_reader *reader, const sherd_node *node, sherd_quantity quantity,
                        sherd_range range, int count, double *values);
bool sherd_read_vector(sherd_scene_reader *reader, const sherd_node *node, sherd_quantity quantity,
                       sherd_vec3 *value);
// One of a NULL-terminated list of words; gives its position.
bool sherd_read_choice(sherd_scene_reader *reader, const sherd_node *node,
                       const char *const *choices, int *value);
// [r, g, b] of 0..1 or "#rrggbb".
bool sherd_read_color(sherd_scene_reader *reader, const sherd_node *node, sherd_vec3 *color);
// Any text that is not empty.
bool sherd_read_text(sherd_scene_reader *reader, const sherd_node *node, const char **text);
// Letters, digits, _ and -, beginning with a letter: names are parts of dotted paths.
bool sherd_read_name(sherd_scene_reader *reader, const sherd_node *node, const char **name);
// The same of the key that a node has in its map.
bool sherd_check_key_name(sherd_scene_reader *reader, const sherd_node *node);
// Euler angles [a, b, c]: about the fixed x, then y, then z axis.
bool sherd_read_rotation(sherd_scene_reader *reader, const sherd_node *node, sherd_quat *rotation);

// True, or false with an error.
bool sherd_require_map(sherd_scene_reader *reader, const sherd_node *node);
bool sherd_require_list(sherd_scene_reader *reader, const sherd_node *node);
// A map's value; with an error when it is missing.
sherd_node *sherd_require(sherd_scene_reader *reader, const sherd_node *map, const char *key);

// ---- maps, by tables of fields

typedef enum sherd_field_type {
    SHERD_FIELD_OTHER = 0, // known, read by hand
    SHERD_FIELD_REAL,      // double
    SHERD_FIELD_VECTOR,    // sherd_vec3
    SHERD_FIELD_INT,       // int
    SHERD_FIELD_INT64,     // int64_t
    SHERD_FIELD_SEED,      // uint64_t
    SHERD_FIELD_BOOLEAN,   // bool
    SHERD_FIELD_CHOICE,    // int or enum
    SHERD_FIELD_COLOR,     // sherd_vec3
    SHERD_FIELD_ROTATION,  // sherd_quat
    SHERD_FIELD_NAME,      // const char *
    SHERD_FIELD_TEXT,      // const char *
} sherd_field_type;

typedef struct sherd_field {
    const char *key;
    sherd_field_type type;
    bool required;
    size_t offset; // in the struct to fill
    sherd_quantity quantity;
    sherd_range range;
    const char *const *choices;
} sherd_field;

// A table and, for shapes written straight into a map, more keys that are known there.
typedef struct sherd_field_table {
    const sherd_field *fields;
    int count;
    const char *const *more_keys; // NULL-terminated, may be NULL
} sherd_field_table;

#define SHERD_FIELD_TABLE(array)                                                                   \
    ((sherd_field_table){(array), sizeof(array) / sizeof(array)[0], NULL})

// Reads every field that is there into `target`, and reports unknown keys and missing required
// ones. Returns false only when `map` is no map.
bool sherd_read_fields(sherd_scene_reader *reader, const sherd_node *map,
                       const sherd_field_table *table, void *target);
