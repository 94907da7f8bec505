#include "base/byte_buffer.h"

#include "base/assertion.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum {
    FIRST_ROOM = 64,         // [bytes]
    STREAM_BUFFER = 1 << 16, // passed on at once [bytes]
};

void sherd_byte_stream_free(sherd_byte_stream *stream)
{
    sherd_free(stream->sections);
    *stream = (sherd_byte_stream){0};
}

static void pass_on(sherd_byte_buffer *buffer, const void *bytes, size_t size)
{
    if (buffer->failed || size == 0) return;
    buffer->failed = !buffer->stream->take(buffer->stream->context, bytes, size);
    buffer->taken += size;
}

void sherd_byte_buffer_flush(sherd_byte_buffer *buffer)
{
    if (buffer->stream != NULL && buffer->stream->take != NULL)
        pass_on(buffer, buffer->bytes, buffer->size - buffer->taken);
}

// New room is not zeroed, and large blocks grow without a copy (mremap), so that a buffer takes the
// memory of its bytes. sherd_free frees both kinds of memory.
static bool make_room(sherd_byte_buffer *buffer, size_t used, size_t size)
{
    size_t needed;
    if (__builtin_add_overflow(used, size, &needed)) return false;
    if (needed <= buffer->capacity && buffer->bytes != NULL) return true;
    size_t grown = buffer->capacity <= SIZE_MAX / 2 ? 2 * buffer->capacity : needed;
    if (grown < needed) grown = needed;
    if (grown < FIRST_ROOM) grown = FIRST_ROOM;
    unsigned char *larger = realloc(buffer->bytes, grown);
    if (larger == NULL) return false;
    buffer->bytes = larger;
    buffer->capacity = grown;
    return true;
}

static unsigned char *extend_stream(sherd_byte_buffer *buffer, size_t size)
{
    if (buffer->stream->take == NULL) {
        buffer->size += size;
        return NULL;
    }
    if (buffer->size - buffer->taken + size > STREAM_BUFFER) sherd_byte_buffer_flush(buffer);
    size_t used = buffer->size - buffer->taken;
    if (!buffer->failed) buffer->failed = !make_room(buffer, used, size);
    if (buffer->failed) return NULL;
    buffer->size += size;
    return buffer->bytes + used;
}

unsigned char *sherd_byte_buffer_extend(sherd_byte_buffer *buffer, size_t size)
{
    if (buffer->failed) return NULL;
    if (buffer->stream != NULL) return extend_stream(buffer, size);
    if (!make_room(buffer, buffer->size, size)) {
        buffer->failed = true;
        return NULL;
    }
    unsigned char *room = buffer->bytes + buffer->size;
    buffer->size += size;
    SHERD_ASSERT(buffer->size <= buffer->capacity, "what is written has room");
    return room;
}

void sherd_byte_buffer_append(sherd_byte_buffer *buffer, const void *bytes, size_t size)
{
    if (buffer->stream != NULL && buffer->stream->take != NULL && size > STREAM_BUFFER) {
        sherd_byte_buffer_flush(buffer);
        pass_on(buffer, bytes, size);
        buffer->size = buffer->taken;
        return;
    }
    unsigned char *room = sherd_byte_buffer_extend(buffer, size);
    if (room != NULL && size > 0) memcpy(room, bytes, size);
}

void sherd_byte_buffer_free(sherd_byte_buffer *buffer)
{
    sherd_free(buffer->bytes);
    *buffer = (sherd_byte_buffer){0};
}

void sherd_byte_reader_take(sherd_byte_reader *reader, void *bytes, size_t size)
{
    if (reader->failed || size > reader->size - reader->at) {
        reader->failed = true;
        if (size > 0) memset(bytes, 0, size);
        return;
    }
    if (size > 0) memcpy(bytes, reader->bytes + reader->at, size);
    reader->at += size;
}

size_t sherd_byte_reader_peek_block(const sherd_byte_reader *reader)
{
    uint64_t count;
    if (reader->failed || sizeof count > reader->size - reader->at) return 0;
    memcpy(&count, reader->bytes + reader->at, sizeof count);
    return (size_t)count;
}

void sherd_byte_reader_take_block(sherd_byte_reader *reader, void *bytes, size_t size)
{
    uint64_t count;
    sherd_byte_reader_take(reader, &count, sizeof count);
    if (count != size) reader->failed = true;
    sherd_byte_reader_take(reader, bytes, size);
}
