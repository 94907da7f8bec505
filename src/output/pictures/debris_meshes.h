// Crumbs in pictures: one mesh of all those of a body, and spheres for those that are dust.
#pragma once

#include "output/debris/debris.h"

#include <sherd/render.h>

typedef struct sherd_debris_batch {
    sherd_render_mesh mesh;      // triangle_count 0: there is none. Its look is the caller's
    sherd_render_spheres grains; // count 0: there are none
    // What both borrow.
    double *vertices, *rest, *motions, *places;
    float *colors, *grain_colors;
    int32_t *triangles;
    uint8_t *face_kind;
} sherd_debris_batch;

// The colour of an element's crumbs; NULL: the look's.
typedef sherd_color sherd_debris_color(const void *context, sherd_element_index element);

// Makes a body's batch for the frame that `debris` took last, which may be NULL. Crumbs move for
// the time `open` [s] of the shutter. Free in any case.
sherd_status sherd_debris_batch_make(sherd_debris_batch *batch, const sherd_debris *debris,
                                     const sherd_run_model *model, const sherd_run_frame *frame,
                                     int body, double open, sherd_debris_color *color,
                                     const void *context, sherd_error *error);
void sherd_debris_batch_free(sherd_debris_batch *batch);
