#include "scene/text/arena.h"

#include "base/assertion.h"
#include "base/memory.h"

#include <string.h>

enum { BLOCK_SIZE = 64 * 1024, ALIGNMENT = 16 };

typedef struct sherd_arena_block {
    struct sherd_arena_block *next;
    size_t used, size; // of the bytes behind this header
} sherd_arena_block;

// The header is padded so that the bytes behind it are aligned too.
enum { HEADER = (sizeof(sherd_arena_block) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT };

static sherd_arena_block *add_block(sherd_arena *arena, size_t needed)
{
    size_t size = needed > BLOCK_SIZE ? needed : BLOCK_SIZE;
    sherd_arena_block *block = sherd_alloc(1, HEADER + size);
    if (block == NULL) return NULL;
    block->size = size;
    block->next = arena->blocks;
    arena->blocks = block;
    return block;
}

void *sherd_arena_alloc(sherd_arena *arena, size_t count, size_t item_size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, item_size, &bytes) || bytes > ((size_t)1 << 40)) {
        arena->failed = true;
        return NULL;
    }
    bytes = (bytes + ALIGNMENT) / ALIGNMENT * ALIGNMENT;
    sherd_arena_block *block = arena->blocks;
    if (block == NULL || block->size - block->used < bytes) block = add_block(arena, bytes);
    if (block == NULL) {
        arena->failed = true;
        return NULL;
    }
    void *pointer = (char *)block + HEADER + block->used;
    block->used += bytes;
    return pointer;
}

char *sherd_arena_copy(sherd_arena *arena, const char *text, size_t size)
{
    SHERD_ASSERT(text != NULL || size == 0, "what is copied is there");
    char *copy = sherd_arena_alloc(arena, size + 1, 1);
    if (copy != NULL) memcpy(copy, text, size);
    return copy;
}

char *sherd_arena_string(sherd_arena *arena, const char *text)
{
    return sherd_arena_copy(arena, text, strlen(text));
}

void sherd_arena_free(sherd_arena *arena)
{
    for (sherd_arena_block *block = arena->blocks, *next; block != NULL; block = next) {
        next = block->next;
        sherd_free(block);
    }
    *arena = (sherd_arena){0};
}
