// An open-addressing map from 64-bit keys to 32-bit numbers given out in order of first sight.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct key_map {
    size_t capacity; // power of two, or 0
    size_t count;
    uint64_t *keys;  // stored plus one; 0 is an empty place
    int32_t *values; // 0, 1, 2, ... in order of insertion
} key_map;

// The number of `key`, giving out the next one when it is new. -1 when memory is short.
int32_t sherd_key_map_insert(key_map *map, uint64_t key);
// The number of `key`, or -1 when it was never inserted.
int32_t sherd_key_map_find(const key_map *map, uint64_t key);
void sherd_key_map_clear(key_map *map); // empty, its room kept
void sherd_key_map_release(key_map *map);
