// Where a body's surface lies, by its centroid at a node: the body behind a plane at depth s beyond the node has its centroid,
// along the normal, at
//
//   C(s) = int_-inf^s u N(u) du / int_-inf^s N(u) du,
//
// which rises with s; s(C) bends upwards. Lengths in h.
#pragma once

#include "models/mpm/mpm_grid.h"

static const double SHERD_MPM_LEAST_APART =
    0.05; // of centroids [h]; those of bodies that touch lie 0.9 apart
static const double SHERD_MPM_LEAST_SHARE =
    1e-9; // of a cell: a body with less has no surface to speak of

// Of surfaces beyond the node [h]. Deeper inside, centroids hardly tell how deep; what the other body then has at the node
// is below a hundredth of a cell.
static inline double sherd_mpm_deepest(sherd_mpm_kernel kernel)
{
    return kernel == SHERD_MPM_CUBIC ? 1.3 : 1.0;
}

// Of the kernel [h].
static inline double sherd_mpm_reach(sherd_mpm_kernel kernel)
{
    return kernel == SHERD_MPM_CUBIC ? 2.0 : 1.5;
}

// s(C) [h]: how far beyond the node the surface lies of a body whose centroid lies C [h] beyond it, C <= 0.
double sherd_mpm_surface(sherd_mpm_kernel kernel, double centroid);

// Not below s(C) where C is not below the kernel's reach, without Newton's iterations: up to C(0) the chord.
double sherd_mpm_highest_surface(sherd_mpm_kernel kernel, double centroid);

// The highest of some chords: nowhere below s(C), nor more than 0.006 above it.
double sherd_mpm_highest_chord(sherd_mpm_kernel kernel, double centroid);

// These, within minus the kernel's reach and the deepest that can be told.
enum { SHERD_MPM_CHORDS = 12 };
typedef struct sherd_mpm_chord {
    double at_node, slope; // s at C = 0; ds/dC
} sherd_mpm_chord;
extern const sherd_mpm_chord sherd_mpm_cubic_chords[SHERD_MPM_CHORDS],
    sherd_mpm_quadratic_chords[SHERD_MPM_CHORDS];
