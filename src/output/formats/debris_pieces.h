// Crumbs in an animation: pieces that share the meshes of a few shapes (output/debris/debris.h).
// The element that they replace is visible up to the frame before.
#pragma once

#include "output/debris/debris.h"
#include "output/formats/format_job.h"

struct sherd_animation_objects;

// Crumbs are the largest part of an animation's keys: of each element at most so many of the
// largest are pieces that all fit.
enum { DEBRIS_MOST_PIECES = 10000 };

typedef struct sherd_debris_pieces {
    sherd_debris *last; // at the last frame; NULL: there are no crumbs
    sherd_debris *now;  // at the present one
    int *meshes;        // by body, shape, and whether it has outer faces; -1: not added yet
    int *piece;         // by crumb, -1: none
    int most;           // crumbs of an element
    int count;          // pieces
    int64_t left_out;   // crumbs beyond the limit
} sherd_debris_pieces;

// Finds the crumbs of all frames. Free in any case.
sherd_status sherd_debris_pieces_open(sherd_debris_pieces *p, const sherd_format_job *job,
                                      const sherd_run_model *model, sherd_error *error);
void sherd_debris_pieces_free(sherd_debris_pieces *p);

// Whether an element's own mesh is in none of the animation's frames.
bool sherd_debris_pieces_from_start(const sherd_debris_pieces *p, const sherd_format_job *job,
                                    sherd_element_index element);

// Adds meshes and pieces to the animation, whose materials and fragments are there.
sherd_status sherd_debris_pieces_add(sherd_debris_pieces *p, struct sherd_animation_objects *c,
                                     sherd_error *error);
// Goes on to a frame; then `now` tells which elements crumbs replace.
sherd_status sherd_debris_pieces_take(sherd_debris_pieces *p, const sherd_format_job *job,
                                      const sherd_run_frame *frame, sherd_error *error);
// Sets the poses of that frame.
sherd_status sherd_debris_pieces_pose(sherd_debris_pieces *p, struct sherd_animation_objects *c,
                                      const sherd_run_frame *frame, sherd_error *error);
