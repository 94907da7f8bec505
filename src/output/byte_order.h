// Loads and stores binary numbers of either byte order, at any alignment.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef enum sherd_byte_order { SHERD_LITTLE_ENDIAN, SHERD_BIG_ENDIAN } sherd_byte_order;

static inline uint64_t sherd_load_bytes(const unsigned char *from, size_t size,
                                        sherd_byte_order order)
{
    uint64_t value = 0;
    for (size_t k = 0; k < size; ++k)
        value = value << 8 | from[order == SHERD_BIG_ENDIAN ? k : size - 1 - k];
    return value;
}

static inline uint32_t sherd_load_u32(const unsigned char *from, sherd_byte_order order)
{
    return (uint32_t)sherd_load_bytes(from, 4, order);
}

static inline float sherd_load_f32(const unsigned char *from, sherd_byte_order order)
{
    uint32_t bits = sherd_load_u32(from, order);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline double sherd_load_f64(const unsigned char *from, sherd_byte_order order)
{
    uint64_t bits = sherd_load_bytes(from, 8, order);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline void sherd_store_u32(unsigned char *to, uint32_t value)
{
    for (int k = 0; k < 4; ++k)
        to[k] = (unsigned char)(value >> 8 * k); // little-endian
}

static inline void sherd_store_f32(unsigned char *to, double value)
{
    float narrow = (float)value;
    uint32_t bits;
    memcpy(&bits, &narrow, sizeof bits);
    sherd_store_u32(to, bits);
}
