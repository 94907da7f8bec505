// A run prepared for the page: the fragments of its last frame with their meshes, their motions,
// and the values that colours show.
//
// A rigid piece is stored as one mesh and a pose per frame. Deforming pieces store their vertices,
// and elements drawn as points their positions, in every frame, or in every second, third ... frame
// if the page becomes too large.
#pragma once

#include "output/formats/final_fragments.h"
#include "output/formats/format_job.h"
#include "output/page/page_file.h"

typedef struct sherd_page_piece {
    sherd_piece_motion motion;
    sherd_quat turned; // rotation in the previous frame, for consistent signs of quaternions
    int body;
    int surface; // index of the piece in last.surface; -1: no mesh
    bool bends;
    double deviation;       // largest distance of its vertices from the rigid motion [m]
    sherd_bounds bounds;    // bounds of its vertices over all frames [m]
    sherd_vec3 rest_center; // [m]
} sherd_page_piece;

typedef struct sherd_page_run {
    const sherd_format_job *job;
    const sherd_scene *scene;
    sherd_run_model model;
    sherd_final_fragments last;
    sherd_fragments *now; // fragments of the current frame
    int64_t frame_count;
    double *times;      // of frames [s]                                  (frame_count)
    int32_t *fragments; // number of fragments                             (frame_count)
    int piece_count;
    sherd_page_piece *pieces; // as the fragments of the last frame       (piece_count)
    int surface_count;
    double **posed; // vertices in the current frame               (surface_count)
    sherd_element_index point_count;
    sherd_element_index *points; // elements drawn as spheres             (point_count)
    int32_t *site; // index in `sites` of elements whose values are stored, else -1   (elements)
    int32_t site_count;
    sherd_element_index *sites; // their elements                         (site_count)
    sherd_bounds point_bounds, bend_bounds, all_bounds; // over all frames [m]
    double
        offset; // half the edge of a cube about a piece's centre that contains any piece at rest [m]
    double radius;                // mean radius of elements [m]
    double top_speed, top_stress; // of sites
    bool stress_in_pascals;       // otherwise relative to the strength
    int64_t stride;               // vertices, points and values are stored every `stride` frames
    sherd_page_track poses; // poses in all frames, from which those of stored frames are taken
    sherd_byte_buffer obstacle_poses; // 7 floats of each obstacle in each frame
    sherd_page_file file;
} sherd_page_run;

// Reads all frames. Free in any case.
sherd_status sherd_page_run_gather(sherd_page_run *page, const sherd_format_job *job,
                                   sherd_error *error);
void sherd_page_run_free(sherd_page_run *page);

// Number of frames stored with the stride: the first, every `stride`-th and the last.
int64_t sherd_page_run_stored(const sherd_page_run *page);
int64_t sherd_page_run_stored_frame(const sherd_page_run *page, int64_t index);

// Computes vertices of all pieces in a frame, page->posed.
sherd_status sherd_page_run_pose(sherd_page_run *page, const sherd_run_frame *frame,
                                 sherd_error *error);

// Stress of elements: von Mises stress in pascals if the run stores stresses, otherwise relative to
// the strength. (elements)
const float *sherd_page_run_stress(const sherd_page_run *page, const sherd_run_frame *frame);

sherd_status sherd_page_out_of_memory(sherd_error *error);
