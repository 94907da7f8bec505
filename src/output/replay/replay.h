// The frames of a run, one after the other, with the fragments' meshes where they are wanted.
#pragma once

#include "output/files/in_the_way.h"
#include "output/pictures/picture.h"

#include <sherd/replay.h>

typedef struct sherd_replay {
    const sherd_replay_def *def;
    sherd_messages messages;
    sherd_run_model model;
    sherd_own_files *own;       // what in the run's folder is Sherd's, and what it wrote elsewhere
    sherd_fragments *fragments; // with meshes only
    sherd_picture_maker *pictures; // with meshes only
    sherd_dust *dust;              // NULL: none
    int64_t damaged;               // frames left out so far
} sherd_replay;

// SHERD_ERROR_INPUT for a definition that is wrong, or that lacks what is needed. Close in any case.
sherd_status sherd_replay_open(sherd_replay *r, const sherd_replay_def *def,
                               sherd_export_needs needs, sherd_error *error);
void sherd_replay_close(sherd_replay *r);

// Works on one frame. With meshes the maker stands at it.
typedef sherd_status sherd_replay_work(void *context, const sherd_run_frame *frame,
                                       sherd_error *error);

// Every frame that can be read, in order.
sherd_status sherd_replay_frames(sherd_replay *r, sherd_replay_work *work, void *context,
                                 sherd_error *error);

// Looks for files in the way of a series, FOLDER/WHAT000012KIND.
void sherd_replay_look(const sherd_replay *r, sherd_in_the_way *way, const char *folder,
                       const char *what, const char *kind);

// SHERD_OK when nothing is in the way or may be written over.
sherd_status sherd_replay_check(const sherd_replay *r, const sherd_in_the_way *way,
                                sherd_error *error);
