#include "output/run_file/column.h"

#include "base/memory.h"

#include <string.h>

// Room for `size` more bytes at the end of the buffer, which counts them as written. NULL: no
// memory, the buffer is marked.
static unsigned char *extend(sherd_byte_buffer *buffer, size_t size)
{
    if (buffer->failed) return NULL;
    if (!sherd_grow((void **)&buffer->bytes, &buffer->capacity, buffer->size + size, 1)) {
        buffer->failed = true;
        return NULL;
    }
    unsigned char *room = buffer->bytes + buffer->size;
    buffer->size += size;
    return room;
}

// The next `size` bytes, or NULL with the reader marked when there are not as many.
static const unsigned char *next(sherd_byte_reader *reader, size_t count, size_t width)
{
    if (reader->failed || count > (reader->size - reader->at) / width) {
        reader->failed = true;
        return NULL;
    }
    const unsigned char *bytes = reader->bytes + reader->at;
    reader->at += count * width;
    return bytes;
}

void sherd_column_put(sherd_byte_buffer *buffer, const void *items, size_t count, size_t width)
{
    unsigned char *planes = extend(buffer, count * width);
    if (planes == NULL) return;
    const unsigned char *bytes = items;
    for (size_t plane = 0; plane < width; ++plane)
        for (size_t k = 0; k < count; ++k)
            planes[plane * count + k] = bytes[k * width + plane];
}

void sherd_column_put_as_float(sherd_byte_buffer *buffer, const double *items, size_t count)
{
    unsigned char *planes = extend(buffer, count * sizeof(float));
    if (planes == NULL) return;
    for (size_t k = 0; k < count; ++k) {
        float item = (float)items[k];
        unsigned char bytes[sizeof item];
        memcpy(bytes, &item, sizeof item);
        for (size_t plane = 0; plane < sizeof item; ++plane)
            planes[plane * count + k] = bytes[plane];
    }
}

void sherd_column_take(sherd_byte_reader *reader, void *items, size_t count, size_t width)
{
    const unsigned char *planes = next(reader, count, width);
    if (planes == NULL) return;
    unsigned char *bytes = items;
    for (size_t plane = 0; plane < width; ++plane)
        for (size_t k = 0; k < count; ++k)
            bytes[k * width + plane] = planes[plane * count + k];
}

void sherd_column_take_float(sherd_byte_reader *reader, double *items, size_t count)
{
    const unsigned char *planes = next(reader, count, sizeof(float));
    if (planes == NULL) return;
    for (size_t k = 0; k < count; ++k) {
        float item;
        unsigned char bytes[sizeof item];
        for (size_t plane = 0; plane < sizeof item; ++plane)
            bytes[plane] = planes[plane * count + k];
        memcpy(&item, bytes, sizeof item);
        items[k] = item;
    }
}
