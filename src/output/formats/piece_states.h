// What shaders show of the pieces of a run's last frame in its earlier frames: speed, stress, age.
// And which pieces bend.
#pragma once

#include "output/formats/final_fragments.h"
#include "output/formats/format_job.h"

typedef struct sherd_piece_state {
    double speed;  // of the centre of mass [m/s]
    double stress; // largest one of its elements: von Mises [Pa] if the run stores stresses,
                   // otherwise relative to the strength
    double age;    // since the first frame in which it was by itself, 0 before [s]; always 0 if it
                   // was from the start
} sherd_piece_state;

typedef struct sherd_piece_states {
    int32_t count;            // fragments of the last frame
    sherd_piece_state *items; // in the current frame (count)
    double *momentum;         // (count x 3)
    double *since;            // when it came off; NAN: not yet; -INFINITY: it always was
    bool started;
} sherd_piece_states;

// Free in any case. False if memory is short.
bool sherd_piece_states_init(sherd_piece_states *states, int32_t count);
void sherd_piece_states_free(sherd_piece_states *states);
// Computes the states of a frame. Frames ascend.
void sherd_piece_states_take(sherd_piece_states *states, const sherd_fragment_view *last,
                             const sherd_run_model *model, const sherd_run_frame *frame);

// Whether each fragment of the last frame leaves its rigid motion in some frame by more than 0.2 mean
// radii and 1 % of its size, so that it is shown with moving vertices; in softened bodies by as much
// more as they are too soft. By slot. Free with sherd_free; NULL with an error.
bool *sherd_find_bending(const sherd_format_job *job, const sherd_run_model *model,
                         const sherd_fragments *last, sherd_error *error);
