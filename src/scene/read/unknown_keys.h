// Unknown keys that were reported: each once, and nothing more is said of what one of them is most likely meant to be.
#pragma once

#include "scene/read/reader.h"

typedef struct sherd_unknown_key {
    const sherd_node *node; // its value
    const char *meant;      // the key that it is taken for; NULL: none is near
    const struct sherd_unknown_key *next;
} sherd_unknown_key;

// False: it was there already. `meant` must live as long as the reader.
bool sherd_unknown_key_add(sherd_scene_reader *reader, const sherd_node *node, const char *meant);

// Whether `key` is neither in the map nor misspelt there.
bool sherd_key_is_missing(const sherd_scene_reader *reader, const sherd_node *map, const char *key);
// Whether a key of the map was reported as unknown, which may be any that is looked for.
bool sherd_has_unknown_key(const sherd_scene_reader *reader, const sherd_node *map);
