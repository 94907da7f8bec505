#include "scene/text/overrides.h"

#include "base/error.h"
#include "base/text/suggest.h"

#include <stdio.h>
#include <string.h>

enum { PATH_MAX_STEPS = 32, STEP_SIZE = 96 };

// One override: `value` is stored at `path`.
typedef struct override {
    const char *path;
    sherd_node_mark mark; // where the path was written
    sherd_node *value;    // belongs to no tree
} override;

static void fail_override(sherd_scene_reader *reader, const override *change, const char *hint,
                          const char *what)
{
    char where[SHERD_ERROR_TEXT_SIZE];
    // The source of --set already shows the path.
    sherd_node_mark_where(&change->mark, change->mark.line > 0 ? change->path : "", where,
                          sizeof where);
    sherd_fail(sherd_diagnostics_add(reader->diagnostics), SHERD_ERROR_INPUT, where, hint, "%s",
               what);
}

// ---- following a path

static void fail_no_item(sherd_scene_reader *reader, const override *change, const sherd_node *list,
                         const char *step)
{
    char what[SHERD_ERROR_TEXT_SIZE], hint[SHERD_ERROR_TEXT_SIZE], path[200];
    sherd_node_path(list, path, sizeof path);
    sherd_suggestion suggestion = {.word = step};
    for (const sherd_node *item = list->first; item != NULL; item = item->next)
        if (sherd_node_name(item) != NULL) sherd_suggest(&suggestion, sherd_node_name(item));
    sherd_suggestion_hint(&suggestion, hint, sizeof hint);
    snprintf(what, sizeof what, "'%s' has no item '%s' (%d in all)", path, step, list->count);
    fail_override(reader, change, hint, what);
}

static void fail_no_material(sherd_scene_reader *reader, const override *change,
                             const sherd_node *map, const char *step)
{
    char what[SHERD_ERROR_TEXT_SIZE], hint[SHERD_ERROR_TEXT_SIZE];
    sherd_suggestion suggestion = {.word = step};
    for (const sherd_node *child = map->first; child != NULL; child = child->next)
        sherd_suggest(&suggestion, child->key);
    sherd_suggestion_hint(&suggestion, hint, sizeof hint);
    snprintf(what, sizeof what, "there is no material '%s'", step);
    fail_override(reader, change, hint, what);
}

static sherd_node *add_map(sherd_scene_reader *reader, sherd_node *map, const char *key,
                           const override *change)
{
    sherd_node *child = sherd_arena_alloc(reader->arena, 1, sizeof *child);
    const char *copy = sherd_arena_string(reader->arena, key);
    if (child == NULL || copy == NULL) return NULL;
    child->kind = SHERD_NODE_MAP;
    child->mark = change->mark;
    child->key = copy;
    child->key_mark = change->mark;
    sherd_node_append(map, child);
    return child;
}

static void fail_no_list(sherd_scene_reader *reader, const override *change, const char *step)
{
    char what[SHERD_ERROR_TEXT_SIZE];
    snprintf(what, sizeof what, "there is no '%s' yet to change an item of", step);
    fail_override(reader, change, "set all of it, as in bodies.plate.position=[0, 0, 1 cm]", what);
}

// Follows a step that is not the last; missing maps are created, and validated later by the
// readers. `remaining_path` is the remaining path. NULL with an error.
static sherd_node *follow(sherd_scene_reader *reader, sherd_node *at, const char *step,
                          const char *remaining_path, const override *change)
{
    if (at->kind == SHERD_NODE_LIST) {
        sherd_node *item = sherd_node_find_item(at, step);
        if (item == NULL) fail_no_item(reader, change, at, step);
        return item;
    }
    sherd_node *child = sherd_node_find(at, step);
    // Keys below `materials` are names of the user: a new one would be a misspelt old one.
    bool names_material = at->parent != NULL && at->parent->parent == NULL && at->key != NULL &&
                          strcmp(at->key, "materials") == 0;
    if (child == NULL && names_material) {
        fail_no_material(reader, change, at, step);
        return NULL;
    }
    if (child == NULL && sherd_node_is_position(remaining_path)) {
        fail_no_list(reader, change, step);
        return NULL;
    }
    return child != NULL ? child : add_map(reader, at, step, change);
}

