// How sand of material points looks: each point stands for the grains around it, which are drawn in a few sizes and shades
// at random places around it, so that no lattice is seen. They depend on a point's number alone and go where it goes.
// What points do is not touched.
#pragma once

#include <sherd/render.h>
#include <sherd/scene.h>
#include <sherd/surface.h>

// Whether a body is of sand of material points.
bool sherd_sand_is_of_grains(const sherd_scene *scene, int body);

// A batch of grains in place of the points of `out`. Returns what is to be freed once it is drawn; NULL, with `out` as it
// was, when memory is short.
float *sherd_sand_grains_make(sherd_render_spheres *out);
