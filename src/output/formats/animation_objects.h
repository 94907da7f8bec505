// The objects of an animation: the fragments of the last frame with their meshes, loose granules
// and obstacles. Each is a piece of the animation.
#pragma once

#include "output/formats/debris_pieces.h"
#include "output/formats/final_fragments.h"
#include "output/formats/picture_files.h"
#include "output/formats/rigid_animation.h"

#include <sherd/surface.h>

typedef struct sherd_fragment_piece {
    int piece; // index in the animation
    sherd_piece_motion motion;
} sherd_fragment_piece;

// Obstacles that look the same share a mesh.
typedef struct sherd_obstacle_look {
    uint64_t hash;
    int mesh;
} sherd_obstacle_look;

typedef struct sherd_animation_objects {
    const sherd_format_job *job;
    sherd_animation_format format;
    const sherd_scene *scene;
    sherd_run_model model;
    sherd_final_fragments last;
    sherd_animation *animation;
    sherd_picture_files pictures; // texture files of USD
    int *outer, *inner;           // material indices by body
    int **groups;                 // material indices of each body's groups, NULL: none
    int32_t *slots;               // fragment's index in the last frame's view, by fragment number
    int fragment_count;
    sherd_fragment_piece *fragment_pieces;
    int *granules;  // first piece of a loose body's elements, or -1  (bodies)
    int *obstacles; // pieces, or -1                                  (obstacles)
    sherd_obstacle_look *looks;
    int look_count;
    int64_t left_out; // number of granules beyond the limit
    sherd_debris_pieces crumbs;
} sherd_animation_objects;

// SHERD_ERROR_UNSUPPORTED if there is nothing to show. Free in any case.
sherd_status sherd_animation_objects_gather(sherd_animation_objects *c, const sherd_format_job *job,
                                            sherd_animation_format format, sherd_error *error);
void sherd_animation_objects_free(sherd_animation_objects *c);

int sherd_animation_objects_piece_count(const sherd_animation_objects *c);
