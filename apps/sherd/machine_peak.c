// The machine's arithmetic and memory limits, to hold measured speeds against.
#include "bench.h"
#include "run_loop.h"

#include <pthread.h>
#include <stdlib.h>

enum { MOST_THREADS = 256, TRIES = 3, CHAINS = 16, BYTES = 64 };

// 512-bit vectors; the compiler splits them where the machine's are shorter.
typedef double double_vector __attribute__((vector_size(BYTES)));
typedef float float_vector __attribute__((vector_size(BYTES)));

static const long ROUNDS = 4000000;
static const size_t TRIAD = 12000000; // doubles in each array and thread's share of them together

typedef struct peak_share {
    size_t begin, end; // of the arrays
    double *a, *b, *c;
    double sink;
} peak_share;

// Compiled once more for wider vectors, with fused multiply-adds; see base/cpu.h in the library.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) &&                             \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define EACH_MACHINE                                                                               \
    __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default"),                   \
                   optimize("fp-contract=fast")))
#else
#define EACH_MACHINE
#endif

#define CHAIN_LOOP(vector)                                                                         \
    vector x[CHAINS], m = (vector){0} + 0.5F, s = (vector){0} + 0.25F;                             \
    for (int k = 0; k < CHAINS; ++k)                                                               \
        x[k] = (vector){0} + (float)k;                                                             \
    for (long r = 0; r < ROUNDS; ++r)                                                              \
        for (int k = 0; k < CHAINS; ++k)                                                           \
            x[k] = x[k] * m + s;                                                                   \
    double sum = 0.0;                                                                              \
    for (int k = 0; k < CHAINS; ++k)                                                               \
        sum += (double)x[k][0];                                                                    \
    return sum;

EACH_MACHINE static double chain_double(void){CHAIN_LOOP(double_vector)}

EACH_MACHINE static double chain_single(void)
{
    CHAIN_LOOP(float_vector)
}

static void *run_double(void *share)
{
    ((peak_share *)share)->sink = chain_double();
    return NULL;
}

static void *run_single(void *share)
{
    ((peak_share *)share)->sink = chain_single();
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
    pthread_t thread[MOST_THREADS];
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

machine_peak machine_peak_measure(int threads)
{
    static peak_share shares[MOST_THREADS];
    if (threads > MOST_THREADS) threads = MOST_THREADS;
    machine_peak peak = {0};
    double fused = 2.0 * CHAINS * (double)ROUNDS * threads;
    peak.gigaflops_double = best_rate(run_double, shares, threads, fused * BYTES / sizeof(double));
    peak.gigaflops_single = best_rate(run_single, shares, threads, fused * BYTES / sizeof(float));
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
