// Constants of the format of records (record.h), for writer and reader.
#pragma once

#include "base/record.h"

enum {
    SHERD_ITEM_SECTION = 'S',
    SHERD_ITEM_COLUMN = 'C',
    SHERD_ITEM_ROWS = 0,
    SHERD_ITEM_PLANES = 1,
    SHERD_ITEM_HEAD = 24,       // [bytes]
    SHERD_ITEM_MEMBER_HEAD = 4, // [bytes]
    SHERD_ITEM_MAX_MEMBERS = 64,
};

static inline sherd_scalar sherd_row_stored_type(const sherd_row_member *member)
{
    return member->stored != 0 ? member->stored : member->type;
}

static inline size_t sherd_row_scalars(const sherd_row_member *member)
{
    return member->size / sherd_scalar_size((int)member->type);
}
