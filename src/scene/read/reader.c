// Reporting, and tables of fields.
#include "scene/read/reader.h"

#include "base/assertion.h"
#include "base/error.h"
#include "base/field.h"
#include "base/hash.h"
#include "base/text/suggest.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// ---------------------------------------------------------------- reporting

static void fail_where(sherd_scene_reader *reader, const char *where, const char *hint,
                       const char *format, va_list arguments)
{
    sherd_error *error = sherd_diagnostics_add(reader->diagnostics);
    if (error == NULL) return;
    char what[SHERD_ERROR_TEXT_SIZE];
    vsnprintf(what, sizeof what, format, arguments);
    sherd_fail(error, SHERD_ERROR_INPUT, where, hint, "%s", what);
}

void sherd_reader_fail(sherd_scene_reader *reader, const sherd_node *node, const char *hint,
                       const char *what_format, ...)
{
    char where[SHERD_ERROR_TEXT_SIZE];
    sherd_node_where(node, where, sizeof where);
    va_list arguments;
    va_start(arguments, what_format);
    fail_where(reader, where, hint, what_format, arguments);
    va_end(arguments);
}

void sherd_reader_fail_key(sherd_scene_reader *reader, const sherd_node *node, const char *hint,
                           const char *what_format, ...)
{
    char where[SHERD_ERROR_TEXT_SIZE];
    sherd_node_key_where(node, where, sizeof where);
    va_list arguments;
    va_start(arguments, what_format);
    fail_where(reader, where, hint, what_format, arguments);
    va_end(arguments);
}

void sherd_reader_fail_unsupported(sherd_scene_reader *reader, const sherd_node *node,
                                   const char *hint, const char *what)
{
    char where[SHERD_ERROR_TEXT_SIZE];
    sherd_node_where(node, where, sizeof where);
    sherd_fail(sherd_diagnostics_add(reader->diagnostics), SHERD_ERROR_UNSUPPORTED, where, hint,
               "%s", what);
}

void sherd_reader_fail_error(sherd_scene_reader *reader, const sherd_node *node,
                             const sherd_error *error)
{
    char where[SHERD_ERROR_TEXT_SIZE];
    sherd_node_where(node, where, sizeof where);
    sherd_fail(sherd_diagnostics_add(reader->diagnostics), error->status, where, error->hint, "%s",
               error->what);
}

void sherd_reader_fail_memory(sherd_scene_reader *reader)
{
    sherd_fail_memory(sherd_diagnostics_add(reader->diagnostics), "a scene");
}

const char *sherd_reader_where(sherd_scene_reader *reader, const sherd_node *node)
{
    char where[SHERD_ERROR_TEXT_SIZE];
    sherd_node_where(node, where, sizeof where);
    const char *copy = sherd_arena_string(reader->arena, where);
    return copy != NULL ? copy : "";
}

// ---------------------------------------------------------------- unknown keys

// Returns false if it was recorded already. `meant` must live as long as the reader.
static bool add_unknown(sherd_scene_reader *reader, const sherd_node *node, const char *meant)
{
    for (const sherd_unknown_key *u = reader->unknown; u != NULL; u = u->next)
        if (u->node == node) return false;
    if (sherd_diagnostics_total(reader->diagnostics) >= SHERD_DIAGNOSTICS_MAX) return true;
    sherd_unknown_key *added = sherd_arena_alloc(reader->arena, 1, sizeof *added);
    if (added == NULL) return true;
    *added = (sherd_unknown_key){node, meant, reader->unknown};
    reader->unknown = added;
    return true;
}

bool sherd_key_is_missing(const sherd_scene_reader *reader, const sherd_node *map, const char *key)
{
    if (sherd_node_find(map, key) != NULL) return false;
    for (const sherd_unknown_key *u = reader->unknown; u != NULL; u = u->next)
        if (u->node->parent == map && u->meant != NULL && strcmp(u->meant, key) == 0) return false;
    return true;
}

bool sherd_has_unknown_key(const sherd_scene_reader *reader, const sherd_node *map)
{
    for (const sherd_unknown_key *u = reader->unknown; u != NULL; u = u->next)
        if (u->node->parent == map) return true;
    return false;
}

// ---------------------------------------------------------------- maps

static bool belongs_to_maps(const sherd_field *field, unsigned maps)
{
    return maps == 0 || (field->maps & maps) != 0;
}

static const sherd_field *find_key(const sherd_keys *keys, int count, const char *key)
{
    for (int p = 0; p < count; ++p)
        for (int k = 0; k < keys[p].count; ++k) {
            const sherd_field *field = &keys[p].fields[k];
            if (belongs_to_maps(field, keys[p].maps) && strcmp(sherd_field_key(field), key) == 0)
                return field;
        }
    return NULL;
}

static bool is_among(const char *const *words, const char *key)
{
    for (; words != NULL && *words != NULL; ++words)
        if (strcmp(*words, key) == 0) return true;
    return false;
}

