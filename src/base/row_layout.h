// Describes the members of a struct: name, scalar type, offset. An array of such structs is a
// column of a record (record.h), each struct a row. Each saved struct has one table of its members,
// used for saving, restoring, copying, and the test that no member was forgotten:
//
//     static const sherd_row_member MEMBERS[] = {SHERD_MEMBER(sherd_split, steps), SHERD_MEMBER(sherd_split, parts)};
//     const sherd_row_layout sherd_split_layout = SHERD_ROW_LAYOUT(sherd_split, MEMBERS);
#pragma once

#include <sherd/types.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The numbers are those of the file format (docs/reference/run-file.md).
typedef enum sherd_scalar {
    SHERD_SCALAR_F64 = 1,
    SHERD_SCALAR_F32 = 2,
    SHERD_SCALAR_I64 = 3,
    SHERD_SCALAR_I32 = 4,
    SHERD_SCALAR_U64 = 5,
    SHERD_SCALAR_U32 = 6,
    SHERD_SCALAR_U16 = 7,
    SHERD_SCALAR_U8 = 8,
    SHERD_SCALAR_BOOL = 9, // a byte, 0 or 1
    SHERD_SCALAR_BIT =
        10, // stored only: eight 0 or 1 a byte, the first in the lowest bit; in memory a byte each
    SHERD_SCALARS
} sherd_scalar;

// [bytes], in memory; 0: there is no such type.
size_t sherd_scalar_size(int type);
const char *sherd_scalar_name(int type); // "f64"

typedef struct sherd_row_member {
    const char *name;    // "" in rows of a single member
    size_t offset, size; // in the struct [bytes]; size is a multiple of the scalar's
    sherd_scalar type;   // in memory
    sherd_scalar stored; // in records: F32 of F64, BIT of U8; 0: the same
    bool
        optional; // where a record lacks it, as those of former versions do, all its scalars are `otherwise`
    double otherwise;
} sherd_row_member;

typedef struct sherd_row_layout {
    const sherd_row_member *members;
    int count;
    size_t size; // distance of rows in memory [bytes]
} sherd_row_layout;

// A vector counts as several scalars; pointers are not scalars and do not compile.
#define SHERD_SCALAR_OF(lvalue)                                                                    \
    _Generic((lvalue), double                                                                      \
             : SHERD_SCALAR_F64, sherd_vec3                                                        \
             : SHERD_SCALAR_F64, sherd_quat                                                        \
             : SHERD_SCALAR_F64, sherd_pose                                                        \
             : SHERD_SCALAR_F64, sherd_bounds                                                      \
             : SHERD_SCALAR_F64, float                                                             \
             : SHERD_SCALAR_F32, int64_t                                                           \
             : SHERD_SCALAR_I64, int32_t                                                           \
             : SHERD_SCALAR_I32, uint64_t                                                          \
             : SHERD_SCALAR_U64, uint32_t                                                          \
             : SHERD_SCALAR_U32, uint16_t                                                          \
             : SHERD_SCALAR_U16, uint8_t                                                           \
             : SHERD_SCALAR_U8, bool                                                               \
             : SHERD_SCALAR_BOOL)

#define SHERD_MEMBER(type, member) SHERD_NAMED_MEMBER(type, member, #member)
// A member of a nested struct may be given a name without the nested struct's.
#define SHERD_NAMED_MEMBER(struct_type, member, its_name)                                          \
    {                                                                                              \
        .name = its_name, .offset = offsetof(struct_type, member),                                 \
        .size = sizeof(((struct_type *)0)->member),                                                \
        .type = SHERD_SCALAR_OF(((struct_type *)0)->member)                                        \
    }
// An array of scalars.
#define SHERD_ARRAY_MEMBER(struct_type, member)                                                    \
    {                                                                                              \
        .name = #member, .offset = offsetof(struct_type, member),                                  \
        .size = sizeof(((struct_type *)0)->member),                                                \
        .type = SHERD_SCALAR_OF(((struct_type *)0)->member[0])                                     \
    }
// A member added to the table later: in records without it, it is `value`.
#define SHERD_ADDED_MEMBER(struct_type, member, value)                                             \
    {                                                                                              \
        .name = #member, .offset = offsetof(struct_type, member),                                  \
        .size = sizeof(((struct_type *)0)->member),                                                \
        .type = SHERD_SCALAR_OF(((struct_type *)0)->member), .optional = true, .otherwise = value  \
    }
#define SHERD_ROW_LAYOUT(struct_type, table)                                                       \
    {                                                                                              \
        .members = table, .count = sizeof(table) / sizeof(table)[0], .size = sizeof(struct_type)   \
    }

// Rows of one scalar, of a vector, of a pose.
extern const sherd_row_layout sherd_rows_f64, sherd_rows_f32, sherd_rows_i64, sherd_rows_i32,
    sherd_rows_u64, sherd_rows_u32, sherd_rows_u16, sherd_rows_u8, sherd_rows_vec3, sherd_rows_pose;
// Doubles that are stored rounded, bytes of 0 and 1 that are stored as bits.
extern const sherd_row_layout sherd_rows_rounded, sherd_rows_bits;

// [bytes] of the scalars of a row, and of a whole column, as stored without gaps.
size_t sherd_row_stored_size(const sherd_row_layout *layout);
// Whether the stored layout of rows is that in memory.
bool sherd_row_is_plain(const sherd_row_layout *layout);
// Bytes of the struct that no member covers, or that two do: 0 if no member was forgotten.
size_t sherd_row_uncovered(const sherd_row_layout *layout);
// Copies the members of one struct to another, and nothing else.
void sherd_row_copy(const sherd_row_layout *layout, void *to, const void *from);
