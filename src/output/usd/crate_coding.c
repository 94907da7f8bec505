#include "output/usd/crate_coding.h"

#include "base/assertion.h"

#include <string.h>

// ---------------------------------------------------------------- LZ4 blocks

enum {
    SHORTEST_MATCH = 4,
    LAST_LITERALS = 5,    // the end of a block is never part of a match
    NO_MATCH_BEFORE = 12, // and no match starts within so many bytes of it
    FARTHEST = 65535,
    HASH_BITS = 14,
    SKIP_SHIFT = 6, // after 2^6 tries without a match every second byte is tried, and so on
};

size_t sherd_lz4_bound(size_t size)
{
    return size + size / 255 + 16;
}

static uint32_t four_bytes(const unsigned char *from)
{
    uint32_t word;
    memcpy(&word, from, sizeof word);
    return word;
}

static uint32_t hash_of(uint32_t word)
{
    return word * UINT32_C(2654435761) >> (32 - HASH_BITS);
}

// Lengths of 15 and more continue in bytes after the token.
static unsigned char *put_length(unsigned char *to, size_t length)
{
    if (length < 15) return to;
    for (length -= 15; length >= 255; length -= 255)
        *to++ = 255;
    *to++ = (unsigned char)length;
    return to;
}

static unsigned char *put_literals(unsigned char *to, const unsigned char *from, size_t count,
                                   size_t match)
{
    *to++ = (unsigned char)((count < 15 ? count : 15) << 4 | (match < 15 ? match : 15));
    to = put_length(to, count);
    if (count > 0) memcpy(to, from, count);
    return to + count;
}

static size_t match_length(const unsigned char *a, const unsigned char *b, const unsigned char *end)
{
    const unsigned char *start = a;
    while (a < end && *a == *b)
        ++a, ++b;
    return (size_t)(a - start);
}

size_t sherd_lz4_compress(const unsigned char *from, size_t size, unsigned char *to)
{
    SHERD_ASSERT(size < (size_t)INT32_MAX, "an LZ4 block has a size of 31 bits");
    uint32_t last[1 << HASH_BITS] = {0}; // where the four bytes with this hash were seen last
    const unsigned char *start = to;
    size_t literal = 0, at = 0, tries = 0;
    while (at + NO_MATCH_BEFORE < size) {
        uint32_t word = four_bytes(from + at), hash = hash_of(word);
        size_t candidate = last[hash];
        last[hash] = (uint32_t)at;
        if (candidate >= at || at - candidate > FARTHEST || four_bytes(from + candidate) != word) {
            at += 1 + (tries++ >> SKIP_SHIFT);
            continue;
        }
        size_t length = SHORTEST_MATCH + match_length(from + at + SHORTEST_MATCH,
                                                      from + candidate + SHORTEST_MATCH,
                                                      from + size - LAST_LITERALS);
        to = put_literals(to, from + literal, at - literal, length - SHORTEST_MATCH);
        *to++ = (unsigned char)((at - candidate) & 255);
        *to++ = (unsigned char)((at - candidate) >> 8);
        to = put_length(to, length - SHORTEST_MATCH);
        at += length;
        literal = at;
        tries = 0;
    }
    return (size_t)(put_literals(to, from + literal, size - literal, 0) - start);
}

static const size_t LARGEST_BLOCK = 0x7E000000; // LZ4_MAX_INPUT_SIZE

static void append_block(sherd_byte_buffer *to, const unsigned char *bytes, size_t size, bool sized)
{
    size_t before = to->size, head = sized ? 4 : 0;
    unsigned char *room = sherd_byte_buffer_extend(to, head + sherd_lz4_bound(size));
    if (room == NULL) return;
    size_t packed = sherd_lz4_compress(bytes, size, room + head);
    for (size_t k = 0; k < head; ++k)
        room[k] = (unsigned char)(packed >> 8 * k);
    to->size = before + head + packed;
}

