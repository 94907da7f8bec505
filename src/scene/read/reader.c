// Reporting, and tables of fields.
#include "scene/read/reader.h"

#include "base/error.h"
#include "base/hash.h"
#include "scene/text/suggest.h"

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

// ---------------------------------------------------------------- maps

static bool is_known(const sherd_field_table *table, const char *key)
{
    for (int k = 0; k < table->count; ++k)
        if (strcmp(table->fields[k].key, key) == 0) return true;
    for (const char *const *more = table->more_keys; more != NULL && *more != NULL; ++more)
        if (strcmp(*more, key) == 0) return true;
    return false;
}

static void fail_unknown_key(sherd_scene_reader *reader, const sherd_node *child,
                             const sherd_field_table *table)
{
    char hint[SHERD_ERROR_TEXT_SIZE];
    sherd_suggestion suggestion = {.word = child->key};
    for (int k = 0; k < table->count; ++k)
        sherd_suggest(&suggestion, table->fields[k].key);
    for (const char *const *more = table->more_keys; more != NULL && *more != NULL; ++more)
        sherd_suggest(&suggestion, *more);
    sherd_suggestion_hint(&suggestion, hint, sizeof hint);
    sherd_reader_fail_key(reader, child, hint, "unknown key '%.80s'", child->key);
}

static void read_int_field(sherd_scene_reader *reader, const sherd_node *node,
                           const sherd_field *field, int *target)
{
    int64_t value;
    if (!sherd_read_integer(reader, node, field->range, &value)) return;
    if (value > INT_MAX || value < INT_MIN)
        sherd_reader_fail(reader, node, NULL, "is too large, got %.80s", node->text);
    else
        *target = (int)value;
}

static void read_seed_field(sherd_scene_reader *reader, const sherd_node *node, uint64_t *target)
{
    int64_t value;
    if (sherd_read_integer(reader, node, SHERD_RANGE_NOT_NEGATIVE, &value))
        *target = (uint64_t)value;
}

static void read_field(sherd_scene_reader *reader, const sherd_node *node, const sherd_field *field,
                       void *target)
{
    switch (field->type) {
    case SHERD_FIELD_OTHER:
        break;
    case SHERD_FIELD_REAL:
        sherd_read_real(reader, node, field->quantity, field->range, target);
        break;
    case SHERD_FIELD_VECTOR:
        sherd_read_vector(reader, node, field->quantity, target);
        break;
    case SHERD_FIELD_INT:
        read_int_field(reader, node, field, target);
        break;
    case SHERD_FIELD_INT64:
        sherd_read_integer(reader, node, field->range, target);
        break;
    case SHERD_FIELD_SEED:
        read_seed_field(reader, node, target);
        break;
    case SHERD_FIELD_BOOLEAN:
        sherd_read_boolean(reader, node, target);
        break;
    case SHERD_FIELD_CHOICE:
        sherd_read_choice(reader, node, field->choices, target);
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

bool sherd_read_fields(sherd_scene_reader *reader, const sherd_node *map,
                       const sherd_field_table *table, void *target)
{
    if (!sherd_require_map(reader, map)) return false;
    for (const sherd_node *child = map->first; child != NULL; child = child->next)
        if (!is_known(table, child->key)) fail_unknown_key(reader, child, table);
    for (int k = 0; k < table->count; ++k) {
        const sherd_field *field = &table->fields[k];
        const sherd_node *node = sherd_node_find(map, field->key);
        if (node == NULL) {
            if (field->required) sherd_require(reader, map, field->key);
            continue;
        }
        // Numbers alone would not tell position: [1, 0, 0] from rotation: [1, 0, 0].
        reader->shape_digest =
            sherd_hash_bytes(reader->shape_digest, field->key, strlen(field->key) + 1);
        read_field(reader, node, field, target != NULL ? (char *)target + field->offset : NULL);
    }
    return true;
}

bool sherd_require_map(sherd_scene_reader *reader, const sherd_node *node)
{
    if (node->kind == SHERD_NODE_MAP) return true;
    sherd_reader_fail(reader, node, "write `{key: value, ...}` or indented `key: value` lines",
                      "must be a map, got %s", sherd_node_kind_name(node));
    return false;
}

bool sherd_require_list(sherd_scene_reader *reader, const sherd_node *node)
{
    if (node->kind == SHERD_NODE_LIST) return true;
    sherd_reader_fail(reader, node, "write `[a, b, ...]` or lines that begin with `- `",
                      "must be a list, got %s", sherd_node_kind_name(node));
    return false;
}

sherd_node *sherd_require(sherd_scene_reader *reader, const sherd_node *map, const char *key)
{
    sherd_node *node = sherd_node_find(map, key);
    if (node == NULL) sherd_reader_fail(reader, map, NULL, "misses the required key '%s'", key);
    return node;
}
