#include "base/assertion.h"
#include "base/byte_planes.h"
#include "base/error.h"
#include "base/record_items.h"

#include <stdio.h>
#include <string.h>

// A section or column in the bytes, checked to be within them.
typedef struct item {
    int kind, encoding;
    const char *name; // not null-terminated
    size_t name_length;
    const unsigned char *members;
    uint32_t member_count;
    size_t row_size; // stored [bytes]; 1 for bits
    size_t rows;
    const unsigned char *data;
    size_t size, end; // of the data; start of the next item [bytes]
} item;

typedef struct stored_member {
    int type;
    size_t scalars, name_length;
    const char *name;
} stored_member;

static uint16_t get16(const unsigned char *at)
{
    uint16_t value;
    memcpy(&value, at, sizeof value);
    return value;
}

static uint64_t get64(const unsigned char *at)
{
    uint64_t value;
    memcpy(&value, at, sizeof value);
    return value;
}

// Returns the address of the next member.
static const unsigned char *get_member(const unsigned char *at, stored_member *member)
{
    *member = (stored_member){.type = at[0],
                              .scalars = get16(at + 2),
                              .name_length = at[1],
                              .name = (const char *)at + SHERD_ITEM_MEMBER_HEAD};
    return at + SHERD_ITEM_MEMBER_HEAD + member->name_length;
}

static bool is_named(const char *name, size_t length, const char *wanted)
{
    return strlen(wanted) == length && memcmp(name, wanted, length) == 0;
}

// ---------------------------------------------------------------- items

// Members and the size of their rows. *left is the number of bytes for all of them.
static bool parse_members(item *it, size_t *left)
{
    const unsigned char *at = it->members;
    bool alone = it->encoding == SHERD_ITEM_PLANES, bits = false;
    if (it->member_count < 1 || it->member_count > SHERD_ITEM_MAX_MEMBERS) return false;
    for (uint32_t m = 0; m < it->member_count; ++m) {
        stored_member member;
        if (*left < SHERD_ITEM_MEMBER_HEAD || *left - SHERD_ITEM_MEMBER_HEAD < at[1]) return false;
        *left -= SHERD_ITEM_MEMBER_HEAD + (size_t)at[1];
        at = get_member(at, &member);
        size_t width = sherd_scalar_size(member.type);
        if (width == 0 || member.scalars == 0) return false;
        bits |= member.type == SHERD_SCALAR_BIT;
        if (bits && (member.scalars > 1 || alone)) return false;
        it->row_size += member.scalars * width;
    }
    it->data = at;
    if ((bits || alone) && it->member_count > 1) return false;
    if (bits) return it->rows <= SIZE_MAX - 7 && it->size == (it->rows + 7) / 8;
    return it->rows <= SIZE_MAX / it->row_size && it->size == it->rows * it->row_size;
}

static bool parse(const unsigned char *bytes, size_t size, size_t at, item *it)
{
    size_t left = size - at;
    if (left < SHERD_ITEM_HEAD) return false;
    const unsigned char *head = bytes + at;
    *it = (item){.kind = head[0],
                 .encoding = head[1],
                 .name = (const char *)head + SHERD_ITEM_HEAD,
                 .name_length = get16(head + 2),
                 .rows = (size_t)get64(head + 8),
                 .size = (size_t)get64(head + 16)};
    memcpy(&it->member_count, head + 4, sizeof it->member_count);
    left -= SHERD_ITEM_HEAD;
    if (it->name_length > left || it->encoding > SHERD_ITEM_PLANES) return false;
    left -= it->name_length;
    it->data = it->members = head + SHERD_ITEM_HEAD + it->name_length;
    if (it->kind == SHERD_ITEM_COLUMN) {
        if (!parse_members(it, &left)) return false;
    } else if (it->kind != SHERD_ITEM_SECTION) {
        return false;
    }
    if (it->size > left) return false;
    it->end = (size_t)(it->data - bytes) + it->size;
    return true;
}

// ---------------------------------------------------------------- failures

