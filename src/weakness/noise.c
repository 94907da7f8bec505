#include "weakness/noise.h"

#include "base/assertion.h"
#include "base/random.h"
#include "math/vec3.h"
#include "weakness/pattern.h"

// Standard deviation of one octave, measured over 4e6 points.
static const double OCTAVE_DEVIATION = 0.270;
static const double LARGEST_COORDINATE = 4e15; // adjacent cells must be different numbers

uint64_t sherd_lattice_bits(uint64_t seed, int64_t x, int64_t y, int64_t z)
{
    return sherd_random_bits(sherd_random_bits(seed, (uint64_t)x, (uint64_t)y), 0, (uint64_t)z);
}

int64_t sherd_lattice_cell(double coordinate)
{
    return (int64_t)floor(fmin(fmax(coordinate, -LARGEST_COORDINATE), LARGEST_COORDINATE));
}

// Slope along one of the twelve edges of a cube, four of them twice to have sixteen.
static double slope(uint64_t bits, double x, double y, double z)
{
    unsigned h = (unsigned)(bits & 15u);
    double u = h < 8 ? x : y, v = h < 4 ? y : h == 12 || h == 14 ? x : z;
    return (h & 1u ? -u : u) + (h & 2u ? -v : v);
}

static double ease(double t)
{
    return t * t * t * (t * (t * 6.0 - 15.0) + 10.0);
}

static double mix(double a, double b, double t)
{
    return a + t * (b - a);
}

static double octave_at(uint64_t seed, sherd_vec3 p)
{
    int64_t x = sherd_lattice_cell(p.x), y = sherd_lattice_cell(p.y), z = sherd_lattice_cell(p.z);
    double fx = p.x - (double)x, fy = p.y - (double)y, fz = p.z - (double)z;
    double corner[8];
    for (int k = 0; k < 8; ++k) {
        int a = k & 1, b = k >> 1 & 1, c = k >> 2;
        corner[k] = slope(sherd_lattice_bits(seed, x + a, y + b, z + c), fx - a, fy - b, fz - c);
    }
    double u = ease(fx), v = ease(fy), w = ease(fz);
    double low = mix(mix(corner[0], corner[1], u), mix(corner[2], corner[3], u), v);
    double high = mix(mix(corner[4], corner[5], u), mix(corner[6], corner[7], u), v);
    return mix(low, high, w);
}

double sherd_fractal_noise_at(const sherd_fractal_noise *noise, sherd_vec3 p)
{
    SHERD_ASSERT(noise->octaves > 0 && isfinite(noise->inverse_size), "noise has a size");
    double sum = 0.0, weight = 1.0, variance = 0.0;
    sherd_vec3 q = vec3_scale(noise->inverse_size, p);
    for (int k = 0; k < noise->octaves; ++k) {
        // Octaves are shifted relative to each other: each is 0 on its lattice.
        uint64_t seed = sherd_random_bits(noise->seed, 1, (uint64_t)k);
        sherd_vec3 shift = vec3(sherd_random_uniform(seed, 2, 0), sherd_random_uniform(seed, 2, 1),
                                sherd_random_uniform(seed, 2, 2));
        sum += weight * octave_at(seed, vec3_add(q, shift));
        variance += weight * weight;
        weight *= 0.5;
        q = vec3_scale(2.0, q);
    }
    return sum / (sqrt(variance) * OCTAVE_DEVIATION);
}

// ---------------------------------------------------------------- patches

// Patches of noise. Its values are approximately normally distributed, so that their rank is known
// from the distribution function, and a fraction of the body can be requested.

typedef struct noise_pattern {
    sherd_weakness base;
    sherd_fractal_noise noise;
    double share, contrast;
} noise_pattern;

static sherd_status noise_init(sherd_weakness *base, const sherd_weakness_def *def,
                               sherd_error *error)
{
    sherd_status status = sherd_pattern_check_length("size", def->size, error);
    noise_pattern *p = (noise_pattern *)base;
    p->noise = (sherd_fractal_noise){def->seed, def->octaves, 1.0 / def->size};
    p->share = def->share;
    p->contrast = def->contrast;
    return status;
}

static double noise_amount(const sherd_weakness *base, sherd_vec3 i, sherd_vec3 j)
{
    const noise_pattern *p = (const noise_pattern *)base;
    double value = sherd_fractal_noise_at(&p->noise, vec3_scale(0.5, vec3_add(i, j)));
    double rank = 0.5 * erfc(-value / M_SQRT2); // uniform in (0, 1)
    double amount = 0.5 + p->contrast * (rank - (1.0 - p->share));
    return fmin(fmax(amount, 0.0), 1.0);
}

const sherd_pattern_kind sherd_pattern_noise = {
    .size = sizeof(noise_pattern), .init = noise_init, .amount = noise_amount};
