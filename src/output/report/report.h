// report.html: a self-contained page about a run, readable in light and dark mode, without scripts
// or external resources.
#pragma once

#include "output/tables/table_columns.h"

#include <sherd/breaks.h>
#include <sherd/diagnosis.h>

// One line of the diagnosis: "energy balance: worst error 0.2 %".
typedef struct sherd_report_line {
    sherd_report_level level;
    const char *text;
} sherd_report_line;

typedef struct sherd_report_picture {
    const char *path;    // of a PNG, which is copied into the page
    const char *caption; // may be NULL
} sherd_report_picture;

// A key figure besides those of the last row of stats: {"mass", "1.24 kg"}.
typedef struct sherd_report_figure {
    const char *name, *value;
} sherd_report_figure;

// A part of the time that the run took.
typedef struct sherd_report_time {
    const char *name;
    double seconds;
} sherd_report_time;

// All members are borrowed. Text is escaped; NULL strings and empty arrays are omitted.
typedef struct sherd_report {
    const char *title;
    const char *subtitle; // one line below it

    int picture_count;
    const sherd_report_picture *pictures;

    int figure_count;
    const sherd_report_figure *figures;

    int64_t stats_count;
    const sherd_run_stats *stats; // one per frame, ascending
    int64_t glue_count,
        broken_glue; // particles of glue among the bonds in `stats`: all, broken at the end

    int64_t break_count;
    const sherd_break *breaks; // ascending in time; may be NULL

    int64_t probe_row_count;
    const sherd_probe_row *probe_rows; // of all probes, ascending in time for each

    int32_t fragment_count;
    const sherd_fragment *fragments; // at the end

    int line_count;
    const sherd_report_line *lines; // diagnosis

    // One after the other; nothing is shown if they are less than `wall` / 2.
    int time_count;
    const sherd_report_time *times;
    double wall;            // of the run [s]
    const char *times_note; // a sentence below them; may be empty

    const char *scene_text;
    int setting_count;
    const char *const *settings; // as in sherd_run_info
    const char *machine;
    const char *version;
} sherd_report;

sherd_status sherd_report_write(const char *path, const sherd_report *report, sherd_error *error);
