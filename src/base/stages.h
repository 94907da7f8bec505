// Progress of the items of a parallel loop, for threads that depend on others' items.
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SHERD_STAGES_MOST = 4 }; // that an item may reach in one pass, numbered from 0

typedef struct sherd_stages {
    atomic_int_fast64_t *reached; // by item: pass times SHERD_STAGES_MOST plus stage; owned
    int_fast64_t pass;            // number of the present one
} sherd_stages;

// False when memory is short.
bool sherd_stages_create(sherd_stages *stages, size_t items);
void sherd_stages_free(sherd_stages *stages);

// A new pass: no item has reached anything yet. Before the loop.
static inline void sherd_stages_begin(sherd_stages *stages)
{
    ++stages->pass;
}

// Threads that waited see all that this thread wrote before.
static inline void sherd_stages_reach(sherd_stages *stages, size_t item, int stage)
{
    atomic_store_explicit(&stages->reached[item], SHERD_STAGES_MOST * stages->pass + stage,
                          memory_order_release);
}

// Waits until an item has reached `stage` or a later one. Somebody must be at it.
void sherd_stages_await(const sherd_stages *stages, size_t item, int stage);
