#include "output/run/run_tables.h"

#include "output/files/output_names.h"
#include "output/tables/table_columns.h"
#include "output/tables/table_resume.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// ---------------------------------------------------------------- stats.csv

// Parses a cell; false if it is not a number.
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

// Finds the row of a frame in an existing table, possibly of an earlier version with fewer columns.
static bool find_previous_row(const sherd_table *table, int64_t frame,
                              sherd_cell cells[SHERD_STATS_COLUMN_COUNT])
{
    const sherd_column *columns = sherd_stats_columns();
    int count = table != NULL ? sherd_table_column_count(table) : 0;
    if (count == 0 || count > SHERD_STATS_COLUMN_COUNT) return false;
    memset(cells, 0, SHERD_STATS_COLUMN_COUNT * sizeof *cells);
    for (int64_t row = 0; row < sherd_table_row_count(table); ++row) {
        bool good = true;
        for (int c = 0; c < count && good; ++c)
            good = read_cell(sherd_table_text(table, row, c), columns[c].kind, &cells[c]);
        if (good && cells[0].integer == frame) return true;
    }
    return false;
}

// From the run file, which has checksums; rows of damaged frames are taken from the existing table.
static sherd_status write_previous_rows(sherd_run_loop *loop, const sherd_table *previous,
                                        sherd_error *error)
{
    sherd_status status = SHERD_OK;
    for (int64_t k = 0; k <= loop->frame && status == SHERD_OK; ++k) {
        sherd_run_stats stats;
        sherd_cell cells[SHERD_STATS_COLUMN_COUNT];
        status = sherd_run_read_stats(loop->previous, k, &stats, error);
        bool found = status == SHERD_OK;
        if (found) sherd_stats_cells(&stats, cells);
        if (status == SHERD_ERROR_INPUT) {
            found = find_previous_row(previous, k, cells);
            status = SHERD_OK;
            if (!found)
                sherd_message_send(&loop->messages, SHERD_MESSAGE_WARNING, NULL, NULL,
                                   "the row of frame %lld is missing in %s/stats.csv", (long long)k,
                                   loop->folder);
        }
        if (found) status = sherd_table_writer_row(loop->stats, cells, error);
    }
    return status;
}

static sherd_status open_stats(sherd_run_loop *loop, sherd_error *error)
{
    char path[OUTPUT_PATH];
    sherd_error ignored;
    sherd_output_path(loop->folder, "stats.csv", path);
    sherd_table *previous = loop->resumes ? sherd_table_read(path, &ignored) : NULL;
    if (loop->resumes) unlink(path);
    loop->stats =
        sherd_table_writer_create(path, sherd_stats_columns(), SHERD_STATS_COLUMN_COUNT, error);
    sherd_status status = loop->stats != NULL ? SHERD_OK : error->status;
    if (status == SHERD_OK && loop->resumes) status = write_previous_rows(loop, previous, error);
    sherd_table_destroy(previous);
    return status;
}

// ---------------------------------------------------------------- probes.csv

sherd_status sherd_run_tables_check(const sherd_run_loop *loop, sherd_error *error)
{
    char path[OUTPUT_PATH], line[2048], expected[2048];
    size_t used = 0;
    for (int k = 0; k < SHERD_PROBE_COLUMN_COUNT; ++k) // some 600 bytes
        used += (size_t)snprintf(expected + used, sizeof expected - used, "%s%s", k > 0 ? "," : "",
                                 sherd_probe_columns()[k].name);
    used += (size_t)snprintf(expected + used, sizeof expected - used, "\n");
    sherd_output_path(loop->folder, "probes.csv", path);
    FILE *file = fopen(path, "re");
    if (file == NULL) return SHERD_OK;
    size_t there = fread(line, 1, used, file);
    fclose(file);
    // A file that ends within its header is rewritten.
    if (memcmp(line, expected, there) == 0) return SHERD_OK;
    *error = (sherd_error){.status = SHERD_ERROR_INPUT,
                           .what = "the first line of this table is damaged or of another version",
                           .hint = "move it away: the run then goes on with a new one"};
    snprintf(error->where, sizeof error->where, "%.500s", path);
    return error->status;
}

// Warns about frames without rows; frame 0 has none.
static void report_lost_rows(sherd_run_loop *loop, const char *path)
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
        sherd_message_send(
            &loop->messages, SHERD_MESSAGE_WARNING, NULL, NULL,
            "the rows of %lld frames are missing in %s; the run goes on without them",
            (long long)lost, path);
}

static sherd_status open_probes(sherd_run_loop *loop, sherd_error *error)
{
    char path[OUTPUT_PATH];
    sherd_output_path(loop->folder, "probes.csv", path);
    const sherd_column *columns = sherd_probe_columns();
    loop->probes = loop->resumes
                       ? sherd_table_writer_resume(path, columns, SHERD_PROBE_COLUMN_COUNT,
                                                   loop->frame + 1, error)
                       : sherd_table_writer_create(path, columns, SHERD_PROBE_COLUMN_COUNT, error);
    if (loop->probes == NULL) return error->status;
    if (loop->resumes && loop->scene->probe_count > 0) report_lost_rows(loop, path);
    return SHERD_OK;
}

// ---------------------------------------------------------------- breaks.csv

// From the run file, as for stats.csv. Damaged frames have no rows.
static sherd_status write_previous_breaks(sherd_run_loop *loop, sherd_error *error)
{
    sherd_run_breaks *previous = sherd_run_read_breaks(loop->previous, loop->frame, error);
    if (previous == NULL) return error->status;
    sherd_status status = SHERD_OK;
    for (int64_t k = 0; k < previous->event_count && status == SHERD_OK; ++k) {
        const sherd_break *broken = &previous->events[k];
        sherd_cell cells[SHERD_BREAK_COLUMN_COUNT];
        sherd_break_cells(previous->broken[broken->bond], broken, cells);
        status = sherd_table_writer_row(loop->breaks, cells, error);
    }
    sherd_run_breaks_destroy(previous);
    return status;
}

static sherd_status open_breaks(sherd_run_loop *loop, sherd_error *error)
{
    char path[OUTPUT_PATH];
    sherd_output_path(loop->folder, "breaks.csv", path);
    if (loop->resumes) unlink(path);
    loop->breaks =
        sherd_table_writer_create(path, sherd_break_columns(), SHERD_BREAK_COLUMN_COUNT, error);
    if (loop->breaks == NULL) return error->status;
    return loop->resumes ? write_previous_breaks(loop, error) : SHERD_OK;
}

// Earlier rows of a resumed run stay, unless they are damaged.
static sherd_status open_timings(sherd_run_loop *loop, sherd_error *error)
{
    char path[OUTPUT_PATH];
    sherd_output_path(loop->folder, "timings.csv", path);
    const sherd_column *columns = sherd_timing_columns();
    if (loop->resumes) {
        loop->timings = sherd_table_writer_resume(path, columns, SHERD_TIMING_COLUMN_COUNT,
                                                  loop->frame + 1, error);
        if (loop->timings != NULL) return SHERD_OK;
        unlink(path);
    }
    loop->timings = sherd_table_writer_create(path, columns, SHERD_TIMING_COLUMN_COUNT, error);
    return loop->timings != NULL ? SHERD_OK : error->status;
}

sherd_status sherd_run_tables_open(sherd_run_loop *loop, sherd_error *error)
{
    sherd_status status = open_stats(loop, error);
    if (status == SHERD_OK) status = open_probes(loop, error);
    if (status == SHERD_OK) status = open_breaks(loop, error);
    return status == SHERD_OK ? open_timings(loop, error) : status;
}
