// Rendering of sand: each point or loose element is replaced by several grains of random size,
// shade and position around it, which hide the lattice. The random numbers depend only on the index
// of the point. Grains move with it and, for elements, rotate with it. The simulation is not
// affected.
#pragma once

#include <sherd/render.h>
#include <sherd/scene.h>
#include <sherd/surface.h>

typedef struct sherd_sand_look {
    int per_part;              // grains per point or element; 0: draw the part itself
    double place, least, most; // in radii of the part: distance and range of sizes
    bool of_elements;          // they rotate with the element, in a ball around it
} sherd_sand_look;

// For a body that is drawn as `parts`: points of sand, or loose elements whose material's
// appearance has `grains`. Previews have fewer.
sherd_sand_look sherd_sand_look_of(const sherd_scene *scene, int body,
                                   const sherd_render_spheres *parts, sherd_render_quality quality);

// Replaces the spheres of `out`, whose rotations are the quaternions (x, y, z, w), by grains.
// Returns memory to free after rendering; NULL, with `out` unchanged, if memory is short.
float *sherd_sand_grains_make(const sherd_sand_look *look, const double *const turns[4],
                              sherd_render_spheres *out);
