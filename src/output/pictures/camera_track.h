// Where a scene's camera is at a time.
#pragma once

#include <sherd/render.h>
#include <sherd/scene.h>

// Of a camera that is not automatic. Keys are passed smoothly, and without a jump of speed: cubic in between, with the
// slope of the parabola through three keys; it rests at the first and last key, and where two keys are alike.
//   Catmull and Rom, A class of local interpolating splines (1974), for keys of any distance
sherd_camera sherd_camera_track_at(const sherd_scene_camera *camera, double time);