// "system.contacts.pairs"
static void write_path(const sherd_record_reader *reader, const char *name, char *path, size_t size)
{
    char front[256] = "";
    if (reader->parent != NULL) write_path(reader->parent, reader->name, front, sizeof front);
    snprintf(path, size, "%s%s%s", front, *front != '\0' ? "." : "", name);
}

static void fail(sherd_record_reader *reader, const char *name, const char *problem)
{
    if (reader->status != SHERD_OK) return;
    char path[300];
    write_path(reader, name, path, sizeof path);
    reader->status =
        sherd_fail(reader->error, SHERD_ERROR_INPUT, reader->about->where, reader->about->hint,
                   "is damaged or from another version of Sherd: %s %s", path, problem);
}

static void fail_count(sherd_record_reader *reader, const char *name, size_t rows, size_t wanted)
{
    char problem[100];
    snprintf(problem, sizeof problem, "has %llu rows, not %llu", (unsigned long long)rows,
             (unsigned long long)wanted);
    fail(reader, name, problem);
}

static void fail_unknown(sherd_record_reader *reader, const char *name, size_t length)
{
    char path[300], text[256];
    snprintf(text, sizeof text, "%.*s", (int)length, name);
    write_path(reader, text, path, sizeof path);
    reader->status =
        sherd_fail(reader->error, SHERD_ERROR_INPUT, reader->about->where, reader->about->hint,
                   "was written by another version of Sherd: %s is not known to this one", path);
}

// ---------------------------------------------------------------- finding

typedef enum search_end { FOUND, ABSENT, DAMAGED } search_end;

// Searches the items that were not read yet, from `at` to `stop`.
static search_end search_part(const sherd_record_reader *r, size_t at, unsigned index, size_t stop,
                              const char *name, item *it, unsigned *number)
{
    for (; at < stop; at = it->end, ++index) {
        if (index >= SHERD_RECORD_MAX_ITEMS || !parse(r->bytes, r->size, at, it)) return DAMAGED;
        bool taken = (r->taken >> index & 1) != 0;
        if (taken || (name != NULL && !is_named(it->name, it->name_length, name))) continue;
        *number = index;
        return FOUND;
    }
    return ABSENT;
}

// Items that are read in the order of writing are found at once.
static search_end search(const sherd_record_reader *r, const char *name, item *it, unsigned *number)
{
    search_end end = search_part(r, r->next, r->index, r->size, name, it, number);
    return end == ABSENT ? search_part(r, 0, 0, r->next, name, it, number) : end;
}

static void take_item(sherd_record_reader *reader, const item *it, unsigned number)
{
    reader->taken |= UINT64_C(1) << number;
    reader->next = it->end;
    reader->index = number + 1;
}

// Returns false, and reports a failure, if there is none.
static bool find(sherd_record_reader *reader, int kind, const char *name, item *it)
{
    unsigned number;
    if (reader->status != SHERD_OK) return false;
    search_end end = search(reader, name, it, &number);
    if (end == FOUND && it->kind == kind) {
        take_item(reader, it, number);
        return true;
    }
    fail(reader, name, end == ABSENT ? "is missing" : "can't be read");
    return false;
}

bool sherd_record_has(const sherd_record_reader *reader, const char *name)
{
    item it;
    unsigned number;
    return reader->status == SHERD_OK && search(reader, name, &it, &number) == FOUND;
}

size_t sherd_record_rows(sherd_record_reader *reader, const char *column)
{
    item it;
    unsigned number;
    if (reader->status != SHERD_OK) return 0;
    search_end end = search(reader, column, &it, &number);
    if (end == FOUND && it.kind == SHERD_ITEM_COLUMN) return it.rows;
    fail(reader, column, end == ABSENT ? "is missing" : "can't be read");
    return 0;
}

// ---------------------------------------------------------------- sections

sherd_record_reader sherd_record_open(const void *bytes, size_t size,
                                      const sherd_record_about *about, sherd_error *error)
{
    return (sherd_record_reader){.about = about, .bytes = bytes, .size = size, .error = error};
}

