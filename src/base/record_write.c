#include "base/assertion.h"
#include "base/byte_planes.h"
#include "base/memory.h"
#include "base/record_items.h"

#include <string.h>

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "records are little-endian; this machine needs byte swaps here"
#endif

enum { DATA_SIZE = 16 }; // offset of the size of the data in an item's head

static void put_item(sherd_byte_buffer *out, int kind, int encoding, const char *name,
                     uint32_t members, uint64_t rows, uint64_t size)
{
    uint8_t first[2] = {(uint8_t)kind, (uint8_t)encoding};
    uint16_t length = (uint16_t)strlen(name);
    sherd_byte_buffer_append(out, first, sizeof first);
    sherd_byte_buffer_append(out, &length, sizeof length);
    sherd_byte_buffer_append(out, &members, sizeof members);
    sherd_byte_buffer_append(out, &rows, sizeof rows);
    sherd_byte_buffer_append(out, &size, sizeof size);
    sherd_byte_buffer_append(out, name, length);
}

// Returns the section's number in the stream. Until it ends, its size is counted from where it begins.
static size_t begin_streamed(sherd_byte_buffer *out, const char *section)
{
    sherd_byte_stream *s = out->stream;
    if (s->take != NULL) {
        SHERD_ASSERT(s->next < s->section_count, "sections are counted before they are taken");
        put_item(out, SHERD_ITEM_SECTION, SHERD_ITEM_ROWS, section, 0, 0, s->sections[s->next]);
        return s->next++;
    }
    put_item(out, SHERD_ITEM_SECTION, SHERD_ITEM_ROWS, section, 0, 0, 0);
    if (!sherd_grow((void **)&s->sections, &s->section_capacity, s->section_count + 1,
                    sizeof *s->sections)) {
        out->failed = true;
        return 0;
    }
    s->sections[s->section_count] = out->size;
    return s->section_count++;
}

size_t sherd_record_begin(sherd_byte_buffer *out, const char *section)
{
    if (out->stream != NULL) return begin_streamed(out, section);
    put_item(out, SHERD_ITEM_SECTION, SHERD_ITEM_ROWS, section, 0, 0, 0);
    return out->size - strlen(section);
}

void sherd_record_end(sherd_byte_buffer *out, size_t begun)
{
    if (out->failed) return;
    if (out->stream != NULL) {
        uint64_t *counted = &out->stream->sections[begun];
        if (out->stream->take == NULL) *counted = out->size - *counted;
        return;
    }
    unsigned char *head = out->bytes + begun - SHERD_ITEM_HEAD;
    uint16_t length;
    memcpy(&length, head + 2, sizeof length);
    uint64_t size = out->size - begun - length;
    memcpy(head + DATA_SIZE, &size, sizeof size);
}

static bool is_bits(const sherd_row_layout *layout)
{
    return layout->members[0].stored == SHERD_SCALAR_BIT;
}

static void put_column(sherd_byte_buffer *out, const char *name, const sherd_row_layout *layout,
                       size_t rows, int encoding)
{
    SHERD_ASSERT(layout->count > 0 && layout->count <= SHERD_ITEM_MAX_MEMBERS,
                 "rows have as many members as a file can say");
    size_t size = is_bits(layout) ? (rows + 7) / 8 : rows * sherd_row_stored_size(layout);
    put_item(out, SHERD_ITEM_COLUMN, encoding, name, (uint32_t)layout->count, rows, size);
    for (int m = 0; m < layout->count; ++m) {
        const sherd_row_member *at = &layout->members[m];
        uint8_t first[2] = {(uint8_t)sherd_row_stored_type(at), (uint8_t)strlen(at->name)};
        uint16_t scalars = (uint16_t)sherd_row_scalars(at);
        sherd_byte_buffer_append(out, first, sizeof first);
        sherd_byte_buffer_append(out, &scalars, sizeof scalars);
        sherd_byte_buffer_append(out, at->name, strlen(at->name));
    }
}

void sherd_record_write_head(sherd_byte_buffer *out, const char *name,
                             const sherd_row_layout *layout, size_t rows)
{
    put_column(out, name, layout, rows, SHERD_ITEM_ROWS);
}

static void put_bits(unsigned char *to, const uint8_t *items, size_t count)
{
    for (size_t k = 0; k < count; k += 8) {
        unsigned char byte = 0;
        for (size_t b = 0; b < 8 && k + b < count; ++b)
            byte |= (unsigned char)((items[k + b] != 0) << b);
        *to++ = byte;
    }
}

// Writes the members of one row. Returns the address of the next row.
static unsigned char *put_row(unsigned char *to, const sherd_row_layout *layout,
                              const unsigned char *row)
{
    for (int m = 0; m < layout->count; ++m) {
        const sherd_row_member *at = &layout->members[m];
        if (at->stored == 0) {
            memcpy(to, row + at->offset, at->size);
            to += at->size;
            continue;
        }
        for (size_t k = 0; k < at->size; k += sizeof(double)) {
            double value;
            memcpy(&value, row + at->offset + k, sizeof value);
            float rounded = (float)value;
            memcpy(to, &rounded, sizeof rounded);
            to += sizeof rounded;
        }
    }
    return to;
}

void sherd_record_write_rows(sherd_byte_buffer *out, const sherd_row_layout *layout,
                             const void *items, size_t count)
{
    if (sherd_row_is_plain(layout)) {
        sherd_byte_buffer_append(out, items, count * layout->size);
        return;
    }
    bool bits = is_bits(layout);
    unsigned char *to = sherd_byte_buffer_extend(out, bits ? (count + 7) / 8
                                                           : count * sherd_row_stored_size(layout));
    if (to == NULL || bits) {
        if (to != NULL) put_bits(to, items, count);
        return;
    }
    const unsigned char *row = items;
    for (size_t k = 0; k < count; ++k, row += layout->size)
        to = put_row(to, layout, row);
}

static void put_planes(sherd_byte_buffer *out, const sherd_record_column *column)
{
    const sherd_row_member *member = &column->layout->members[0];
    size_t scalars = column->rows * sherd_row_scalars(member);
    size_t width = sherd_scalar_size((int)sherd_row_stored_type(member));
    unsigned char *to = sherd_byte_buffer_extend(out, scalars * width);
    if (to == NULL) return;
    if (member->stored == SHERD_SCALAR_F32)
        sherd_byte_planes_split_rounded(to, column->items, scalars);
    else
        sherd_byte_planes_split(to, column->items, scalars, width);
}

void sherd_record_write(sherd_byte_buffer *out, const sherd_record_column *column)
{
    const sherd_row_layout *layout = column->layout;
    bool planes = (column->flags & SHERD_COLUMN_PLANES) != 0 && !is_bits(layout);
    SHERD_ASSERT(!planes || layout->count == 1, "planes hold one member");
    put_column(out, column->name, layout, column->rows,
               planes ? SHERD_ITEM_PLANES : SHERD_ITEM_ROWS);
    if (planes)
        put_planes(out, column);
    else
        sherd_record_write_rows(out, layout, column->items, column->rows);
}

void sherd_record_write_all(sherd_byte_buffer *out, const sherd_record_column *columns, int count)
{
    for (int c = 0; c < count; ++c)
        sherd_record_write(out, &columns[c]);
}
