// yarn: {rope: {...}}, {woven: {...}} or {knitted: {...}}
#include "scene/read/sections.h"

#define MAP(name, maps)                                                                            \
    {                                                                                              \
        name,                                                                                      \
        {                                                                                          \
            {                                                                                      \
                sherd_yarn_def_fields, maps, 0                                                     \
            }                                                                                      \
        }                                                                                          \
    }
// In the order of sherd_yarn_kind.
static const sherd_scene_map YARNS[] = {MAP("rope", SHERD_MAP_ROPE), MAP("woven", SHERD_MAP_WOVEN),
                                        MAP("knitted", SHERD_MAP_KNITTED)};
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
    if (path == NULL) sherd_require(reader, node, "length", "e.g. 30 cm");
}

void sherd_read_yarn(sherd_scene_reader *reader, const sherd_node *node, sherd_yarn_def *def)
{
    static const char *const KEYS[] = {"rope", "woven", "knitted", NULL};
    if (!sherd_read_keys(reader, node, NULL, 0, KEYS)) return;
    const sherd_node *found = NULL;
    for (int k = 0; k < YARN_COUNT; ++k) {
        const sherd_node *child = sherd_node_find(node, YARNS[k].name);
        if (child == NULL) continue;
        if (found != NULL) {
            sherd_reader_fail_key(reader, child, NULL, "yarns are either '%s' or '%s', not both",
                                  found->key, child->key);
            return;
        }
        found = child;
        def->kind = (sherd_yarn_kind)k;
    }
    if (found == NULL) {
        if (!sherd_has_unknown_key(reader, node))
            sherd_reader_fail(reader, node, "one of rope, woven, knitted", "names no kind of yarn");
        return;
    }
    if (!sherd_read_map(reader, found, &YARNS[def->kind], NULL, def)) return;
    if (def->kind == SHERD_YARN_ROPE) read_rope_line(reader, found, &def->rope);
}
