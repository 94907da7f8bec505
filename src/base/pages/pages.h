// Memory of large arrays by pages of the system: those that nobody writes take none, and what is
// freed is given back at once. Other arrays stay with the process, which takes them again without
// the system having to clear them (base/memory.h); that is what arrays of pictures are for.
#pragma once

#include <stddef.h>

// As sherd_alloc; blocks of 1 MB and more are zeroed page by page, where they are first written.
void *sherd_alloc_pages(size_t count, size_t item_size);

// Frees any block of sherd_alloc, sherd_alloc_pages or malloc. NULL is allowed.
void sherd_free_pages(void *pointer);

// Zeroes a block of `bytes`. Pages of a large one take no memory until they are written again.
void sherd_clear_pages(void *block, size_t bytes);
