// How bodies of `fluid` and `snow` look. Their points mix and keep no neighbours, so no surface can be carried along: each
// picture has one made anew around the points where they are (<sherd/surface.h>, method fluid), smooth, closed and of the
// body's volume. What the points do is not touched.
#pragma once

#include <sherd/run_file.h>
#include <sherd/scene.h>
#include <sherd/surface.h>

bool sherd_is_liquid(const sherd_scene *scene, int body);

typedef struct sherd_liquid_surface {
    sherd_shape *volume; // of the body
    sherd_surface *surface;
    sherd_surface_piece
        piece; // mesh NULL: there is none. Its vertices are where they are now; bones count from the body's first point
    double *motions; // of vertices in `open` seconds [m] (vertices x 3); NULL: open is 0
} sherd_liquid_surface;

// Of a body with points in a frame. Free in any case.
sherd_status sherd_liquid_surface_make(sherd_liquid_surface *liquid, const sherd_scene *scene,
                                       const sherd_run_model *model, const sherd_run_frame *frame,
                                       int body, double open, int threads, sherd_error *error);
void sherd_liquid_surface_free(sherd_liquid_surface *liquid);
