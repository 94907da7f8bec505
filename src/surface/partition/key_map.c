#include "surface/partition/key_map.h"

#include "base/memory.h"

#include <string.h>

static size_t index_of(const key_map *map, uint64_t key)
{
    size_t mask = map->capacity - 1;
    // Fibonacci hashing: the product's high bits are well mixed.
    size_t pattern_point = (size_t)((key * UINT64_C(0x9e3779b97f4a7c15)) >> 20) & mask;
    while (map->keys[pattern_point] != 0 && map->keys[pattern_point] != key + 1)
        pattern_point = (pattern_point + 1) & mask;
    return pattern_point;
}

static bool enlarge(key_map *map)
{
    size_t capacity = map->capacity == 0 ? 256 : 2 * map->capacity;
    key_map larger = {.capacity = capacity,
                      .count = map->count,
                      .keys = sherd_alloc(capacity, sizeof *larger.keys),
                      .values = sherd_alloc(capacity, sizeof *larger.values)};
    if (larger.keys == NULL || larger.values == NULL) {
        sherd_key_map_release(&larger);
        return false;
    }
    for (size_t k = 0; k < map->capacity; ++k) {
        if (map->keys[k] == 0) continue;
        size_t pattern_point = index_of(&larger, map->keys[k] - 1);
        larger.keys[pattern_point] = map->keys[k];
        larger.values[pattern_point] = map->values[k];
    }
    sherd_key_map_release(map);
    *map = larger;
    return true;
}

int32_t sherd_key_map_insert(key_map *map, uint64_t key)
{
    if (2 * (map->count + 1) > map->capacity && !enlarge(map)) return -1;
    size_t pattern_point = index_of(map, key);
    if (map->keys[pattern_point] == 0) {
        map->keys[pattern_point] = key + 1;
        map->values[pattern_point] = (int32_t)map->count++;
    }
    return map->values[pattern_point];
}

int32_t sherd_key_map_find(const key_map *map, uint64_t key)
{
    if (map->count == 0) return -1;
    size_t pattern_point = index_of(map, key);
    return map->keys[pattern_point] == 0 ? -1 : map->values[pattern_point];
}

void sherd_key_map_clear(key_map *map)
{
    if (map->count > 0) memset(map->keys, 0, map->capacity * sizeof *map->keys);
    map->count = 0;
}

void sherd_key_map_release(key_map *map)
{
    sherd_free(map->keys);
    sherd_free(map->values);
    *map = (key_map){0};
}
