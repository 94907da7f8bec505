// A scene's keyframed camera at a given time.
#pragma once

#include <sherd/render.h>
#include <sherd/scene.h>

// For cameras that are not automatic. Keys are interpolated by cubics with continuous velocity; the
// slope at a key is that of the parabola through three keys, and zero at the first and last key and
// where two keys are equal.
//   Catmull and Rom, A class of local interpolating splines (1974), for non-uniform keys
sherd_camera sherd_camera_keyframes_at(const sherd_scene_camera *camera, double time);
