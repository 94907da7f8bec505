// Reads a CSV table into memory.
#include <sherd/table.h>

#include "base/error.h"
#include "base/file_writer.h"
#include "base/memory.h"
#include "output/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct sherd_table {
    char *text;   // the file, with cells separated by zero bytes
    char **cells; // row by row, the header first
    size_t cell_count, cell_capacity;
    int column_count;
    int64_t row_count; // without the header
};

static sherd_status fail_at(const char *path, int64_t line, const char *what, sherd_error *error)
{
    char where[SHERD_ERROR_TEXT_SIZE];
    snprintf(where, sizeof where, "%s:%lld", path, (long long)line);
    return sherd_fail(error, SHERD_ERROR_INPUT, where, NULL, "%s", what);
}

// Terminates the cell at *at in place and moves *at after its separator. Returns the separator: ','
// or '
// '; 0 if the text ends first (incomplete row) or a quote is misplaced.
static char cut_cell(char **at)
{
    char *from = *at, *to = *at;
    bool quoted = *from == '"';
    if (quoted) ++from;
    while (*from != '\0') {
        if (quoted && *from == '"') {
            if (from[1] != '"') {
                quoted = false;
                ++from;
                continue;
            }
            ++from;
        } else if (!quoted && (*from == ',' || *from == '\n')) {
            char separator = *from;
            *at = from + 1;
            *to = '\0';
            return separator;
        }
        if (!quoted && *from == '\r' && from[1] == '\n')
            ++from;
        else
            *to++ = *from++;
    }
    return 0;
}

static bool add_cell(sherd_table *table, char *cell)
{
    if (!sherd_grow((void **)&table->cells, &table->cell_capacity, table->cell_count + 1,
                    sizeof *table->cells))
        return false;
    table->cells[table->cell_count++] = cell;
    return true;
}

// Parses one row: its number of cells, 0 for an incomplete row, -1 if memory is short.
static int cut_row(sherd_table *table, char **at)
{
    size_t before = table->cell_count;
    for (;;) {
        char *cell = *at;
        char separator = cut_cell(at);
        if (separator == 0) {
            table->cell_count = before;
            return 0;
        }
        if (!add_cell(table, cell)) return -1;
        if (separator == '\n') return (int)(table->cell_count - before);
    }
}

static sherd_status cut_rows(sherd_table *table, const char *path, sherd_error *error)
{
    char *at = table->text;
    for (int64_t line = 1; *at != '\0'; ++line) {
        int cells = cut_row(table, &at);
        if (cells < 0) return sherd_fail_memory(error, path);
        if (cells == 0) break;
        if (line == 1)
            table->column_count = cells;
        else if (cells != table->column_count)
            return fail_at(path, line, "this row does not have as many cells as the header", error);
        else
            ++table->row_count;
    }
    if (table->column_count > 0) return SHERD_OK;
    return fail_at(path, 1, "this table has no header", error);
}

sherd_table *sherd_table_read(const char *path, sherd_error *error)
{
    sherd_table *table = sherd_alloc(1, sizeof *table);
    if (table == NULL) {
        sherd_fail_memory(error, path);
        return NULL;
    }
    size_t size;
    sherd_status status = sherd_file_read(path, (unsigned char **)&table->text, &size, error);
    if (status == SHERD_OK && strlen(table->text) != size)
        status = fail_at(path, 1, "not a table: the file holds zero bytes", error);
    if (status == SHERD_OK) status = cut_rows(table, path, error);
    if (status == SHERD_OK) return table;
    sherd_table_destroy(table);
    return NULL;
}

void sherd_table_destroy(sherd_table *table)
{
    if (table == NULL) return;
    sherd_free(table->cells);
    sherd_free(table->text);
    sherd_free(table);
}

int64_t sherd_table_row_count(const sherd_table *table)
{
    return table->row_count;
}

int sherd_table_column_count(const sherd_table *table)
{
    return table->column_count;
}

const char *sherd_table_column_name(const sherd_table *table, int column)
{
    return table->cells[column];
}

int sherd_table_find_column(const sherd_table *table, const char *name)
{
    for (int k = 0; k < table->column_count; ++k)
        if (strcmp(table->cells[k], name) == 0) return k;
    return -1;
}

const char *sherd_table_text(const sherd_table *table, int64_t row, int column)
{
    return table->cells[(row + 1) * table->column_count + column];
}

double sherd_table_number(const sherd_table *table, int64_t row, int column)
{
    return sherd_number_parse(sherd_table_text(table, row, column));
}
