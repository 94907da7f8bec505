#include "base/hash.h"

#include <string.h>

static const uint64_t FNV_PRIME = UINT64_C(0x100000001b3);

uint64_t sherd_hash_bytes(uint64_t hash, const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    for (; size >= 8; size -= 8, at += 8) {
        uint64_t word;
        memcpy(&word, at, 8);
        hash = (hash ^ word) * FNV_PRIME;
        hash ^= hash >> 29; // FNV alone never carries high bits downwards
    }
    for (; size > 0; --size, ++at)
        hash = (hash ^ *at) * FNV_PRIME;
    return hash;
}
