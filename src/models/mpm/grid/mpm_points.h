// Material points as structure of arrays. Strain is stored as the elastic left Cauchy-Green tensor
// b = F F^T: every isotropic law computes stress from it, and a step updates it exactly, b <- (I +
// dt L) b (I + dt L)^T. When points are sorted into pages (mpm_grid.h), each page is padded to
// whole batches with fillers, which are points without volume.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    SHERD_MPM_SYMMETRIC = 6, // xx, yy, zz, yz, xz, xy
    SHERD_MPM_TENSOR = 9,    // row by row
    SHERD_MPM_BATCH = 8,     // points whose weights are computed together
    SHERD_MPM_FILLER = -1,   // number of a filler
};

typedef struct sherd_mpm_points {
    size_t count, capacity;         // including fillers
    double *x[3];                   // position [m]
    double *v[3];                   // velocity [m/s]
    double *b[SHERD_MPM_SYMMETRIC]; // elastic left Cauchy-Green tensor
    double *c[SHERD_MPM_TENSOR];    // velocity gradient, for affine bodies [1/s]; else NULL
    // Strain rate at the end of the last step that stored it (mpm.c): the symmetric part of L (I +
    // dt L)^-1 [1/s].
    double *rate[SHERD_MPM_SYMMETRIC];
    double *state; // state variable of the law (laws/solid/solid_laws.h)
    // Of phase fields (damage/mpm_phase_field.h), else NULL: the largest F so far, psi+ at the last step [Pa], and the energy
    // that damage in this step releases, per g [Pa]
    double *drive, *tensile, *released;
    double *volume;  // rest volume [m^3]
    uint32_t *body;  // body that the point belongs to
    int32_t *number; // given by the caller, or SHERD_MPM_FILLER
} sherd_mpm_points;

// Allocates and initialises `count` points: at the origin, with velocity 0, without volume, b = I.
// False when memory is short; must be released in any case.
bool sherd_mpm_points_make(sherd_mpm_points *p, size_t count, bool affine);
void sherd_mpm_points_release(sherd_mpm_points *p);
// Adds what phase fields need, of undamaged points. False when memory is short.
bool sherd_mpm_points_add_damage(sherd_mpm_points *p);

// Permutes points: point k becomes the former point source[k], or a filler at the position of point
// -1 - source[k]. `count` of them. False, with points unchanged, when memory is short.
bool sherd_mpm_points_reorder(sherd_mpm_points *p, const int32_t *source, size_t count);
