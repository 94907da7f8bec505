#include <sherd/table.h>

#include "base/assertion.h"
#include "base/byte_buffer.h"
#include "base/error.h"
#include "base/file_writer.h"
#include "base/memory.h"
#include "output/tables/table_resume.h"
#include "output/text.h"

#include <sherd/file.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct sherd_table_writer {
    sherd_file_writer *file;
    int column_count;
    sherd_column_kind *kinds; // (column_count)
    sherd_byte_buffer line;   // scratch
};

// ---------------------------------------------------------------- rows as text

static void put_text(sherd_byte_buffer *line, const char *text)
{
    sherd_byte_buffer_append(line, text, strlen(text));
}

// RFC 4180: a cell with a separator, quote or line end is quoted; quotes are doubled.
static void put_quoted(sherd_byte_buffer *line, const char *text)
{
    if (text[strcspn(text, ",\"\r\n")] == '\0') {
        put_text(line, text);
        return;
    }
    put_text(line, "\"");
    for (; *text != '\0'; ++text)
        sherd_byte_buffer_append(line, *text == '"' ? "\"\"" : text, *text == '"' ? 2 : 1);
    put_text(line, "\"");
}

static void put_cell(sherd_byte_buffer *line, sherd_column_kind kind, sherd_cell cell)
{
    char text[SHERD_NUMBER_SIZE]; // also room for any 64-bit integer
    switch (kind) {
    case SHERD_COLUMN_INTEGER:
        snprintf(text, sizeof text, "%" PRId64, cell.integer);
        break;
    case SHERD_COLUMN_NUMBER:
        sherd_number_text(text, cell.number, 9);
        break;
    case SHERD_COLUMN_EXACT:
        sherd_number_text(text, cell.number, 17);
        break;
    case SHERD_COLUMN_HASH:
        snprintf(text, sizeof text, "%016" PRIx64, (uint64_t)cell.integer);
        break;
    case SHERD_COLUMN_TEXT:
        put_quoted(line, cell.text != NULL ? cell.text : "");
        return;
    }
    put_text(line, text);
}

static void put_header(sherd_byte_buffer *line, const sherd_column *columns, int column_count)
{
    for (int k = 0; k < column_count; ++k) {
        if (k > 0) put_text(line, ",");
        put_quoted(line, columns[k].name);
    }
    put_text(line, "\n");
}

// ---------------------------------------------------------------- life

static void writer_free(sherd_table_writer *writer)
{
    sherd_file_writer_abort(writer->file);
    sherd_byte_buffer_free(&writer->line);
    sherd_free(writer->kinds);
    sherd_free(writer);
}

static sherd_table_writer *writer_new(const sherd_column *columns, int column_count,
                                      sherd_error *error)
{
    if (column_count < 1) {
        sherd_fail(error, SHERD_ERROR_INPUT, "table", NULL, "a table needs columns, got %d",
                   column_count);
        return NULL;
    }
    sherd_table_writer *writer = sherd_alloc(1, sizeof *writer);
    sherd_column_kind *kinds = sherd_alloc((size_t)column_count, sizeof *kinds);
    if (writer == NULL || kinds == NULL) {
        sherd_free(writer);
        sherd_free(kinds);
        sherd_fail_memory(error, "table");
        return NULL;
    }
    for (int k = 0; k < column_count; ++k)
        kinds[k] = columns[k].kind;
    writer->column_count = column_count;
    writer->kinds = kinds;
    return writer;
}

// Opens the file truncated to `keep` bytes; writes the header line if it is empty.
static sherd_status open_table(sherd_table_writer *writer, const char *path, int64_t keep,
                               const sherd_byte_buffer *header, sherd_error *error)
{
    SHERD_ASSERT(keep >= 0, "a table is truncated to a size");
    if (header->failed) return sherd_fail_memory(error, path);
    writer->file = sherd_file_writer_append(path, keep, error);
    if (writer->file == NULL) return error != NULL ? error->status : SHERD_ERROR_IO;
    if (keep == 0) sherd_file_writer_write(writer->file, header->bytes, header->size);
    return sherd_file_writer_flush(writer->file, error);
}

// True if an existing file starts with another text: a table of another program.
static bool is_foreign(const char *path, const sherd_byte_buffer *header)
{
    FILE *file = sherd_file_size(path) > 0 ? fopen(path, "rbe") : NULL;
    if (file == NULL) return false; // read errors are reported when writing fails
    size_t at = 0;
    int byte = 0;
    while (at < header->size && (byte = fgetc(file)) != EOF && byte == header->bytes[at])
        ++at;
    fclose(file);
    return at < header->size && byte != EOF;
}

static sherd_status fail_foreign(const char *path, sherd_error *error)
{
    return sherd_fail(error, SHERD_ERROR_INPUT, path,
                      "it was written by another version or program: move it away",
                      "the header of this table is not the one expected");
}

