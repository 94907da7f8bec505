#include "render/sampler.h"

#include "base/assertion.h"

// The 24 permutations of four quadrants.
static const uint8_t PERMUTATIONS[24][4] = {
    {0, 1, 2, 3}, {0, 1, 3, 2}, {0, 2, 1, 3}, {0, 2, 3, 1}, {0, 3, 2, 1}, {0, 3, 1, 2},
    {1, 0, 2, 3}, {1, 0, 3, 2}, {1, 2, 0, 3}, {1, 2, 3, 0}, {1, 3, 2, 0}, {1, 3, 0, 2},
    {2, 1, 0, 3}, {2, 1, 3, 0}, {2, 0, 1, 3}, {2, 0, 3, 1}, {2, 3, 0, 1}, {2, 3, 1, 0},
    {3, 1, 2, 0}, {3, 1, 0, 2}, {3, 2, 1, 0}, {3, 2, 0, 1}, {3, 0, 2, 1}, {3, 0, 1, 2},
};

enum {
    PIXEL_DIGITS = 14, // base-4 digits of a pixel's rank: pictures up to 16384 a side
    TILE_DIGITS = 4,   // base-4 digits of its rank within a tile of 16 x 16 pixels
};

// Finaliser of MurmurHash3, 64 bits.
static inline uint64_t mix_bits(uint64_t v)
{
    v ^= v >> 33;
    v *= UINT64_C(0xff51afd7ed558ccd);
    v ^= v >> 33;
    v *= UINT64_C(0xc4ceb9fe1a85ec53);
    return v ^ (v >> 33);
}

static inline uint64_t use_key(uint64_t seed, int use)
{
    return seed + UINT64_C(0x9e3779b97f4a7c15) * (uint64_t)(use + 1);
}

// Permutes base-4 digit `digit` of `rank`. The permutation depends on the digits above it.
static inline uint64_t shuffled_digit(uint64_t rank, int digit, uint64_t key)
{
    uint64_t above = rank >> (2 * digit + 2);
    unsigned order = (unsigned)((mix_bits(above ^ key) >> 32) * 24 >> 32);
    return (uint64_t)PERMUTATIONS[order][(rank >> (2 * digit)) & 3] << (2 * digit);
}

static uint64_t spread_bits(uint32_t v)
{
    uint64_t x = v;
    x = (x | (x << 16)) & UINT64_C(0x0000ffff0000ffff);
    x = (x | (x << 8)) & UINT64_C(0x00ff00ff00ff00ff);
    x = (x | (x << 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    x = (x | (x << 2)) & UINT64_C(0x3333333333333333);
    return (x | (x << 1)) & UINT64_C(0x5555555555555555);
}

sampler sherd_sampler_make(int samples, uint64_t seed)
{
    sampler random = {.morton = UINT64_MAX};
    for (int use = 0; use < SAMPLER_USES; ++use) {
        random.key[use] = use_key(seed, use);
        random.scramble[use] = mix_bits(random.key[use]);
    }
    while ((1 << random.sample_bits) < samples)
        ++random.sample_bits;
    return random;
}

void sherd_sampler_start(sampler *random, uint32_t x, uint32_t y)
{
    uint64_t morton = spread_bits(x) | (spread_bits(y) << 1);
    if ((morton ^ random->morton) >> (2 * TILE_DIGITS) != 0) random->tile_known = 0;
    random->morton = morton;
    random->sample = 0;
    random->known = 0;
}

static uint64_t shuffled_digits(uint64_t rank, int first, int end, uint64_t key)
{
    uint64_t shuffled = 0;
    for (int digit = end - 1; digit >= first; --digit)
        shuffled |= shuffled_digit(rank, digit, key);
    return shuffled;
}

// Computed on first use: a pixel of open ground needs few of the uses.
static uint64_t pixel_prefix(sampler *random, int use, uint64_t key)
{
    uint64_t bit = UINT64_C(1) << use;
    if (random->known & bit) return random->prefix[use];
    if ((random->tile_known & bit) == 0)
        random->tile[use] = shuffled_digits(random->morton, TILE_DIGITS, PIXEL_DIGITS, key);
    random->tile_known |= bit;
    random->known |= bit;
    return random->prefix[use] =
               random->tile[use] | shuffled_digits(random->morton, 0, TILE_DIGITS, key);
}

static inline uint32_t reverse_bits(uint32_t v)
{
    v = ((v >> 1) & 0x55555555u) | ((v & 0x55555555u) << 1);
    v = ((v >> 2) & 0x33333333u) | ((v & 0x33333333u) << 2);
    v = ((v >> 4) & 0x0f0f0f0fu) | ((v & 0x0f0f0f0fu) << 4);
    return __builtin_bswap32(v);
}

// Owen scrambling of a bit-reversed number: flips each bit at random, depending on the bits below
// it (constants by Nathan Vegdahl).
static inline uint32_t scramble_reversed(uint32_t v, uint32_t key)
{
    v ^= v * 0x3d20adeau;
    v += key;
    v *= (key >> 16) | 1u;
    v ^= v * 0x05526c56u;
    v ^= v * 0x53a22864u;
    return v;
}

// Digits of the second Sobol dimension, bit-reversed: the Pascal matrix modulo 2, applied as a
// butterfly since it is a Kronecker power of [1 1; 0 1].
static inline uint32_t sobol_second_reversed(uint32_t v)
{
    v ^= (v >> 1) & 0x55555555u;
    v ^= (v >> 2) & 0x33333333u;
    v ^= (v >> 4) & 0x0f0f0f0fu;
    v ^= (v >> 8) & 0x00ff00ffu;
    return v ^ (v >> 16);
}

static inline float unit_float(uint32_t bits)
{
    return (float)(bits >> 8) * 0x1p-24f;
}

// Rank of the current sample along the shuffled curve: pixel digits, then sample digits. An odd
// number of sample bits leaves one bit, flipped at random.
static uint32_t sample_rank(sampler *random, int use, uint64_t key)
{
    int bits = random->sample_bits;
    int odd = bits & 1;
    uint64_t rank = (random->morton << (bits - odd)) | (random->sample >> odd);
    uint64_t shuffled = pixel_prefix(random, use, key) << (bits - odd);
    for (int digit = bits / 2 - 1; digit >= 0; --digit)
        shuffled |= shuffled_digit(rank, digit, key);
    if (odd) shuffled = (shuffled << 1) | ((random->sample ^ mix_bits(rank ^ key)) & 1);
    return (uint32_t)shuffled;
}

sample2 sherd_sampler_draw(sampler *random, int use)
{
    SHERD_ASSERT(use >= 0 && use < SAMPLER_USES, "each use has its own numbers");
    uint64_t key = random->key[use];
    uint32_t rank = sample_rank(random, use, key);
    uint64_t scramble = random->scramble[use];
    uint32_t u = scramble_reversed(rank, (uint32_t)scramble);
    uint32_t v = scramble_reversed(sobol_second_reversed(rank), (uint32_t)(scramble >> 32));
    return (sample2){unit_float(reverse_bits(u)), unit_float(reverse_bits(v))};
}
