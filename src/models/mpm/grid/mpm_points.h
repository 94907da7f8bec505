// Material points as columns. Their strain is the elastic left Cauchy-Green tensor b = F F^T: every
// isotropic law gives its stress from it, and a step takes it forward exactly, b <- (I + dt L) b (I
// + dt L)^T. While points are sorted into pages (mpm_grid.h) each page is filled up to whole
// batches with points without volume.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    SHERD_MPM_SYMMETRIC = 6, // xx, yy, zz, yz, xz, xy
    SHERD_MPM_TENSOR = 9,    // row by row
    SHERD_MPM_BATCH = 8,     // points whose weights are computed together
    SHERD_MPM_FILLER = -1,   // number of a point that fills up a batch
};

typedef struct sherd_mpm_points {
    size_t count, capacity;         // fillers among them
    double *x[3];                   // position [m]
    double *v[3];                   // velocity [m/s]
    double *b[SHERD_MPM_SYMMETRIC]; // elastic left Cauchy-Green tensor
    double *c[SHERD_MPM_TENSOR];    // velocity gradient of what is affine [1/s]; NULL otherwise
    // Of strain at the end of the last step that noted it (mpm.c): the symmetric part of L (I + dt
    // L)^-1 [1/s].
    double *rate[SHERD_MPM_SYMMETRIC];
    double *state;   // of the law (laws/solid/solid_laws.h)
    double *volume;  // at rest [m^3]
    uint32_t *body;  // that it belongs to
    int32_t *number; // given by the caller, or SHERD_MPM_FILLER
} sherd_mpm_points;

// Room for `count` points, which it then has: at the origin, at rest, without volume, b = I. False
// when memory is short; release in any case.
bool sherd_mpm_points_make(sherd_mpm_points *p, size_t count, bool affine);
void sherd_mpm_points_release(sherd_mpm_points *p);

// Point k becomes the one that was source[k] before, or a filler at the place of point -1 -
// source[k]. `count` of them. False, with points as they were, when memory is short.
bool sherd_mpm_points_reorder(sherd_mpm_points *p, const int32_t *source, size_t count);
