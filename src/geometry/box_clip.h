// The parts of triangles and tetrahedra within an axis-aligned box.
#pragma once

#include <sherd/types.h>

typedef struct sherd_clip_box {
    double low[3], high[3];
} sherd_clip_box;

double sherd_clip_triangle(const sherd_clip_box *box, const sherd_vec3 p[3]); // area [m^2]
double sherd_clip_tetra(const sherd_clip_box *box, const sherd_vec3 p[4]);    // volume [m^3]
