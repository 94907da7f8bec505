// sherd bench threads: how many times as fast 2, 4, ... threads do a run's jobs as one does, by the clock. Beside it the
// processor time of all threads over that of one: what threads wait, and work that is done twice; and as how many the
// machine's cores did multiply-adds just before: those that are threads of one core, or of a busy host, are less.
#include "bench/benchmarks.h"
#include "bench/threads/thread_jobs.h"
#include "clock.h"
#include "message.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MOST_COUNTS = 12, ROUNDS_REDUCED = 1 };
static const double BUSY = 0.5; // processors that other programs use, from which on it is said

typedef struct seconds {
    double clock, cpu; // cpu: of all threads together
} seconds;

// Numbers of threads that are compared, the first one 1.
typedef struct thread_counts {
    int of[MOST_COUNTS], count;
} thread_counts;

typedef struct job_result {
    double seconds; // of one repetition on one thread
    double ratio[MOST_COUNTS], cpu[MOST_COUNTS], machine[MOST_COUNTS];
} job_result;

static seconds now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (seconds){clock_seconds(), (double)t.tv_sec + 1e-9 * (double)t.tv_nsec};
}

// Powers of two below the most, and the most.
static thread_counts choose_counts(int most)
{
    thread_counts c = {.count = 0};
    for (int n = 1; n < most && c.count < MOST_COUNTS - 1; n *= 2)
        c.of[c.count++] = n;
    c.of[c.count++] = most;
    return c;
}

static sherd_status measure(const thread_job *job, void *self, seconds *taken, sherd_error *error)
{
    seconds start = now();
    sherd_status status = job->work(self, error);
    seconds end = now();
    *taken = (seconds){end.clock - start.clock, end.cpu - start.cpu};
    return status;
}

// All numbers of threads in turn, round by round: each repetition of a round does the same work.
static sherd_status measure_rounds(const thread_job *job, void *const *selves,
                                   const thread_counts *counts, int rounds, job_result *out,
                                   sherd_error *error)
{
    double ratios[MOST_COUNTS][BENCH_REPEATS], cpus[MOST_COUNTS][BENCH_REPEATS],
        machine[MOST_COUNTS][BENCH_REPEATS], one[BENCH_REPEATS];
    for (int round = 0; round < rounds; ++round) {
        seconds taken[MOST_COUNTS];
        double peak[MOST_COUNTS];
        for (int k = 0; k < counts->count; ++k) {
            peak[k] = machine_peak_now(counts->of[k]);
            sherd_status status = measure(job, selves[k], &taken[k], error);
            if (status != SHERD_OK) return status;
            ratios[k][round] = taken[0].clock / taken[k].clock;
            cpus[k][round] = taken[k].cpu / taken[0].cpu;
            machine[k][round] = peak[k] / peak[0];
        }
        one[round] = taken[0].clock;
    }
    for (int k = 0; k < counts->count; ++k) {
        out->ratio[k] = value_statistics_of(ratios[k], rounds).median;
        out->cpu[k] = value_statistics_of(cpus[k], rounds).median;
        out->machine[k] = value_statistics_of(machine[k], rounds).median;
    }
    out->seconds = value_statistics_of(one, rounds).median;
    return SHERD_OK;
}

static sherd_status run_job(const thread_job *job, const thread_counts *counts, int rounds,
                            job_result *out, sherd_error *error)
{
    void *selves[MOST_COUNTS] = {NULL};
    sherd_status status = SHERD_OK;
    for (int k = 0; k < counts->count && status == SHERD_OK; ++k) {
        selves[k] = job->create(job->name, counts->of[k], error);
        status = selves[k] != NULL ? SHERD_OK : error->status;
    }
    if (status == SHERD_OK) status = measure_rounds(job, selves, counts, rounds, out, error);
    for (int k = 0; k < counts->count; ++k)
        if (selves[k] != NULL) job->destroy(selves[k]);
    return status;
}

// ---------------------------------------------------------------- rows

static void print_head(const thread_counts *counts)
{
    double load = 0.0;
    if (getloadavg(&load, 1) == 1 && load > BUSY)
        printf("other programs use %.1f of this machine's processors: ratios come out too low\n\n",
               load);
    printf("%-16s %9s", "job", "1: s");
    for (int k = 1; k < counts->count; ++k)
        printf("   %4d: ratio (cpu, machine)", counts->of[k]);
    printf("\n");
    fflush(stdout);
}

static void print_job(const char *name, const thread_counts *counts, const job_result *r, bool json,
                      bool first)
{
    if (json) {
        for (int k = 0; k < counts->count; ++k)
            printf("%s\n  {\"case\": \"%s\", \"metric\": \"ratio\", \"value\": %.6g, \"unit\": "
                   "\"1\", \"cpu\": %.6g, \"machine\": %.6g, \"seconds\": %.6g, \"threads\": %d}",
                   first && k == 0 ? "" : ",", name, r->ratio[k], r->cpu[k], r->machine[k],
                   r->seconds / r->ratio[k], counts->of[k]);
        return;
    }
    printf("%-16s %9.3f", name, r->seconds);
    for (int k = 1; k < counts->count; ++k)
        printf("   %11.2f (%4.2f, %7.2f)", r->ratio[k], r->cpu[k], r->machine[k]);
    printf("\n");
    fflush(stdout);
}

static const thread_job *job_at(int k)
{
    return k < STEP_JOB_COUNT ? &STEP_JOBS[k] : &MAKING_JOBS[k - STEP_JOB_COUNT];
}

static int refuse_unknown(const char *only)
{
    char known[512] = "";
    for (int k = 0; k < STEP_JOB_COUNT + MAKING_JOB_COUNT; ++k) {
        size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, "%s%s", k > 0 ? ", " : "", job_at(k)->name);
    }
    return message_usage("unknown case", only, known);
}

int bench_threads(const command_options *options)
{
    int most = options->threads > 0 ? options->threads : (int)sysconf(_SC_NPROCESSORS_ONLN);
    int done = 0, rounds = options->reduced ? ROUNDS_REDUCED : BENCH_REPEATS;
    thread_counts counts = choose_counts(most);
    for (int k = 0; k < STEP_JOB_COUNT + MAKING_JOB_COUNT; ++k) {
        const thread_job *job = job_at(k);
        if (options->only != NULL && strcmp(options->only, job->name) != 0) continue;
        job_result r = {0};
        sherd_error error = {0};
        if (done == 0 && options->json) printf("[");
        if (done == 0 && !options->json) print_head(&counts);
        if (run_job(job, &counts, rounds, &r, &error) != SHERD_OK) return message_error(&error);
        print_job(job->name, &counts, &r, options->json, done == 0);
        ++done;
    }
    if (done == 0) return refuse_unknown(options->only);
    if (options->json) printf("\n]\n");
    return EXIT_DONE;
}
