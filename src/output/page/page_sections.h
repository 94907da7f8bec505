// Sections of the page with pieces, vertices and values over time.
#pragma once

#include "output/page/page_run.h"

// Poses of all pieces with a mesh, frame by frame, and the fragment that each piece belongs to.
typedef struct sherd_page_poses {
    sherd_page_track track;    // positions and quaternions as columns, integers
    double step;               // unit of positions [m]
    sherd_pose *now;           // in the last frame added                       (pieces)
    sherd_fragment_id *label;  // number of the fragment that each piece belongs to      (pieces)
    sherd_byte_buffer changes; // frame, piece, label: 3 int32 each
} sherd_page_poses;

sherd_status sherd_page_poses_begin(sherd_page_poses *poses, const sherd_page_run *page,
                                    sherd_error *error);
sherd_status sherd_page_poses_add(sherd_page_poses *poses, sherd_page_run *page,
                                  const sherd_run_frame *frame, sherd_error *error);
// Writes the section `labels`, moves the poses to the page, and frees the rest.
void sherd_page_poses_end(sherd_page_poses *poses, sherd_page_run *page);

// The element with the largest weight for a vertex.
sherd_element_index sherd_page_main_bone(const sherd_surface_piece *piece, int32_t vertex);

// Sections `pieces`, `vertices`, `triangles`, `kinds`, `sites` of all meshes; and radii of points.
sherd_status sherd_page_meshes(sherd_page_run *page, sherd_error *error);

// Sections `poses`, `bends`, `points`, `speeds`, `stresses` of the stored frames.
sherd_status sherd_page_moving(sherd_page_run *page, sherd_error *error);

// Section `dust`: all grains at their launch, as columns of 4-byte floats: time, age at which they
// stop, relaxation time of their drag (output/dust/dust.h), radius, position, velocity; then
// bodies, 4-byte integers.
sherd_status sherd_page_dust(sherd_page_run *page, sherd_error *error);

// Resolution of stored vertex positions, relative to the lower corner of the bounds. [m]
double sherd_page_place_step(const sherd_page_run *page, const sherd_bounds *bounds);

// Resolution of stored poses' positions. [m]
double sherd_page_pose_step(const sherd_page_run *page);
