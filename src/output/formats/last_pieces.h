// The fragments of a run's last frame and their meshes. Fragments only ever split, so these make up
// the bodies at any earlier time too.
#pragma once

#include <sherd/run_file.h>
#include <sherd/scene.h>
#include <sherd/surface.h>

// Loose granules become one object each. Blender takes seconds to load this many, and minutes for
// ten times as many.
enum { MOST_GRANULES = 20000 };

typedef struct sherd_last_pieces {
    bool rigid;   // given: vertices will not be carried by elements
    bool crushed; // so many are chips that cells of the surface are larger than usual
    sherd_fragments *fragments;
    sherd_surface_body *bodies;
    sherd_surface *surface; // cracks that end inside a piece are closed
} sherd_last_pieces;

// All but `rigid` is made. Free in any case.
sherd_status sherd_last_pieces_make(sherd_last_pieces *p, const sherd_scene *scene,
                                    const sherd_run_model *model, const sherd_run_frame *last,
                                    int threads, sherd_error *error);
void sherd_last_pieces_free(sherd_last_pieces *p);

// The first mesh of a body's pieces, which says how all are painted and grouped; NULL: it has none.
const sherd_mesh *sherd_last_pieces_mesh_of(const sherd_last_pieces *p, int body);

// A frame's fragments under the identities that the run gave them.
sherd_status sherd_frame_fragments(sherd_fragments *fragments, const sherd_run_model *model,
                                   const sherd_run_frame *frame, sherd_error *error);

// Elements of loose bodies.
int64_t sherd_count_granules(const sherd_scene *scene, const sherd_run_model *model);
