// The surface of a body whose points stay together: faces of the cubes that points of a lattice
// stand for, as they are now. A face is exposed where no point of the same piece lies beyond it, or
// where that has torn off. Pieces that glue joins are one: their faces are exposed as glue gives
// way.
//
// Where the shape that points fill is known, or the wall between two pieces (mpm_surface_fit.h),
// faces lie on it, so that a ball is round. A cube's edges are taken from where the point's
// neighbours are, and nothing is integrated: faces neither drift nor lag behind a body that turns.
#pragma once

#include "models/mpm/surface/mpm_surface_samples.h"

// Finds the faces, initially and when something has torn. `lattice`, `torn` and `glue` remain the
// caller's; points' numbers are below `numbers`. Faces that `outer` does not describe are those of
// the cubes. False when memory is short; must be freed in any case.
bool sherd_mpm_body_surface_make(sherd_mpm_body_surface *surface, const sherd_mpm_lattice *lattice,
                                 const uint8_t *torn, const sherd_mpm_glues *glue,
                                 const sherd_mpm_surface_fit *outer, size_t numbers);
void sherd_mpm_body_surface_free(sherd_mpm_body_surface *surface);

// Exposes the faces where glue has broken since the last call. Returns whether there were any.
bool sherd_mpm_body_surface_follow_glue(sherd_mpm_body_surface *surface);

// After points were sorted.
void sherd_mpm_body_surface_sort(sherd_mpm_body_surface *surface, const sherd_mpm_points *points);

// A site's cube.
typedef struct sherd_mpm_cube {
    double x[3];         // its middle [m]
    double edge[3][3];   // along each axis of the lattice [m]
    double normal[3][3]; // product of both other edges: across the face, as long as its area [m^2]
    double volume;       // [m^3]
} sherd_mpm_cube;

void sherd_mpm_body_surface_cube(const sherd_mpm_body_surface *surface,
                                 const sherd_mpm_points *points, size_t site, sherd_mpm_cube *cube);

// Position of a sample [m], and the sum of its areas times outward normals [m^2].
typedef struct sherd_mpm_sample {
    double at[3], area[3];
} sherd_mpm_sample;
sherd_mpm_sample sherd_mpm_body_surface_sample(const sherd_mpm_body_surface *surface,
                                               const sherd_mpm_cube *cube, size_t site, int which);

// An exposed face as touched at a position.
typedef struct sherd_mpm_face_hit {
    double gap;       // along the normal, below 0 inside [m]
    double normal[3]; // unit, outwards
    double depth;     // half of what lies behind it, at most an edge [m]
} sherd_mpm_face_hit;

// What may touch faces: a sample, whose area vector tells which faces it may touch, or a ball, by
// its point nearest to the face.
typedef struct sherd_mpm_probe {
    const double *at;   // [m]
    double radius;      // [m]
    const double *area; // NULL: any
    const double (*direction)
        [3]; // along the faces beside an edge: of all a face must lie on the other side  (ways)
    int directions;
} sherd_mpm_probe;

// The face of a site that a place lies above or below, no deeper than `deepest` [m], and that meets
// its area: of several that of largest separation. False: none.
bool sherd_mpm_body_surface_face(const sherd_mpm_body_surface *surface, const sherd_mpm_cube *cube,
                                 size_t site, const sherd_mpm_probe *place, double deepest,
                                 sherd_mpm_face_hit *face);

// Half of what lies behind a site along a normal, at most an edge [m].
double sherd_mpm_body_surface_depth(const sherd_mpm_cube *cube, uint8_t sides,
                                    const double normal[3]);
