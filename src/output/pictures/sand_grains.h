// How sand looks: each point or loose element of it stands for the grains around it, which are drawn in a few sizes and
// shades at random places around it, so that no lattice is seen. They depend on its number alone, and go where it goes and,
// around an element, turn as it turns. What points and elements do is not touched.
#pragma once

#include <sherd/render.h>
#include <sherd/scene.h>
#include <sherd/surface.h>

typedef struct sherd_sand_look {
    int per_part;              // grains of a point or element; 0: it is drawn as it is
    double place, least, most; // in radii of the part: how far from it, how large
    bool of_elements;          // they turn with it, in a ball around it
} sherd_sand_look;

// Of the body that is drawn as `parts`: points of sand, or loose elements whose material's appearance has `grains`.
sherd_sand_look sherd_sand_look_of(const sherd_scene *scene, int body,
                                   const sherd_render_spheres *parts);

// A batch of grains in place of the parts of `out`, whose rotations are quaternions (x, y, z, w). Returns what is to be freed
// once it is drawn; NULL, with `out` as it was, when memory is short.
float *sherd_sand_grains_make(const sherd_sand_look *look, const double *const turns[4],
                              sherd_render_spheres *out);
