// The machine's arithmetic and memory limits, to hold measured speeds against.
#include "bench/benchmarks.h"
#include "clock.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

// CHAINS: as many sums as keep two multiply-adds a cycle busy for the four cycles that each takes, and fit the
// registers of all machines.
enum { MAX_THREADS = 256, TRIES = 3, CHAINS = 12 };

static const long ROUNDS = 4000000;
static const size_t TRIAD = 12000000; // doubles in each array and thread's share of them together

typedef struct peak_share {
    size_t begin, end; // of the arrays
    double *a, *b, *c;
    double sink;
} peak_share;

#define CHAIN(name, number, bytes)                                                                 \
    static double name(void)                                                                       \
    {                                                                                              \
        typedef number vector __attribute__((vector_size(bytes)));                                 \
        vector x[CHAINS], m = (vector){0} + 0.5F, s = (vector){0} + 0.25F;                         \
        for (int k = 0; k < CHAINS; ++k)                                                           \
            x[k] = (vector){0} + (float)k;                                                         \
        for (long r = 0; r < ROUNDS; ++r)                                                          \
            for (int k = 0; k < CHAINS; ++k)                                                       \
                x[k] = x[k] * m + s;                                                               \
        double sum = 0.0;                                                                          \
        for (int k = 0; k < CHAINS; ++k)                                                           \
            sum += (double)x[k][0];                                                                \
        return sum;                                                                                \
    }

CHAIN(chain_double_16, double, 16)
CHAIN(chain_single_16, float, 16)

// Once more for wider vectors, with fused multiply-adds; see base/cpu.h in the library.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define WIDER 1
#pragma GCC push_options
#pragma GCC optimize("fp-contract=fast")
#pragma GCC target("arch=x86-64-v3")
CHAIN(chain_double_32, double, 32)
CHAIN(chain_single_32, float, 32)
#pragma GCC pop_options
#pragma GCC push_options
#pragma GCC optimize("fp-contract=fast")
#pragma GCC target("arch=x86-64-v4")
CHAIN(chain_double_64, double, 64)
CHAIN(chain_single_64, float, 64)
#pragma GCC pop_options
#else
#define WIDER 0
#endif

typedef struct chains {
    int bytes; // of their vectors
    double (*of_doubles)(void), (*of_singles)(void);
} chains;

static chains widest_chains(void)
{
#if WIDER
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl"))
        return (chains){64, chain_double_64, chain_single_64};
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return (chains){32, chain_double_32, chain_single_32};
#endif
    return (chains){16, chain_double_16, chain_single_16};
}

static void *run_double(void *share)
{
    ((peak_share *)share)->sink = widest_chains().of_doubles();
    return NULL;
}

static void *run_single(void *share)
{
    ((peak_share *)share)->sink = widest_chains().of_singles();
    return NULL;
}

static void *run_triad(void *argument)
{
    peak_share *share = argument;
    for (size_t k = share->begin; k < share->end; ++k)
        share->a[k] = share->b[k] + 3.0 * share->c[k];
    return NULL;
}

// Seconds that all threads take together; 0 when they can't be started.
static double time_of(void *(*work)(void *), peak_share *shares, int threads)
{
    pthread_t thread[MAX_THREADS];
    double start = clock_seconds();
    int started = 0;
    while (started < threads && pthread_create(&thread[started], NULL, work, &shares[started]) == 0)
        ++started;
    for (int t = 0; t < started; ++t)
        pthread_join(thread[t], NULL);
    return started == threads ? clock_seconds() - start : 0.0;
}

static double best_rate(void *(*work)(void *), peak_share *shares, int threads, double amount)
{
    double best = 0.0;
    for (int k = 0; k < TRIES; ++k) {
        double seconds = time_of(work, shares, threads);
        if (seconds > 0.0 && amount / seconds > best) best = amount / seconds;
    }
    return 1e-9 * best;
}

// On this thread, in its processor time.
static double best_core_rate(double (*work)(void), peak_share *share, double amount)
{
    double best = 0.0;
    for (int k = 0; k < TRIES; ++k) {
        clock_t start = clock();
        share->sink += work();
        double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
        if (seconds > 0.0 && amount / seconds > best) best = amount / seconds;
    }
    return 1e-9 * best;
}

double machine_peak_now(int threads)
{
    peak_share shares[MAX_THREADS] = {0};
    if (threads > MAX_THREADS) threads = MAX_THREADS;
    return best_rate(run_double, shares, threads, threads);
}

machine_peak machine_peak_measure(int threads)
{
    peak_share shares[MAX_THREADS] = {0};
    if (threads > MAX_THREADS) threads = MAX_THREADS;
    machine_peak peak = {0};
    double bytes = 2.0 * CHAINS * (double)ROUNDS * threads * widest_chains().bytes;
    peak.gigaflops_double = best_rate(run_double, shares, threads, bytes / sizeof(double));
    peak.gigaflops_single = best_rate(run_single, shares, threads, bytes / sizeof(float));
    peak.core_gigaflops_double =
        best_core_rate(widest_chains().of_doubles, &shares[0], bytes / threads / sizeof(double));
    double *a = malloc(TRIAD * sizeof *a), *b = calloc(TRIAD, sizeof *b),
           *c = calloc(TRIAD, sizeof *c);
    for (int t = 0; t < threads; ++t)
        shares[t] = (peak_share){TRIAD * (size_t)t / (size_t)threads,
                                 TRIAD * (size_t)(t + 1) / (size_t)threads,
                                 a,
                                 b,
                                 c,
                                 0.0};
    if (a != NULL && b != NULL && c != NULL) {
        time_of(run_triad, shares, threads); // touches the pages
        peak.gigabytes = best_rate(run_triad, shares, threads, 3.0 * sizeof(double) * TRIAD);
    }
    free(a);
    free(b);
    free(c);
    return peak;
}
