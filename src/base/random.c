#include "base/random.h"

#include "base/assertion.h"

#include <math.h>

static uint64_t mix(uint64_t x)
{
    x ^= x >> 30;
    x *= UINT64_C(0xbf58476d1ce4e5b9);
    x ^= x >> 27;
    x *= UINT64_C(0x94d049bb133111eb);
    x ^= x >> 31;
    return x;
}

uint64_t sherd_random_bits(uint64_t seed, uint64_t stream, uint64_t index)
{
    const uint64_t golden = UINT64_C(0x9e3779b97f4a7c15); // 2^64 / golden ratio
    uint64_t x = mix(seed + golden);
    x = mix(x + stream * golden + golden);
    return mix(x + index * golden + golden);
}

double sherd_random_uniform(uint64_t seed, uint64_t stream, uint64_t index)
{
    uint64_t top = sherd_random_bits(seed, stream, index) >> 11;
    return ((double)top + 0.5) * 0x1.0p-53;
}

double sherd_random_normal(uint64_t seed, uint64_t stream, uint64_t index)
{
    const double two_pi = 6.283185307179586;
    double u = sherd_random_uniform(seed, stream, 2 * index);
    double v = sherd_random_uniform(seed, stream, 2 * index + 1);
    return sqrt(-2.0 * log(u)) * cos(two_pi * v);
}

double sherd_random_weibull(uint64_t seed, uint64_t stream, uint64_t index, double modulus)
{
    SHERD_ASSERT(modulus > 0.0, "a Weibull modulus is positive");
    double u = sherd_random_uniform(seed, stream, index);
    return pow(-log(u), 1.0 / modulus) / tgamma(1.0 + 1.0 / modulus);
}
