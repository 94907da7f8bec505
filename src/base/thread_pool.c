#include "base/thread_pool.h"

#include "base/assertion.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

enum {
    MAX_HELPERS = 255,
    // A waiting thread first polls, then yields the processor between polls, then sleeps: after
    // about 5 us and 1 ms on an idle machine. Most loops of a step follow each other within this
    // time, and waking a sleeping thread takes longer than many of them.
    PAUSES = 300,
    YIELDS = 3000,
};

// `door` counts the helpers inside a job; OPEN is set while more may enter.
enum { OPEN = 1 << 30 };

typedef struct thread_pool {
    pthread_mutex_t busy; // held by the thread whose job runs
    int helpers;          // started so far; changed under `busy`

    // The job. Written before the door opens, read only inside.
    sherd_team_function *work;
    void *context;
    int threads;

    atomic_int door;
    atomic_uint_fast64_t jobs; // counts jobs; helpers wait for a change

    pthread_mutex_t lock; // for sleeping
    pthread_cond_t new_job, job_done;
    atomic_int sleepers;
    atomic_bool owner_sleeps;
    atomic_int lent; // threads that others use
} thread_pool;

static thread_pool pool = {
    .busy = PTHREAD_MUTEX_INITIALIZER,
    .lock = PTHREAD_MUTEX_INITIALIZER,
    .new_job = PTHREAD_COND_INITIALIZER,
    .job_done = PTHREAD_COND_INITIALIZER,
};

static inline void pause_briefly(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

// One more poll in a waiting loop: returns false when it is time to sleep.
static bool keep_polling(int *polls)
{
    if (++*polls < PAUSES)
        pause_briefly();
    else if (*polls < PAUSES + YIELDS)
        sched_yield();
    else
        return false;
    return true;
}

// ---------------------------------------------------------------- helpers

static void wait_for_job(uint_fast64_t seen)
{
    int polls = 0;
    while (atomic_load(&pool.jobs) == seen) {
        if (keep_polling(&polls)) continue;
        pthread_mutex_lock(&pool.lock);
        atomic_fetch_add(&pool.sleepers, 1);
        while (atomic_load(&pool.jobs) == seen)
            pthread_cond_wait(&pool.new_job, &pool.lock);
        atomic_fetch_sub(&pool.sleepers, 1);
        pthread_mutex_unlock(&pool.lock);
    }
}

static bool enter(void)
{
    int door = atomic_load(&pool.door);
    while (door & OPEN)
        if (atomic_compare_exchange_weak(&pool.door, &door, door + 1)) return true;
    return false;
}

static void leave(void)
{
    if (atomic_fetch_sub(&pool.door, 1) != 1) return; // others are inside, or the door is open
    if (!atomic_load(&pool.owner_sleeps)) return;
    pthread_mutex_lock(&pool.lock);
    pthread_cond_signal(&pool.job_done);
    pthread_mutex_unlock(&pool.lock);
}

static void *help(void *argument)
{
    int number = (int)(intptr_t)argument;
    uint_fast64_t seen = 0;
    for (;;) {
        wait_for_job(seen);
        seen = atomic_load(&pool.jobs);
        if (!enter()) continue;
        if (number < pool.threads) pool.work(pool.context, number);
        leave();
    }
    return NULL;
}

// ---------------------------------------------------------------- after fork

// A forked child process has no helpers.
static void forget_helpers(void)
{
    pool.helpers = 0;
    atomic_store(&pool.door, 0);
    atomic_store(&pool.sleepers, 0);
    pthread_mutex_init(&pool.busy, NULL);
    pthread_mutex_init(&pool.lock, NULL);
    pthread_cond_init(&pool.new_job, NULL);
    pthread_cond_init(&pool.job_done, NULL);
}

static void watch_forks(void)
{
    pthread_atfork(NULL, NULL, forget_helpers);
}

// ---------------------------------------------------------------- the owner

static void start_helpers(int wanted)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, watch_forks);
    while (pool.helpers < wanted && pool.helpers < MAX_HELPERS) {
        pthread_t thread;
        void *number = (void *)(intptr_t)(pool.helpers + 1);
        if (pthread_create(&thread, NULL, help, number) != 0) return; // continue with fewer helpers
        pthread_detach(thread);
        ++pool.helpers;
    }
}

static void open_door(sherd_team_function *work, void *context, int threads)
{
    pool.work = work;
    pool.context = context;
    pool.threads = threads;
    atomic_store(&pool.door, OPEN);
    atomic_fetch_add(&pool.jobs, 1);
    if (atomic_load(&pool.sleepers) == 0) return;
    pthread_mutex_lock(&pool.lock);
    pthread_cond_broadcast(&pool.new_job);
    pthread_mutex_unlock(&pool.lock);
}

// No thread enters any more; waits for those inside.
static void close_door(void)
{
    int polls = 0;
    if (atomic_fetch_and(&pool.door, ~OPEN) == OPEN) return;
    while (atomic_load(&pool.door) != 0) {
        if (keep_polling(&polls)) continue;
        pthread_mutex_lock(&pool.lock);
        atomic_store(&pool.owner_sleeps, true);
        while (atomic_load(&pool.door) != 0)
            pthread_cond_wait(&pool.job_done, &pool.lock);
        atomic_store(&pool.owner_sleeps, false);
        pthread_mutex_unlock(&pool.lock);
    }
}

void sherd_thread_pool_run(int threads, sherd_team_function *work, void *context)
{
    SHERD_ASSERT(work != NULL, "a team has work");
    threads -= atomic_load(&pool.lent);
    if (threads <= 1 || pthread_mutex_trylock(&pool.busy) != 0) {
        work(context, 0);
        return;
    }
    start_helpers(threads - 1);
    open_door(work, context, threads);
    work(context, 0);
    close_door();
    pthread_mutex_unlock(&pool.busy);
}

void sherd_thread_pool_lend(int threads)
{
    int lent = atomic_fetch_add(&pool.lent, threads) + threads;
    SHERD_ASSERT(lent >= 0, "only lent threads are given back");
}

int sherd_thread_pool_processors(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) != 0) return 1;
    int count = CPU_COUNT(&set);
    return count > 0 ? count : 1;
}

// Ends when the lock is released.
static void *wait_for_end(void *lock)
{
    pthread_mutex_lock(lock);
    pthread_mutex_unlock(lock);
    return NULL;
}

int sherd_thread_pool_room(int wanted)
{
    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_t threads[MAX_HELPERS];
    int count = 0;
    pthread_mutex_lock(&lock);
    while (count < wanted && count < MAX_HELPERS &&
           pthread_create(&threads[count], NULL, wait_for_end, &lock) == 0)
        ++count;
    pthread_mutex_unlock(&lock);
    for (int k = 0; k < count; ++k)
        pthread_join(threads[k], NULL);
    pthread_mutex_destroy(&lock);
    return count;
}
