// Shapes: primitives, profiles, and the combinations of any.
#include "scene/read/sections.h"

#include "base/hash.h"
#include "math/quat.h"

#include <stdio.h>
#include <string.h>

typedef sherd_shape *read_shape_function(sherd_scene_reader *reader, const sherd_node *node);

static sherd_shape *read_part(sherd_scene_reader *reader, const sherd_node *node);

// Returns a constructor's result; reports its error at `node`.
static sherd_shape *made(sherd_scene_reader *reader, const sherd_node *node, sherd_shape *shape,
                         const sherd_error *error)
{
    if (shape == NULL) sherd_reader_fail_error(reader, node, error);
    return shape;
}

// ---- primitives

static sherd_shape *read_box(sherd_scene_reader *reader, const sherd_node *node)
{
    double size[3];
    if (!sherd_read_numbers(reader, node, SHERD_VALUE(LENGTH, SHERD_POSITIVE), 3, size))
        return NULL;
    sherd_error error;
    return made(reader, node, sherd_shape_box((sherd_vec3){size[0], size[1], size[2]}, &error),
                &error);
}

static sherd_shape *read_sphere(sherd_scene_reader *reader, const sherd_node *node)
{
    double radius;
    if (!sherd_read_real(reader, node, SHERD_VALUE(LENGTH, SHERD_POSITIVE), &radius)) return NULL;
    sherd_error error;
    return made(reader, node, sherd_shape_sphere(radius, &error), &error);
}

// Two lengths of a map, both required and positive.
static bool read_two(sherd_scene_reader *reader, const sherd_node *node, const char *first,
                     const char *second, double values[2])
{
    const sherd_field fields[] = {
        {.key = first,
         .type = SHERD_FIELD_REAL,
         .flags = SHERD_FIELD_REQUIRED,
         .quantity = SHERD_QUANTITY_LENGTH,
         .range = SHERD_POSITIVE},
        {.key = second,
         .type = SHERD_FIELD_REAL,
         .flags = SHERD_FIELD_REQUIRED,
         .offset = sizeof(double),
         .quantity = SHERD_QUANTITY_LENGTH,
         .range = SHERD_POSITIVE},
    };
    values[0] = values[1] = 0.0;
    return SHERD_READ(reader, node, fields, values) && values[0] > 0.0 && values[1] > 0.0;
}

static sherd_shape *read_cylinder(sherd_scene_reader *reader, const sherd_node *node)
{
    double v[2];
    sherd_error error;
    if (!read_two(reader, node, "radius", "height", v)) return NULL;
    return made(reader, node, sherd_shape_cylinder(v[0], v[1], &error), &error);
}

static sherd_shape *read_capsule(sherd_scene_reader *reader, const sherd_node *node)
{
    double v[2];
    sherd_error error;
    if (!read_two(reader, node, "radius", "length", v)) return NULL;
    return made(reader, node, sherd_shape_capsule(v[0], v[1], &error), &error);
}

static sherd_shape *read_torus(sherd_scene_reader *reader, const sherd_node *node)
{
    double v[2];
    sherd_error error;
    if (!read_two(reader, node, "major_radius", "minor_radius", v)) return NULL;
    return made(reader, node, sherd_shape_torus(v[0], v[1], &error), &error);
}

// ---- profiles

// Number of points or parts of a list, hashed first: it separates one shape's numbers from the next
// shape's.
static void digest_count(sherd_scene_reader *reader, const sherd_node *list)
{
    int64_t count = list->count;
    reader->shape_digest = sherd_hash_bytes(reader->shape_digest, &count, sizeof count);
}

