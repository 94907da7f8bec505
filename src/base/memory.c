#include "base/memory.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// Large arrays begin at different lines of a page each: those that begin at the same one compete for the
// same few places of the nearest cache wherever loops walk many of them side by side.
enum { LARGE = 1 << 16, PAGE = 4096, LINES_APART = 3 };

static size_t bytes_skipped(size_t bytes)
{
    static atomic_uint turn;
    if (bytes < LARGE) return 0;
    return atomic_fetch_add_explicit(&turn, 1, memory_order_relaxed) *
           (size_t)(LINES_APART * SHERD_ALIGNMENT) % PAGE;
}

// What came from the system is noted in the line before the array.
static void **note_of(void *array)
{
    return (void **)array - 1;
}

void *sherd_alloc(size_t count, size_t item_size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, item_size, &bytes)) return NULL;
    if (bytes > SIZE_MAX - 2 * PAGE) return NULL;
    bytes = (bytes + SHERD_ALIGNMENT) / SHERD_ALIGNMENT * SHERD_ALIGNMENT;
    size_t before = SHERD_ALIGNMENT + bytes_skipped(bytes);
    char *start = aligned_alloc(SHERD_ALIGNMENT, before + bytes);
    if (start == NULL) return NULL;
    void *array = memset(start + before, 0, bytes);
    *note_of(array) = start;
    return array;
}

void sherd_free(void *pointer)
{
    if (pointer != NULL) free(*note_of(pointer));
}

bool sherd_grow(void **array, size_t *capacity, size_t needed, size_t item_size)
{
    if (needed <= *capacity && *array != NULL) return true;
    size_t grown = *capacity * 2 > needed ? *capacity * 2 : needed;
    if (grown < 16) grown = 16;
    void *larger = sherd_alloc(grown, item_size);
    if (larger == NULL) return false;
    if (*array != NULL) memcpy(larger, *array, *capacity * item_size);
    sherd_free(*array);
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
