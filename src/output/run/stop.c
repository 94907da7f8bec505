#include <sherd/run.h>

// Atomic, so that other threads may call it, and lock-free, so that signal handlers may.
void sherd_stop_request(sherd_stop *stop)
{
    __atomic_store_n(&stop->requested, 1, __ATOMIC_RELAXED);
}

bool sherd_stop_requested(const sherd_stop *stop)
{
    return __atomic_load_n(&stop->requested, __ATOMIC_RELAXED) != 0;
}
