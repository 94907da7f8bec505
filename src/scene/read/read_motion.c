// motion: {velocity, angular_velocity, pivot, table: [{time, translation, rotation}]}
#include "bodies/motion_eval.h"
#include "scene/read/sections.h"

#include "math/vec3.h"

const sherd_scene_map sherd_map_motion = {"motion", {{sherd_motion_fields, SHERD_MAP_MOTION, 0}}};
static const sherd_scene_map KEY = {"motion_key",
                                    {{sherd_motion_key_fields, SHERD_MAP_MOTION_KEY, 0}}};

// Times of the table are relative to the start; the first entry also applies before its time.
static void check_start(sherd_scene_reader *reader, const sherd_node *item,
                        const sherd_motion_key *key)
{
    if (vec3_length(key->translation) > 0.0 || vec3_length(key->rotation) > 0.0)
        sherd_reader_fail(reader, item, "tables are relative to the start",
                          "the first key must not have moved yet");
}

static void read_table(sherd_scene_reader *reader, const sherd_node *node, sherd_motion *motion)
{
    if (!sherd_require_list(reader, node)) return;
    if (node->count == 0) sherd_reader_fail(reader, node, NULL, "must hold at least one key");
    sherd_motion_key *keys = sherd_arena_alloc(reader->arena, (size_t)node->count, sizeof *keys);
    if (keys == NULL) return;
    int k = 0, before = sherd_diagnostics_total(reader->diagnostics);
    for (const sherd_node *item = node->first; item != NULL; item = item->next, ++k) {
        sherd_read_map(reader, item, &KEY, NULL, &keys[k]);
        if (sherd_diagnostics_total(reader->diagnostics) > before) continue;
        if (k == 0) check_start(reader, item, &keys[k]);
        if (k > 0 && !(keys[k].time > keys[k - 1].time))
            sherd_reader_fail(reader, item, "sort the table by time",
                              "times must increase, but %g s follows %g s", keys[k].time,
                              keys[k - 1].time);
    }
    motion->keys = keys;
    motion->key_count = k;
}

void sherd_read_motion(sherd_scene_reader *reader, const sherd_node *node, sherd_vec3 pivot,
                       sherd_motion *motion)
{
    *motion = (sherd_motion){.pivot = pivot};
    if (!sherd_read_map(reader, node, &sherd_map_motion, NULL, motion)) return;
    const sherd_node *table = sherd_node_find(node, "table");
    if (table != NULL) read_table(reader, table, motion);
    if (node->count == 0)
        sherd_reader_fail(reader, node, "one of velocity, angular_velocity, table",
                          "gives no motion");
}
