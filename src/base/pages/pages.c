#include "base/pages/pages.h"

#include "base/memory.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#if defined(__linux__)
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>
#endif

enum { LARGE_BLOCK = 1 << 20 }; // [bytes]

// The pages that lie within a block, as offsets; they are zero then. False if the block is small, or
// the system has no pages to give back, or refuses it (locked memory).
static bool give_pages_back(unsigned char *block, size_t bytes, size_t *begin, size_t *end)
{
#if defined(__linux__)
    long page = sysconf(_SC_PAGESIZE);
    if (page <= 0 || bytes < LARGE_BLOCK) return false;
    uintptr_t mask = (uintptr_t)page - 1, at = (uintptr_t)block;
    *begin = (size_t)(((at + mask) & ~mask) - at);
    *end = (size_t)(((at + bytes) & ~mask) - at);
    return madvise(block + *begin, *end - *begin, MADV_DONTNEED) == 0;
#else
    (void)block, (void)bytes, (void)begin, (void)end;
    return false;
#endif
}

void sherd_clear_pages(void *block, size_t bytes)
{
    unsigned char *from = block;
    size_t begin = bytes, end = bytes;
    if (!give_pages_back(from, bytes, &begin, &end)) begin = end = bytes;
    memset(from, 0, begin);
    memset(from + end, 0, bytes - end);
}

void *sherd_alloc_pages(size_t count, size_t item_size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, item_size, &bytes)) return NULL;
    if (bytes < LARGE_BLOCK) return sherd_alloc(count, item_size);
    if (bytes > SIZE_MAX - 2 * SHERD_ALIGNMENT) return NULL;
    bytes = (bytes + SHERD_ALIGNMENT) / SHERD_ALIGNMENT * SHERD_ALIGNMENT;
    void *pointer = aligned_alloc(SHERD_ALIGNMENT, bytes);
    if (pointer != NULL) sherd_clear_pages(pointer, bytes);
    return pointer;
}

void sherd_free_pages(void *pointer)
{
#if defined(__linux__)
    size_t begin, end;
    if (pointer != NULL) give_pages_back(pointer, malloc_usable_size(pointer), &begin, &end);
#endif
    sherd_free(pointer);
}
