// base: random numbers, sorting, sums that do not depend on threads.
#include "base/cpu.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/random.h"
#include "base/sort.h"
#include "base/stages.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <sherd/world.h>
#include <stdlib.h>
#include <string.h>

Test(random, uniform_is_open_and_fair)
{
    double sum = 0.0;
    const int n = 100000;
    for (int k = 0; k < n; ++k) {
        double u = sherd_random_uniform(7, 3, (uint64_t)k);
        cr_assert(u > 0.0 && u < 1.0);
        sum += u;
    }
    // The mean of n uniforms scatters by 1/sqrt(12 n) = 0.0009; five sigma.
    cr_assert(epsilon_eq(dbl, sum / n, 0.5, 0.0046));
}

Test(random, weibull_has_unit_mean_and_known_scatter)
{
    const double m = 10.0;
    const int n = 100000;
    double sum = 0.0, squares = 0.0;
    for (int k = 0; k < n; ++k) {
        double x = sherd_random_weibull(1, 2, (uint64_t)k, m);
        sum += x;
        squares += x * x;
    }
    double mean = sum / n;
    double g1 = tgamma(1.0 + 1.0 / m), g2 = tgamma(1.0 + 2.0 / m);
    double scatter = sqrt(g2 / (g1 * g1) - 1.0);
    cr_assert(epsilon_eq(dbl, mean, 1.0, 5.0 * scatter / sqrt(n)));
    cr_assert(epsilon_eq(dbl, sqrt(squares / n - mean * mean), scatter, 0.02 * scatter));
}

Test(sort, is_stable_and_sorted)
{
    enum { N = 5000 };
    sherd_sort_pair *pairs = sherd_alloc(N, sizeof *pairs);
    for (uint32_t k = 0; k < N; ++k)
        pairs[k] = (sherd_sort_pair){sherd_random_bits(1, 1, k) % 97 * 0x0101010101010101u, k};
    cr_assert(sherd_sort_pairs(pairs, N));
    for (int k = 1; k < N; ++k) {
        cr_assert(pairs[k - 1].key <= pairs[k].key);
        if (pairs[k - 1].key == pairs[k].key) cr_assert(pairs[k - 1].value < pairs[k].value);
    }
    sherd_free(pairs);
}

Test(sort, finds_the_first_of_a_key)
{
    const sherd_sort_pair pairs[] = {{2, 7}, {5, 4}, {5, 3}, {9, 1}};
    cr_assert(sherd_sort_find(pairs, 4, 5) == 4 && sherd_sort_find(pairs, 4, 9) == 1);
    cr_assert(sherd_sort_find(pairs, 4, 3) == -1 && sherd_sort_find(pairs, 4, 10) == -1);
    cr_assert(sherd_sort_find(NULL, 0, 5) == -1);
    cr_assert(sherd_sort_place(pairs, 4, 3) == 1 && sherd_sort_place(pairs, 4, 10) == 4);
}

static void count_items(void *context, size_t begin, size_t end)
{
    for (size_t k = begin; k < end; ++k)
        ++((int *)context)[k];
}

// More threads than ranges of chunks, more chunks than threads, and fewer; the last chunk is shorter.
Test(parallel, loops_pass_each_item_once)
{
    const int threads[] = {1, 2, 3, 7, 40};
    for (size_t t = 0; t < sizeof threads / sizeof threads[0]; ++t)
        for (size_t count = 1; count <= 400; count += 19) {
            int passed[400] = {0};
            sherd_parallel_for(&(sherd_parallel){threads[t]}, count, 3, count_items, passed);
            for (size_t k = 0; k < 400; ++k)
                cr_assert(eq(int, passed[k], k < count));
        }
}

static double harmonic(void *context, size_t begin, size_t end)
{
    (void)context;
    double sum = 0.0;
    for (size_t k = begin; k < end; ++k)
        sum += 1.0 / (double)(k + 1);
    return sum;
}

