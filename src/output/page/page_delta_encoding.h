// Encodes integers that change little from frame to frame as bytes that deflate well;
// viewer/data.js decodes them.
//
// Numbers have 1, 2 or 4 bytes and wrap around. Frame 0 stores differences of neighbours, frame 1
// differences from frame 0, later frames differences from the linear extrapolation 2 v[f-1] -
// v[f-2]. Signs are moved to the lowest bit (0, -1, 1, -2, ...), and bytes are transposed: first
// the lowest bytes of all numbers, then the next ones.
#pragma once

#include "base/byte_buffer.h"

typedef struct sherd_page_track {
    size_t width;              // bytes of a number: 1, 2 or 4
    size_t count;              // numbers in a frame
    size_t frames;             // in `numbers`
    sherd_byte_buffer numbers; // as added, little-endian                    (frames x count)
} sherd_page_track;

// Appends a frame and returns its numbers to be filled; NULL if memory is short.
void *sherd_page_track_frame(sherd_page_track *track);
// Copies a frame's numbers to the end of another track of the same width and count. False if memory
// is short.
bool sherd_page_track_copy(sherd_page_track *to, const sherd_page_track *from, size_t frame);
// Appends the encoded bytes, width x frames x count, to `out`; frees the numbers.
void sherd_page_track_encode(sherd_page_track *track, sherd_byte_buffer *out);
void sherd_page_track_free(sherd_page_track *track);
