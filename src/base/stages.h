// Progress of the items of a parallel loop, for threads that wait for other threads' items.
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SHERD_MAX_STAGES = 4 }; // stages of an item in one pass, numbered from 0

typedef struct sherd_stages {
    atomic_int_fast64_t *reached; // by item: pass times SHERD_MAX_STAGES plus stage; owned
    int_fast64_t pass;            // number of the present pass
} sherd_stages;

// Returns false if memory runs short.
bool sherd_stages_create(sherd_stages *stages, size_t items);
void sherd_stages_free(sherd_stages *stages);

// Starts a new pass, in which no item has reached a stage yet. Call it before the loop.
static inline void sherd_stages_begin(sherd_stages *stages)
{
    ++stages->pass;
}

// Memory written before is visible to threads that wait for this stage.
static inline void sherd_stages_reach(sherd_stages *stages, size_t item, int stage)
{
    atomic_store_explicit(&stages->reached[item], SHERD_MAX_STAGES * stages->pass + stage,
                          memory_order_release);
}

// Waits until an item has reached `stage` or a later one. A thread must be working on it.
void sherd_stages_await(const sherd_stages *stages, size_t item, int stage);