// Returns true if something can lie below `at`, else false with an error.
static bool check_branch(sherd_scene_reader *reader, const sherd_node *at, const char *step,
                         const override *change)
{
    if (at->kind != SHERD_NODE_SCALAR) return true;
    char what[SHERD_ERROR_TEXT_SIZE], path[200];
    sherd_node_path(at, path, sizeof path);
    snprintf(what, sizeof what, "'%s' is %s and has no '%s'", path, sherd_node_kind_name(at), step);
    bool is_switch = strcmp(at->text, "false") == 0 || strcmp(at->text, "true") == 0;
    char hint[SHERD_ERROR_TEXT_SIZE] = "";
    if (is_switch)
        snprintf(hint, sizeof hint, "it is '%s' in the scene: set all of it, as in %s={%s: ...}",
                 at->text, path, step);
    fail_override(reader, change, hint, what);
    return false;
}

static void set_value(sherd_scene_reader *reader, sherd_node *parent, const char *step,
                      const override *change)
{
    sherd_node *old = parent->kind == SHERD_NODE_LIST ? sherd_node_find_item(parent, step)
                                                      : sherd_node_find(parent, step);
    if (old != NULL) {
        sherd_node_replace(old, change->value);
        change->value->key_mark = change->mark;
    } else if (parent->kind == SHERD_NODE_LIST) {
        fail_no_item(reader, change, parent, step);
    } else {
        change->value->key = sherd_arena_string(reader->arena, step);
        change->value->key_mark = change->mark;
        if (change->value->key != NULL) sherd_node_append(parent, change->value);
    }
}

// Cuts the next step off a valid dotted path.
static void next_step(const char **path, char *step)
{
    size_t n = strcspn(*path, ".");
    memcpy(step, *path, n);
    step[n] = '\0';
    *path += n + ((*path)[n] == '.');
}

// True for up to PATH_MAX_STEPS steps, none empty or overlong.
static bool is_valid_path(const char *path)
{
    for (int k = 0; k < PATH_MAX_STEPS; ++k) {
        size_t n = strcspn(path, ".");
        if (n == 0 || n >= STEP_SIZE) return false;
        if (path[n] == '\0') return true;
        path += n + 1;
    }
    return false;
}

static bool check_path(sherd_scene_reader *reader, const override *change)
{
    if (!is_valid_path(change->path)) {
        fail_override(reader, change, "write keys joined by dots, as in bodies.plate.velocity",
                      "is no valid path");
        return false;
    }
    if (strcmp(change->path, "variants") == 0 || strncmp(change->path, "variants.", 9) == 0) {
        fail_override(reader, change, NULL, "variants can't be overridden");
        return false;
    }
    return true;
}

static void apply(sherd_scene_reader *reader, sherd_node *root, const override *change)
{
    if (!check_path(reader, change)) return;
    const char *remaining_path = change->path;
    char step[STEP_SIZE];
    sherd_node *at = root;
    next_step(&remaining_path, step);
    while (*remaining_path != '\0') {
        if (!check_branch(reader, at, step, change)) return;
        at = follow(reader, at, step, remaining_path, change);
        if (at == NULL) return;
        next_step(&remaining_path, step);
    }
    if (check_branch(reader, at, step, change)) set_value(reader, at, step, change);
}

// ---- variants

static void apply_variant(sherd_scene_reader *reader, sherd_node *root, sherd_node *variant)
{
    while (variant->first != NULL) {
        sherd_node *value = variant->first;
        override change = {.path = value->key, .mark = value->key_mark, .value = value};
        sherd_node_remove(value);
        apply(reader, root, &change);
    }
}

