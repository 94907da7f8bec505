// Aligned, overflow-checked allocation for bulk arrays. Every failure is a NULL that the caller
// turns into SHERD_ERROR_MEMORY.
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { SHERD_ALIGNMENT = 64 }; // one cache line, one AVX-512 vector

// `count` zeroed items of `item_size` bytes, aligned to SHERD_ALIGNMENT, padded to whole lines. A
// count of 0 gives a valid pointer. NULL if memory runs short or the product overflows.
void *sherd_alloc(size_t count, size_t item_size);

// Frees memory from sherd_alloc or sherd_grow. NULL is allowed.
void sherd_free(void *pointer);

// Enlarges *array to `needed` items, at least doubling it; preserves the first *capacity items and
// zeroes the new ones. Returns false and leaves *array unchanged if memory runs short. *array is a
// pointer to the array pointer, e.g. (void **)&positions.
bool sherd_grow(void **array, size_t *capacity, size_t needed, size_t item_size);

// A copy of a string, or NULL. NULL copies to NULL.
char *sherd_string_copy(const char *text);
