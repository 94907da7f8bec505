// Chooses the view of an automatic camera.
#pragma once

#include <sherd/render.h>
#include <sherd/run_file.h>
#include <sherd/scene.h>

#include <stdbool.h>

// Bounds of the view: the bodies at the start and one extent along their velocity; for large bodies
// also their predicted flight, rebound, sliding and rolling (body_path_prediction.h) down to a floor;
// regions that drivers move, over their whole displacement; and the parts of bounded obstacles that
// come near at any time of a prescribed motion. `obstacles`: meshes in their own frames of
// reference, NULL for planes and hidden ones.
sherd_bounds sherd_camera_auto_bounds(const sherd_scene *scene, const sherd_run_model *model,
                                      const sherd_run_frame *first, sherd_mesh *const *obstacles);

// What a following camera needs to know about the start. Zero-initialize.
typedef struct sherd_camera_aim {
    sherd_bounds bounds; // of the view
    int body_count;
    sherd_bounds *starts; // initial bounds of bodies (body_count)
    double largest;       // largest extent of any body [m]
} sherd_camera_aim;

// Releases `aim` first. False if memory is short.
bool sherd_camera_aim_at(sherd_camera_aim *aim, const sherd_scene *scene,
                         const sherd_run_model *model, const sherd_run_frame *first,
                         sherd_mesh *const *obstacles);
void sherd_camera_aim_release(sherd_camera_aim *aim);

// Bounds of the view some seconds after a frame: the initial view, and what has left it, up to a
// few extents; beyond that the view moves with the largest body. Depends on this frame only, so
// that pictures of any subset of frames are the same.
sherd_bounds sherd_camera_auto_follow(const sherd_scene *scene, const sherd_run_model *model,
                                      const sherd_camera_aim *aim, const sherd_run_frame *frame,
                                      double later);
