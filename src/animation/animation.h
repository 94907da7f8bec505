// What a run looks like over time: materials, meshes, clouds of points, and pieces of these that move.
//
// It comes in that order, the poses frame by frame, and goes to one writer (a .glb, text USD), which knows its format
// alone: what is common to all is checked, counted and kept here. Meshes are handed on at once and poses wait in tracks
// (pose_tracks.h), so that memory has neither.
//
// Invariants: a writer gets only what was checked (finite numbers, corners and materials that exist); materials, meshes
// and pieces are numbered from 0 in the order in which they come; frames of a piece follow each other without gaps.
#pragma once

#include "animation/pose_tracks.h"

#include <sherd/export_glb.h>

// The functions of a format. `file` of the animation is the writer's own.
typedef struct sherd_animation_writer {
    // NULL when memory is short.
    void *(*create)(const sherd_glb *animation);
    void (*destroy)(void *file);
    // The next material, mesh, cloud of points; clouds are numbered among meshes.
    sherd_status (*add_material)(sherd_glb *animation, const sherd_glb_material *material,
                                 sherd_error *error);
    sherd_status (*add_mesh)(sherd_glb *animation, const sherd_glb_mesh *mesh, sherd_error *error);
    sherd_status (*add_points)(sherd_glb *animation, const sherd_glb_points *points,
                               sherd_error *error);
    // Once a piece has poses.
    sherd_status (*write)(sherd_glb *animation, const char *path, sherd_error *error);
} sherd_animation_writer;

struct sherd_glb {
    const sherd_animation_writer *writer;
    void *file;
    char *name;
    char *folder; // of temporary files; NULL: the system's
    int64_t frame_count;
    double texture_size;
    float *times; // (frame_count)
    bool compact;
    int material_count, mesh_count, piece_count;
    sherd_glb_piece *pieces; // their names are owned (piece_count)
    size_t piece_capacity;
    sherd_pose_tracks tracks; // of the pieces
};

// The writer is borrowed.
sherd_glb *sherd_animation_create(const sherd_glb_def *def, const sherd_animation_writer *writer,
                                  sherd_error *error);

// A piece as writers have it: its keys are those of its track, one a frame.
typedef struct sherd_course {
    const sherd_glb_piece *piece;
    const sherd_pose_track *track;
    const sherd_pose *poses; // (track->count)
} sherd_course;

// Of a piece with poses, until the next call. False when memory is short or a temporary file failed; quick for pieces
// that ascend.
bool sherd_animation_course(sherd_glb *animation, int piece, sherd_course *course);
