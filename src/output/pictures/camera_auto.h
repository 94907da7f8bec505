// Where an automatic camera looks.
#pragma once

#include <sherd/render.h>
#include <sherd/run_file.h>
#include <sherd/scene.h>

#include <stdbool.h>

// Bodies where they start, a length of theirs along their way and as far as large ones foreseeably fly, rebound, slide
// and roll (camera_course.h), down to a floor that they fall to, what drivers hold of them wherever it is shifted, and
// what of bounded obstacles is near all that at any time of a prescribed motion. `obstacles`: meshes in their own frames, NULL for planes and hidden ones.
sherd_bounds sherd_camera_auto_bounds(const sherd_scene *scene, const sherd_run_model *model,
                                      const sherd_run_frame *first, sherd_mesh *const *obstacles);

// What a camera that follows has to know of the start. Begins with all zero.
typedef struct sherd_camera_aim {
    sherd_bounds bounds; // that are seen
    int body_count;
    sherd_bounds *starts; // of bodies (body_count)
    double largest;       // extent of any body [m]
} sherd_camera_aim;

// False: there is no memory for it. `aim` is released before.
bool sherd_camera_aim_at(sherd_camera_aim *aim, const sherd_scene *scene,
                         const sherd_run_model *model, const sherd_run_frame *first,
                         sherd_mesh *const *obstacles);
void sherd_camera_aim_release(sherd_camera_aim *aim);

// What the camera sees some seconds after a frame: what it was aimed at and what has left that, out to some of their
// lengths; beyond, it goes along with the body of most elements. Of that frame alone, so that pictures made again, of
// any frames, are the same.
sherd_bounds sherd_camera_auto_follow(const sherd_scene *scene, const sherd_run_model *model,
                                      const sherd_camera_aim *aim, const sherd_run_frame *frame,
                                      double later);
