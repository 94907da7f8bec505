// Aligned, overflow-checked allocation for bulk arrays. Every failure is a NULL that the caller
// turns into SHERD_ERROR_MEMORY.
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { SHERD_ALIGNMENT = 64 }; // one cache line, one AVX-512 vector

// `count` zeroed items of `item_size` bytes, aligned to SHERD_ALIGNMENT, padded to whole lines.
// A count of 0 gives a valid pointer. NULL when memory is short or the product overflows.
void *sherd_alloc(size_t count, size_t item_size);

// Frees what sherd_alloc or sherd_grow returned. NULL is fine.
void sherd_free(void *pointer);

// Makes room for `needed` items in *array, at least doubling; keeps the first *capacity items and
// zeroes the rest. Returns false and leaves *array alone when memory is short.
// *array is a pointer to the array pointer, e.g. (void **)&positions.
bool sherd_grow(void **array, size_t *capacity, size_t needed, size_t item_size);

// A copy of a string, or NULL. NULL copies to NULL.
char *sherd_string_copy(const char *text);