// A list of [a, b] points, in the arena. NULL with an error.
static sherd_vec2 *read_polygon(sherd_scene_reader *reader, const sherd_node *node)
{
    if (!sherd_require_list(reader, node)) return NULL;
    if (node->count < 3) {
        sherd_reader_fail(reader, node, "the last point is joined to the first",
                          "must have at least 3 points, got %d", node->count);
        return NULL;
    }
    digest_count(reader, node);
    sherd_vec2 *points = sherd_arena_alloc(reader->arena, (size_t)node->count, sizeof *points);
    if (points == NULL) return NULL;
    bool good = true;
    int k = 0;
    for (const sherd_node *item = node->first; item != NULL; item = item->next, ++k) {
        double p[2];
        bool read = sherd_read_numbers(reader, item, SHERD_VALUE(LENGTH, SHERD_ANY), 2, p);
        if (read) points[k] = (sherd_vec2){p[0], p[1]};
        good = good && read;
    }
    return good ? points : NULL;
}

static sherd_shape *read_revolve(sherd_scene_reader *reader, const sherd_node *node)
{
    sherd_error error;
    sherd_vec2 *profile = read_polygon(reader, node);
    if (profile == NULL) return NULL;
    return made(reader, node, sherd_shape_revolve(profile, node->count, &error), &error);
}

static sherd_shape *read_extrude(sherd_scene_reader *reader, const sherd_node *node)
{
    static const sherd_field FIELDS[] = {
        {.key = "outline", .flags = SHERD_FIELD_REQUIRED},
        {.key = "height",
         .type = SHERD_FIELD_REAL,
         .flags = SHERD_FIELD_REQUIRED,
         .quantity = SHERD_QUANTITY_LENGTH,
         .range = SHERD_POSITIVE},
    };
    double height = 0.0;
    if (!SHERD_READ(reader, node, FIELDS, &height)) return NULL;
    const sherd_node *outline = sherd_node_find(node, "outline");
    sherd_vec2 *points = outline != NULL ? read_polygon(reader, outline) : NULL;
    if (points == NULL || !(height > 0.0)) return NULL;
    sherd_error error;
    return made(reader, outline, sherd_shape_extrude(points, outline->count, height, &error),
                &error);
}

typedef struct text_values {
    const char *text, *font;
    double height, depth;
} text_values;

static sherd_shape *read_text(sherd_scene_reader *reader, const sherd_node *node)
{
    static const sherd_field FIELDS[] = {
        {.key = "text",
         .type = SHERD_FIELD_TEXT,
         .flags = SHERD_FIELD_REQUIRED,
         .offset = offsetof(text_values, text)},
        {.key = "font", .type = SHERD_FIELD_TEXT, .offset = offsetof(text_values, font)},
        {.key = "height",
         .type = SHERD_FIELD_REAL,
         .flags = SHERD_FIELD_REQUIRED,
         .offset = offsetof(text_values, height),
         .quantity = SHERD_QUANTITY_LENGTH,
         .range = SHERD_POSITIVE},
        {.key = "depth",
         .type = SHERD_FIELD_REAL,
         .flags = SHERD_FIELD_REQUIRED,
         .offset = offsetof(text_values, depth),
         .quantity = SHERD_QUANTITY_LENGTH,
         .range = SHERD_POSITIVE},
    };
    text_values v = {0};
    if (!SHERD_READ(reader, node, FIELDS, &v)) return NULL;
    if (v.text == NULL || !(v.height > 0.0) || !(v.depth > 0.0)) return NULL;
    const char *font = v.font != NULL ? sherd_reader_path(reader, v.font) : NULL;
    if (v.font != NULL && font == NULL) return NULL;
    sherd_error error;
    sherd_shape *shape = sherd_shape_text(v.text, font, v.height, v.depth, &error);
    if (shape == NULL && font != NULL && strcmp(error.where, "text") != 0) {
        sherd_reader_fail(reader, sherd_node_find(node, "font"), error.hint, "%.120s: %s", v.font,
                          error.what);
        return NULL;
    }
    if (made(reader, sherd_node_find(node, "text"), shape, &error) == NULL) return NULL;
    // What the font makes of the text, by its amount.
    double amount[2] = {sherd_shape_volume(shape), sherd_shape_bounds(shape).high.x};
    reader->shape_digest = sherd_hash_bytes(reader->shape_digest, v.text, strlen(v.text) + 1);
    reader->shape_digest = sherd_hash_bytes(reader->shape_digest, amount, sizeof amount);
    return shape;
}

