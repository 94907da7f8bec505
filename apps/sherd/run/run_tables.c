#include "run/run_tables.h"

#include "files/output_names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// ---------------------------------------------------------------- stats.csv

// A cell as it was written; false: it is no number.
static bool read_cell(const char *text, sherd_column_kind kind, sherd_cell *cell)
{
    char *end;
    if (kind == SHERD_COLUMN_INTEGER)
        cell->integer = strtoll(text, &end, 10);
    else if (kind == SHERD_COLUMN_HASH)
        cell->integer = (int64_t)strtoull(text, &end, 16);
    else
        cell->number = strtod(text, &end);
    return end != text && *end == '\0';
}

// The row of a frame in a table that was written before.
static bool find_former_row(const sherd_table *table, int64_t frame,
                            sherd_cell cells[SHERD_STATS_COLUMN_COUNT])
{
    const sherd_column *columns = sherd_stats_columns();
    if (table == NULL || sherd_table_column_count(table) != SHERD_STATS_COLUMN_COUNT) return false;
    for (int64_t row = 0; row < sherd_table_row_count(table); ++row) {
        bool good = true;
        for (int c = 0; c < SHERD_STATS_COLUMN_COUNT && good; ++c)
            good = read_cell(sherd_table_text(table, row, c), columns[c].kind, &cells[c]);
        if (good && cells[0].integer == frame) return true;
    }
    return false;
}

// From the run file, which has checksums; of frames that are damaged there from the former table.
static sherd_status write_former_rows(run_loop *loop, const sherd_table *former, sherd_error *error)
{
    sherd_status status = SHERD_OK;
    for (int64_t k = 0; k <= loop->frame && status == SHERD_OK; ++k) {
        sherd_run_stats stats;
        sherd_cell cells[SHERD_STATS_COLUMN_COUNT];
        status = sherd_run_read_stats(loop->former, k, &stats, error);
        bool found = status == SHERD_OK;
        if (found) sherd_stats_cells(&stats, cells);
        if (status == SHERD_ERROR_INPUT) {
            found = find_former_row(former, k, cells);
            status = SHERD_OK;
            if (!found)
                fprintf(stderr, "warning: the row of frame %lld is missing in %s/stats.csv\n",
                        (long long)k, loop->folder);
        }
        if (found) status = sherd_table_writer_row(loop->stats, cells, error);
    }
    return status;
}

static sherd_status open_stats(run_loop *loop, sherd_error *error)
{
    char path[OUTPUT_PATH];
    sherd_error ignored;
    output_path(loop->folder, "stats.csv", path);
    sherd_table *former = loop->resumes ? sherd_table_read(path, &ignored) : NULL;
    if (loop->resumes) unlink(path);
    loop->stats =
        sherd_table_writer_create(path, sherd_stats_columns(), SHERD_STATS_COLUMN_COUNT, error);
    sherd_status status = loop->stats != NULL ? SHERD_OK : error->status;
    if (status == SHERD_OK && loop->resumes) status = write_former_rows(loop, former, error);
    sherd_table_destroy(former);
    return status;
}

// ---------------------------------------------------------------- probes.csv

sherd_status run_tables_check(const run_loop *loop, sherd_error *error)
{
    char path[OUTPUT_PATH], line[2048], expected[2048];
    size_t used = 0;
    for (int k = 0; k < SHERD_PROBE_COLUMN_COUNT; ++k) // some 400 bytes
        used += (size_t)snprintf(expected + used, sizeof expected - used, "%s%s", k > 0 ? "," : "",
                                 sherd_probe_columns()[k].name);
    used += (size_t)snprintf(expected + used, sizeof expected - used, "\n");
    output_path(loop->folder, "probes.csv", path);
    FILE *file = fopen(path, "re");
    if (file == NULL) return SHERD_OK;
    size_t there = fread(line, 1, used, file);
    fclose(file);
    // One that is torn within its header is begun again.
    if (memcmp(line, expected, there) == 0) return SHERD_OK;
    *error = (sherd_error){.status = SHERD_ERROR_INPUT,
                           .what = "the first line of this table is damaged or of another version",
                           .hint = "move it away: the run then goes on with a new one"};
    snprintf(error->where, sizeof error->where, "%.500s", path);
    return error->status;
}

// Every frame but the first has rows.
static void tell_lost_rows(const run_loop *loop, const char *path)
{
    int64_t next = 1, lost = 0;
    char *line = NULL;
    size_t capacity = 0;
    FILE *file = fopen(path, "re");
    for (bool first = true; file != NULL && getline(&line, &capacity, file) >= 0; first = false) {
        int64_t frame = first ? 0 : strtoll(line, NULL, 10);
        if (frame > next) lost += frame - next;
        if (frame >= next) next = frame + 1;
    }
    if (file != NULL) fclose(file);
    free(line);
    if (next <= loop->frame) lost += loop->frame + 1 - next;
    if (lost > 0)
        fprintf(stderr,
                "warning: the rows of %lld frames are missing in %s; the run goes on "
                "without them\n",
                (long long)lost, path);
}

static sherd_status open_probes(run_loop *loop, sherd_error *error)
{
    char path[OUTPUT_PATH];
    output_path(loop->folder, "probes.csv", path);
    const sherd_column *columns = sherd_probe_columns();
    loop->probes = loop->resumes
                       ? sherd_table_writer_resume(path, columns, SHERD_PROBE_COLUMN_COUNT,
                                                   loop->frame + 1, error)
                       : sherd_table_writer_create(path, columns, SHERD_PROBE_COLUMN_COUNT, error);
    if (loop->probes == NULL) return error->status;
    if (loop->resumes && loop->scene->probe_count > 0) tell_lost_rows(loop, path);
    return SHERD_OK;
}

sherd_status run_tables_open(run_loop *loop, sherd_error *error)
{
    sherd_status status = open_stats(loop, error);
    return status == SHERD_OK ? open_probes(loop, error) : status;
}
