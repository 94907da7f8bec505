#include "render/texture/noise.h"

static uint32_t hash_cell(uint32_t x, uint32_t y, uint32_t z, uint32_t seed)
{
    uint32_t h = seed ^ x * 0x8da6b343u ^ y * 0xd8163841u ^ z * 0xcb1ab31fu;
    h = (h ^ h >> 15) * 0x2c1b3c6du;
    h = (h ^ h >> 12) * 0x297a2d39u;
    return h ^ h >> 15;
}

// Cells far beyond 2^32 repeat.
static uint32_t cell_of(double x, float *rest)
{
    double cell = floor(x);
    *rest = (float)(x - cell);
    return (uint32_t)(int64_t)cell;
}

// One of twelve directions to the edges of a cube, dotted with what is left.
static float slope(uint32_t h, float x, float y, float z)
{
    h &= 15u;
    float u = h < 8u ? x : y;
    float v = h < 4u ? y : (h == 12u || h == 14u ? x : z);
    return ((h & 1u) != 0 ? -u : u) + ((h & 2u) != 0 ? -v : v);
}

static float fade(float t)
{
    return t * t * t * (t * (t * 6.0f - 15.0f) + 10.0f);
}

static float mix(float a, float b, float t)
{
    return a + t * (b - a);
}

float sherd_noise(noise_place p)
{
    float x, y, z;
    uint32_t i = cell_of(p.x, &x), j = cell_of(p.y, &y), k = cell_of(p.z, &z);
    float corner[8];
    for (uint32_t c = 0; c < 8; ++c) {
        uint32_t a = c & 1u, b = c >> 1 & 1u, d = c >> 2;
        corner[c] =
            slope(hash_cell(i + a, j + b, k + d, p.seed), x - (float)a, y - (float)b, z - (float)d);
    }
    float u = fade(x), v = fade(y), w = fade(z);
    float low = mix(mix(corner[0], corner[1], u), mix(corner[2], corner[3], u), v);
    float high = mix(mix(corner[4], corner[5], u), mix(corner[6], corner[7], u), v);
    return mix(low, high, w);
}

float sherd_noise_sum(noise_place p, int octaves)
{
    float sum = 0.0f, size = 1.0f;
    for (int k = 0; k < octaves; ++k, size *= 0.5f) {
        sum += size * sherd_noise(p);
        p = noise_other(noise_scale(2.03, p), 1); // a little off 2: zeros of octaves don't meet
    }
    return sum;
}

noise_cell sherd_noise_cell(noise_place p)
{
    float x, y, z;
    uint32_t i = cell_of(p.x, &x), j = cell_of(p.y, &y), k = cell_of(p.z, &z);
    float nearest = 16.0f;
    uint32_t id = 0;
    for (uint32_t c = 0; c < 27; ++c) {
        uint32_t a = c % 3u, b = c / 3u % 3u, d = c / 9u;
        uint32_t h = hash_cell(i + a - 1u, j + b - 1u, k + d - 1u, p.seed);
        float dx = (float)a - 1.0f + (float)(h & 1023u) * (1.0f / 1024.0f) - x;
        float dy = (float)b - 1.0f + (float)(h >> 10 & 1023u) * (1.0f / 1024.0f) - y;
        float dz = (float)d - 1.0f + (float)(h >> 20 & 1023u) * (1.0f / 1024.0f) - z;
        float squared = dx * dx + dy * dy + dz * dz;
        if (squared < nearest) nearest = squared, id = h;
    }
    id = (id ^ id >> 16) * 0x45d9f3bu;
    return (noise_cell){sqrtf(nearest), id ^ id >> 16};
}
