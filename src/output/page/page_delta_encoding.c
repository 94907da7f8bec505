#include "output/page/page_delta_encoding.h"

#include "base/assertion.h"

#include <string.h>

void *sherd_page_track_frame(sherd_page_track *t)
{
    SHERD_ASSERT(t->width == 1 || t->width == 2 || t->width == 4,
                 "numbers of a track have 1, 2 or 4 bytes");
    size_t size = t->width * t->count;
    ++t->frames;
    return sherd_byte_buffer_extend(
        &t->numbers, size > 0 ? size : 1); // size 0 would give NULL, which means an error
}

bool sherd_page_track_copy(sherd_page_track *to, const sherd_page_track *from, size_t frame)
{
    SHERD_ASSERT(to->width == from->width && to->count == from->count,
                 "frames are copied between tracks of one layout");
    SHERD_ASSERT(frame < from->frames, "the copied frame exists");
    size_t size = from->width * from->count;
    void *room = sherd_page_track_frame(to);
    if (room != NULL && size > 0) memcpy(room, from->numbers.bytes + frame * size, size);
    return room != NULL;
}

static uint32_t number_at(const sherd_page_track *t, size_t frame, size_t k)
{
    const unsigned char *at = t->numbers.bytes + t->width * (frame * t->count + k);
    uint32_t value = 0;
    for (size_t b = 0; b < t->width; ++b)
        value |= (uint32_t)at[b] << (8 * b);
    return value;
}

static uint32_t expected(const sherd_page_track *t, size_t frame, size_t k)
{
    if (frame == 0) return k > 0 ? number_at(t, 0, k - 1) : 0;
    uint32_t before = number_at(t, frame - 1, k);
    return frame == 1 ? before : 2 * before - number_at(t, frame - 2, k);
}

// ZigZag encoding: the sign of the difference goes to the lowest bit.
static uint32_t folded(uint32_t difference, size_t width)
{
    unsigned unused = 32 - 8 * (unsigned)width;
    uint32_t value = difference << unused >> unused;
    bool negative = (difference << unused) >> 31 != 0;
    return negative ? ~(value << 1) : value << 1;
}

void sherd_page_track_encode(sherd_page_track *t, sherd_byte_buffer *out)
{
    SHERD_ASSERT(t->numbers.failed || t->numbers.size >= t->width * t->frames * t->count,
                 "a track has all numbers of its frames");
    size_t all = t->frames * t->count;
    unsigned char *to = t->numbers.failed ? NULL : sherd_byte_buffer_extend(out, t->width * all);
    for (size_t f = 0; f < t->frames && to != NULL; ++f)
        for (size_t k = 0; k < t->count; ++k) {
            uint32_t value = folded(number_at(t, f, k) - expected(t, f, k), t->width);
            for (size_t b = 0; b < t->width; ++b)
                to[b * all + f * t->count + k] = (unsigned char)(value >> (8 * b));
        }
    if (t->numbers.failed) out->failed = true;
    sherd_page_track_free(t);
}

void sherd_page_track_free(sherd_page_track *t)
{
    sherd_byte_buffer_free(&t->numbers);
    t->frames = 0;
}
