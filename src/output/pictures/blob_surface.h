// Surfaces of method `blobs`: as [BDEM21] Fig. 13 has naive marching cubes, each frame gets a new one
// around the elements' present places, and a body is one fragment whatever broke in it. So narrow
// cracks do not show, and fragments that touch are one.
#pragma once

#include "output/pictures/motion_blur.h"

#include <sherd/run_file.h>
#include <sherd/surface.h>

// The surface of a frame; rest positions of `def` are replaced by the frame's, and its bonds are left
// out. The frame is borrowed while the surface lives. NULL on failure.
sherd_surface *sherd_blob_surface_make(const sherd_surface_def *def, const sherd_run_frame *frame,
                                       sherd_error *error);

// Poses for it: elements unturned, `later` [s] after the frame by their velocities. Free with
// sherd_moved_elements_release, also on failure.
sherd_status sherd_blob_elements_make(sherd_moved_elements *moved, const sherd_run_frame *frame,
                                      sherd_element_index count, double later, sherd_error *error);
