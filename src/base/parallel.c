#include "base/parallel.h"

#include "base/assertion.h"
#include "base/thread_pool.h"

#include <math.h>
#include <stdatomic.h>
#include <stdint.h>

// Each thread begins with chunks of its own, the same ones in every loop over as many: what it wrote
// there in the last loop is in its cache. Then it takes what others have left: with a fixed division,
// all would wait for a thread that another program interrupted. Results do not depend on the thread.

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

enum { MAX_RANGES = 32, CACHE_LINE = 64 };

// Consecutive chunks, a thread's own.
typedef struct chunk_range {
    _Alignas(CACHE_LINE) atomic_size_t next; // first chunk not yet taken
    size_t end;
} chunk_range;

typedef struct loop {
    size_t count, chunk;
    sherd_chunk_function *body;
    void *context;
    int range_count;
    chunk_range ranges[MAX_RANGES];
} loop;

static void run_range(const loop *l, chunk_range *range)
{
    for (;;) {
        size_t at = atomic_fetch_add(&range->next, 1);
        if (at >= range->end) return;
        size_t begin = at * l->chunk, left = l->count - begin;
        l->body(l->context, begin, begin + (left < l->chunk ? left : l->chunk));
    }
}

static void run_chunks(void *context, int number)
{
    loop *l = context;
    int outer = worker;
    worker = number;
    for (int r = 0; r < l->range_count; ++r)
        run_range(l, &l->ranges[(number + r) % l->range_count]);
    worker = outer;
}

// As sherd_parallel_for; chunks are started in order if there is one range.
static void run_loop(loop *l, int threads, int ranges)
{
    if (l->count == 0) return;
    size_t chunks = (l->count - 1) / l->chunk + 1;
    if ((size_t)threads > chunks) threads = (int)chunks;
    l->range_count = ranges < threads ? ranges : threads;
    size_t parts = (size_t)l->range_count;
    for (size_t r = 0; r < parts; ++r) {
        atomic_init(&l->ranges[r].next, chunks / parts * r + chunks % parts * r / parts);
        l->ranges[r].end = chunks / parts * (r + 1) + chunks % parts * (r + 1) / parts;
    }
    sherd_thread_pool_run(threads, run_chunks, l);
}

void sherd_parallel_for(const sherd_parallel *parallel, size_t count, size_t chunk,
                        sherd_chunk_function *body, void *context)
{
    SHERD_ASSERT(chunk > 0 && body != NULL, "loops advance");
    loop l;
    l.count = count, l.chunk = chunk, l.body = body, l.context = context;
    run_loop(&l, sherd_parallel_threads(parallel), MAX_RANGES);
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
    turn_loop turn = {items, body, context};
    loop l;
    l.count = items * (size_t)turns, l.chunk = 1, l.body = run_turn, l.context = &turn;
    int threads = sherd_parallel_threads(parallel);
    run_loop(&l, (size_t)threads > items ? (int)items : threads, 1);
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
size_t sherd_parallel_sum_chunk(size_t count, size_t chunk)
{
    while ((count + chunk - 1) / chunk > CHUNKS_ON_STACK)
        chunk *= 2;
    return chunk;
}

static size_t run_sums(sum_loop *s, const sherd_parallel *parallel, size_t count)
{
    s->chunk = sherd_parallel_sum_chunk(count, s->chunk);
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
