// base: random numbers, sorting, sums that do not depend on threads.
#include "base/hash.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/random.h"
#include "base/sort.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
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