// ---- combinations

// Fewer parts are joined in pairs.
enum { MANY_PARTS = 8 };

// The parts of a list, in the arena. NULL with an error, after all parts were read to find theirs.
static sherd_shape **read_parts(sherd_scene_reader *reader, const sherd_node *list)
{
    if (!sherd_require_list(reader, list)) return NULL;
    if (list->count < 2) {
        sherd_reader_fail(reader, list, NULL, "must list at least 2 shapes, got %d", list->count);
        return NULL;
    }
    digest_count(reader, list);
    sherd_shape **parts = sherd_arena_alloc(reader->arena, (size_t)list->count, sizeof *parts);
    if (parts == NULL) return NULL;
    bool good = true;
    int count = 0;
    for (const sherd_node *item = list->first; item != NULL; item = item->next, ++count) {
        int seams = reader->seam_count;
        parts[count] = read_part(reader, item);
        if (list->key != NULL && strcmp(list->key, "difference") == 0 && count > 0)
            reader->seam_count = seams; // seams of a part that is cut away do not count
        good = good && parts[count] != NULL;
    }
    reader->group_count = 0; // unions and differences have no groups
    for (int k = 0; !good && k < count; ++k)
        sherd_shape_destroy(parts[k]);
    return good ? parts : NULL;
}

static sherd_shape *unite(sherd_shape *const *parts, int count, sherd_error *error)
{
    if (count >= MANY_PARTS) return sherd_shape_union_of(parts, count, error);
    sherd_shape *result = parts[0];
    for (int k = 1; k < count; ++k) // a NULL is passed on, and the remaining parts are destroyed
        result = sherd_shape_union(result, parts[k], error);
    return result;
}

static sherd_shape *read_union(sherd_scene_reader *reader, const sherd_node *node)
{
    sherd_shape **parts = read_parts(reader, node);
    sherd_error error;
    if (parts == NULL) return NULL;
    sherd_find_seams(reader, node, parts);
    return made(reader, node, unite(parts, node->count, &error), &error);
}

// The first minus all others is the first minus their union.
static sherd_shape *subtract(sherd_shape *const *parts, int count, sherd_error *error)
{
    if (count > MANY_PARTS) {
        sherd_shape *all = sherd_shape_union_of(parts + 1, count - 1, error);
        if (all != NULL) return sherd_shape_difference(parts[0], all, error);
        sherd_shape_destroy(parts[0]);
        return NULL;
    }
    sherd_shape *result = parts[0];
    for (int k = 1; k < count; ++k)
        result = sherd_shape_difference(result, parts[k], error);
    return result;
}

static sherd_shape *read_difference(sherd_scene_reader *reader, const sherd_node *node)
{
    sherd_shape **parts = read_parts(reader, node);
    sherd_error error;
    return parts != NULL ? made(reader, node, subtract(parts, node->count, &error), &error) : NULL;
}

// ---- any shape

const char *const sherd_shape_keys[] = {"box",   "sphere",     "cylinder", "capsule",
                                        "torus", "revolve",    "extrude",  "mesh",
                                        "union", "difference", "text",     NULL};
static read_shape_function *const SHAPE_READERS[] = {
    read_box,     read_sphere,     read_cylinder, read_capsule,    read_torus, read_revolve,
    read_extrude, sherd_read_mesh, read_union,    read_difference, read_text};

