// An opened run folder for commands that process runs: the run, a range of frames, and its scene.
#pragma once

#include "message.h"
#include "options.h"

#include <sherd/replay.h>

typedef struct run_folder {
    const command_options *options;
    sherd_run *run;
    sherd_run_info info;
    int64_t first, last; // selected frames, inclusive
    int64_t damaged;     // number of damaged ones among them
    sherd_scene *scene;  // NULL if not needed
    char path
        [MESSAGE_PATH]; // the run's folder; if a run file was given, the folder that contains it
} run_folder;

// Returns 0, or the exit status after printing an error. Close in any case. The scene's mesh files
// must exist unless `needs` is SHERD_EXPORT_FROM_RUN.
int run_folder_open(run_folder *r, const command_options *options, sherd_export_needs needs);
void run_folder_close(run_folder *r);

// Definition of an export with messages and progress on the terminal and the path given by -o.
sherd_replay_def run_folder_def(const run_folder *r);

// The exit status of an export: EXIT_FAILED if damaged frames were skipped, which was reported.
int run_folder_status(const run_folder *r);
