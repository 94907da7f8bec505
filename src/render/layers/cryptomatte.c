#include "render/layers/cryptomatte.h"

#include "base/memory.h"

#include <stdio.h>
#include <string.h>

static uint32_t rotate(uint32_t x, int by)
{
    return x << by | x >> (32 - by);
}

static uint32_t scramble(uint32_t k)
{
    return rotate(k * 0xcc9e2d51u, 15) * 0x1b873593u;
}

// MurmurHash3_x86_32 (A. Appleby, public domain) with seed 0; blocks are read lowest byte first.
static uint32_t murmur3(const unsigned char *bytes, size_t size)
{
    uint32_t h = 0;
    size_t at = 0;
    for (; at + 4 <= size; at += 4) {
        uint32_t k = (uint32_t)bytes[at] | (uint32_t)bytes[at + 1] << 8 |
                     (uint32_t)bytes[at + 2] << 16 | (uint32_t)bytes[at + 3] << 24;
        h = rotate(h ^ scramble(k), 13) * 5u + 0xe6546b64u;
    }
    uint32_t rest = 0;
    for (size_t k = size; k > at; --k)
        rest = rest << 8 | bytes[k - 1];
    if (size > at) h ^= scramble(rest);
    h ^= (uint32_t)size;
    h = (h ^ h >> 16) * 0x85ebca6bu;
    h = (h ^ h >> 13) * 0xc2b2ae35u;
    return h ^ h >> 16;
}

uint32_t sherd_cryptomatte_hash(const char *name)
{
    uint32_t hash = murmur3((const unsigned char *)name, strlen(name));
    uint32_t exponent = hash >> 23 & 255u;
    return exponent == 0u || exponent == 255u ? hash ^ 1u << 23 : hash;
}

// Writes a byte escaped for JSON. Returns the position after it.
static char *put_escaped(char *to, unsigned char c)
{
    if (c == '"' || c == '\\') {
        *to++ = '\\';
        *to++ = (char)c;
    } else if (c < 0x20) {
        to += snprintf(to, 7, "\\u%04x", c);
    } else {
        *to++ = (char)c;
    }
    return to;
}

char *sherd_cryptomatte_manifest(const cryptomatte_names *names)
{
    size_t size = 3;
    for (int k = 0; k < names->count; ++k)
        size += 6 * strlen(names->names[k]) + sizeof "\"\":\"00000000\",";
    char *text = sherd_alloc(size, 1);
    if (text == NULL) return NULL;
    char *to = text;
    *to++ = '{';
    for (int k = 0; k < names->count; ++k) {
        if (k > 0) *to++ = ',';
        *to++ = '"';
        for (const char *c = names->names[k]; *c != '\0'; ++c)
            to = put_escaped(to, (unsigned char)*c);
        to += snprintf(to, sizeof "\":\"00000000\"", "\":\"%08x\"", names->hashes[k]);
    }
    *to++ = '}';
    *to = '\0';
    return text;
}
