// From one frame's state to fragment meshes and a picture of them.
#pragma once

#include "output/dust/dust.h"
#include "output/export/export_frame.h"
#include "output/messages.h"

#include <sherd/fragments.h>
#include <sherd/layers.h>
#include <sherd/mesh.h>
#include <sherd/render.h>
#include <sherd/replay.h>
#include <sherd/surface.h>

typedef struct sherd_picture_maker sherd_picture_maker;

// `scene`, `model` and `messages` (may be NULL) must outlive the maker.
sherd_picture_maker *sherd_picture_maker_create(const sherd_scene *scene,
                                                const sherd_run_model *model, int threads,
                                                sherd_messages *messages, sherd_error *error);
void sherd_picture_maker_destroy(sherd_picture_maker *maker); // NULL is fine

// An automatic camera frames the bodies as this frame has them, the run's first; without this, as the
// first frame rendered.
void sherd_picture_maker_aim(sherd_picture_maker *maker, const sherd_run_frame *first);

// What comes next follows this frame: obstacles blur by how they move from one to the other. Frames rendered one after
// another are remembered by themselves.
void sherd_picture_maker_remember(sherd_picture_maker *maker, const sherd_run_frame *frame);

// Dust that pictures show, of all frames taken so far; borrowed, NULL: none.
void sherd_picture_maker_show_dust(sherd_picture_maker *maker, const sherd_dust *dust);

// Whether colours show a number whose range is automatic: of each picture, unless frames were given beforehand to
// widen one range for all.
bool sherd_picture_maker_finds_range(const sherd_picture_maker *maker);
void sherd_picture_maker_widen_range(sherd_picture_maker *maker, const sherd_run_frame *frame);

// Brings the fragment meshes to the frame's cracks and carries them to its positions. The frame is
// borrowed until the next update.
sherd_status sherd_picture_maker_update(sherd_picture_maker *maker, const sherd_run_frame *frame,
                                        const sherd_fragment_view *fragments, sherd_error *error);

// As a PNG file; `layers` (may be NULL) gets its layers, owned.
sherd_status sherd_picture_maker_render(sherd_picture_maker *maker, const char *path,
                                        sherd_layers **layers, sherd_error *error);
// What the scene asks for.
sherd_exr_pixels sherd_picture_maker_exr(const sherd_picture_maker *maker);

// All fragments' meshes in one, with face kinds. Owned result; NULL with an error. A frame without
// meshes (granules only) gives an empty mesh.
sherd_mesh *sherd_picture_maker_mesh(sherd_picture_maker *maker, sherd_replay_pose pose,
                                     sherd_error *error);

// Of its faces: the fragment, and twice the body plus the kind of face. Room for its triangles.
void sherd_picture_maker_face_ids(const sherd_picture_maker *maker, int32_t *fragment,
                                  int32_t *material);

// Fragments of the frame, each posed; borrowed until the next update.
int sherd_picture_maker_piece_count(const sherd_picture_maker *maker);
sherd_vtk_piece sherd_picture_maker_piece(const sherd_picture_maker *maker, int index);
