// Growing byte buffer and a bounds-checked reader: the building blocks of saved state.
#pragma once

#include <sherd/error.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Where the bytes of a buffer go, in pieces and in order, if they are not to be in memory all at once. Sizes stand before
// what they are sizes of, so that everything is appended twice: first to be counted, then to be taken.
typedef struct sherd_byte_stream {
    // Takes bytes; false: it failed, and so does the buffer. NULL: bytes are only counted.
    bool (*take)(void *context, const void *bytes, size_t size);
    void *context;
    uint64_t
        *sections; // sizes of a record's sections, in the order they begin (section_count); owned
    size_t section_count, section_capacity;
    size_t next; // section to be taken
} sherd_byte_stream;
void sherd_byte_stream_free(sherd_byte_stream *stream);

typedef struct sherd_byte_buffer {
    unsigned char *bytes; // owned; free with sherd_byte_buffer_free
    size_t size;          // of all bytes that were appended
    size_t capacity;
    bool failed;               // an append ran out of memory; later appends do nothing
    sherd_byte_stream *stream; // NULL: all bytes stay in the buffer; not owned
    size_t taken;              // bytes that the stream took
} sherd_byte_buffer;

// Appends `size` bytes, to be filled by the caller, and returns their address; NULL if memory runs
// short, or if bytes are only counted.
unsigned char *sherd_byte_buffer_extend(sherd_byte_buffer *buffer, size_t size);
void sherd_byte_buffer_append(sherd_byte_buffer *buffer, const void *bytes, size_t size);
// Passes what is left in the buffer to its stream.
void sherd_byte_buffer_flush(sherd_byte_buffer *buffer);
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