Test(parallel, sums_do_not_depend_on_threads)
{
    double first = sherd_parallel_sum(&(sherd_parallel){1}, 1000000, 100, harmonic, NULL);
    for (int threads = 2; threads <= 8; ++threads) {
        double sum = sherd_parallel_sum(&(sherd_parallel){threads}, 1000000, 100, harmonic, NULL);
        cr_assert(memcmp(&sum, &first, sizeof sum) == 0);
    }
}

enum { ITEMS = 50, NEIGHBOUR = 7, PASSES = 200 };

typedef struct neighbours {
    sherd_stages stages;
    int64_t first[ITEMS], second[ITEMS]; // what each item wrote in its turns
    int turns[ITEMS][2];
    int most_threads;
} neighbours;

static int64_t written_by(const neighbours *n, size_t item)
{
    return 1000 * (int64_t)n->stages.pass + (int64_t)item;
}

// Writes, and then reads what it and another item wrote, which takes some items longer than others.
static void take_turn(void *context, size_t item, int turn)
{
    neighbours *n = context;
    cr_assert(sherd_parallel_worker() < n->most_threads);
    ++n->turns[item][turn];
    if (turn == 0) {
        int64_t wait = (int64_t)(item * item * 977 % 5000);
        for (volatile int64_t k = 0; k < wait;)
            ++k;
        n->first[item] = written_by(n, item);
        sherd_stages_reach(&n->stages, item, 0);
        return;
    }
    size_t other = item * NEIGHBOUR % ITEMS;
    sherd_stages_await(&n->stages, item, 0);
    sherd_stages_await(&n->stages, other, 0);
    n->second[item] = n->first[item] + n->first[other];
}

Test(parallel, second_turns_see_what_others_did_in_their_first)
{
    for (int threads = 1; threads <= 8; ++threads) {
        neighbours n = {.most_threads = threads};
        cr_assert(sherd_stages_create(&n.stages, ITEMS));
        for (int pass = 1; pass <= PASSES; ++pass) {
            sherd_stages_begin(&n.stages);
            sherd_parallel_turns(&(sherd_parallel){threads}, ITEMS, 2, take_turn, &n);
            for (size_t k = 0; k < ITEMS; ++k) {
                int64_t sum = written_by(&n, k) + written_by(&n, k * NEIGHBOUR % ITEMS);
                cr_assert(eq(i64, n.second[k], sum));
                cr_assert(n.turns[k][0] == pass && n.turns[k][1] == pass);
            }
        }
        sherd_stages_free(&n.stages);
    }
}

static void note_worker(void *context, size_t item, int turn)
{
    (void)item, (void)turn;
    cr_assert(sherd_parallel_worker() < *(const int *)context);
}

// No thread is woken for second turns alone.
Test(parallel, turns_take_no_more_threads_than_items)
{
    for (int items = 0; items <= 3; ++items)
        for (int repeat = 0; repeat < 100; ++repeat)
            sherd_parallel_turns(&(sherd_parallel){8}, (size_t)items, 2, note_worker, &items);
}

Test(memory, overflow_and_growth)
{
    cr_assert(sherd_alloc(SIZE_MAX / 2, 4) == NULL);
    int *numbers = NULL;
    size_t capacity = 0;
    cr_assert(sherd_grow((void **)&numbers, &capacity, 3, sizeof *numbers));
    numbers[2] = 42;
    cr_assert(sherd_grow((void **)&numbers, &capacity, 1000, sizeof *numbers));
    cr_assert(capacity >= 1000 && numbers[2] == 42 && numbers[999] == 0);
    sherd_free(numbers);
}

Test(hash, depends_on_every_byte)
{
    unsigned char bytes[19] = {0};
    uint64_t zero = sherd_hash_bytes(SHERD_HASH_START, bytes, sizeof bytes);
    for (size_t k = 0; k < sizeof bytes; ++k) {
        bytes[k] = 1;
        cr_assert(sherd_hash_bytes(SHERD_HASH_START, bytes, sizeof bytes) != zero);
        bytes[k] = 0;
    }
}

