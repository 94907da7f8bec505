// Reads the frames of a run one after the other, with meshes of fragments if requested.
#pragma once

#include "output/files/previous_outputs.h"
#include "output/pictures/picture.h"

#include <sherd/replay.h>

typedef struct sherd_replay {
    const sherd_replay_def *def;
    sherd_messages messages;
    sherd_run_model model;
    sherd_output_list
        *own; // which files in the run's folder are Sherd's, and files written elsewhere
    sherd_fragments *fragments;    // only with meshes
    sherd_picture_maker *pictures; // only with meshes
    sherd_dust *dust;              // NULL: none
    sherd_debris *debris;          // of pictures; NULL: none
    int64_t damaged;               // frames skipped so far
} sherd_replay;

// SHERD_ERROR_INPUT if the definition is invalid or incomplete. Close in any case.
sherd_status sherd_replay_open(sherd_replay *r, const sherd_replay_def *def,
                               sherd_export_needs needs, sherd_picture_use use, sherd_error *error);
void sherd_replay_close(sherd_replay *r);

// Processes one frame. With meshes, the picture maker is set to it.
typedef sherd_status sherd_replay_work(void *context, const sherd_run_frame *frame,
                                       sherd_error *error);

// Processes every readable frame in order.
sherd_status sherd_replay_frames(sherd_replay *r, sherd_replay_work *work, void *context,
                                 sherd_error *error);

// Looks for foreign files that a series FOLDER/WHAT000012KIND would overwrite.
void sherd_replay_look(const sherd_replay *r, sherd_overwrite_check *way, const char *folder,
                       const char *what, const char *kind);

// SHERD_OK if there are none or overwriting is allowed.
sherd_status sherd_replay_check(const sherd_replay *r, const sherd_overwrite_check *way,
                                sherd_error *error);

// Sets the view of an automatic camera from the run's first readable frame.
sherd_status sherd_replay_aim(sherd_picture_maker *maker, sherd_run *run, sherd_error *error);
// Passes frame `index` as the previous one, for obstacles' motion blur; skipped if it is damaged or
// -1.
sherd_status sherd_replay_remember(sherd_picture_maker *maker, sherd_run *run, int64_t index,
                                   sherd_error *error);
