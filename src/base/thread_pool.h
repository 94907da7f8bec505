// The process's helper threads. They spin for a moment after each job, for the next one often follows
// within microseconds, then sleep; no thread waits for a helper that has not arrived when the work is
// done, so that a machine busy with other things costs little more than its share.
#pragma once

// Called once on the caller (number 0) and on up to `threads` - 1 helpers (numbers from 1). Returns
// when every call has returned.
typedef void sherd_team_function(void *context, int number);

// Runs `work` on a team. While another thread's team is at work, or inside a team, the caller works
// alone.
void sherd_thread_pool_run(int threads, sherd_team_function *work, void *context);

// Processors this process may use.
int sherd_thread_pool_processors(void);

// How many more threads the system lets this process start now, at most `wanted`. For libraries that
// abort where a thread can't be had.
int sherd_thread_pool_room(int wanted);
