// A run folder opened for commands that make something of it: the run, frames of it, the scene it was made from.
#pragma once

#include "message.h"
#include "options.h"

#include <sherd/replay.h>

typedef struct run_folder {
    const command_options *options;
    sherd_run *run;
    sherd_run_info info;
    int64_t first, last; // frames asked for, both included
    int64_t damaged;     // of these
    sherd_scene *scene;  // NULL where it is not needed
    char path
        [MESSAGE_PATH]; // the folder of the run itself: the one given, or that of the run file given
} run_folder;

// Returns 0, or the exit status after reporting the error. Close in any case. Mesh files that the scene
// names must still be there, unless `needs` is SHERD_EXPORT_FROM_RUN.
int run_folder_open(run_folder *r, const command_options *options, sherd_export_needs needs);
void run_folder_close(run_folder *r);

// Definition of the export, with messages and progress on the terminal, `place` as given with -o.
sherd_replay_def run_folder_def(const run_folder *r);

// The exit status of an export: EXIT_FAILED when damaged frames were left out, which was reported.
int run_folder_status(const run_folder *r);
