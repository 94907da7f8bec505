// Procedural noise in three dimensions. It uses only sums, products and square roots, so that every
// machine gives the same numbers.
#pragma once

#include "render/vec3f.h"

#include <stdint.h>

// A point in a lattice of unit cells. Double precision keeps the pattern of bodies far from the
// origin.
typedef struct noise_place {
    double x, y, z;
    uint32_t seed;
} noise_place;

static inline noise_place noise_scale(double s, noise_place p)
{
    return (noise_place){s * p.x, s * p.y, s * p.z, p.seed};
}

// The same point with another seed, for an independent pattern.
static inline noise_place noise_other(noise_place p, uint32_t which)
{
    return (noise_place){p.x, p.y, p.z, p.seed + 0x9e3779b9u * which};
}

static inline float noise_ramp(float low, float high, float x)
{
    float t = float_min(float_max((x - low) / (high - low), 0.0f), 1.0f);
    return t * t * (3.0f - 2.0f * t);
}

// Gradient noise (K. Perlin, Improving noise, 2002): about -1 to 1, mean 0, features of the size of
// one cell.
float sherd_noise(noise_place p);
// Sum of `octaves` octaves of noise, each with half the amplitude of the one before.
float sherd_noise_sum(noise_place p, int octaves);

// Cellular noise: the nearest of points scattered at random, one in each cell (S. Worley, A
// cellular texture basis function, 1996).
typedef struct noise_cell {
    float distance; // in cells
    uint32_t id;    // of the point; a random number
} noise_cell;
noise_cell sherd_noise_cell(noise_place p);

// The k-th of four random numbers in [0, 1) that belong to a point.
static inline float noise_share(uint32_t id, int k)
{
    return (float)((id >> (8 * k)) & 255u) * (1.0f / 256.0f);
}
