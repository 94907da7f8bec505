// What the time of a run was spent on: timings.csv, and the bar in the report.
#pragma once

#include <sherd/table.h>
#include <sherd/world.h>

// Wall time [s]. Surfaces and pictures also count while they are made beside steps.
typedef struct sherd_run_timings {
    double wall;                           // since the previous row
    double packing, calibration, building; // of the scene
    sherd_step_times steps;
    double other_steps;        // not divided
    double surfaces, pictures; //
    double measuring; // energies and fragments of frames; at the end what a run says of itself
    double files;     // run.sherd, tables and checkpoints; exports and the video at the end
    double waiting;   // for surfaces and pictures: nothing else was done
} sherd_run_timings;

enum {
    SHERD_TIMING_COLUMN_COUNT = 17,
    SHERD_TIMING_PARTS = SHERD_TIMING_COLUMN_COUNT - 3, // all members but `wall`
};

// The stage of what a resumed run packs and builds again, which counts apart.
#define SHERD_TIMING_RESUME "resume"

// frame, stage (start, frame, resume or end), then the members.
const sherd_column *sherd_timing_columns(void); // (SHERD_TIMING_COLUMN_COUNT)
void sherd_timing_cells(int64_t frame, const char *stage, const sherd_run_timings *timings,
                        sherd_cell cells[SHERD_TIMING_COLUMN_COUNT]);

sherd_run_timings sherd_timings_since(const sherd_run_timings *now, const sherd_run_timings *then);
void sherd_timings_add_row(sherd_run_timings *sum, const sherd_table *table, int64_t row);

// The name of a part, from 0, for people, and its time. NULL: it overlaps other parts.
const char *sherd_timing_part(const sherd_run_timings *timings, int part, double *seconds);
