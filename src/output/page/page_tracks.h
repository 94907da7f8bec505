// Sections of the page with what there is of pieces, vertices and values over time.
#pragma once

#include "output/page/page_run.h"

// Poses of all pieces that have a mesh, frame by frame, and the fragments that pieces are part of.
typedef struct sherd_page_poses {
    sherd_page_track track;    // positions and quaternions as columns, integers
    double step;               // [m] of a position's unit
    sherd_pose *now;           // of the last frame added                       (pieces)
    sherd_fragment_id *label;  // of the fragment that each is part of now      (pieces)
    sherd_byte_buffer changes; // frame, piece, label: 3 int32 each
} sherd_page_poses;

sherd_status sherd_page_poses_begin(sherd_page_poses *poses, const sherd_page_run *page,
                                    sherd_error *error);
sherd_status sherd_page_poses_add(sherd_page_poses *poses, sherd_page_run *page,
                                  const sherd_run_frame *frame, sherd_error *error);
// Makes the section `labels`, leaves the poses to the page, and frees.
void sherd_page_poses_end(sherd_page_poses *poses, sherd_page_run *page);

// The element that carries a vertex most.
sherd_element_index sherd_page_main_bone(const sherd_surface_piece *piece, int32_t vertex);

// `pieces`, `vertices`, `triangles`, `kinds`, `sites` of all meshes; radii of points.
sherd_status sherd_page_meshes(sherd_page_run *page, sherd_error *error);

// `poses`, `bends`, `points`, `speeds`, `stresses` of the frames that are stored with the page's stride.
sherd_status sherd_page_moving(sherd_page_run *page, sherd_error *error);

// `dust`: all grains as they are launched, as columns of 4-byte floats: time, age at which they come to rest,
// relaxation time of their flight (output/dust/flight.h), radius, place, velocity; then bodies, 4-byte integers.
sherd_status sherd_page_dust(sherd_page_run *page, sherd_error *error);

// Vertices that are stored in frames are whole numbers of these from the lower corner. [m]
double sherd_page_place_step(const sherd_page_run *page, const sherd_bounds *bounds);

// A pose's position is a whole number of these. [m]
double sherd_page_pose_step(const sherd_page_run *page);