sherd_status sherd_record_close(sherd_record_reader *reader)
{
    item it;
    unsigned number;
    if (reader->status != SHERD_OK) return reader->status;
    search_end end = search_part(reader, 0, 0, reader->size, NULL, &it, &number);
    if (end == DAMAGED) fail(reader, "its end", "can't be read");
    if (end == FOUND && reader->about->complete) fail_unknown(reader, it.name, it.name_length);
    return reader->status;
}

sherd_record_reader sherd_record_enter(sherd_record_reader *parent, const char *section)
{
    item it;
    sherd_record_reader child = *parent;
    bool found = find(parent, SHERD_ITEM_SECTION, section, &it);
    child.bytes = found ? it.data : NULL;
    child.size = found ? it.size : 0;
    child.next = child.index = 0;
    child.taken = 0;
    child.name = section;
    child.parent = parent;
    child.status = parent->status;
    return child;
}

sherd_status sherd_record_leave(sherd_record_reader *section)
{
    sherd_record_close(section);
    if (section->parent->status == SHERD_OK) section->parent->status = section->status;
    return section->status;
}

// ---------------------------------------------------------------- rows

// Position of a requested member in a stored row. NULL: it has its default.
typedef struct place {
    const unsigned char *from; // in the first row
    int type;
} place;

static double get_number(const unsigned char *from, int type)
{
    float single;
    double value;
    if (type == SHERD_SCALAR_F32) {
        memcpy(&single, from, sizeof single);
        return (double)single;
    }
    memcpy(&value, from, sizeof value);
    return value;
}

static void set_number(unsigned char *to, sherd_scalar type, double value)
{
    float single = (float)value;
    if (type == SHERD_SCALAR_F32)
        memcpy(to, &single, sizeof single);
    else
        memcpy(to, &value, sizeof value);
}

static bool is_real(int type)
{
    return type == SHERD_SCALAR_F64 || type == SHERD_SCALAR_F32;
}

static void set_default(const sherd_row_member *member, unsigned char *to)
{
    size_t width = sherd_scalar_size((int)member->type);
    for (size_t k = 0; k < member->size; k += width) {
        if (is_real((int)member->type)) {
            set_number(to + k, member->type, member->otherwise);
            continue;
        }
        int64_t whole = (int64_t)member->otherwise;
        memcpy(to + k, &whole, width); // little-endian: the lowest bytes
    }
}

static void set_member(const sherd_row_member *member, const unsigned char *from, int type,
                       unsigned char *to)
{
    size_t width = sherd_scalar_size((int)member->type), stored = sherd_scalar_size(type);
    if (member->type == SHERD_SCALAR_BOOL) {
        for (size_t k = 0; k < member->size; ++k)
            to[k] = from[k] != 0; // damaged files may contain other values
        return;
    }
    if (type == (int)member->type) {
        memcpy(to, from, member->size);
        return;
    }
    for (size_t k = 0; k < member->size / width; ++k)
        set_number(to + k * width, member->type, get_number(from + k * stored, type));
}

static bool types_fit(const sherd_row_member *wanted, const stored_member *stored)
{
    if (stored->scalars != sherd_row_scalars(wanted)) return false;
    return stored->type == (int)wanted->type ||
           (is_real(stored->type) && is_real((int)wanted->type)) ||
           (stored->type == SHERD_SCALAR_BIT && wanted->type == SHERD_SCALAR_U8);
}

static void fail_member(sherd_record_reader *reader, const char *column,
                        const sherd_row_member *wanted, const stored_member *stored)
{
    char name[256], problem[160];
    snprintf(name, sizeof name, "%s%s%s", column, *wanted->name != '\0' ? "." : "", wanted->name);
    if (stored == NULL) {
        fail(reader, name, "is missing");
        return;
    }
    snprintf(problem, sizeof problem, "is %llu times %s, not %llu times %s",
             (unsigned long long)stored->scalars, sherd_scalar_name(stored->type),
             (unsigned long long)sherd_row_scalars(wanted), sherd_scalar_name((int)wanted->type));
    fail(reader, name, problem);
}

