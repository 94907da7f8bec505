// Memory that is freed all at once: nodes, strings and arrays of one scene.
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef struct sherd_arena {
    struct sherd_arena_block *blocks;
    bool failed; // an allocation failed
} sherd_arena;

// Zeroed, aligned for any type. NULL, and `failed` set, when memory is short.
void *sherd_arena_alloc(sherd_arena *arena, size_t count, size_t item_size);
// A zero-terminated copy of `size` bytes.
char *sherd_arena_copy(sherd_arena *arena, const char *text, size_t size);
char *sherd_arena_string(sherd_arena *arena, const char *text);
void sherd_arena_free(sherd_arena *arena);
