// The objects of an animation: the fragments of the last frame with their meshes, loose granules
// and obstacles. Each is a piece of the animation; in USD granules are instances.
#pragma once

#include "output/formats/debris_pieces.h"
#include "output/formats/final_fragments.h"
#include "output/formats/picture_files.h"
#include "output/formats/piece_states.h"
#include "output/formats/rigid_animation.h"

#include <sherd/surface.h>

typedef struct sherd_fragment_piece {
    int piece;   // index in the animation
    int surface; // index of the surface's piece
    bool bends;  // its vertices are set in every frame
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
    sherd_fragments *now; // of the current frame, to pose what bends (USD)
    sherd_animation *animation;
    sherd_picture_files pictures; // texture files of USD
    int *outer, *inner;           // material indices by body
    int **groups;                 // material indices of each body's groups, NULL: none
    int32_t *slots;               // fragment's index in the last frame's view, by fragment number
    int fragment_count;
    sherd_fragment_piece *fragment_pieces;
    bool *bends;               // fragments that bend, by slot; NULL: none (USD)
    int64_t *numbers;          // of fragments, by slot (piece_names.h)
    sherd_piece_states states; // USD
    int *granules;  // first piece of a loose body's elements, in USD its instancer; or -1 (bodies)
    int *dust;      // instancer of a body's dust in USD, or -1       (bodies)
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
