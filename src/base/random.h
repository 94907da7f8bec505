// Counter-based random numbers: a pure function of (seed, stream, index), so that results do not
// depend on the order in which they are drawn or on threads.
#pragma once

#include <stdint.h>

// 64 well-mixed bits (the finaliser of SplitMix64, applied to each word in turn).
uint64_t sherd_random_bits(uint64_t seed, uint64_t stream, uint64_t index);

// Uniform in the open interval (0, 1): never 0, never 1, 53 random bits.
double sherd_random_uniform(uint64_t seed, uint64_t stream, uint64_t index);

// Standard normal deviate (Box-Muller).
double sherd_random_normal(uint64_t seed, uint64_t stream, uint64_t index);

// Weibull variate with mean 1 and the given modulus (shape) m > 0:
//   x = (-ln u)^(1/m) / Gamma(1 + 1/m)
double sherd_random_weibull(uint64_t seed, uint64_t stream, uint64_t index, double modulus);