// Keys of earlier versions, and what became of them.
static const struct {
    const char *map, *key, *hint;
} MOVED[] = {{"solver", "rolling_friction",
              "it is a property of materials: materials.NAME.rolling_friction"}};

static const char *moved_to(const sherd_node *child)
{
    const char *map = child->parent->key != NULL ? child->parent->key : "";
    for (size_t k = 0; k < sizeof MOVED / sizeof MOVED[0]; ++k)
        if (strcmp(MOVED[k].map, map) == 0 && strcmp(MOVED[k].key, child->key) == 0)
            return MOVED[k].hint;
    return NULL;
}

static void fail_unknown_key(sherd_scene_reader *reader, const sherd_node *child,
                             const sherd_keys *keys, int count, const char *const *more_keys)
{
    char hint[SHERD_ERROR_TEXT_SIZE];
    const char *moved = moved_to(child);
    if (moved != NULL) {
        if (add_unknown(reader, child, NULL))
            sherd_reader_fail_key(reader, child, moved, "'%.80s' has moved", child->key);
        return;
    }
    sherd_suggestion suggestion = {.word = child->key};
    for (int p = 0; p < count; ++p)
        for (int k = 0; k < keys[p].count; ++k)
            if (belongs_to_maps(&keys[p].fields[k], keys[p].maps))
                sherd_suggest(&suggestion, sherd_field_key(&keys[p].fields[k]));
    for (const char *const *more = more_keys; more != NULL && *more != NULL; ++more)
        sherd_suggest(&suggestion, *more);
    if (!add_unknown(reader, child, suggestion.best)) return;
    sherd_suggestion_hint(&suggestion, hint, sizeof hint);
    sherd_reader_fail_key(reader, child, hint, "unknown key '%.80s'", child->key);
}

static void read_int_field(sherd_scene_reader *reader, const sherd_node *node,
                           const sherd_field *field, int *target)
{
    int64_t value;
    if (!sherd_read_integer(reader, node, field, &value)) return;
    if (value > INT_MAX || value < INT_MIN)
        sherd_reader_fail(reader, node, NULL, "is too large, got %.80s", node->text);
    else
        *target = (int)value;
}

static void read_uint64_field(sherd_scene_reader *reader, const sherd_node *node, uint64_t *target)
{
    int64_t value;
    if (sherd_read_integer(reader, node, SHERD_VALUE(NUMBER, SHERD_AT_LEAST(0.0)), &value))
        *target = (uint64_t)value;
}

static void read_choice_field(sherd_scene_reader *reader, const sherd_node *node,
                              const sherd_field *field, int *target)
{
    enum { MAX_WORDS = 64 };
    const char *words[MAX_WORDS + 1] = {NULL};
    for (int k = 0; k < MAX_WORDS; ++k) {
        words[k] = sherd_field_word(field, k).word;
        if (words[k] == NULL) break;
    }
    sherd_read_choice(reader, node, words, target);
}

static void read_field(sherd_scene_reader *reader, const sherd_node *node, const sherd_field *field,
                       void *target)
{
    if ((field->flags & SHERD_FIELD_BY_HAND) != 0) return;
    switch (field->type) {
    case SHERD_FIELD_OTHER:
        break;
    case SHERD_FIELD_REAL:
        sherd_read_real(reader, node, field, target);
        break;
    case SHERD_FIELD_VECTOR:
        sherd_read_vector(reader, node, field->quantity, target);
        break;
    case SHERD_FIELD_INT:
        read_int_field(reader, node, field, target);
        break;
    case SHERD_FIELD_INT64:
        sherd_read_integer(reader, node, field, target);
        break;
    case SHERD_FIELD_UINT64:
        read_uint64_field(reader, node, target);
        break;
    case SHERD_FIELD_BOOLEAN:
        sherd_read_boolean(reader, node, target);
        break;
    case SHERD_FIELD_CHOICE:
        read_choice_field(reader, node, field, target);
        break;
    case SHERD_FIELD_COLOR:
        sherd_read_color(reader, node, target);
        break;
    case SHERD_FIELD_ROTATION:
        sherd_read_rotation(reader, node, target);
        break;
    case SHERD_FIELD_NAME:
        sherd_read_name(reader, node, target);
        break;
    case SHERD_FIELD_TEXT:
        sherd_read_text(reader, node, target);
        break;
    }
}

static const char MAP_HINT[] = "write `{key: value, ...}` or indented `key: value` lines",
                  LIST_HINT[] = "write `[a, b, ...]` or lines that begin with `- `";