static void fail_no_variant(sherd_scene_reader *reader, const char *wanted, const char *file_name)
{
    char hint[SHERD_ERROR_TEXT_SIZE], what[160];
    const sherd_scene *scene = reader->scene;
    sherd_suggestion suggestion = {.word = wanted};
    for (int k = 0; k < scene->variant_count; ++k)
        sherd_suggest(&suggestion, scene->variants[k]);
    sherd_suggestion_hint(&suggestion, hint, sizeof hint);
    if (scene->variant_count == 0) snprintf(hint, sizeof hint, "the file has no variants");
    snprintf(what, sizeof what, "there is no variant '%.80s'", wanted);
    sherd_fail(sherd_diagnostics_add(reader->diagnostics), SHERD_ERROR_INPUT, file_name, hint, "%s",
               what);
}

// Validates every variant and stores their names in the scene. Folders are named after them.
static void list_variants(sherd_scene_reader *reader, const sherd_node *variants)
{
    const char **names = sherd_arena_alloc(reader->arena, (size_t)variants->count, sizeof *names);
    if (names == NULL) return;
    int count = 0;
    for (const sherd_node *v = variants->first; v != NULL; v = v->next) {
        sherd_check_key_name(reader, v);
        sherd_require_map(reader, v);
        names[count++] = v->key;
    }
    reader->scene->variants = names;
    reader->scene->variant_count = count;
}

static void apply_variants(sherd_scene_reader *reader, sherd_node *root, const char *wanted,
                           const char *file_name)
{
    sherd_node *variants = sherd_node_find(root, "variants");
    if (variants != NULL) {
        if (sherd_require_map(reader, variants)) list_variants(reader, variants);
        sherd_node *chosen = wanted != NULL ? sherd_node_find(variants, wanted) : NULL;
        if (chosen != NULL && chosen->kind == SHERD_NODE_MAP) apply_variant(reader, root, chosen);
        sherd_node_remove(variants);
        if (chosen != NULL) return;
    }
    if (wanted != NULL) fail_no_variant(reader, wanted, file_name);
}

// ---- --set

// A value as it is read: '#' would begin a comment, but on a command line it begins a colour. NULL
// when memory is short.
static const char *value_text(sherd_scene_reader *reader, const char *value)
{
    if (value[0] != '#' || strchr(value, '\'') != NULL) return value;
    size_t size = strlen(value) + 3;
    char *quoted = sherd_arena_alloc(reader->arena, size, 1);
    if (quoted != NULL) snprintf(quoted, size, "'%s'", value);
    return quoted;
}

// The text of a setting for error messages: the path and the beginning of the value. NULL when out
// of memory.
static char *describe_setting(sherd_scene_reader *reader, const char *setting)
{
    enum { LONGEST_SHOWN = 160 };
    size_t length = strlen(setting);
    bool whole = length <= LONGEST_SHOWN;
    size_t size = sizeof "--set ..." + (whole ? length : LONGEST_SHOWN);
    char *text = sherd_arena_alloc(reader->arena, size, 1);
    if (text != NULL)
        snprintf(text, size, "--set %.*s%s", LONGEST_SHOWN, setting, whole ? "" : "...");
    return text;
}

static void apply_setting(sherd_scene_reader *reader, sherd_node *root, const char *setting)
{
    char *source = describe_setting(reader, setting);
    if (source == NULL) return;
    override change = {.mark = {.source = source}};
    const char *equals = strchr(setting, '=');
    if (equals == NULL || equals == setting || equals[1] == '\0') {
        fail_override(reader, &change, "as in --set duration=0.1s", "must be path=value");
        return;
    }
    change.path = sherd_arena_copy(reader->arena, setting, (size_t)(equals - setting));
    const char *value = value_text(reader, equals + 1);
    if (change.path == NULL || value == NULL) return;
    change.value =
        sherd_node_read(reader->arena, value, strlen(value), source, false, reader->diagnostics);
    if (change.value != NULL) apply(reader, root, &change);
}

void sherd_overrides_apply(sherd_scene_reader *reader, sherd_node *root,
                           const sherd_scene_options *options, const char *file_name)
{
    apply_variants(reader, root, options->variant, file_name);
    for (int k = 0; k < options->override_count; ++k)
        apply_setting(reader, root, options->overrides[k]);
}
