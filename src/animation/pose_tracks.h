// Poses of pieces over time, transposed: they are added frame by frame, as a run is read, and read
// piece by piece, as file formats with keyframes need them. Poses go to a spool (spool.h), 56 bytes
// each, in runs of consecutive pieces of one frame. Memory contains one run and, while reading, the
// poses of as many pieces as fit into a buffer of fixed size.
//
//     for each frame: for each piece: sherd_pose_tracks_add(&t, piece, frame, pose);
//     for each piece, ascending:      poses = sherd_pose_tracks_read(&t, piece);
//
// Invariants: frames of a piece ascend without gaps; the index of a piece in `items` is its number.
#pragma once

#include "animation/spool.h"

#include <sherd/types.h>

#include <stdbool.h>
#include <stddef.h>

typedef struct sherd_pose_track {
    int64_t first_frame, count; // frames with a pose
    sherd_pose first;           // its first pose
    bool moves, turns;          // a later pose differs; a later rotation differs
} sherd_pose_track;

// Poses of the pieces first, first + 1, ... in one frame, stored at `offset` in the spool.
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
    // Poses of the pieces read_first .. read_end - 1, one piece after the other.
    int32_t read_first, read_end;
    sherd_pose *read;
    int64_t *read_at; // start of each of these pieces, and the end
    size_t read_room, at_room;
} sherd_pose_tracks; // zero-filled is empty; set spool.folder first

// Adds a piece, numbered t->count. False if memory is short.
bool sherd_pose_tracks_begin(sherd_pose_tracks *t);
// Adds the pose of the frame after the piece's last one. False if memory is short.
bool sherd_pose_tracks_add(sherd_pose_tracks *t, int32_t piece, int64_t frame, sherd_pose pose);
// All poses of a piece, from its first frame on; valid until the next call. Fast for ascending
// pieces. NULL if memory is short or the spool has failed.
const sherd_pose *sherd_pose_tracks_read(sherd_pose_tracks *t, int32_t piece);
void sherd_pose_tracks_free(sherd_pose_tracks *t);

// Keyframe reduction: which keys of a path are needed for linear interpolation. Sets `needed` for
// the first and last of `count` positions (count x 3) at ascending times, and for as many between
// as keep every other position within `tolerance` of the interpolated path. A tolerance of 0 keeps
// all keys. Returns the number of needed keys.
size_t sherd_thin_keys(const float *times, const float *positions, size_t count, double tolerance,
                       bool *needed);
