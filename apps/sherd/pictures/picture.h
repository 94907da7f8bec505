// From one frame's state to fragment meshes and a picture of them.
#pragma once

#include <sherd/export_vtk.h>
#include <sherd/fragments.h>
#include <sherd/mesh.h>
#include <sherd/render.h>
#include <sherd/run_file.h>
#include <sherd/scene.h>
#include <sherd/surface.h>

typedef struct picture_maker picture_maker;

// `scene` and `model` must outlive the maker.
picture_maker *picture_maker_create(const sherd_scene *scene, const sherd_run_model *model,
                                    int threads, sherd_error *error);
void picture_maker_destroy(picture_maker *maker); // NULL is fine

// An automatic camera frames the bodies as this frame has them, the run's first; without this, as the
// first frame rendered.
void picture_maker_aim(picture_maker *maker, const sherd_run_frame *first);

// Brings the fragment meshes to the frame's cracks and carries them to its positions. The frame is
// borrowed until the next update.
sherd_status picture_maker_update(picture_maker *maker, const sherd_run_frame *frame,
                                  const sherd_fragment_view *fragments, sherd_error *error);

sherd_status picture_maker_render(picture_maker *maker, const char *path, sherd_error *error);

// Where meshes stand.
typedef enum picture_pose {
    PICTURE_FRAME, // as the frame has them
    PICTURE_REST,  // undeformed, each body in its own frame
} picture_pose;

// All fragments' meshes in one, with face kinds. Owned result; NULL with an error. A frame without
// meshes (granules only) gives an empty mesh.
sherd_mesh *picture_maker_mesh(picture_maker *maker, picture_pose pose, sherd_error *error);

// Of its faces: the fragment, and twice the body plus the kind of face. Room for its triangles.
void picture_maker_face_ids(const picture_maker *maker, int32_t *fragment, int32_t *material);

// Fragments of the frame, each posed; borrowed until the next update.
int picture_maker_piece_count(const picture_maker *maker);
sherd_vtk_piece picture_maker_piece(const picture_maker *maker, int index);