void sherd_reader_fail_no_shape(sherd_scene_reader *reader, const sherd_node *map,
                                const char *others)
{
    char words[SHERD_ERROR_TEXT_SIZE], hint[SHERD_ERROR_TEXT_SIZE + 64];
    if (sherd_has_unknown_key(reader, map)) return; // a misspelt key was reported
    const sherd_field shapes = {.choices = sherd_shape_keys};
    snprintf(hint, sizeof hint, "one of %s%s", others,
             sherd_words_text(&shapes, words, sizeof words));
    sherd_reader_fail(reader, map, hint, "names no shape");
}

// Finds the only key of `map` that names a shape, and its index in sherd_shape_keys. NULL with an
// error.
static const sherd_node *find_kind(sherd_scene_reader *reader, const sherd_node *map, int *kind)
{
    const sherd_node *found = NULL;
    for (int k = 0; sherd_shape_keys[k] != NULL; ++k) {
        const sherd_node *node = sherd_node_find(map, sherd_shape_keys[k]);
        if (node == NULL) continue;
        if (found != NULL) {
            sherd_reader_fail_key(reader, node, "use union to join shapes",
                                  "a shape is either '%s' or '%s', not both", found->key,
                                  node->key);
            return NULL;
        }
        found = node;
        *kind = k;
    }
    if (found == NULL) sherd_reader_fail_no_shape(reader, map, "");
    return found;
}

// Reads the shape that `map` describes; the scene does not own it yet. NULL with an error.
static sherd_shape *read_kind(sherd_scene_reader *reader, const sherd_node *map)
{
    int kind = -1;
    const sherd_node *found = find_kind(reader, map, &kind);
    if (found == NULL) return NULL;
    // Hashing the kind distinguishes sphere: 1 from box: [1, ...], for example.
    const char *name = sherd_shape_keys[kind];
    reader->shape_digest = sherd_hash_bytes(reader->shape_digest, name, strlen(name) + 1);
    return SHAPE_READERS[kind](reader, found);
}

// Reads a shape with its placement; the scene does not own it yet.
static sherd_shape *read_part(sherd_scene_reader *reader, const sherd_node *node)
{
    static const sherd_field FIELDS[] = {
        {.key = "position",
         .type = SHERD_FIELD_VECTOR,
         .offset = offsetof(sherd_pose, position),
         .quantity = SHERD_QUANTITY_LENGTH},
        {.key = "rotation", .type = SHERD_FIELD_ROTATION, .offset = offsetof(sherd_pose, rotation)},
    };
    sherd_pose pose = {.rotation = SHERD_QUAT_IDENTITY};
    if (!sherd_read_keys(reader, node, SHERD_KEYS(FIELDS, &pose), 1, sherd_shape_keys)) return NULL;
    sherd_shape *shape = read_kind(reader, node);
    bool moved =
        sherd_node_find(node, "position") != NULL || sherd_node_find(node, "rotation") != NULL;
    if (shape == NULL || !moved) return shape;
    sherd_error error;
    return made(reader, node, sherd_shape_placed(shape, pose, &error), &error);
}

sherd_shape *sherd_adopt_shape(sherd_scene_reader *reader, sherd_shape *shape)
{
    if (shape == NULL) return NULL;
    sherd_scene_storage *storage = reader->scene->storage;
    sherd_shape_link *link = sherd_arena_alloc(reader->arena, 1, sizeof *link);
    if (link == NULL) {
        sherd_shape_destroy(shape);
        return NULL;
    }
    *link = (sherd_shape_link){shape, storage->shapes};
    storage->shapes = link;
    return shape;
}

sherd_shape *sherd_read_shape(sherd_scene_reader *reader, const sherd_node *map)
{
    reader->shape_digest = SHERD_HASH_START;
    return sherd_adopt_shape(reader, read_kind(reader, map));
}

sherd_shape *sherd_read_placed_shape(sherd_scene_reader *reader, const sherd_node *node)
{
    reader->shape_digest = SHERD_HASH_START;
    return sherd_adopt_shape(reader, read_part(reader, node));
}
