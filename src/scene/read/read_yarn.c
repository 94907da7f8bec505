// yarn: {rope: {...}}, {woven: {...}} or {knitted: {...}}
#include "scene/read/sections.h"

#define OF_YARN(field) offsetof(sherd_yarn_def, field)

static const char *const GLUES[] = {"none", "edges", "all", NULL};
static const char *const WEAVES[] = {"plain", "twill", "satin", NULL};

#define LENGTH(key, required, field, range)                                                        \
    {                                                                                              \
        key, SHERD_FIELD_REAL, required, OF_YARN(field), SHERD_QUANTITY_LENGTH, range, NULL        \
    }
#define COUNT(key, required, field)                                                                \
    {                                                                                              \
        key, SHERD_FIELD_INT, required, OF_YARN(field), 0, SHERD_RANGE_AT_LEAST_1, NULL            \
    }
#define YARN_COMMON                                                                                \
    {"spacing", SHERD_FIELD_REAL, false, OF_YARN(spacing), 0, SHERD_RANGE_POSITIVE, NULL},         \
        {"fiber_share", SHERD_FIELD_REAL, false, OF_YARN(fiber_share), 0, SHERD_RANGE_SHARE_OPEN,  \
         NULL},                                                                                    \
        {"glue", SHERD_FIELD_CHOICE, false, OF_YARN(glue), 0, 0, GLUES},                           \
    {                                                                                              \
        "max_elements", SHERD_FIELD_INT64, false, OF_YARN(max_elements), 0,                        \
            SHERD_RANGE_AT_LEAST_1, NULL                                                           \
    }

static const sherd_field ROPE[] = {
    LENGTH("radius", true, rope.radius, SHERD_RANGE_POSITIVE),
    LENGTH("length", false, rope.length, SHERD_RANGE_POSITIVE),
    COUNT("strands", false, rope.strands),
    COUNT("plies", false, rope.plies),
    LENGTH("pitch", false, rope.pitch, SHERD_RANGE_ANY),
    LENGTH("ply_pitch", false, rope.ply_pitch, SHERD_RANGE_ANY),
    {"core", SHERD_FIELD_BOOLEAN, false, OF_YARN(rope.core), 0, 0, NULL},
    {"path", SHERD_FIELD_OTHER, false, 0, 0, 0, NULL},
    YARN_COMMON};
static const sherd_field WOVEN[] = {
    LENGTH("radius", true, woven.radius, SHERD_RANGE_POSITIVE),
    COUNT("warp", true, woven.warp),
    COUNT("weft", true, woven.weft),
    LENGTH("warp_distance", false, woven.warp_distance, SHERD_RANGE_POSITIVE),
    LENGTH("weft_distance", false, woven.weft_distance, SHERD_RANGE_POSITIVE),
    {"weave", SHERD_FIELD_CHOICE, false, OF_YARN(woven.weave), 0, 0, WEAVES},
    {"crimp", SHERD_FIELD_REAL, false, OF_YARN(woven.crimp), 0, SHERD_RANGE_SHARE, NULL},
    YARN_COMMON};
static const sherd_field KNITTED[] = {
    LENGTH("radius", true, knitted.radius, SHERD_RANGE_POSITIVE),
    COUNT("rows", true, knitted.rows),
    COUNT("columns", true, knitted.columns),
    LENGTH("row_distance", false, knitted.row_distance, SHERD_RANGE_POSITIVE),
    LENGTH("column_distance", false, knitted.column_distance, SHERD_RANGE_POSITIVE),
    YARN_COMMON};

typedef struct yarn_key {
    const char *key;
    sherd_yarn_kind kind;
    sherd_field_table table;
} yarn_key;

static const yarn_key YARNS[] = {
    {"rope", SHERD_YARN_ROPE, {ROPE, sizeof ROPE / sizeof ROPE[0], NULL}},
    {"woven", SHERD_YARN_WOVEN, {WOVEN, sizeof WOVEN / sizeof WOVEN[0], NULL}},
    {"knitted", SHERD_YARN_KNITTED, {KNITTED, sizeof KNITTED / sizeof KNITTED[0], NULL}},
};
enum { YARN_COUNT = sizeof YARNS / sizeof YARNS[0] };

static void read_path(sherd_scene_reader *reader, const sherd_node *node, sherd_rope_def *rope)
{
    if (!sherd_require_list(reader, node)) return;
    if (node->count < 2) {
        sherd_reader_fail(reader, node, NULL, "must have at least 2 points, got %d", node->count);
        return;
    }
    sherd_vec3 *points = sherd_arena_alloc(reader->arena, (size_t)node->count, sizeof *points);
    if (points == NULL) return;
    int k = 0;
    for (const sherd_node *item = node->first; item != NULL; item = item->next, ++k)
        sherd_read_vector(reader, item, SHERD_QUANTITY_LENGTH, &points[k]);
    rope->path = points;
    rope->path_count = node->count;
}

// A rope is straight and has a length, or follows a path.
static void read_rope_line(sherd_scene_reader *reader, const sherd_node *node, sherd_rope_def *rope)
{
    const sherd_node *length = sherd_node_find(node, "length");
    const sherd_node *path = sherd_node_find(node, "path");
    if (path != NULL) read_path(reader, path, rope);
    if (path != NULL && length != NULL)
        sherd_reader_fail_key(reader, path, "a path has its own length",
                              "a rope has either 'length' or 'path', not both");
    if (path == NULL) sherd_require(reader, node, "length");
}

void sherd_read_yarn(sherd_scene_reader *reader, const sherd_node *node, sherd_yarn_def *def)
{
    static const char *const KEYS[] = {"rope", "woven", "knitted", NULL};
    sherd_field_table none = {.more_keys = KEYS};
    if (!sherd_read_fields(reader, node, &none, NULL)) return;
    const sherd_node *found = NULL;
    const yarn_key *kind = NULL;
    for (int k = 0; k < YARN_COUNT; ++k) {
        const sherd_node *child = sherd_node_find(node, YARNS[k].key);
        if (child == NULL) continue;
        if (found != NULL) {
            sherd_reader_fail_key(reader, child, NULL, "yarns are either '%s' or '%s', not both",
                                  found->key, child->key);
            return;
        }
        found = child;
        kind = &YARNS[k];
    }
    if (found == NULL) {
        if (node->count == 0)
            sherd_reader_fail(reader, node, "one of rope, woven, knitted", "names no kind of yarn");
        return;
    }
    def->kind = kind->kind;
    if (!sherd_read_fields(reader, found, &kind->table, def)) return;
    if (def->kind == SHERD_YARN_ROPE) read_rope_line(reader, found, &def->rope);
}
