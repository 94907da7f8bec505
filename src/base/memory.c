#include "base/memory.h"

#include "base/assertion.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void *sherd_alloc(size_t count, size_t item_size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, item_size, &bytes)) return NULL;
    if (bytes > SIZE_MAX - 2 * SHERD_ALIGNMENT) return NULL;
    bytes = (bytes + SHERD_ALIGNMENT) / SHERD_ALIGNMENT * SHERD_ALIGNMENT;
    void *pointer = aligned_alloc(SHERD_ALIGNMENT, bytes);
    if (pointer != NULL) memset(pointer, 0, bytes);
    return pointer;
}

void sherd_free(void *pointer)
{
    free(pointer);
}

bool sherd_grow(void **array, size_t *capacity, size_t needed, size_t item_size)
{
    SHERD_ASSERT(item_size > 0 && (*array != NULL || *capacity == 0),
                 "an array that is not there has no capacity");
    if (needed <= *capacity && *array != NULL) return true;
    size_t grown = *capacity * 2 > needed ? *capacity * 2 : needed;
    if (grown < 16) grown = 16;
    void *larger = sherd_alloc(grown, item_size);
    if (larger == NULL) return false;
    if (*array != NULL) memcpy(larger, *array, *capacity * item_size);
    free(*array);
    *array = larger;
    *capacity = grown;
    return true;
}

char *sherd_string_copy(const char *text)
{
    if (text == NULL) return NULL;
    size_t size = strlen(text) + 1;
    char *copy = sherd_alloc(size, 1);
    if (copy != NULL) memcpy(copy, text, size);
    return copy;
}