void sherd_crate_compress(sherd_byte_buffer *to, const void *bytes, size_t size)
{
    size_t blocks = (size + LARGEST_BLOCK - 1) / LARGEST_BLOCK;
    unsigned char head = blocks > 1 ? (unsigned char)blocks : 0;
    sherd_byte_buffer_append(to, &head, 1);
    for (size_t at = 0; at < size || at == 0; at += LARGEST_BLOCK) {
        size_t part = size - at < LARGEST_BLOCK ? size - at : LARGEST_BLOCK;
        append_block(to, (const unsigned char *)bytes + at, part, blocks > 1);
    }
}

// ---------------------------------------------------------------- integers

static int64_t integer_at(const void *integers, size_t k, int width)
{
    return width == 4 ? ((const int32_t *)integers)[k] : ((const int64_t *)integers)[k];
}

// Differences wrap around in the width of the integers.
static int64_t difference(const void *integers, size_t k, int width)
{
    uint64_t now = (uint64_t)integer_at(integers, k, width);
    uint64_t before = k > 0 ? (uint64_t)integer_at(integers, k - 1, width) : 0;
    return width == 4 ? (int64_t)(int32_t)(uint32_t)(now - before) : (int64_t)(now - before);
}

// The most common difference. Exact where few values are common: each slot holds a vote among the
// values that fall on it. Any other value would be valid, too, but take more bytes.
static int64_t common_difference(const void *integers, size_t count, int width)
{
    enum { SLOTS = 1024 };
    int64_t value[SLOTS] = {0}, votes[SLOTS] = {0};
    for (size_t k = 0; k < count; ++k) {
        int64_t d = difference(integers, k, width);
        size_t slot = (uint64_t)d * UINT64_C(0x9E3779B97F4A7C15) >> 54;
        if (votes[slot] == 0) value[slot] = d;
        votes[slot] += value[slot] == d ? 1 : -1;
    }
    size_t best = 0;
    for (size_t s = 1; s < SLOTS; ++s)
        if (votes[s] > votes[best]) best = s;
    return value[best];
}

static bool fits(int64_t value, int bytes)
{
    int64_t limit = INT64_C(1) << (8 * bytes - 1);
    return value >= -limit && value < limit;
}

static unsigned char *put_bytes(unsigned char *to, int64_t value, int bytes)
{
    for (int k = 0; k < bytes; ++k)
        to[k] = (unsigned char)((uint64_t)value >> 8 * k);
    return to + bytes;
}

void sherd_crate_encode_integers(sherd_byte_buffer *to, const void *integers, size_t count,
                                 int width)
{
    if (count == 0) return;
    size_t before = to->size, code_bytes = (2 * count + 7) / 8;
    unsigned char *start =
        sherd_byte_buffer_extend(to, (size_t)width + code_bytes + (size_t)width * count);
    if (start == NULL) return;
    int64_t common = common_difference(integers, count, width);
    unsigned char *codes = put_bytes(start, common, width), *stored = codes + code_bytes;
    memset(codes, 0, code_bytes);
    for (size_t k = 0; k < count; ++k) {
        int64_t d = difference(integers, k, width);
        if (d == common) continue;
        int code = fits(d, width / 4) ? 1 : fits(d, width / 2) ? 2 : 3;
        codes[k / 4] = (unsigned char)(codes[k / 4] | code << 2 * (k % 4));
        stored = put_bytes(stored, d, width >> (3 - code));
    }
    to->size = before + (size_t)(stored - start);
}

void sherd_crate_compress_integers(sherd_byte_buffer *to, const void *integers, size_t count,
                                   int width)
{
    sherd_byte_buffer codes = {0};
    sherd_crate_encode_integers(&codes, integers, count, width);
    size_t before = to->size;
    unsigned char zeros[8] = {0};
    sherd_byte_buffer_append(to, zeros, sizeof zeros);
    sherd_crate_compress(to, codes.bytes, codes.size);
    if (codes.failed) to->failed = true;
    if (!to->failed)
        put_bytes(to->bytes + before, (int64_t)(to->size - before - sizeof zeros), sizeof zeros);
    sherd_byte_buffer_free(&codes);
}
