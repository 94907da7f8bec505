// Where a body's surface lies, by its centroid at a node: the body behind a plane at depth s beyond
// the node has its centroid, along the normal, at
//
//   C(s) = int_-inf^s u N(u) du / int_-inf^s N(u) du,
//
// which rises with s; s(C) bends upwards. Lengths in h.
#pragma once

#include "models/mpm/grid/mpm_grid.h"

static const double SHERD_MPM_LEAST_APART =
    0.05; // of centroids [h]; those of bodies that touch lie 0.9 apart
static const double SHERD_MPM_LEAST_SHARE =
    1e-9; // of a cell: a body with less has no surface to speak of

// Of surfaces beyond the node [h]. Deeper inside, centroids hardly tell how deep; what the other
// body then has at the node is below a hundredth of a cell.
static inline double sherd_mpm_deepest(sherd_mpm_kernel kernel)
{
    return kernel == SHERD_MPM_CUBIC ? 1.3 : 1.0;
}

// Of the kernel [h].
static inline double sherd_mpm_reach(sherd_mpm_kernel kernel)
{
    return kernel == SHERD_MPM_CUBIC ? 2.0 : 1.5;
}

// N at a distance from its middle [h].
double sherd_mpm_kernel_at(sherd_mpm_kernel kernel, double s);

// Share of N below s [h], 0 to 1.
double sherd_mpm_share_below(sherd_mpm_kernel kernel, double s);

// s(C) [h]: how far beyond the node the surface lies of a body whose centroid lies C [h] beyond it,
// C <= 0.
double sherd_mpm_surface(sherd_mpm_kernel kernel, double centroid);

// Not below s(C) where C is not below the kernel's reach, without Newton's iterations: up to C(0)
// the chord.
double sherd_mpm_highest_surface(sherd_mpm_kernel kernel, double centroid);

// The highest of some chords: nowhere below s(C), nor more than 0.006 above it.
double sherd_mpm_highest_chord(sherd_mpm_kernel kernel, double centroid);

// These, within minus the kernel's reach and the deepest that can be found.
enum { SHERD_MPM_CHORDS = 12 };
typedef struct sherd_mpm_chord {
    double at_node, slope; // s at C = 0; ds/dC
} sherd_mpm_chord;

// From s = -2, -1, -0.6, -0.3, 0, 0.25, 0.45, 0.65, 0.82, 0.96, 1.08, 1.2 to 1.3, and -1.5, -0.5,
// -0.3, -0.1, 0.1, 0.25, 0.4, 0.52, 0.63, 0.73, 0.83, 0.92 to 1; 1e-11 too high, for rounding.
static const sherd_mpm_chord SHERD_MPM_CUBIC_CHORDS[SHERD_MPM_CHORDS] = {
    {0.500000000010, 1.250000000000}, {0.526121027437, 1.271767522856},
    {0.610267778502, 1.366797366498}, {0.702390810350, 1.505123165014},
    {0.808410949578, 1.732309177647}, {0.911550977604, 2.052271415617},
    {1.014833374400, 2.511513234986}, {1.119112403281, 3.229370151455},
    {1.215671678236, 4.271873360875}, {1.302667430816, 5.725436150993},
    {1.385481221921, 7.854822885631}, {1.460576260171, 11.034973517371}};
static const sherd_mpm_chord SHERD_MPM_QUADRATIC_CHORDS[SHERD_MPM_CHORDS] = {
    {0.500000000010, 1.333333333333}, {0.524038461548, 1.365384615385},
    {0.596014552139, 1.484644882174}, {0.669642857153, 1.641698906243},
    {0.733230709569, 1.824957778801}, {0.795860574164, 2.061484258427},
    {0.863659643224, 2.414554815912}, {0.933657239946, 2.906358370988},
    {0.996498591043, 3.507824309493}, {1.055614905692, 4.285950921012},
    {1.111264086825, 5.343104739864}, {1.161454579286, 6.745213534190}};
