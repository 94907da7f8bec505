// Gradient noise after Perlin (2002) with three components: every lattice point has a random linear
// function for each component; quintic weights blend them.
#include "surface/finish/roughness_noise.h"

#include "base/assertion.h"
#include "base/random.h"
#include "math/vec3.h"

// Scales the sum to a useful height before it is limited.
static const double GAIN = 1.6;

// Lattice points this far away have indices that overflow; doubles resolve no detail there.
static const double FARTHEST = 1e15;

static uint64_t lattice_bits(uint64_t seed, int octave, const int64_t at[3])
{
    uint64_t row = sherd_random_bits(seed, (uint64_t)at[2], (uint64_t)at[1]);
    return sherd_random_bits(row, (uint64_t)octave, (uint64_t)at[0]);
}

// Returns seven bits of `bits`, from bit `position` on, as a number in [-1, 1].
static double signed_fraction(uint64_t bits, int position)
{
    return (double)(bits >> (7 * position) & 127) * (2.0 / 127.0) - 1.0;
}

// Evaluates the linear functions of a lattice point at offset d: nine coefficients from its 64
// bits.
static sherd_vec3 linear_functions(uint64_t bits, sherd_vec3 d)
{
    double value[3];
    for (int c = 0; c < 3; ++c)
        value[c] = signed_fraction(bits, 3 * c) * d.x + signed_fraction(bits, 3 * c + 1) * d.y +
                   signed_fraction(bits, 3 * c + 2) * d.z;
    return vec3(value[0], value[1], value[2]);
}

static double fade(double t)
{
    return t * t * t * (t * (6.0 * t - 15.0) + 10.0);
}

sherd_vec3 sherd_roughness_noise(uint64_t seed, int octave, sherd_vec3 x)
{
    SHERD_ASSERT(octave >= 0, "octaves are counted from 0");
    const double low[3] = {floor(x.x), floor(x.y), floor(x.z)};
    const double part[3] = {x.x - low[0], x.y - low[1], x.z - low[2]};
    const double up[3] = {fade(part[0]), fade(part[1]), fade(part[2])};
    sherd_vec3 sum = vec3(0.0, 0.0, 0.0);
    if (!(vec3_dot(x, x) < FARTHEST * FARTHEST)) return sum;
    for (int corner = 0; corner < 8; ++corner) {
        int64_t at[3];
        double offset[3], weight = GAIN;
        for (int a = 0; a < 3; ++a) {
            int high = corner >> a & 1;
            at[a] = (int64_t)low[a] + high;
            offset[a] = part[a] - high;
            weight *= high ? up[a] : 1.0 - up[a];
        }
        sherd_vec3 value =
            linear_functions(lattice_bits(seed, octave, at), vec3(offset[0], offset[1], offset[2]));
        sum = vec3_add_scaled(sum, weight, value);
    }
    // The length is below 1 even where all corners agree; the limit never makes slopes steeper.
    return vec3_scale(1.0 / sqrt(1.0 + vec3_dot(sum, sum)), sum);
}
