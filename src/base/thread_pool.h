// The process's helper threads. They poll for a moment after each job, because the next one often
// follows within microseconds, then sleep. No thread waits for a helper that has not arrived when
// the work is done, so that load by other programs costs little.
#pragma once

// Called once on the caller (number 0) and on up to `threads` - 1 helpers (numbers from 1). The
// pool returns when every call has returned.
typedef void sherd_team_function(void *context, int number);

// Runs `work` on a team. While another thread's team is running, or inside a team, the caller works
// alone.
void sherd_thread_pool_run(int threads, sherd_team_function *work, void *context);

// Makes later teams smaller by so many threads, which other work uses; negative: gives them back.
void sherd_thread_pool_lend(int threads);

// Number of processors this process may use.
int sherd_thread_pool_processors(void);

// How many more threads this process may start now, at most `wanted`. For libraries that abort if a
// thread can't be started.
int sherd_thread_pool_room(int wanted);
