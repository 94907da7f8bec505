// Where pieces are over time, transposed: poses come frame by frame, as a run is read, and are wanted piece by piece,
// as files with keys have them. They wait in a spool (animation/spool.h), 56 bytes each, in runs of pieces that follow each
// other in one frame; memory has one such run and, for reading, the poses of as many pieces as fit in a fixed part.
//
//     for each frame: for each piece: sherd_pose_tracks_add(&t, piece, frame, pose);
//     for each piece, ascending:      poses = sherd_pose_tracks_read(&t, piece);
//
// Invariants: frames of a piece follow each other without gaps; a piece's place in `items` is its number.
#pragma once

#include "animation/spool.h"

#include <sherd/types.h>

typedef struct sherd_pose_track {
    int64_t first_frame, count; // frames with a pose
    sherd_pose first;           // its first pose
    bool moves, turns;          // a later one is elsewhere or otherwise, or turned otherwise
} sherd_pose_track;

// Poses of pieces first, first + 1, ... in one frame, at `offset` in the spool.
typedef struct sherd_pose_run {
    int64_t frame, offset;
    int32_t first, count;
} sherd_pose_run;

typedef struct sherd_pose_tracks {
    sherd_spool spool;
    sherd_pose_track *items;
    sherd_pose_run *runs;
    size_t capacity, run_count, run_capacity;
    int32_t count;
    // Those of pieces from `read_first` up to `read_end`, one piece after the other.
    int32_t read_first, read_end;
    sherd_pose *read;
    int64_t *read_at; // of each of these pieces, and the end
    size_t read_room, at_room;
} sherd_pose_tracks; // zero-filled is empty; set spool.folder first

// Makes piece t->count. False when memory is short.
bool sherd_pose_tracks_begin(sherd_pose_tracks *t);
// Of the frame behind the piece's last one. False when memory is short.
bool sherd_pose_tracks_add(sherd_pose_tracks *t, int32_t piece, int64_t frame, sherd_pose pose);
// All poses of a piece, from its first frame on; valid until the next call. Quick for pieces that ascend. NULL when
// memory is short or the spool has failed.
const sherd_pose *sherd_pose_tracks_read(sherd_pose_tracks *t, int32_t piece);
void sherd_pose_tracks_free(sherd_pose_tracks *t);
