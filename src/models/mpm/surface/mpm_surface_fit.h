// Surfaces of bodies of points fitted to shapes: cubes of the points' lattice only come near the
// shape that points fill and the walls between glued pieces; a fitted face lies on them.
#pragma once

#include "models/mpm/glue/mpm_glue.h"

#include <sherd/shape.h>

// Of an element's cube, on one side; in the body's rest frame.
typedef struct sherd_mpm_fitted_face {
    int32_t element;
    int32_t side;    // 2 k + 1: up along axis k, 2 k: down
    float normal[3]; // unit, outwards
    float shift;     // from the middle of the cube's face to the surface, along the normal [m]
    float bend[6];   // how the normal changes along the surface: xx, yy, zz, yz, xz, xy [1/m]
} sherd_mpm_fitted_face;

typedef struct sherd_mpm_surface_fit {
    sherd_mpm_fitted_face *list; // by element and side, once sorted  (count)
    size_t count, room;
} sherd_mpm_surface_fit;

void sherd_mpm_surface_fit_free(sherd_mpm_surface_fit *outer);

// Adds faces of `count` points that are inside a shape while their neighbour on that side, at
// `step`, is not. False: memory is short.
bool sherd_mpm_surface_fit_add_shape(sherd_mpm_surface_fit *outer, const sherd_shape *shape,
                                     const double *const x[3], size_t count, double step,
                                     const sherd_parallel *parallel);
// Adds both faces beside each glue particle, as mpm_prefracture.h makes them: at rest.
bool sherd_mpm_surface_fit_add_glue(sherd_mpm_surface_fit *outer, const sherd_mpm_glue *glue,
                                    size_t glue_count, const double *const x[3]);
// Adds another list's, with elements numbered on from `first`.
bool sherd_mpm_surface_fit_append(sherd_mpm_surface_fit *outer, const sherd_mpm_surface_fit *other,
                                  int32_t first);
// Before faces are looked up.
void sherd_mpm_surface_fit_sort(sherd_mpm_surface_fit *outer);

// NULL: nothing is known of it.
const sherd_mpm_fitted_face *sherd_mpm_surface_fit_of(const sherd_mpm_surface_fit *outer,
                                                      int32_t element, int side);