// The position of a requested member in the first remaining row; `number` is its number.
static bool find_place(sherd_record_reader *reader, const sherd_record_pieces *pieces,
                       const sherd_row_member *wanted, place *found, uint32_t *number)
{
    const unsigned char *at = pieces->members, *from = pieces->data;
    *found = (place){0};
    for (*number = 0; *number < pieces->member_count; ++*number) {
        stored_member stored;
        at = get_member(at, &stored);
        if (is_named(stored.name, stored.name_length, wanted->name)) {
            *found = (place){from, stored.type};
            if (types_fit(wanted, &stored)) return true;
            fail_member(reader, pieces->name, wanted, &stored);
            return false;
        }
        from += stored.scalars * sherd_scalar_size(stored.type);
    }
    if (!wanted->optional) fail_member(reader, pieces->name, wanted, NULL);
    return wanted->optional;
}

// Reports members that were not read.
static void refuse_unknown(sherd_record_reader *reader, const sherd_record_pieces *pieces,
                           uint64_t known)
{
    const unsigned char *at = pieces->members;
    for (uint32_t m = 0; m < pieces->member_count; ++m) {
        stored_member stored;
        at = get_member(at, &stored);
        if ((known >> m & 1) != 0) continue;
        char name[512];
        snprintf(name, sizeof name, "%s.%.*s", pieces->name, (int)stored.name_length, stored.name);
        fail_unknown(reader, name, strlen(name));
        return;
    }
}

static bool find_places(sherd_record_reader *reader, const sherd_record_pieces *pieces,
                        place places[SHERD_ITEM_MAX_MEMBERS])
{
    uint64_t known = 0;
    for (int w = 0; w < pieces->layout->count; ++w) {
        uint32_t number;
        if (!find_place(reader, pieces, &pieces->layout->members[w], &places[w], &number))
            return false;
        if (places[w].from != NULL) known |= UINT64_C(1) << number;
    }
    if (reader->about->complete) refuse_unknown(reader, pieces, known);
    return reader->status == SHERD_OK;
}

// Whether the memory layout of rows is the stored one.
static bool are_alike(const sherd_record_pieces *pieces, const place *places)
{
    const sherd_row_layout *layout = pieces->layout;
    if (!sherd_row_is_plain(layout) || pieces->row_size != layout->size) return false;
    for (int w = 0; w < layout->count; ++w) {
        const sherd_row_member *wanted = &layout->members[w];
        if (wanted->type == SHERD_SCALAR_BOOL || places[w].type != (int)wanted->type ||
            places[w].from != pieces->data + wanted->offset)
            return false;
    }
    return true;
}

static void take_each(const sherd_record_pieces *pieces, const place *places, unsigned char *row,
                      size_t count)
{
    const sherd_row_layout *layout = pieces->layout;
    for (size_t k = 0; k < count; ++k, row += layout->size)
        for (int w = 0; w < layout->count; ++w) {
            const sherd_row_member *wanted = &layout->members[w];
            if (places[w].from == NULL)
                set_default(wanted, row + wanted->offset);
            else
                set_member(wanted, places[w].from + k * pieces->row_size, places[w].type,
                           row + wanted->offset);
        }
}

static void take_bits(const unsigned char *data, uint8_t *items, size_t count)
{
    for (size_t k = 0; k < count; ++k)
        items[k] = data[k / 8] >> k % 8 & 1u;
}

// Reads all scalars of the column at once: planes can't be read in pieces.
static bool take_planes(const sherd_record_pieces *pieces, int type, void *items)
{
    const sherd_row_member *wanted = &pieces->layout->members[0];
    size_t scalars = pieces->left * sherd_row_scalars(wanted);
    if (pieces->layout->count != 1 || pieces->layout->size != wanted->size) return false;
    if (type == (int)wanted->type)
        sherd_byte_planes_join(pieces->data, items, scalars, sherd_scalar_size(type));
    else if (type == SHERD_SCALAR_F32)
        sherd_byte_planes_join_rounded(pieces->data, items, scalars);
    else
        return false;
    return true;
}

