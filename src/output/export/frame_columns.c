#include "output/export/frame_columns.h"

#include "base/assertion.h"
#include "output/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MAX_TAKEN = 32 }; // largest number of fixed names in a file

static bool is_among(const char *name, const char *const *taken)
{
    for (int k = 0; taken[k] != NULL; ++k)
        if (strcmp(taken[k], name) == 0) return true;
    return false;
}

static bool is_used(const sherd_frame_columns *columns, const char *name, const char *const *taken)
{
    for (int k = 0; k < columns->count; ++k)
        if (strcmp(columns->name[k], name) == 0) return true;
    return is_among(name, taken);
}

// Replaces characters other than letters, digits and _, as run files of other programs may have any
// names.
static void choose_name(sherd_frame_columns *columns, const char *given, const char *const *taken)
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    char *name = columns->name[columns->count];
    snprintf(name, SHERD_FRAME_COLUMN_NAME, "%.63s", given);
    size_t length = strlen(name);
    for (size_t at = strspn(name, allowed); at < length; at += strspn(name + at, allowed))
        name[at] = '_';
    for (int number = 2; is_used(columns, name, taken); ++number)
        snprintf(name + length, SHERD_FRAME_COLUMN_NAME - length, "_%d", number);
}

void sherd_frame_columns_find(sherd_frame_columns *columns, const sherd_run_frame *frame,
                              sherd_run_per per, const char *const *taken)
{
    columns->count = 0;
    for (int k = 0; k < frame->column_count && columns->count < SHERD_FRAME_COLUMNS; ++k) {
        if (frame->columns[k].per != per) continue;
        choose_name(columns, frame->columns[k].name, taken);
        columns->values[columns->count++] = frame->columns[k].values;
    }
}

// ---------------------------------------------------------------- tables

void sherd_frame_columns_write_names(const sherd_frame_columns *columns, const char *const *own,
                                     sherd_file_writer *writer)
{
    for (int k = 0; own[k] != NULL; ++k)
        sherd_file_writer_printf(writer, "%s%s", k > 0 ? "," : "", own[k]);
    for (int k = 0; k < columns->count; ++k)
        sherd_file_writer_printf(writer, ",%s", columns->name[k]);
    sherd_file_writer_text(writer, "\n");
}

void sherd_frame_columns_write_row(const sherd_frame_columns *columns, size_t row,
                                   sherd_file_writer *writer)
{
    enum { DIGITS = 9 }; // of a float
    char text[SHERD_NUMBER_SIZE];
    for (int k = 0; k < columns->count; ++k) {
        double value = (double)columns->values[k][row];
        sherd_file_writer_text(writer, ",");
        if (!isnan(value)) sherd_file_writer_text(writer, sherd_number_text(text, value, DIGITS));
    }
    sherd_file_writer_text(writer, "\n");
}

// ---------------------------------------------------------------- for ParaView

static const float *pick(const float *values, const int32_t *rows, int64_t row_count,
                         sherd_owned *owned)
{
    if (rows == NULL) return values;
    float *picked = sherd_owned_alloc(owned, (size_t)row_count, sizeof *picked);
    for (int64_t k = 0; picked != NULL && k < row_count; ++k)
        picked[k] = values[rows[k]];
    return picked;
}

int sherd_frame_columns_add(sherd_vtk_array *arrays, int count, const sherd_run_frame *frame,
                            sherd_run_per per, const int32_t *rows, int64_t row_count,
                            sherd_owned *owned)
{
    SHERD_ASSERT(count >= 0 && count <= MAX_TAKEN, "names of a file's own arrays fit the table");
    const char *taken[MAX_TAKEN + 1] = {NULL};
    sherd_frame_columns *columns = sherd_owned_alloc(owned, 1, sizeof *columns);
    if (columns == NULL) return -1;
    for (int k = 0; k < count && k < MAX_TAKEN; ++k)
        taken[k] = arrays[k].name;
    sherd_frame_columns_find(columns, frame, per, taken);
    for (int k = 0; k < columns->count; ++k) {
        const float *values = pick(columns->values[k], rows, row_count, owned);
        if (values == NULL) return -1;
        arrays[count++] = (sherd_vtk_array){columns->name[k], SHERD_VTK_FLOAT32, 1, values};
    }
    return count;
}
