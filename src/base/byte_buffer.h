// Growing byte buffer and a bounds-checked reader: the building blocks of saved state.
#pragma once

#include <sherd/error.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct sherd_byte_buffer {
    unsigned char *bytes; // owned; free with sherd_byte_buffer_free
    size_t size, capacity;
    bool failed; // an append ran out of memory; later appends do nothing
} sherd_byte_buffer;

// Appends `size` bytes, to be filled by the caller, and returns their address; NULL if memory runs
// short.
unsigned char *sherd_byte_buffer_extend(sherd_byte_buffer *buffer, size_t size);
void sherd_byte_buffer_append(sherd_byte_buffer *buffer, const void *bytes, size_t size);
void sherd_byte_buffer_free(sherd_byte_buffer *buffer);

typedef struct sherd_byte_reader {
    const unsigned char *bytes;
    size_t size, at;
    bool failed; // something was read past the end or a block had the wrong size
} sherd_byte_reader;

// Copies `size` bytes out; on failure zero-fills and sets `failed`.
void sherd_byte_reader_take(sherd_byte_reader *reader, void *bytes, size_t size);
// Size of the next block without consuming it; 0 and failed at the end.
size_t sherd_byte_reader_peek_block(const sherd_byte_reader *reader);
// Takes a block that must have exactly `size` bytes.
void sherd_byte_reader_take_block(sherd_byte_reader *reader, void *bytes, size_t size);