static sherd_record_pieces pieces_of(const item *it, const char *name,
                                     const sherd_row_layout *layout)
{
    return (sherd_record_pieces){.layout = layout,
                                 .name = name,
                                 .members = it->members,
                                 .data = it->data,
                                 .member_count = it->member_count,
                                 .encoding = it->encoding,
                                 .row_size = it->row_size,
                                 .left = it->rows};
}

sherd_record_pieces sherd_record_read_head(sherd_record_reader *reader, const char *name,
                                           const sherd_row_layout *layout)
{
    item it;
    SHERD_ASSERT(layout->count > 0 && layout->count <= SHERD_ITEM_MAX_MEMBERS,
                 "rows have as many members as a file can say");
    if (find(reader, SHERD_ITEM_COLUMN, name, &it)) return pieces_of(&it, name, layout);
    return (sherd_record_pieces){.layout = layout, .name = name};
}

void sherd_record_read_rows(sherd_record_reader *reader, sherd_record_pieces *pieces, void *items,
                            size_t count)
{
    place places[SHERD_ITEM_MAX_MEMBERS];
    if (reader->status != SHERD_OK) return;
    if (count > pieces->left) fail_count(reader, pieces->name, pieces->left, count);
    if (reader->status != SHERD_OK || !find_places(reader, pieces, places)) return;
    bool bits = places[0].type == SHERD_SCALAR_BIT, planes = pieces->encoding == SHERD_ITEM_PLANES;
    bool good = count == pieces->left || !(bits || planes);
    if (good && bits)
        take_bits(pieces->data, items, count);
    else if (good && planes)
        good = take_planes(pieces, places[0].type, items);
    else if (good && are_alike(pieces, places))
        memcpy(items, pieces->data, count * pieces->row_size);
    else if (good)
        take_each(pieces, places, items, count);
    if (!good) fail(reader, pieces->name, "can't be read");
    pieces->left -= count;
    if (!bits && !planes) pieces->data += count * pieces->row_size;
}

// ---------------------------------------------------------------- columns

static void take_defaults(const sherd_record_column *column)
{
    unsigned char *row = column->items;
    for (size_t k = 0; k < column->rows; ++k, row += column->layout->size)
        for (int m = 0; m < column->layout->count; ++m)
            set_default(&column->layout->members[m], row + column->layout->members[m].offset);
}

void sherd_record_read(sherd_record_reader *reader, const sherd_record_column *column)
{
    if (reader->status != SHERD_OK) return;
    if ((column->flags & SHERD_COLUMN_OPTIONAL) != 0 && !sherd_record_has(reader, column->name)) {
        take_defaults(column);
        return;
    }
    sherd_record_pieces pieces = sherd_record_read_head(reader, column->name, column->layout);
    if (reader->status != SHERD_OK) return;
    if (pieces.left != column->rows)
        fail_count(reader, column->name, pieces.left, column->rows);
    else if (column->rows > 0)
        sherd_record_read_rows(reader, &pieces, column->items, column->rows);
}

void sherd_record_read_all(sherd_record_reader *reader, const sherd_record_column *columns,
                           int count)
{
    for (int c = 0; c < count; ++c)
        sherd_record_read(reader, &columns[c]);
}

bool sherd_record_next_unread(sherd_record_reader *reader, sherd_record_unread *unread)
{
    item it;
    unsigned number;
    while (reader->status == SHERD_OK &&
           search_part(reader, 0, 0, reader->size, NULL, &it, &number) == FOUND) {
        stored_member member;
        take_item(reader, &it, number);
        if (it.kind != SHERD_ITEM_COLUMN || it.member_count != 1 ||
            it.name_length >= sizeof unread->name)
            continue;
        get_member(it.members, &member);
        *unread = (sherd_record_unread){
            .type = (sherd_scalar)member.type, .per_row = member.scalars, .rows = it.rows};
        memcpy(unread->name, it.name, it.name_length);
        unread->pieces = pieces_of(&it, unread->name, NULL);
        return true;
    }
    return false;
}
