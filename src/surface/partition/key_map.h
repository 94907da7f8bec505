// An open-addressing hash map from 64-bit keys to 32-bit numbers, assigned in order of insertion.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct key_map {
    size_t capacity; // power of two, or 0
    size_t count;
    uint64_t *keys;  // stored plus one; 0 is an empty slot
    int32_t *values; // 0, 1, 2, ... in order of insertion
} key_map;

// Returns the number of `key`, assigning the next one if it is new. -1 when out of memory.
int32_t sherd_key_map_insert(key_map *map, uint64_t key);
// Returns the number of `key`, or -1 if it was never inserted.
int32_t sherd_key_map_find(const key_map *map, uint64_t key);
void sherd_key_map_clear(key_map *map); // removes all keys, keeps the memory
void sherd_key_map_release(key_map *map);
