// Reading a tree of nodes into structs: typed, with units, ranges, required keys and suggestions.
// Every error is added to the diagnostics and reading continues, so that one run finds all errors.
#pragma once

#include "base/field.h"
#include "scene/text/node.h"
#include "scene/text/units.h"

#include <stdint.h>

typedef struct sherd_scene_reader {
    sherd_diagnostics *diagnostics;
    sherd_arena *arena; // lives as long as the scene
    sherd_scene *scene; // being filled
    sherd_unit_system units;
    const char *folder;      // of the scene file, "" or ending in '/'
    const char **settings;   // the scene's overrides, which readers may add to
    int setting_capacity;    // how many of them fit
    sherd_scene_seam *seams; // of unions of the shape that is being read
    int seam_count, seam_capacity;
    uint64_t shape_digest;           // of all data read for shapes: keys, numbers, lengths of lists
    const sherd_scene_group *groups; // of the mesh, if the shape being read is a single mesh
    int group_count;
    const struct sherd_unknown_key *unknown; // that were reported
    bool *material_is_read; // by material: false where its model is not known; NULL: no list
    bool misnamed;          // an object has no name, or an invalid one: other keys may refer to it
    // Names of bodies so far, by hash: index of a body + 1, or 0 (name_slots)
    int *names;
    size_t name_slots;
    double element_radius; // of the body whose shape is being read [m]; 0: not known, or no body's
} sherd_scene_reader;

// ---- reporting: the location of the node or of its key

void sherd_reader_fail(sherd_scene_reader *reader, const sherd_node *node, const char *hint,
                       const char *what_format, ...) SHERD_PRINTF(4, 5);
void sherd_reader_fail_key(sherd_scene_reader *reader, const sherd_node *node, const char *hint,
                           const char *what_format, ...) SHERD_PRINTF(4, 5);
void sherd_reader_fail_unsupported(sherd_scene_reader *reader, const sherd_node *node,
                                   const char *hint, const char *what);
// Reports an error of the library at this node's location.
void sherd_reader_fail_error(sherd_scene_reader *reader, const sherd_node *node,
                             const sherd_error *error);
void sherd_reader_fail_memory(sherd_scene_reader *reader);
// "file:line:column  key.path", kept in the arena. Never NULL.
const char *sherd_reader_where(sherd_scene_reader *reader, const sherd_node *node);

// Returns the path of a file named in the scene, relative to the scene's folder; in the arena. NULL
// when out of memory.
char *sherd_reader_path(sherd_scene_reader *reader, const char *file);

// ---- single values; on failure *value is left alone and false returned

// Requirements of a value read by hand: SHERD_VALUE(LENGTH, SHERD_POSITIVE).
#define SHERD_VALUE(kind, ...)                                                                     \
    (&(const sherd_field){.quantity = SHERD_QUANTITY_##kind, .range = __VA_ARGS__})
#define SHERD_ANY                                                                                  \
    {                                                                                              \
        .bound = SHERD_BOUND_NONE                                                                  \
    }

// `wanted` gives quantity, range and hint.
bool sherd_read_real(sherd_scene_reader *reader, const sherd_node *node, const sherd_field *wanted,
                     double *value);
// Integral within +-2^53; "1e4" is fine.
bool sherd_read_integer(sherd_scene_reader *reader, const sherd_node *node,
                        const sherd_field *wanted, int64_t *value);
bool sherd_read_boolean(sherd_scene_reader *reader, const sherd_node *node, bool *value);
// `count` numbers in a list.
bool sherd_read_numbers(sherd_scene_reader *reader, const sherd_node *node,
                        const sherd_field *wanted, int count, double *values);
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
// Returns a map's value; NULL if it is missing, with an error unless an unknown key was taken for
// it.
sherd_node *sherd_require(sherd_scene_reader *reader, const sherd_node *map, const char *key,
                          const char *hint);

// ---- maps, by the rows of definitions

// Some rows, in the struct to fill: those that stand in the given maps, all of them for 0.
typedef struct sherd_keys {
    const sherd_field *fields;
    int count;
    unsigned maps;
    void *target; // NULL: everything is read by hand
} sherd_keys;

// Reads every value that is present, and reports unknown keys and missing required ones.
// `more_keys` are additional known keys: NULL-terminated, may be NULL. Returns false only if `map`
// is not a map.
bool sherd_read_keys(sherd_scene_reader *reader, const sherd_node *map, const sherd_keys *keys,
                     int count, const char *const *more_keys);

#define SHERD_KEYS(array, target)                                                                  \
    (&(const sherd_keys){(array), sizeof(array) / sizeof(array)[0], 0, target})
// A map of rows of its own.
#define SHERD_READ(reader, map, array, target)                                                     \
    sherd_read_keys(reader, map, SHERD_KEYS(array, target), 1, NULL)

// A map of a scene: rows of one or two definitions, in one struct.
typedef struct sherd_scene_map {
    const char *name; // "solver", for docs
    struct {
        const sherd_definition *(*definition)(void);
        unsigned maps;
        size_t offset; // of the definition in the struct
    } parts[2];
} sherd_scene_map;

bool sherd_read_map(sherd_scene_reader *reader, const sherd_node *map, const sherd_scene_map *kind,
                    const char *const *more_keys, void *target);

// Reports an error found by a definition's check at its key, if present, or else at the map.
void sherd_reader_fail_check(sherd_scene_reader *reader, const sherd_node *map,
                             const sherd_definition *definition, const sherd_error *error);

// An unknown key that was reported: each is reported once, together with the known key that it most
// resembles.
typedef struct sherd_unknown_key {
    const sherd_node *node; // its value
    const char *meant;      // the known key that it resembles; NULL: none
    const struct sherd_unknown_key *next;
} sherd_unknown_key;

// Returns whether `key` is neither in the map nor misspelt there.
bool sherd_key_is_missing(const sherd_scene_reader *reader, const sherd_node *map, const char *key);
// Returns whether an unknown key of the map was reported, which may be a misspelling of any missing
// key.
bool sherd_has_unknown_key(const sherd_scene_reader *reader, const sherd_node *map);
