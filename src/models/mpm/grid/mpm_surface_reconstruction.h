// Reconstructs the distance of a body's surface from a node from the body's centroid at the node. A
// body that fills the half-space behind a plane, at distance s beyond the node, has its centroid,
// along the normal, at
//
//   C(s) = int_-inf^s u N(u) du / int_-inf^s N(u) du.
//
// C increases with s; the inverse s(C) is convex. Lengths are in units of h.
#pragma once

#include "models/mpm/grid/mpm_grid.h"

// Of centroids [h]; those of bodies that touch lie 0.9 apart
static const double SHERD_MPM_MIN_SEPARATION = 0.05;
// Of a cell: a body with less has no surface to speak of
static const double SHERD_MPM_MIN_FRACTION = 1e-9;

// Largest distance of a surface beyond the node that can be reconstructed [h]. Further inside, the
// centroid hardly depends on the distance, and the other body has less than a hundredth of a cell
// at the node.
static inline double sherd_mpm_deepest(sherd_mpm_kernel kernel)
{
    return kernel == SHERD_MPM_CUBIC ? 1.3 : 1.0;
}

// Half width of the kernel's support [h].
static inline double sherd_mpm_reach(sherd_mpm_kernel kernel)
{
    return kernel == SHERD_MPM_CUBIC ? 2.0 : 1.5;
}

// The kernel N at a distance from its centre [h].
double sherd_mpm_kernel_at(sherd_mpm_kernel kernel, double s);

// Integral of N up to s [h], 0 to 1.
double sherd_mpm_share_below(sherd_mpm_kernel kernel, double s);

// s(C) [h]: the distance beyond the node of the surface of a body whose centroid is C [h] beyond
// the node, C <= 0.
double sherd_mpm_surface(sherd_mpm_kernel kernel, double centroid);

// Upper bound of s(C) for C not below minus the kernel's half width, without Newton iterations: the
// chord up to C(0).
double sherd_mpm_highest_surface(sherd_mpm_kernel kernel, double centroid);

// The maximum of some chords: an upper bound of s(C) that is at most 0.006 too large.
double sherd_mpm_highest_chord(sherd_mpm_kernel kernel, double centroid);

// The chords, between minus the kernel's half width and the largest distance that can be
// reconstructed.
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
