#include "base/row_layout.h"

#include "base/assertion.h"

#include <string.h>

typedef struct scalar_kind {
    const char *name;
    size_t size; // [bytes]
} scalar_kind;

static const scalar_kind KINDS[SHERD_SCALARS] = {
    [SHERD_SCALAR_F64] = {"f64", 8},   [SHERD_SCALAR_F32] = {"f32", 4},
    [SHERD_SCALAR_I64] = {"i64", 8},   [SHERD_SCALAR_I32] = {"i32", 4},
    [SHERD_SCALAR_U64] = {"u64", 8},   [SHERD_SCALAR_U32] = {"u32", 4},
    [SHERD_SCALAR_U16] = {"u16", 2},   [SHERD_SCALAR_U8] = {"u8", 1},
    [SHERD_SCALAR_BOOL] = {"bool", 1}, [SHERD_SCALAR_BIT] = {"bit", 1},
};

size_t sherd_scalar_size(int type)
{
    return type > 0 && type < SHERD_SCALARS ? KINDS[type].size : 0;
}

const char *sherd_scalar_name(int type)
{
    return type > 0 && type < SHERD_SCALARS ? KINDS[type].name : "?";
}

// ---------------------------------------------------------------- rows of one thing

#define PLAIN_ROWS(layout, scalar, bytes)                                                          \
    static const sherd_row_member layout##_member[] = {                                            \
        {.name = "", .size = bytes, .type = scalar}};                                              \
    const sherd_row_layout layout = {.members = layout##_member, .count = 1, .size = bytes}

PLAIN_ROWS(sherd_rows_f64, SHERD_SCALAR_F64, sizeof(double));
PLAIN_ROWS(sherd_rows_f32, SHERD_SCALAR_F32, sizeof(float));
PLAIN_ROWS(sherd_rows_i64, SHERD_SCALAR_I64, sizeof(int64_t));
PLAIN_ROWS(sherd_rows_i32, SHERD_SCALAR_I32, sizeof(int32_t));
PLAIN_ROWS(sherd_rows_u64, SHERD_SCALAR_U64, sizeof(uint64_t));
PLAIN_ROWS(sherd_rows_u32, SHERD_SCALAR_U32, sizeof(uint32_t));
PLAIN_ROWS(sherd_rows_u16, SHERD_SCALAR_U16, sizeof(uint16_t));
PLAIN_ROWS(sherd_rows_u8, SHERD_SCALAR_U8, sizeof(uint8_t));
PLAIN_ROWS(sherd_rows_vec3, SHERD_SCALAR_F64, sizeof(sherd_vec3));
PLAIN_ROWS(sherd_rows_pose, SHERD_SCALAR_F64, sizeof(sherd_pose));

static const sherd_row_member ROUNDED[] = {
    {.name = "", .size = sizeof(double), .type = SHERD_SCALAR_F64, .stored = SHERD_SCALAR_F32}};
const sherd_row_layout sherd_rows_rounded = {
    .members = ROUNDED, .count = 1, .size = sizeof(double)};
static const sherd_row_member BITS[] = {
    {.name = "", .size = 1, .type = SHERD_SCALAR_U8, .stored = SHERD_SCALAR_BIT}};
const sherd_row_layout sherd_rows_bits = {.members = BITS, .count = 1, .size = 1};

// ---------------------------------------------------------------- asking

size_t sherd_row_stored_size(const sherd_row_layout *layout)
{
    size_t sum = 0;
    for (int m = 0; m < layout->count; ++m) {
        const sherd_row_member *at = &layout->members[m];
        size_t scalars = at->size / sherd_scalar_size((int)at->type);
        sum += scalars * sherd_scalar_size(at->stored != 0 ? (int)at->stored : (int)at->type);
    }
    return sum;
}

bool sherd_row_is_plain(const sherd_row_layout *layout)
{
    size_t at = 0;
    for (int m = 0; m < layout->count; ++m) {
        if (layout->members[m].offset != at || layout->members[m].stored != 0) return false;
        at += layout->members[m].size;
    }
    return at == layout->size;
}

size_t sherd_row_uncovered(const sherd_row_layout *layout)
{
    size_t wrong = 0;
    SHERD_ASSERT(layout->count > 0, "rows have members");
    for (size_t byte = 0; byte < layout->size; ++byte) {
        int covered = 0;
        for (int m = 0; m < layout->count; ++m) {
            const sherd_row_member *at = &layout->members[m];
            covered += byte >= at->offset && byte - at->offset < at->size;
        }
        wrong += covered != 1;
    }
    return wrong;
}

void sherd_row_copy(const sherd_row_layout *layout, void *to, const void *from)
{
    for (int m = 0; m < layout->count; ++m) {
        const sherd_row_member *at = &layout->members[m];
        memcpy((char *)to + at->offset, (const char *)from + at->offset, at->size);
    }
}