sherd_table_writer *sherd_table_writer_create(const char *path, const sherd_column *columns,
                                              int column_count, sherd_error *error)
{
    sherd_table_writer *writer = writer_new(columns, column_count, error);
    if (writer == NULL) return NULL;
    sherd_byte_buffer header = {0};
    put_header(&header, columns, column_count);
    sherd_status status = is_foreign(path, &header) ? fail_foreign(path, error)
                                                    : open_table(writer, path, 0, &header, error);
    sherd_byte_buffer_free(&header);
    if (status == SHERD_OK) return writer;
    writer_free(writer);
    return NULL;
}

// ---------------------------------------------------------------- resume

// The end of the row that starts at `at`; 0 if it is incomplete. Line ends within quotes belong to
// a cell.
static size_t row_end(const char *bytes, size_t size, size_t at)
{
    bool quoted = false;
    for (; at < size; ++at) {
        if (bytes[at] == '"') quoted = !quoted;
        if (bytes[at] == '\n' && !quoted) return at + 1;
    }
    return 0;
}

// Number of bytes to retain: the header and all complete rows whose first cell is below
// `first_frame`. -1: the file has another header. 0: the header is incomplete.
static int64_t find_keep(const char *bytes, size_t size, const sherd_byte_buffer *header,
                         int64_t first_frame)
{
    if (size < header->size) return memcmp(bytes, header->bytes, size) == 0 ? 0 : -1;
    if (memcmp(bytes, header->bytes, header->size) != 0) return -1;
    size_t at = header->size;
    while (at < size) {
        size_t end = row_end(bytes, size, at);
        char *after;
        long long frame = strtoll(bytes + at, &after, 10);
        if (end == 0 || after == bytes + at || frame >= first_frame) break;
        at = end;
    }
    SHERD_ASSERT(at >= header->size && at <= size, "retained rows end within the file");
    return (int64_t)at;
}

static sherd_status resume_table(sherd_table_writer *writer, const char *path,
                                 const sherd_byte_buffer *header, int64_t first_frame,
                                 sherd_error *error)
{
    if (header->failed) return sherd_fail_memory(error, path);
    if (!sherd_file_exists(path)) return open_table(writer, path, 0, header, error);
    unsigned char *bytes;
    size_t size;
    sherd_status status = sherd_file_read(path, &bytes, &size, error);
    if (status != SHERD_OK) return status;
    int64_t keep = find_keep((const char *)bytes, size, header, first_frame);
    sherd_free(bytes);
    if (keep < 0) return fail_foreign(path, error);
    return open_table(writer, path, keep, header, error);
}

sherd_table_writer *sherd_table_writer_resume(const char *path, const sherd_column *columns,
                                              int column_count, int64_t first_frame,
                                              sherd_error *error)
{
    sherd_table_writer *writer = writer_new(columns, column_count, error);
    if (writer == NULL) return NULL;
    sherd_byte_buffer header = {0};
    put_header(&header, columns, column_count);
    sherd_status status = resume_table(writer, path, &header, first_frame, error);
    sherd_byte_buffer_free(&header);
    if (status == SHERD_OK) return writer;
    writer_free(writer);
    return NULL;
}

// ---------------------------------------------------------------- rows, end

sherd_status sherd_table_writer_add(sherd_table_writer *writer, const sherd_cell *cells,
                                    sherd_error *error)
{
    SHERD_ASSERT(writer->file != NULL, "rows are written to a table that is open");
    sherd_byte_buffer *line = &writer->line;
    line->size = 0;
    for (int k = 0; k < writer->column_count; ++k) {
        if (k > 0) put_text(line, ",");
        put_cell(line, writer->kinds[k], cells[k]);
    }
    put_text(line, "\n");
    if (line->failed) return sherd_fail_memory(error, "table row");
    sherd_file_writer_write(writer->file, line->bytes, line->size);
    return SHERD_OK;
}

sherd_status sherd_table_writer_flush(sherd_table_writer *writer, sherd_error *error)
{
    return sherd_file_writer_flush(writer->file, error);
}

sherd_status sherd_table_writer_row(sherd_table_writer *writer, const sherd_cell *cells,
                                    sherd_error *error)
{
    sherd_status status = sherd_table_writer_add(writer, cells, error);
    return status == SHERD_OK ? sherd_table_writer_flush(writer, error) : status;
}

sherd_status sherd_table_writer_sync(sherd_table_writer *writer, sherd_error *error)
{
    return sherd_file_writer_sync(writer->file, error);
}

sherd_status sherd_table_writer_close(sherd_table_writer *writer, sherd_error *error)
{
    if (writer == NULL) return SHERD_OK;
    sherd_status status = sherd_file_writer_commit(writer->file, error);
    writer->file = NULL;
    writer_free(writer);
    return status;
}
