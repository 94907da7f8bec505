#include "base/parallel.h"

#include <omp.h>

// Chunks go to whichever thread is free: on a machine with other work a fixed share would make
// everybody wait for the thread that was interrupted. Results do not depend on who does what.

// Sums over up to this many chunks need no heap.
enum { CHUNKS_ON_STACK = 4096 };

int sherd_parallel_threads(const sherd_parallel *parallel)
{
    return parallel != NULL && parallel->threads > 0 ? parallel->threads : omp_get_max_threads();
}

// Not omp_get_thread_num() itself: the caller may run its own parallel loop around the library.
static _Thread_local int worker = 0;

int sherd_parallel_worker(void)
{
    return worker;
}

static void run_chunk(sherd_chunk_function *body, void *context, size_t begin, size_t end,
                      int number)
{
    int outer = worker;
    worker = number;
    body(context, begin, end);
    worker = outer;
}

void sherd_parallel_for(const sherd_parallel *parallel, size_t count, size_t chunk,
                        sherd_chunk_function *body, void *context)
{
    if (count == 0) return;
    if (count <= chunk) {
        run_chunk(body, context, 0, count, 0);
        return;
    }
    ptrdiff_t chunks = (ptrdiff_t)((count + chunk - 1) / chunk);
#pragma omp parallel for schedule(dynamic) num_threads(sherd_parallel_threads(parallel))
    for (ptrdiff_t c = 0; c < chunks; ++c) {
        size_t begin = (size_t)c * chunk;
        size_t end = begin + chunk < count ? begin + chunk : count;
        run_chunk(body, context, begin, end, omp_get_thread_num());
    }
}

double sherd_parallel_sum(const sherd_parallel *parallel, size_t count, size_t chunk,
                          sherd_chunk_sum_function *body, void *context)
{
    // Enlarge the chunks, if need be, so that the partial sums fit on the stack. The size depends
    // on `count` only, never on the number of threads.
    while ((count + chunk - 1) / chunk > CHUNKS_ON_STACK)
        chunk *= 2;
    double partial[CHUNKS_ON_STACK];
    ptrdiff_t chunks = (ptrdiff_t)((count + chunk - 1) / chunk);
#pragma omp parallel for schedule(dynamic) num_threads(sherd_parallel_threads(parallel))
    for (ptrdiff_t c = 0; c < chunks; ++c) {
        size_t begin = (size_t)c * chunk;
        size_t end = begin + chunk < count ? begin + chunk : count;
        partial[c] = body(context, begin, end);
    }
    double sum = 0.0;
    for (ptrdiff_t c = 0; c < chunks; ++c)
        sum += partial[c];
    return sum;
}
