// Surfaces of bodies of points fitted to shapes. The cubes of the points' lattice only approximate
// the shape that points fill and the walls between glued pieces; fitted faces lie on them.
#pragma once

#include "models/mpm/glue/mpm_glue.h"

#include <sherd/shape.h>

// A face on one side of an element's cube, in the body's rest frame.
typedef struct sherd_mpm_fitted_face {
    int32_t element;
    int32_t side;    // 2 k + 1: up along axis k, 2 k: down
    float normal[3]; // unit, outwards
    float shift;     // from the middle of the cube's face to the surface, along the normal [m]
    // Curvature tensor: change of the normal along the surface, xx, yy, zz, yz, xz, xy [1/m]
    float bend[6];
} sherd_mpm_fitted_face;

typedef struct sherd_mpm_surface_fit {
    // Sorted by element and side after sherd_mpm_surface_fit_sort (count)
    sherd_mpm_fitted_face *list;
    size_t count, room;
} sherd_mpm_surface_fit;

void sherd_mpm_surface_fit_free(sherd_mpm_surface_fit *outer);

// Adds the faces of `count` points that are inside a shape while the position of their neighbour on
// that side, at distance `step`, is outside. False: memory is short.
bool sherd_mpm_surface_fit_add_shape(sherd_mpm_surface_fit *outer, const sherd_shape *shape,
                                     const double *const x[3], size_t count, double step,
                                     const sherd_parallel *parallel);
// Adds the two faces at each glue particle, in the rest frame, as made by mpm_prefracture.h.
bool sherd_mpm_surface_fit_add_glue(sherd_mpm_surface_fit *outer, const sherd_mpm_glue *glue,
                                    size_t glue_count, const double *const x[3]);
// Appends another list, with its element numbers increased by `first`.
bool sherd_mpm_surface_fit_append(sherd_mpm_surface_fit *outer, const sherd_mpm_surface_fit *other,
                                  int32_t first);
// To be called before faces are looked up.
void sherd_mpm_surface_fit_sort(sherd_mpm_surface_fit *outer);

// The face of an element on a side. NULL: not known.
const sherd_mpm_fitted_face *sherd_mpm_surface_fit_of(const sherd_mpm_surface_fit *outer,
                                                      int32_t element, int side);
