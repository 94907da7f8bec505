#include "models/bonded/bonded_record.h"

#include "base/error.h"
#include "base/memory.h"

static sherd_record_column unlisted_of(const sherd_bonds *bonds, uint8_t *unlisted)
{
    return (sherd_record_column){"unlisted", &sherd_rows_u8, unlisted, (size_t)bonds->count, 0};
}

// ---------------------------------------------------------------- saving

// Saves the state of bonds, and which broken bonds have been removed from the lists of loose bonds:
// the order in which loads are added depends on these lists.
static sherd_status save_bonds(const sherd_bonded *b, sherd_byte_buffer *out, sherd_error *error)
{
    uint8_t *unlisted = sherd_alloc((size_t)b->bonds->count, 1);
    if (unlisted == NULL) return sherd_fail_memory(error, "checkpoint");
    sherd_bond_blocks_unlisted(b->blocks, b->bonds, unlisted);
    sherd_record_column columns[SHERD_BOND_STATE_COLUMNS], column = unlisted_of(b->bonds, unlisted);
    size_t begun = sherd_record_begin(out, "bonds");
    sherd_record_write_all(out, columns, sherd_bonds_state(b->bonds, columns));
    sherd_record_write(out, &column);
    sherd_record_end(out, begun);
    sherd_free(unlisted);
    return SHERD_OK;
}

sherd_status sherd_bonded_save(const sherd_bonded *bonded, sherd_byte_buffer *out,
                               sherd_error *error)
{
    sherd_record_column columns[SHERD_STATE_COLUMNS];
    sherd_record_write_all(out, columns, sherd_elements_state(bonded->elements, columns));
    return save_bonds(bonded, out, error);
}

// ---------------------------------------------------------------- restoring

// Counts the elements and bonds that were saved.
static void count_saved(const sherd_record_reader *in, size_t *elements, size_t *bonds)
{
    sherd_record_reader look = *in, part;
    *elements = sherd_record_rows(&look, "px");
    part = sherd_record_enter(&look, "bonds");
    *bonds = sherd_record_rows(&part, "broken");
}

static sherd_status check_owner(const sherd_bonded *b, const sherd_record_reader *in,
                                sherd_error *error)
{
    size_t elements, bonds;
    count_saved(in, &elements, &bonds);
    if (elements == (size_t)b->elements->count && bonds == (size_t)b->bonds->count) return SHERD_OK;
    return sherd_fail(error, SHERD_ERROR_INPUT, "checkpoint",
                      "resume with the scene, variant and settings it was started with",
                      "belongs to another scene: %lld elements and %lld bonds, not %d and %lld",
                      (long long)elements, (long long)bonds, b->elements->count,
                      (long long)b->bonds->count);
}

static sherd_status restore_bonds(const sherd_bonded *b, sherd_record_reader *in,
                                  sherd_error *error)
{
    size_t count = (size_t)b->bonds->count;
    uint8_t *unlisted = sherd_alloc(count, 1);
    if (unlisted == NULL) return sherd_fail_memory(error, "checkpoint");
    sherd_record_column columns[SHERD_BOND_STATE_COLUMNS], column = unlisted_of(b->bonds, unlisted);
    sherd_record_reader part = sherd_record_enter(in, "bonds");
    sherd_record_read_all(&part, columns, sherd_bonds_state(b->bonds, columns));
    sherd_record_read(&part, &column);
    sherd_status status = sherd_record_leave(&part);
    for (size_t k = 0; k < count; ++k)
        unlisted[k] = unlisted[k] && b->bonds->broken[k]; // a damaged file may say anything
    if (status == SHERD_OK)
        status = sherd_bond_blocks_refresh(b->blocks, b->bonds, b->elements, unlisted, error);
    sherd_free(unlisted);
    return status;
}

sherd_status sherd_bonded_restore(sherd_bonded *bonded, sherd_record_reader *in, sherd_error *error)
{
    sherd_status status = check_owner(bonded, in, error);
    if (status != SHERD_OK) return status;
    sherd_record_column columns[SHERD_STATE_COLUMNS];
    sherd_record_read_all(in, columns, sherd_elements_state(bonded->elements, columns));
    return in->status == SHERD_OK ? restore_bonds(bonded, in, error) : in->status;
}
