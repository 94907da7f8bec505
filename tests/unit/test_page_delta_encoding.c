// Integers over time as the page stores them: tests/cli/viewer.py reads whole pages.
#include "output/page/page_delta_encoding.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <string.h>

enum { COUNT = 3, FRAMES = 5 };

static uint32_t byte_of(const sherd_byte_buffer *b, size_t width, size_t plane, size_t item)
{
    cr_assert(lt(sz, plane, width));
    return b->bytes[plane * COUNT * FRAMES + item];
}

// What viewer/data.js does.
static uint32_t number_back(const sherd_byte_buffer *b, size_t width, size_t item)
{
    uint32_t folded = 0;
    for (size_t p = 0; p < width; ++p)
        folded |= byte_of(b, width, p, item) << (8 * p);
    return (folded & 1) != 0 ? ~(folded >> 1) : folded >> 1;
}

static void round_trip(size_t width, const uint32_t numbers[FRAMES][COUNT])
{
    uint32_t mask = width == 4 ? UINT32_MAX : (1u << (8 * width)) - 1;
    sherd_page_track track = {.width = width, .count = COUNT};
    sherd_byte_buffer bytes = {0};
    for (int f = 0; f < FRAMES; ++f) {
        unsigned char *to = sherd_page_track_frame(&track);
        for (size_t k = 0; k < COUNT; ++k)
            memcpy(to + k * width, &numbers[f][k], width); // little-endian
    }
    sherd_page_track_encode(&track, &bytes);
    cr_assert(eq(sz, bytes.size, width * COUNT * FRAMES));
    uint32_t back[FRAMES][COUNT];
    for (int f = 0; f < FRAMES; ++f)
        for (int k = 0; k < COUNT; ++k) {
            uint32_t before = f == 0 ? (k > 0 ? back[0][k - 1] : 0) : back[f - 1][k];
            if (f > 1) before = 2 * before - back[f - 2][k];
            back[f][k] = (before + number_back(&bytes, width, (size_t)(f * COUNT + k))) & mask;
            cr_expect(eq(u32, back[f][k], numbers[f][k] & mask));
        }
    sherd_byte_buffer_free(&bytes);
}

// Also over the ends of their range, where differences wrap around.
Test(page_delta_encoding, numbers_come_back)
{
    static const uint32_t numbers[FRAMES][COUNT] = {{0, 255, 65535},
                                                    {UINT32_MAX, 0, 1},
                                                    {128, 127, 32768},
                                                    {UINT32_MAX / 2, UINT32_MAX / 2 + 1, 7},
                                                    {3, 200, 40000}};
    round_trip(1, numbers);
    round_trip(2, numbers);
    round_trip(4, numbers);
}

// Of what moves evenly nothing is left to store from the third frame on.
Test(page_delta_encoding, even_motion_is_zero)
{
    sherd_page_track track = {.width = 4, .count = COUNT}, copy = {.width = 4, .count = COUNT};
    sherd_byte_buffer bytes = {0};
    for (int f = 0; f < FRAMES; ++f) {
        int32_t *to = sherd_page_track_frame(&track);
        for (int k = 0; k < COUNT; ++k)
            to[k] = 1000 * k + (f - 2) * (k - 1) * 12345;
    }
    for (size_t f = 0; f < FRAMES; ++f)
        cr_assert(sherd_page_track_copy(&copy, &track, f));
    sherd_page_track_encode(&copy, &bytes);
    for (size_t p = 0; p < 4; ++p)
        for (size_t item = 2 * COUNT; item < FRAMES * COUNT; ++item)
            cr_expect(zero(u32, byte_of(&bytes, 4, p, item)));
    sherd_page_track_free(&track);
    sherd_byte_buffer_free(&bytes);
}
