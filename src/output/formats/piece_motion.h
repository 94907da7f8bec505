// How a fragment of a run's last frame moves in the frames before, as one rigid piece.
#pragma once

#include "surface/fragments.h"

#include <sherd/run_file.h>

// Positions say nothing about how a grain, a pair or a straight row turns about itself: up to this
// many elements, the piece turns as its elements do.
enum { FEW = 8 };

typedef struct sherd_piece_motion {
    int32_t slot; // in the fragments of the last frame
    int few;      // elements, when there are few, else 0
    sherd_element_index elements[FEW];
} sherd_piece_motion;

sherd_piece_motion sherd_piece_motion_make(const sherd_fragment_view *last, int32_t slot);

// x_world = R (x_rest - rest_center) + position, the rest_center that of sherd_fragments_motion.
sherd_pose sherd_piece_motion_pose(const sherd_piece_motion *motion, const sherd_fragments *last,
                                   const sherd_run_model *model, const sherd_run_frame *frame);
