// The codes of crate files, read back by decoders that are written here from the formats'
// descriptions. tests/cli/usdc.py has others.
#include "output/usd/crate_coding.h"

#include "math/half.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------- decoders

static size_t take_length(const unsigned char **at, size_t length)
{
    if (length < 15) return length;
    unsigned char more;
    do
        length += more = *(*at)++;
    while (more == 255);
    return length;
}

// Checks what the format demands of a block: it ends with 5 literals or more, and no match starts
// within the last 12 bytes.
static size_t decode_block(const unsigned char *at, size_t packed, unsigned char *to, size_t room)
{
    const unsigned char *last = at + packed;
    size_t size = 0, match = SIZE_MAX, literals;
    for (;;) {
        unsigned char token = *at++;
        literals = take_length(&at, token >> 4);
        cr_assert(size + literals <= room && at + literals <= last);
        memcpy(to + size, at, literals);
        size += literals, at += literals;
        if (at == last) break;
        size_t offset = at[0] | (size_t)at[1] << 8;
        at += 2;
        size_t length = take_length(&at, token & 15) + 4;
        cr_assert(offset > 0 && offset <= size && size + length <= room);
        match = size;
        for (size_t k = 0; k < length; ++k, ++size)
            to[size] = to[size - offset];
    }
    if (match != SIZE_MAX) cr_assert(literals >= 5 && size - match >= 12, "the end of a block");
    return size;
}

static int64_t stored(const unsigned char *from, int bytes)
{
    uint64_t value = 0;
    for (int k = bytes - 1; k >= 0; --k)
        value = value << 8 | from[k];
    return (int64_t)(value << (64 - 8 * bytes)) >> (64 - 8 * bytes);
}

static size_t decode_integers(const unsigned char *from, size_t count, int width, int64_t *to)
{
    int64_t common = stored(from, width), last = 0;
    const unsigned char *codes = from + width, *at = codes + (2 * count + 7) / 8;
    for (size_t k = 0; k < count; ++k) {
        int code = codes[k / 4] >> 2 * (k % 4) & 3, bytes = width >> (3 - code);
        int64_t step = code == 0 ? common : stored(at, bytes);
        if (code != 0) at += bytes;
        last = (int64_t)((uint64_t)last + (uint64_t)step);
        if (width == 4) last = (int32_t)(uint32_t)last;
        to[k] = last;
    }
    return (size_t)(at - from);
}

// ---------------------------------------------------------------- tests

static uint32_t next_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static void check_block(const unsigned char *bytes, size_t size, size_t most)
{
    unsigned char *packed = malloc(sherd_lz4_bound(size)), *back = malloc(size + 1);
    size_t packed_size = sherd_lz4_compress(bytes, size, packed);
    cr_assert(packed_size <= sherd_lz4_bound(size), "%zu bytes of %zu", packed_size, size);
    cr_assert(packed_size <= most, "%zu bytes of %zu, at most %zu", packed_size, size, most);
    cr_assert(eq(sz, decode_block(packed, packed_size, back, size), size));
    cr_assert(memcmp(back, bytes, size) == 0, "%zu bytes differ", size);
    free(packed);
    free(back);
}

Test(crate_coding, blocks_come_back)
{
    enum { MOST = 300000 };
    unsigned char *bytes = malloc(MOST);
    uint32_t state = 1;
    for (size_t size = 0; size < 70; ++size) { // around the shortest blocks with matches
        memset(bytes, 7, size);
        check_block(bytes, size, size + 2);
    }
    memset(bytes, 7, MOST);
    check_block(bytes, MOST, MOST / 255 + 20); // a byte for each 255 of the match's length
    for (size_t k = 0; k < MOST; ++k)
        bytes[k] = (unsigned char)next_random(&state);
    check_block(bytes, MOST, sherd_lz4_bound(MOST));
    for (size_t k = 70000; k < MOST; ++k) // beyond the reach of an offset, and within
        bytes[k] = bytes[k - (k < 200000 ? 65535 : 65536)];
    check_block(bytes, MOST, 180000);
    for (size_t k = 0; k < MOST; ++k) // words of a text
        bytes[k] = (unsigned char)("abcdefgh"[k % 8] + (next_random(&state) % 40 == 0));
    check_block(bytes, MOST, MOST / 3);
    free(bytes);
}

