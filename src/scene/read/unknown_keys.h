// Unknown keys that were reported: each is reported once, together with the known key that it most
// resembles.
#pragma once

#include "scene/read/reader.h"

typedef struct sherd_unknown_key {
    const sherd_node *node; // its value
    const char *meant;      // the known key that it resembles; NULL: none
    const struct sherd_unknown_key *next;
} sherd_unknown_key;

// Returns false if it was recorded already. `meant` must live as long as the reader.
bool sherd_unknown_key_add(sherd_scene_reader *reader, const sherd_node *node, const char *meant);

// Returns whether `key` is neither in the map nor misspelt there.
bool sherd_key_is_missing(const sherd_scene_reader *reader, const sherd_node *map, const char *key);
// Returns whether an unknown key of the map was reported, which may be a misspelling of any missing
// key.
bool sherd_has_unknown_key(const sherd_scene_reader *reader, const sherd_node *map);
