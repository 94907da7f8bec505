// Rigid motion of a fragment of a run's last frame in earlier frames.
#pragma once

#include "surface/fragments.h"

#include <sherd/run_file.h>

// Positions do not determine the rotation of a single element, a pair or a straight row. Up to this
// number of elements, use the mean of their rotations.
enum { FEW = 8 };

typedef struct sherd_piece_motion {
    int32_t slot; // index among the fragments of the last frame
    int few;      // number of elements if at most FEW, else 0
    sherd_element_index elements[FEW];
} sherd_piece_motion;

sherd_piece_motion sherd_piece_motion_make(const sherd_fragment_view *last, int32_t slot);

// x_world = R (x_rest - rest_center) + position, with rest_center as in sherd_fragments_motion.
sherd_pose sherd_piece_motion_pose(const sherd_piece_motion *motion, const sherd_fragments *last,
                                   const sherd_run_model *model, const sherd_run_frame *frame);
