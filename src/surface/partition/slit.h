// Cracks inside one fragment: broken bonds whose two ends are still connected otherwise.
//
// Each of these bonds has a fracture point p_f half-way between its ends, with the bond's direction
// n_f.
// The signed distance of [BDEM21] eq. (19),
//
//     F(X) = sum (X - p_i) . n_i W_i / sum W_i,
//
// is computed over the fracture points of the fragment near X, with n flipped to agree with the
// nearest one (the two sides of a crack in one group have opposite n; the paper separates them by
// subgroups, here only |F| matters). A slit is drawn where |F| is small and enough points support
// it.
#pragma once

#include "math/point_bins.h"

#include <sherd/fragments.h>

typedef struct slits {
    sherd_point_bins points;  // fracture points p_f
    sherd_vec3 *normal;       // n_f, bin order
    sherd_fragment_id *label; // bin order
    double width;             // of the Gaussian W_i [m]
    double min_support;       // weight of aligned fracture points that make a crack
} slits;

// `normals` and `labels` are in the order of `points`. Returns false when out of memory.
bool sherd_slits_build(slits *s, const sherd_vec3 *points, const sherd_vec3 *normals,
                       const sherd_fragment_id *labels, int32_t count, double width,
                       double min_support);
void sherd_slits_release(slits *s);

// Computes F(X) for fragment `label` and the direction in which it grows. Returns false if fewer
// fracture points are near than a crack needs.
bool sherd_slits_distance(const slits *s, sherd_fragment_id label, sherd_vec3 x, double *distance,
                          sherd_vec3 *direction);
// The label of intact bonds between elements of the fragment: only sherd_slits_support uses these
// points.
static inline sherd_fragment_id sherd_slits_intact(sherd_fragment_id label)
{
    return -label;
}
// Returns whether enough fracture points of the fragment for a crack are near, whatever their
// normals, and at least as many as points of intact bonds: used where walls define the sides.
bool sherd_slits_support(const slits *s, sherd_fragment_id label, sherd_vec3 x);
// The reach of fracture points [m].
double sherd_slits_reach(const slits *s);
// Returns whether there may be fracture points in reach of a box.
bool sherd_slits_near(const slits *s, sherd_vec3 low, sherd_vec3 high);
