// Integers that change little from frame to frame, as bytes that deflate well; viewer/data.js reads them.
//
// Numbers are of 1, 2 or 4 bytes and wrap around. Frame 0 has differences of neighbours, frame 1
// differences from frame 0, later ones from going on as before, 2 v[f-1] - v[f-2]: of what flies freely
// little is left. Signs are folded into the lowest bit (0, -1, 1, -2, ...), and the lowest bytes of all
// numbers come first, then the next ones.
#pragma once

#include "base/byte_buffer.h"

typedef struct sherd_page_track {
    size_t width;              // bytes of a number: 1, 2 or 4
    size_t count;              // numbers in a frame
    size_t frames;             // in `numbers`
    sherd_byte_buffer numbers; // as added, little-endian                    (frames x count)
} sherd_page_track;

// Room for one more frame's numbers, NULL: no memory.
void *sherd_page_track_frame(sherd_page_track *track);
// A frame's numbers, copied to the end of another track of as many. False: no memory.
bool sherd_page_track_copy(sherd_page_track *to, const sherd_page_track *from, size_t frame);
// Appends the bytes, width x frames x count, to `out`; frees the numbers.
void sherd_page_track_encode(sherd_page_track *track, sherd_byte_buffer *out);
void sherd_page_track_free(sherd_page_track *track);
