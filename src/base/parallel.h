// Loops over threads whose results do not depend on the number of threads.
//
// A range is divided into chunks of a fixed size. Any thread may run a chunk; the result of the
// chunk does not depend on it. Sums are stored by chunk and added in chunk order.
#pragma once

#include <stddef.h>

// Number of threads a loop may use; 0 means all processors.
typedef struct sherd_parallel {
    int threads;
} sherd_parallel;

// Called once per chunk with the half-open range [begin, end).
typedef void sherd_chunk_function(void *context, size_t begin, size_t end);
typedef double sherd_chunk_sum_function(void *context, size_t begin, size_t end);

int sherd_parallel_threads(const sherd_parallel *parallel);

// The number of the loop's thread that runs this chunk, from 0: for scratch memory only.
int sherd_parallel_worker(void);

// Runs `body` over [0, count) in chunks of `chunk` items (the last one may be shorter).
void sherd_parallel_for(const sherd_parallel *parallel, size_t count, size_t chunk,
                        sherd_chunk_function *body, void *context);

// Every item has `turns` turns. All first turns are started, in order, before any second one, and
// so on: a turn may wait (stages.h) for any turn that started before it. At most one thread for
// each item.
typedef void sherd_turn_function(void *context, size_t item, int turn);
void sherd_parallel_turns(const sherd_parallel *parallel, size_t items, int turns,
                          sherd_turn_function *body, void *context);

// Length of the chunks that sums over `count` items take when asked for `chunk`: a multiple of it, so
// that there are not too many. Who adds up the same in another way adds by these.
size_t sherd_parallel_sum_chunk(size_t count, size_t chunk);

// Sum over chunks, added in chunk order: bitwise the same for every number of threads.
double sherd_parallel_sum(const sherd_parallel *parallel, size_t count, size_t chunk,
                          sherd_chunk_sum_function *body, void *context);

// The largest of the chunks' results, at least 0.
double sherd_parallel_max(const sherd_parallel *parallel, size_t count, size_t chunk,
                          sherd_chunk_sum_function *body, void *context);
