#include "linear/vector.h"

#include "base/cpu.h"

// LANES partial sums per chunk, which fit one or two vector registers, so that compilers can
// vectorise without changing the order of additions.
enum { CHUNK = 16384, LANES = 16 };

static double add_up(const double sum[LANES])
{
    double pair[LANES];
    for (int k = 0; k < LANES; ++k)
        pair[k] = sum[k];
    for (int half = LANES / 2; half > 0; half /= 2)
        for (int k = 0; k < half; ++k)
            pair[k] += pair[k + half];
    return pair[0];
}

// ---------------------------------------------------------------- sums

typedef struct vectors {
    const float *a, *b, *c;
    double *second; // per chunk, of sherd_vector_dot_two
    size_t chunk;
} vectors;

SHERD_WIDE(extern, double, sherd_vector_dot_range,
           (const float *a, const float *b, size_t begin, size_t end), (a, b, begin, end))
{
    double sum[LANES] = {0};
    size_t k = begin;
    for (; k + LANES <= end; k += LANES)
        for (int l = 0; l < LANES; ++l)
            sum[l] += (double)a[k + (size_t)l] * (double)b[k + (size_t)l];
    for (int l = 0; k < end; ++k, ++l)
        sum[l] += (double)a[k] * (double)b[k];
    return add_up(sum);
}

static double dot_chunk(void *context, size_t begin, size_t end)
{
    const vectors *v = context;
    return sherd_vector_dot_range(v->a, v->b, begin, end);
}

double sherd_vector_dot(const float *a, const float *b, size_t size, const sherd_parallel *parallel)
{
    vectors v = {.a = a, .b = b};
    return sherd_parallel_sum(parallel, size, CHUNK, dot_chunk, &v);
}

static double dot_two_chunk(void *context, size_t begin, size_t end)
{
    const vectors *v = context;
    v->second[begin / v->chunk] = sherd_vector_dot_range(v->b, v->c, begin, end);
    return sherd_vector_dot_range(v->a, v->c, begin, end);
}

sherd_vector_dots sherd_vector_dot_two(const float *a, const float *b, const float *c, size_t size,
                                       const sherd_parallel *parallel)
{
    enum { MAX_CHUNKS = 1024 };
    double second[MAX_CHUNKS];
    vectors v = {.a = a, .b = b, .c = c, .second = second, .chunk = CHUNK};
    while ((size + v.chunk - 1) / v.chunk > MAX_CHUNKS)
        v.chunk *= 2;
    sherd_vector_dots dots = {0};
    dots.first = sherd_parallel_sum(parallel, size, v.chunk, dot_two_chunk, &v);
    for (size_t k = 0; k < (size + v.chunk - 1) / v.chunk; ++k)
        dots.second += second[k];
    return dots;
}

// ---------------------------------------------------------------- updates

SHERD_WIDE(extern, void, sherd_vector_advance_range,
           (double *x, float *r, double alpha, const float *p, const float *q, size_t begin,
            size_t end),
           (x, r, alpha, p, q, begin, end))
{
    // The four vectors do not overlap.
    double *restrict x_to = x;
    float *restrict r_to = r;
    const float *restrict along = p, *restrict product = q;
    float alpha_single = (float)alpha;
    for (size_t k = begin; k < end; ++k) {
        x_to[k] += alpha * (double)along[k];
        r_to[k] -= alpha_single * product[k];
    }
}
