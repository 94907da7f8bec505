// motion: {velocity, angular_velocity, pivot, table: [{time, translation, rotation}]}
#include "scene/read/sections.h"

#include "math/vec3.h"

static const sherd_field KEY_FIELDS[] = {
    {"time", SHERD_FIELD_REAL, true, offsetof(sherd_motion_key, time), SHERD_QUANTITY_TIME,
     SHERD_RANGE_NOT_NEGATIVE, NULL},
    {"translation", SHERD_FIELD_VECTOR, false, offsetof(sherd_motion_key, translation),
     SHERD_QUANTITY_LENGTH, 0, NULL},
    {"rotation", SHERD_FIELD_VECTOR, false, offsetof(sherd_motion_key, rotation),
     SHERD_QUANTITY_ANGLE, 0, NULL},
};

static const sherd_field FIELDS[] = {
    {"velocity", SHERD_FIELD_VECTOR, false, offsetof(sherd_motion, velocity), SHERD_QUANTITY_SPEED,
     0, NULL},
    {"angular_velocity", SHERD_FIELD_VECTOR, false, offsetof(sherd_motion, angular_velocity),
     SHERD_QUANTITY_ANGULAR_SPEED, 0, NULL},
    {"pivot", SHERD_FIELD_VECTOR, false, offsetof(sherd_motion, pivot), SHERD_QUANTITY_LENGTH, 0,
     NULL},
    {"table", SHERD_FIELD_OTHER, false, 0, 0, 0, NULL},
};

// The table is relative to the start, and the first key holds before its time.
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
        sherd_read_fields(reader, item, &SHERD_FIELD_TABLE(KEY_FIELDS), &keys[k]);
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
    if (!sherd_read_fields(reader, node, &SHERD_FIELD_TABLE(FIELDS), motion)) return;
    const sherd_node *table = sherd_node_find(node, "table");
    if (table != NULL) read_table(reader, table, motion);
    if (node->count == 0)
        sherd_reader_fail(reader, node, "velocity, angular_velocity or table", "says no motion");
}
