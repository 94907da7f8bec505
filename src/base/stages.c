#include "base/stages.h"

#include "base/assertion.h"
#include "base/memory.h"

#include <sched.h>

enum { PATIENCE = 1000 }; // polls before other threads get the processor

bool sherd_stages_create(sherd_stages *stages, size_t items)
{
    *stages = (sherd_stages){.reached = sherd_alloc(items, sizeof *stages->reached)};
    return stages->reached != NULL;
}

void sherd_stages_free(sherd_stages *stages)
{
    sherd_free(stages->reached);
    *stages = (sherd_stages){0};
}

void sherd_stages_await(const sherd_stages *stages, size_t item, int stage)
{
    SHERD_ASSERT(stage >= 0 && stage < SHERD_MAX_STAGES, "the stage is one of a pass");
    const int_fast64_t wanted = SHERD_MAX_STAGES * stages->pass + stage;
    for (int polls = 0;; ++polls) {
        if (atomic_load_explicit(&stages->reached[item], memory_order_acquire) >= wanted) return;
        if (polls > PATIENCE) sched_yield();
    }
}