// What to write for a key that is not there.
static const char *missing_hint(const sherd_field *field, char text[SHERD_ERROR_TEXT_SIZE])
{
    char words[SHERD_ERROR_TEXT_SIZE];
    if (field->type == SHERD_FIELD_CHOICE) {
        snprintf(text, SHERD_ERROR_TEXT_SIZE, "one of %.400s",
                 sherd_words_text(field, words, sizeof words));
        return text;
    }
    if (field->type == SHERD_FIELD_VECTOR) return "a number for each of x, y and z, as [0, 0, 1]";
    if (field->type == SHERD_FIELD_NAME) return "letters, digits, _ and -, beginning with a letter";
    if (sherd_quantity_example(field->quantity) != NULL)
        return sherd_quantity_example(field->quantity);
    if (field->values != NULL && strcmp(field->values, "map") == 0) return MAP_HINT;
    if (field->values != NULL && strcmp(field->values, "list") == 0) return LIST_HINT;
    return field->hint != NULL ? field->hint : field->values;
}

static void read_row(sherd_scene_reader *reader, const sherd_node *map, const sherd_field *field,
                     void *target)
{
    const char *key = sherd_field_key(field);
    const sherd_node *node = sherd_node_find(map, key);
    if (node == NULL) {
        char hint[SHERD_ERROR_TEXT_SIZE];
        if ((field->flags & SHERD_FIELD_REQUIRED) != 0)
            sherd_require(reader, map, key, missing_hint(field, hint));
        return;
    }
    // Numbers alone would not tell position: [1, 0, 0] from rotation: [1, 0, 0].
    reader->shape_digest = sherd_hash_bytes(reader->shape_digest, key, strlen(key) + 1);
    read_field(reader, node, field, target != NULL ? (char *)target + field->offset : NULL);
}

bool sherd_read_keys(sherd_scene_reader *reader, const sherd_node *map, const sherd_keys *keys,
                     int count, const char *const *more_keys)
{
    if (!sherd_require_map(reader, map)) return false;
    for (const sherd_node *child = map->first; child != NULL; child = child->next)
        if (find_key(keys, count, child->key) == NULL && !is_among(more_keys, child->key))
            fail_unknown_key(reader, child, keys, count, more_keys);
    for (int p = 0; p < count; ++p)
        for (int k = 0; k < keys[p].count; ++k)
            if (belongs_to_maps(&keys[p].fields[k], keys[p].maps))
                read_row(reader, map, &keys[p].fields[k], keys[p].target);
    return true;
}

bool sherd_read_map(sherd_scene_reader *reader, const sherd_node *map, const sherd_scene_map *kind,
                    const char *const *more_keys, void *target)
{
    sherd_keys keys[2];
    int count = 0;
    for (; count < 2 && kind->parts[count].definition != NULL; ++count) {
        const sherd_definition *d = kind->parts[count].definition();
        keys[count] = (sherd_keys){d->fields, d->count, kind->parts[count].maps,
                                   (char *)target + kind->parts[count].offset};
    }
    return sherd_read_keys(reader, map, keys, count, more_keys);
}

void sherd_reader_fail_check(sherd_scene_reader *reader, const sherd_node *map,
                             const sherd_definition *definition, const sherd_error *error)
{
    const sherd_node *at = NULL;
    for (int k = 0; k < definition->count && at == NULL; ++k) {
        const sherd_field *field = &definition->fields[k];
        if (field->name == NULL) continue;
        size_t where = strlen(error->where), name = strlen(field->name);
        if (where >= name && strcmp(error->where + where - name, field->name) == 0)
            at = sherd_node_find(map, sherd_field_key(field));
    }
    sherd_reader_fail_error(reader, at != NULL ? at : map, error);
}

bool sherd_require_map(sherd_scene_reader *reader, const sherd_node *node)
{
    if (node->kind == SHERD_NODE_MAP) return true;
    sherd_reader_fail(reader, node, MAP_HINT, "must be a map, got %s", sherd_node_kind_name(node));
    return false;
}

bool sherd_require_list(sherd_scene_reader *reader, const sherd_node *node)
{
    if (node->kind == SHERD_NODE_LIST) return true;
    sherd_reader_fail(reader, node, LIST_HINT, "must be a list, got %s",
                      sherd_node_kind_name(node));
    return false;
}

sherd_node *sherd_require(sherd_scene_reader *reader, const sherd_node *map, const char *key,
                          const char *hint)
{
    if (strcmp(key, "name") == 0) reader->misnamed |= sherd_node_find(map, key) == NULL;
    if (sherd_key_is_missing(reader, map, key))
        sherd_reader_fail(reader, map, hint, "misses the required key '%s'", key);
    return sherd_node_find(map, key);
}

char *sherd_reader_path(sherd_scene_reader *reader, const char *file)
{
    SHERD_ASSERT(file != NULL && reader->folder != NULL, "a path has a file");
    size_t size = strlen(reader->folder) + strlen(file) + 1;
    char *path = sherd_arena_alloc(reader->arena, size, 1);
    if (path != NULL) snprintf(path, size, "%s%s", file[0] == '/' ? "" : reader->folder, file);
    return path;
}