// As on a machine whose best is avx2.
Test(cpu, levels_that_a_machine_lacks_are_refused)
{
    sherd_error error;
    sherd_simd level;
    sherd_cpu_levels avx2 = {SHERD_SIMD_AVX2, SHERD_SIMD_AVX2, SHERD_SIMD_BASELINE},
                     all = {SHERD_SIMD_AVX512, SHERD_SIMD_AVX512, SHERD_SIMD_BASELINE};
    cr_assert(eq(int, sherd_cpu_find("auto", avx2, &level, &error), SHERD_OK));
    cr_assert(eq(int, level, SHERD_SIMD_AVX2));
    cr_assert(eq(int, sherd_cpu_find("baseline", avx2, &level, &error), SHERD_OK));
    cr_assert(eq(int, level, SHERD_SIMD_BASELINE));
    cr_assert(eq(int, sherd_cpu_find("avx512", avx2, &level, &error), SHERD_ERROR_UNSUPPORTED));
    cr_assert(strstr(error.what, "does not have the instruction set avx512") != NULL, "%s",
              error.what);
    cr_assert(strstr(error.hint, "avx2 or baseline") != NULL, "%s", error.hint);
    cr_assert(eq(int, sherd_cpu_find("AVX2", all, &level, &error), SHERD_ERROR_INPUT));
}

// On whatever machine: a cap takes away what is above it, from those who ask by name too, and adds nothing.
Test(cpu, a_cap_hides_what_is_above_it)
{
    sherd_error error;
    for (int machine = SHERD_SIMD_BASELINE; machine <= SHERD_SIMD_AVX512; ++machine) {
        const char *const none[] = {NULL, "", "auto"};
        sherd_cpu_levels levels;
        for (int k = 0; k < 3; ++k) {
            cr_assert(
                eq(int, sherd_cpu_cap(none[k], (sherd_simd)machine, &levels, &error), SHERD_OK));
            cr_assert(levels.best == (sherd_simd)machine && levels.machine == (sherd_simd)machine);
        }
        for (int cap = SHERD_SIMD_BASELINE; cap <= SHERD_SIMD_AVX512; ++cap) {
            const char *name = sherd_simd_name((sherd_simd)cap);
            int best = cap < machine ? cap : machine;
            cr_assert(eq(int, sherd_cpu_cap(name, (sherd_simd)machine, &levels, &error), SHERD_OK));
            cr_assert(eq(int, levels.best, best));
            for (int ask = SHERD_SIMD_BASELINE; ask <= SHERD_SIMD_AVX512; ++ask) {
                sherd_simd level;
                sherd_status status =
                    sherd_cpu_find(sherd_simd_name((sherd_simd)ask), levels, &level, &error);
                cr_assert(eq(int, status, ask <= best ? SHERD_OK : SHERD_ERROR_UNSUPPORTED));
                if (ask <= best) continue;
                bool capped = strstr(error.what, "SHERD_SIMD") != NULL;
                cr_assert(eq(int, capped, ask <= machine), "%s", error.what);
            }
        }
        cr_assert(eq(int, sherd_cpu_cap("sse9", (sherd_simd)machine, &levels, &error),
                     SHERD_ERROR_INPUT));
        cr_assert(strcmp(error.where, "SHERD_SIMD") == 0, "%s", error.where);
        cr_assert(eq(int, levels.best, machine));
    }
}

