#include "scene/read/unknown_keys.h"

#include <string.h>

bool sherd_unknown_key_add(sherd_scene_reader *reader, const sherd_node *node, const char *meant)
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
