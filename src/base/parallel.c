#include "base/parallel.h"

#include "base/assertion.h"
#include "base/thread_pool.h"

#include <math.h>
#include <stdatomic.h>
#include <stdint.h>

// Chunks go to the next free thread: with a fixed division among threads, all would wait for a
// thread that another program interrupted. Results do not depend on the thread.

// Sums over up to this many chunks need no heap.
enum { CHUNKS_ON_STACK = 4096 };

static _Thread_local int worker = 0;

int sherd_parallel_threads(const sherd_parallel *parallel)
{
    return parallel != NULL && parallel->threads > 0 ? parallel->threads
                                                     : sherd_thread_pool_processors();
}

int sherd_parallel_worker(void)
{
    return worker;
}

// ---------------------------------------------------------------- loops

typedef struct loop {
    size_t count, chunk;
    atomic_size_t next; // first item not yet taken
    sherd_chunk_function *body;
    void *context;
} loop;

static void run_chunks(void *context, int number)
{
    loop *l = context;
    int outer = worker;
    worker = number;
    for (;;) {
        size_t begin = atomic_fetch_add(&l->next, l->chunk);
        if (begin >= l->count) break;
        size_t left = l->count - begin;
        l->body(l->context, begin, begin + (left < l->chunk ? left : l->chunk));
    }
    worker = outer;
}

void sherd_parallel_for(const sherd_parallel *parallel, size_t count, size_t chunk,
                        sherd_chunk_function *body, void *context)
{
    SHERD_ASSERT(chunk > 0 && body != NULL, "loops advance");
    if (count == 0) return;
    loop l = {.count = count, .chunk = chunk, .body = body, .context = context};
    size_t chunks = (count - 1) / chunk + 1;
    int threads = sherd_parallel_threads(parallel);
    if ((size_t)threads > chunks) threads = (int)chunks;
    sherd_thread_pool_run(threads, run_chunks, &l);
}

// ---------------------------------------------------------------- turns

typedef struct turn_loop {
    size_t items;
    sherd_turn_function *body;
    void *context;
} turn_loop;

static void run_turn(void *context, size_t begin, size_t end)
{
    const turn_loop *l = context;
    for (size_t k = begin; k < end; ++k)
        l->body(l->context, k % l->items, (int)(k / l->items));
}

void sherd_parallel_turns(const sherd_parallel *parallel, size_t items, int turns,
                          sherd_turn_function *body, void *context)
{
    SHERD_ASSERT(turns > 0 && items <= SIZE_MAX / (size_t)turns, "turns can be counted");
    turn_loop l = {items, body, context};
    sherd_parallel here = {sherd_parallel_threads(parallel)};
    if ((size_t)here.threads > items) here.threads = (int)items;
    sherd_parallel_for(&here, items * (size_t)turns, 1, run_turn, &l);
}

// ---------------------------------------------------------------- sums

typedef struct sum_loop {
    size_t chunk;
    sherd_chunk_sum_function *body;
    void *context;
    double partial[CHUNKS_ON_STACK];
} sum_loop;

static void sum_chunk(void *context, size_t begin, size_t end)
{
    sum_loop *s = context;
    s->partial[begin / s->chunk] = s->body(s->context, begin, end);
}

// Enlarges the chunks, if need be, so that the partial results fit on the stack. The size depends on
// `count` only, never on the number of threads. Returns how many there are.
static size_t run_sums(sum_loop *s, const sherd_parallel *parallel, size_t count)
{
    while ((count + s->chunk - 1) / s->chunk > CHUNKS_ON_STACK)
        s->chunk *= 2;
    sherd_parallel_for(parallel, count, s->chunk, sum_chunk, s);
    return (count + s->chunk - 1) / s->chunk;
}

double sherd_parallel_sum(const sherd_parallel *parallel, size_t count, size_t chunk,
                          sherd_chunk_sum_function *body, void *context)
{
    sum_loop s;
    s.chunk = chunk, s.body = body, s.context = context;
    size_t chunks = run_sums(&s, parallel, count);
    double sum = 0.0;
    for (size_t c = 0; c < chunks; ++c)
        sum += s.partial[c];
    return sum;
}

double sherd_parallel_max(const sherd_parallel *parallel, size_t count, size_t chunk,
                          sherd_chunk_sum_function *body, void *context)
{
    sum_loop s;
    s.chunk = chunk, s.body = body, s.context = context;
    size_t chunks = run_sums(&s, parallel, count);
    double most = 0.0;
    for (size_t c = 0; c < chunks; ++c)
        most = fmax(most, s.partial[c]);
    return most;
}
