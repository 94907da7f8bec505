#include "render/texture/noise.h"

#include "base/assertion.h"
#include "base/cpu.h"

#include <string.h>

// Each lane of a vector holds one corner of a cell. Bits 0, 1, 2 of a lane's index are the corner's
// position along z, y, x.
enum { CORNERS = 8 };
typedef float corner_floats __attribute__((vector_size(CORNERS * sizeof(float))));
typedef uint32_t corner_bits __attribute__((vector_size(CORNERS * sizeof(uint32_t))));
typedef int32_t corner_mask __attribute__((vector_size(CORNERS * sizeof(int32_t))));

#define CHOOSE(mask, yes, no)                                                                      \
    ((corner_floats)(((corner_mask)(yes) & (mask)) | ((corner_mask)(no) & ~(mask))))

// Hash of a cell's integer coordinates.
#define HASH_X 0x8da6b343u
#define HASH_Y 0xd8163841u
#define HASH_Z 0xcb1ab31fu
#define HASH_MIX(h)                                                                                \
    do {                                                                                           \
        (h) = ((h) ^ (h) >> 15) * 0x2c1b3c6du;                                                     \
        (h) = ((h) ^ (h) >> 12) * 0x297a2d39u;                                                     \
        (h) ^= (h) >> 15;                                                                          \
    } while (0)

// The index of the cell that contains a coordinate, modulo 2^32, and the position within the cell.
static inline __attribute__((always_inline)) uint32_t cell_of(double x, float *rest)
{
    double cell = floor(x);
    *rest = (float)(x - cell);
    return (uint32_t)(int64_t)cell;
}

static inline float fade(float t)
{
    return t * t * t * (t * (t * 6.0f - 15.0f) + 10.0f);
}

static inline float mix(float a, float b, float t)
{
    return a + t * (b - a);
}

SHERD_WIDE(extern, float, sherd_noise, (noise_place p), (p))
{
    const corner_bits a = {0, 0, 0, 0, 1, 1, 1, 1}, b = {0, 0, 1, 1, 0, 0, 1, 1},
                      d = {0, 1, 0, 1, 0, 1, 0, 1};
    const corner_floats fa = {0, 0, 0, 0, 1, 1, 1, 1}, fb = {0, 0, 1, 1, 0, 0, 1, 1},
                        fd = {0, 1, 0, 1, 0, 1, 0, 1};
    float x, y, z;
    uint32_t i = cell_of(p.x, &x), j = cell_of(p.y, &y), k = cell_of(p.z, &z);
    corner_bits h =
        p.seed ^ (i * HASH_X + a * HASH_X) ^ (j * HASH_Y + b * HASH_Y) ^ (k * HASH_Z + d * HASH_Z);
    HASH_MIX(h);
    // The gradient is one of the twelve directions from a cube's centre to its edges. Its dot
    // product with the offset from the corner has two components, each with a random sign.
    h &= 15u;
    corner_floats dx = x - fa, dy = y - fb, dz = z - fd;
    corner_floats first = CHOOSE(h < 8u, dx, dy);
    corner_floats second = CHOOSE(h < 4u, dy, CHOOSE((h == 12u) | (h == 14u), dx, dz));
    corner_floats corner = (corner_floats)((corner_bits)first ^ (h & 1u) << 31) +
                           (corner_floats)((corner_bits)second ^ (h & 2u) << 30);
    float value[CORNERS], u = fade(x), v = fade(y), w = fade(z);
    memcpy(value, &corner, sizeof value);
    float along[4];
    for (int c = 0; c < 4; ++c)
        along[c] = mix(value[c], value[c + 4], u);
    return mix(mix(along[0], along[2], v), mix(along[1], along[3], v), w);
}

float sherd_noise_sum(noise_place p, int octaves)
{
    SHERD_ASSERT(octaves > 0, "noise has octaves");
    float sum = 0.0f, size = 1.0f;
    for (int k = 0; k < octaves; ++k, size *= 0.5f) {
        sum += size * sherd_noise(p);
        // not exactly 2, so that zeros of the octaves do not coincide
        p = noise_other(noise_scale(2.03, p), 1);
    }
    return sum;
}

// The 27 cells around a point. They are repeated to fill the remaining lanes of the vectors.
enum { CELLS = 27, CELL_LANES = 16, CELL_VECTORS = 2 };
typedef float cell_floats __attribute__((vector_size(CELL_LANES * sizeof(float))));
typedef uint32_t cell_bits __attribute__((vector_size(CELL_LANES * sizeof(uint32_t))));
typedef int32_t cell_numbers __attribute__((vector_size(CELL_LANES * sizeof(int32_t))));
// Converts integers below 2^31.
#define CELL_FLOATS(bits) __builtin_convertvector((cell_numbers)(bits), cell_floats)

SHERD_WIDE(extern, noise_cell, sherd_noise_cell, (noise_place p), (p))
{
    const cell_bits column[CELL_VECTORS] = {{0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0},
                                            {1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1}};
    const cell_bits row[CELL_VECTORS] = {{0, 0, 0, 1, 1, 1, 2, 2, 2, 0, 0, 0, 1, 1, 1, 2},
                                         {2, 2, 0, 0, 0, 1, 1, 1, 2, 2, 2, 0, 0, 0, 1, 1}};
    const cell_bits layer[CELL_VECTORS] = {{0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1},
                                           {1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 0, 0, 0, 0, 0}};
    const float share = 1.0f / 1024.0f;
    float x, y, z, squared[CELL_VECTORS * CELL_LANES];
    uint32_t i = cell_of(p.x, &x), j = cell_of(p.y, &y), k = cell_of(p.z, &z);
    uint32_t ids[CELL_VECTORS * CELL_LANES];
    for (int v = 0; v < CELL_VECTORS; ++v) {
        cell_bits a = column[v], b = row[v], d = layer[v];
        cell_bits h = p.seed ^ ((i - 1u) * HASH_X + a * HASH_X) ^ ((j - 1u) * HASH_Y + b * HASH_Y) ^
                      ((k - 1u) * HASH_Z + d * HASH_Z);
        HASH_MIX(h);
        cell_floats dx = CELL_FLOATS(a) - 1.0f + CELL_FLOATS(h & 1023u) * share - x;
        cell_floats dy = CELL_FLOATS(b) - 1.0f + CELL_FLOATS(h >> 10 & 1023u) * share - y;
        cell_floats dz = CELL_FLOATS(d) - 1.0f + CELL_FLOATS(h >> 20 & 1023u) * share - z;
        cell_floats sum = dx * dx + dy * dy + dz * dz;
        memcpy(squared + v * CELL_LANES, &sum, sizeof sum);
        memcpy(ids + v * CELL_LANES, &h, sizeof h);
    }
    float nearest = 16.0f;
    uint32_t id = 0;
    for (int c = 0; c < CELLS; ++c)
        if (squared[c] < nearest) nearest = squared[c], id = ids[c];
    id = (id ^ id >> 16) * 0x45d9f3bu;
    return (noise_cell){sqrtf(nearest), id ^ id >> 16};
}
