// Makes meshes of fragments and a picture from a frame.
#pragma once

#include "output/debris/debris.h"
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

// What meshes are made for. Those of previews may be coarser, those that are exported may not.
typedef enum sherd_picture_use {
    SHERD_PICTURES_AND_MESHES = 0,
    SHERD_PICTURES_ALONE
} sherd_picture_use;

// Returns the quality of pictures; `usual` is that of a scene which says `auto`.
sherd_render_quality sherd_chosen_quality(const sherd_scene_render *render,
                                          sherd_render_quality usual);
// Returns "final" or "preview", which the files of pictures say; static.
const char *sherd_quality_name(sherd_render_quality quality);

// `scene`, `model` and `messages` (may be NULL) must outlive the maker. `usual` is the quality of
// pictures whose scene says `auto`.
sherd_picture_maker *sherd_picture_maker_create(const sherd_scene *scene,
                                                const sherd_run_model *model, sherd_picture_use use,
                                                sherd_render_quality usual, int threads,
                                                sherd_messages *messages, sherd_error *error);
void sherd_picture_maker_destroy(sherd_picture_maker *maker); // NULL is fine

// Number of threads for later frames; 0: all processors.
void sherd_picture_maker_set_threads(sherd_picture_maker *maker, int threads);

// Sets the view of an automatic camera from the run's first frame; otherwise the first rendered
// frame sets it.
void sherd_picture_maker_aim(sherd_picture_maker *maker, const sherd_run_frame *first);

// Sets the previous frame, from which the motion blur of obstacles is computed. Consecutive
// rendered frames do this automatically.
void sherd_picture_maker_remember(sherd_picture_maker *maker, const sherd_run_frame *frame);

// Shows the dust of all processed frames; borrowed, NULL: none.
void sherd_picture_maker_show_dust(sherd_picture_maker *maker, const sherd_dust *dust);
// Shows crumbs instead of the elements that they replace in the processed frames; the same.
void sherd_picture_maker_show_debris(sherd_picture_maker *maker, const sherd_debris *debris);

// True if colours show a number with an automatic range. The range is found for each picture,
// unless frames are passed beforehand to find a common one.
bool sherd_picture_maker_finds_range(const sherd_picture_maker *maker);
void sherd_picture_maker_widen_range(sherd_picture_maker *maker, const sherd_run_frame *frame);

// Updates the fragments' meshes to the frame's cracks and positions. The frame is borrowed until
// the next update.
sherd_status sherd_picture_maker_update(sherd_picture_maker *maker, const sherd_run_frame *frame,
                                        const sherd_fragment_view *fragments, sherd_error *error);

// Writes a PNG file; `layers` (may be NULL) receives its layers, owned.
sherd_status sherd_picture_maker_render(sherd_picture_maker *maker, const char *path,
                                        sherd_layers **layers, sherd_error *error);
// Pixel format of EXR files in the scene.
sherd_exr_pixels sherd_picture_maker_exr(const sherd_picture_maker *maker);

// The meshes of all fragments joined, with face kinds. Owned; NULL with an error. Without meshes
// (granules only) it is empty.
sherd_mesh *sherd_picture_maker_mesh(sherd_picture_maker *maker, sherd_replay_pose pose,
                                     sherd_error *error);

// By triangle of that mesh: the fragment, and twice the body index plus the kind of face.
void sherd_picture_maker_face_ids(const sherd_picture_maker *maker, int32_t *fragment,
                                  int32_t *material);

// Posed fragments of the frame; borrowed until the next update.
int sherd_picture_maker_piece_count(const sherd_picture_maker *maker);
sherd_vtk_piece sherd_picture_maker_piece(const sherd_picture_maker *maker, int index);
