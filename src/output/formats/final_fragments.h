// The fragments of a run's last frame and their meshes. Fragments only split, so these pieces also
// make up the bodies at any earlier time.
#pragma once

#include "output/pictures/group_appearance.h"
#include "surface/fragments.h"

#include <sherd/run_file.h>
#include <sherd/scene.h>
#include <sherd/surface.h>

// Largest number of loose granules; each becomes an object. Blender needs seconds to load this many
// and minutes for ten times as many.
enum { MAX_GRANULES = 20000 };

typedef struct sherd_final_fragments {
    bool rigid;   // input: vertices will not be carried by elements
    bool crushed; // there are so many chips that the surface's cells were enlarged
    sherd_fragments *fragments;
    sherd_surface_body *bodies;
    sherd_surface *surface; // with cracks that end inside a piece closed
    int body_count;
    int *first_piece; // of each body among the surface's, -1: it has none (body_count)
} sherd_final_fragments;

// Fills everything but `rigid`. Free in any case.
sherd_status sherd_final_fragments_make(sherd_final_fragments *p, const sherd_scene *scene,
                                        const sherd_run_model *model, const sherd_run_frame *last,
                                        int threads, sherd_error *error);
void sherd_final_fragments_free(sherd_final_fragments *p);

// The mesh of a body's first piece, whose colours and groups are representative; NULL: there is
// none.
const sherd_mesh *sherd_final_fragments_mesh_of(const sherd_final_fragments *p, int body);

// How the outer faces of a body look in exported materials.
sherd_group_look sherd_body_look(const sherd_scene *scene, int body, double roughness);

// How the faces of its mesh's group `g` look: as the mesh file says, otherwise as `whole`, the body.
sherd_group_look sherd_body_group_look(const sherd_scene *scene, int body, int32_t g,
                                       const sherd_group_look *whole);

// The fragments of a frame with the numbers that the run stored.
sherd_status sherd_frame_fragments(sherd_fragments *fragments, const sherd_run_model *model,
                                   const sherd_run_frame *frame, sherd_error *error);

// Number of elements of loose bodies.
int64_t sherd_count_granules(const sherd_scene *scene, const sherd_run_model *model);

// Rigid motion of a fragment of a run's last frame in earlier frames.

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
