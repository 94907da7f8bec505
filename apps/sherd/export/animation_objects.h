// Who appears in an animation: the fragments of its last frame with their meshes, loose granules,
// obstacles; each a piece of the .glb that is being built.
#pragma once

#include "export/animation.h"
#include "export/last_pieces.h"

#include <sherd/export_glb.h>
#include <sherd/surface.h>

// Positions say nothing about how a grain, a pair or a straight row turns about itself: up to this
// many elements, the piece turns as its elements do.
enum { FEW = 8 };

typedef struct fragment_piece {
    int piece;    // in the glb
    int32_t slot; // in the fragments of the last frame
    int few;      // elements, when there are few, else 0
    sherd_element_index elements[FEW];
} fragment_piece;

typedef struct cast {
    const animation_def *def;
    const sherd_scene *scene;
    sherd_run_model model;
    last_pieces last;
    sherd_glb *glb;
    int *outer, *inner; // materials by body
    int fragment_count;
    fragment_piece *fragment_pieces;
    int *granules;    // first piece of a loose body's elements, or -1  (bodies)
    int *obstacles;   // pieces, or -1                                  (obstacles)
    int64_t left_out; // granules, when there are too many
} cast;

// SHERD_ERROR_UNSUPPORTED when there is nothing to show. Free in any case.
sherd_status animation_objects_gather(cast *c, const animation_def *def, sherd_error *error);
void animation_objects_free(cast *c);

int animation_objects_piece_count(const cast *c);