static void check_integers(const int64_t *numbers, size_t count, int width, size_t most)
{
    int32_t *narrow = malloc((count + 1) * sizeof *narrow);
    int64_t *back = malloc((count + 1) * sizeof *back);
    for (size_t k = 0; k < count; ++k)
        narrow[k] = (int32_t)numbers[k];
    sherd_byte_buffer codes = {0};
    sherd_crate_encode_integers(&codes, width == 4 ? (const void *)narrow : numbers, count, width);
    cr_assert(codes.size <= most, "%zu bytes, at most %zu", codes.size, most);
    cr_assert(eq(sz, decode_integers(codes.bytes, count, width, back), codes.size));
    for (size_t k = 0; k < count; ++k)
        cr_assert(eq(i64, back[k], width == 4 ? narrow[k] : numbers[k]));
    sherd_byte_buffer_free(&codes);
    free(narrow);
    free(back);
}

// The example of the format's description, and the differences of every width.
Test(crate_coding, integers_come_back)
{
    const int64_t example[] = {123, 124, 125, 100125, 100125, 100126, 100126};
    check_integers(example, 7, 4, 13); // 4, 2 of codes, 1 + 4 + 1 + 1
    const int64_t edges[] = {
        127,    0,      128,       0,         -128,      0,  -129, 32767,     0, 32768,     0,
        -32768, -65537, INT32_MAX, INT32_MIN, INT32_MAX, -1, 0,    INT32_MIN, 0, INT32_MIN, 5};
    size_t count = sizeof edges / sizeof edges[0];
    check_integers(edges, count, 4, 4 + 6 + 4 * count);
    const int64_t wide[] = {INT64_MAX, INT64_MIN, 0, INT64_MIN, -1, 40000, INT64_C(1) << 40, 0};
    check_integers(wide, 8, 8, 8 + 2 + 64);
    check_integers(edges, count, 8, 8 + 6 + 8 * count);
    int64_t *row = malloc(10000 * sizeof *row);
    for (int64_t k = 0; k < 10000; ++k)
        row[k] = 3 * k + (k % 50 == 0);
    check_integers(row, 10000, 4, 4 + 2500 + 400); // the step of 3, and two others in each 50
    free(row);
}

Test(crate_coding, compressed_integers_tell_their_size)
{
    int32_t row[64] = {0};
    sherd_byte_buffer packed = {0};
    sherd_crate_compress_integers(&packed, row, 64, 4);
    uint64_t size;
    memcpy(&size, packed.bytes, sizeof size);
    cr_assert(eq(u64, size, packed.size - 8));
    cr_assert(eq(u8, packed.bytes[8], 0)); // one block
    unsigned char codes[64];
    cr_assert(eq(sz, decode_block(packed.bytes + 9, size - 1, codes, sizeof codes), 4 + 16));
    sherd_byte_buffer_free(&packed);
}

static double half_value(uint16_t half)
{
    int exponent = half >> 10 & 31, fraction = half & 1023;
    double size = exponent == 0 ? ldexp(fraction, -24) : ldexp(1024 + fraction, exponent - 25);
    return half & 0x8000 ? -size : size;
}

// All numbers of 16 bits, and what lies between neighbours: the nearest, of two the even one.
Test(crate_coding, halves_are_the_nearest)
{
    for (uint32_t k = 0; k < 0x7bff; ++k) {
        double low = half_value((uint16_t)k), high = half_value((uint16_t)(k + 1));
        float middle = (float)(0.5 * (low + high)); // 12 bits
        cr_assert(eq(u16, sherd_half_from_float((float)low), (uint16_t)k));
        cr_assert(eq(u16, sherd_half_from_float(-(float)low), (uint16_t)(k | 0x8000)));
        cr_assert(eq(u16, sherd_half_from_float(middle), (uint16_t)(k + (k & 1))));
        cr_assert(eq(u16, sherd_half_from_float(nextafterf(middle, 0.0f)), (uint16_t)k));
        cr_assert(eq(u16, sherd_half_from_float(nextafterf(middle, 1e9f)), (uint16_t)(k + 1)));
    }
    cr_assert(eq(u16, sherd_half_from_float(65519.0f), 0x7bff));
    cr_assert(eq(u16, sherd_half_from_float(65520.0f), 0x7c00));
    cr_assert(eq(u16, sherd_half_from_float(INFINITY), 0x7c00));
}
