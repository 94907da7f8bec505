// Saved state as named columns: the format of checkpoints and of the chunks of run files.
//
//     section "system"
//         column "state"      1 row  of {step i64, dt f64, ...}        a struct
//         column "px"         n rows of f64                            an array
//         section "contacts"
//             column "pairs"  m rows of {i i32, j i32}                 an array of structs
//
// Every column is stored with its schema: the names and types of its rows' members (row_layout.h),
// and the number of rows. A module can therefore add a column without a new version of the format.
// Readers find columns by name: a missing one is an error unless it is optional, when it has its
// default; one that is not read is skipped, or is an error where this would lose state
// (sherd_record_about.complete).
//
// Bytes, little-endian. An item is a header of 24 bytes, its name, its members, and its data:
//
//     0   u8   'S' section, 'C' column
//     1   u8   0: rows one after the other; 1: byte planes (byte_planes.h) of all scalars, which have one type
//     4   u32  members; 0 in a section
//     8   u64  rows; 0 in a section
//     16  u64  bytes of the data: those of rows without gaps, or the items of a section
//     member:  u8 type (sherd_scalar), u8 bytes of its name, u16 how many scalars, the name
#pragma once

#include "base/byte_buffer.h"
#include "base/row_layout.h"

enum {
    SHERD_COLUMN_PLANES = 1,   // stored by byte planes; rows have a single member
    SHERD_COLUMN_OPTIONAL = 2, // may be missing: members are then `otherwise`
};

// A column and the address of its rows in memory, which are saved from there, or restored to there.
typedef struct sherd_record_column {
    const char *name;
    const sherd_row_layout *layout;
    void *items; // only read when saving
    size_t rows;
    unsigned flags;
} sherd_record_column;

// ---------------------------------------------------------------- writing

// If memory runs short, the buffer stores this. Returns the argument of `end`.
size_t sherd_record_begin(sherd_byte_buffer *out, const char *section);
void sherd_record_end(sherd_byte_buffer *out, size_t begun);

void sherd_record_write(sherd_byte_buffer *out, const sherd_record_column *column);
void sherd_record_write_all(sherd_byte_buffer *out, const sherd_record_column *columns, int count);

// A column of one row: a struct.
static inline void sherd_record_write_one(sherd_byte_buffer *out, const char *name,
                                          const sherd_row_layout *layout, const void *item)
{
    // The item is not written to.
    sherd_record_write(out, &(sherd_record_column){name, layout, (void *)(uintptr_t)item, 1, 0});
}

// A column whose rows are in several arrays: its head, then all of its rows in any pieces.
void sherd_record_write_head(sherd_byte_buffer *out, const char *name,
                             const sherd_row_layout *layout, size_t rows);
void sherd_record_write_rows(sherd_byte_buffer *out, const sherd_row_layout *layout,
                             const void *items, size_t count);

// ---------------------------------------------------------------- reading

// Description of the record, for messages.
typedef struct sherd_record_about {
    const char *where; // "checkpoint", or a file
    const char *hint;  // what to do about a damaged file
    bool complete;     // items unknown to the reader are an error
} sherd_record_about;

// Reads one section of untrusted bytes. After the first failure, which is reported, all reading
// functions leave their results unchanged.
typedef struct sherd_record_reader {
    const sherd_record_about *about;
    const unsigned char *bytes; // of the section; borrowed
    size_t size;
    size_t next;    // start of the next search
    unsigned index; // index of the item there
    uint64_t taken; // items that were read, one bit for each
    const char *name;
    struct sherd_record_reader *parent; // NULL: it is the whole record
    sherd_status status;
    sherd_error *error; // may be NULL
} sherd_record_reader;

enum { SHERD_RECORD_MAX_ITEMS = 64 }; // in one section

sherd_record_reader sherd_record_open(const void *bytes, size_t size,
                                      const sherd_record_about *about, sherd_error *error);
// Call after the last item; returns the status. Items that were not read are an error if the record
// must be `complete`.
sherd_status sherd_record_close(sherd_record_reader *reader);

// Opens the next section of this name; several may have the same name. Close it with `leave`, which
// passes its failure to the parent.
sherd_record_reader sherd_record_enter(sherd_record_reader *parent, const char *section);
sherd_status sherd_record_leave(sherd_record_reader *section);

bool sherd_record_has(const sherd_record_reader *reader, const char *name); // section or column
// The number of rows, at most as many as there are bytes for. 0 and a failure if there is no such
// column.
size_t sherd_record_rows(sherd_record_reader *reader, const char *column);

// Reads exactly `rows` rows. Doubles and floats are converted.
void sherd_record_read(sherd_record_reader *reader, const sherd_record_column *column);
void sherd_record_read_all(sherd_record_reader *reader, const sherd_record_column *columns,
                           int count);

// Reads a struct; the members of the layout are set.
static inline void sherd_record_read_one(sherd_record_reader *reader, const char *name,
                                         const sherd_row_layout *layout, void *item)
{
    sherd_record_read(reader, &(sherd_record_column){name, layout, item, 1, 0});
}

// Reads a column in pieces, which have as many rows in total as the column.
typedef struct sherd_record_pieces {
    const sherd_row_layout *layout;
    const char *name;
    const unsigned char *members, *data; // of the next row
    uint32_t member_count;
    int encoding;
    size_t row_size; // stored [bytes]
    size_t left;     // remaining rows; 0 after a failure
} sherd_record_pieces;
sherd_record_pieces sherd_record_read_head(sherd_record_reader *reader, const char *name,
                                           const sherd_row_layout *layout);
void sherd_record_read_rows(sherd_record_reader *reader, sherd_record_pieces *pieces, void *items,
                            size_t count);

// Finds the next column of a single member that was not read. False if there is none.
typedef struct sherd_record_unread {
    char name[256];
    sherd_scalar type; // as stored
    size_t per_row, rows;
    sherd_record_pieces pieces; // its rows, once it has a layout
} sherd_record_unread;
bool sherd_record_next_unread(sherd_record_reader *reader, sherd_record_unread *unread);
