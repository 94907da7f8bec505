// Surfaces of `fluid` and `snow`. Their points mix, so no surface can be carried along with them.
// Each picture gets a new smooth, closed surface around the points' present positions with the
// body's volume (<sherd/surface.h>, method fluid). The points are not changed.
#pragma once

#include <sherd/run_file.h>
#include <sherd/scene.h>
#include <sherd/surface.h>

bool sherd_is_liquid(const sherd_scene *scene, int body);

typedef struct sherd_liquid_surface {
    sherd_shape *volume; // shape with the volume of the body
    sherd_surface *surface;
    sherd_surface_piece
        piece; // mesh NULL: there is none. Vertices in their present positions; bones count from the body's first point
    double *
        motions; // displacement of vertices in `open` seconds [m] (vertices x 3); NULL if open is 0
} sherd_liquid_surface;

// Surface of a body of points in a frame. Free in any case.
sherd_status sherd_liquid_surface_make(sherd_liquid_surface *liquid, const sherd_scene *scene,
                                       const sherd_run_model *model, const sherd_run_frame *frame,
                                       int body, double open, int threads, sherd_error *error);
void sherd_liquid_surface_free(sherd_liquid_surface *liquid);