// A build for one level: on machines that have it nothing else is there, by whatever way, on others nothing at all.
Test(cpu, a_build_for_one_level_has_no_other)
{
    sherd_error error;
    for (int alone = SHERD_SIMD_AVX2; alone <= SHERD_SIMD_AVX512; ++alone)
        for (int machine = SHERD_SIMD_BASELINE; machine <= SHERD_SIMD_AVX512; ++machine)
            for (int best = SHERD_SIMD_BASELINE; best <= machine; ++best) {
                sherd_cpu_levels levels = {.machine = (sherd_simd)machine,
                                           .best = (sherd_simd)best};
                sherd_status status = sherd_cpu_build((sherd_simd)alone, &levels, &error);
                cr_assert(eq(int, status, best >= alone ? SHERD_OK : SHERD_ERROR_UNSUPPORTED));
                if (best < alone) {
                    const char *place = machine < alone ? "simd" : "SHERD_SIMD";
                    cr_assert(eq(str, error.where, (char *)place));
                    cr_assert(strstr(error.hint, "SHERD_KERNELS=all") != NULL, "%s", error.hint);
                }
                sherd_simd level;
                for (int ask = SHERD_SIMD_BASELINE; ask <= SHERD_SIMD_AVX512; ++ask) {
                    status =
                        sherd_cpu_find(sherd_simd_name((sherd_simd)ask), levels, &level, &error);
                    cr_assert(eq(int, status, ask == alone ? SHERD_OK : SHERD_ERROR_UNSUPPORTED));
                }
                cr_assert(eq(int, sherd_cpu_find("auto", levels, &level, &error), SHERD_OK));
                cr_assert(eq(int, level, alone));
            }
}

// The library asks the environment itself, whoever asks for a level and whether or not one is chosen.
Test(cpu, the_library_honours_the_cap)
{
    sherd_error error;
    for (int cap = SHERD_SIMD_AVX512; cap >= SHERD_SIMD_BASELINE; --cap) {
        setenv("SHERD_SIMD", sherd_simd_name((sherd_simd)cap), 1);
        int best = cap < (int)sherd_simd_machine() ? cap : (int)sherd_simd_machine();
        for (int k = 0; k < 2; ++k) {
            cr_assert(eq(int, sherd_simd_choose(k == 0 ? NULL : "auto", &error), SHERD_OK));
            cr_assert(eq(int, sherd_cpu_level(), best));
        }
        for (int ask = SHERD_SIMD_BASELINE; ask <= SHERD_SIMD_AVX512; ++ask) {
            sherd_status status = sherd_simd_choose(sherd_simd_name((sherd_simd)ask), &error);
            cr_assert(eq(int, status, ask <= best ? SHERD_OK : SHERD_ERROR_UNSUPPORTED));
            cr_assert(eq(int, sherd_simd_level(), ask <= best ? ask : best));
        }
        atomic_store(&sherd_cpu_decided, -1); // as at the start of a process
        cr_assert(eq(int, sherd_simd_level(), best));
    }
    setenv("SHERD_SIMD", "sse9", 1);
    for (int k = 0; k < 2; ++k) {
        cr_assert(
            eq(int, sherd_simd_choose(k == 0 ? NULL : "baseline", &error), SHERD_ERROR_INPUT));
        sherd_world_def def = sherd_world_def_default();
        cr_assert(sherd_world_create(&def, &error) == NULL);
        cr_assert(eq(int, error.status, SHERD_ERROR_INPUT));
        cr_assert(strstr(error.what, "sse9") != NULL, "%s", error.what);
    }
}

Test(cpu, what_agrees_is_all_but_the_baseline)
{
    for (int a = SHERD_SIMD_BASELINE; a <= SHERD_SIMD_AVX512; ++a) {
        cr_assert(eq(int, sherd_simd_of_name(sherd_simd_name((sherd_simd)a)), a));
        for (int b = SHERD_SIMD_BASELINE; b <= SHERD_SIMD_AVX512; ++b)
            cr_assert(eq(int, sherd_simd_agree((sherd_simd)a, (sherd_simd)b),
                         a == b || (a > SHERD_SIMD_BASELINE && b > SHERD_SIMD_BASELINE)));
    }
}
