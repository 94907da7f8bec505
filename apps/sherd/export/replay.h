// A run folder opened again: its frames, the scene it was made from, the fragments' meshes.
#pragma once

#include "files/in_the_way.h"
#include "options.h"
#include "pictures/picture.h"

typedef struct replay {
    const command_options *options;
    sherd_run *run;
    sherd_run_info info;
    sherd_run_model model;
    own_files *own;      // what in the run's folder is Sherd's, and what it wrote elsewhere
    int64_t first, last; // frames asked for, both included
    int64_t damaged;     // of these
    // Only with REPLAY_SCENE:
    sherd_scene *scene;
    sherd_fragments *fragments;
    picture_maker *pictures; // only with REPLAY_MESHES
} replay;

typedef enum replay_depth {
    REPLAY_FRAMES, // elements only: nothing but the run file is needed
    REPLAY_SCENE,  // also the scene; mesh files that it names must still be there
    REPLAY_MESHES, // also the fragments' meshes, frame by frame
} replay_depth;

// Returns 0, or the exit status after having said what is wrong. Close in any case.
int replay_open(replay *r, const command_options *options, replay_depth depth);
void replay_close(replay *r);

// Works on one frame. With REPLAY_MESHES the maker stands at it.
typedef sherd_status replay_frame(const replay *r, const sherd_run_frame *frame, void *context,
                                  sherd_error *error);

// Every undamaged frame asked for, in order, with a progress line.
sherd_status replay_frames(replay *r, replay_frame *work, void *context, sherd_error *error);

// "frame 3/24" on the progress line: rewritten on a terminal, one line per frame elsewhere.
void replay_progress(const char *what, int64_t frame, int64_t last);

// The exit status of what was made: EXIT_FAILED when damaged frames were left out, which was said.
int replay_status(const replay *r);

// The folder of the run itself: the one given, or that of the run file given.
void replay_folder(const replay *r, char folder[OUTPUT_PATH]);

// SHERD_OK when nothing is in the way or --overwrite was given.
sherd_status replay_check(const replay *r, const in_the_way *way, sherd_error *error);
