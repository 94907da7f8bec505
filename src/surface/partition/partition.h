// A smooth partition of a body's space among its fragments: which fragment owns which point.
//
// Every element e spreads a Gaussian-like kernel over its neighbourhood. A fragment's density is the
// sum of its elements' kernels,
//
//     psi_k(X) = sum_{e in k} m_e (1 - |X - X_e|^2 / h_e^2)^4,      h_e = sqrt(8) s r_e,
//
// which is the Gaussian W of [BDEM21] eq. (19) of width s r_e with a finite reach. X belongs to the
// fragment of largest density, and the surface between two of them is  ln psi_a - ln psi_b = 0.
// Compared with eq. (19) itself, this has the same smooth level sets across a flat crack (the
// kernels of both sides' elements balance half-way, as the mid-points of broken bonds do). In
// addition, it is defined everywhere, is antisymmetric in a and b, so that both sides of a crack
// coincide, and also partitions space between many fragments or where no bond was broken between
// them. Eq. (19) is used where there is no alternative: for cracks inside one fragment (slit.h).
//
// Small and thin pieces may be cells instead (chip_cells.h); their elements then have no kernel.
//
// Otherwise, with m_e = 1, the surroundings would outweigh isolated elements and sheets one element
// thick. Elements of thin pieces get a larger m_e, and narrower kernels where kernels are wide: see
// partition_weight.c.
#pragma once

#include "base/parallel.h"
#include "math/point_bins.h"
#include "surface/partition/chip_cells.h"
#include "surface/partition/cut_links.h"

#include "weakness/pattern_point.h"

#include <sherd/fragments.h>

enum {
    PARTITION_LABELS = 1024, // fragments within reach of one point; further ones are ignored
    PARTITION_STRONGEST = 4, // number of fragments that sherd_partition_strongest reports
};

typedef struct partition {
    sherd_point_bins elements; // undeformed positions
    const double *radius;      // by source element [m]
    double smoothing;          // s
    double reach;              // largest h_e [m]
    double *x, *y, *z;         // undeformed positions again, padded to whole vectors  (elements)
    double *inverse_width2;    // 1 / h_e^2, bin order  (elements)
    double *inverse_reach2;    // the same, with larger values for thin pieces  (elements)
    sherd_fragment_id *label;  // bin order  (elements)
    double *weight;            // m_e, bin order  (elements)
    uint8_t *changed;          // label or weight differs from the previous update  (elements)
    // Inputs for the weights, in bin order:
    // Own density over the strongest other one, at each element's centre  (elements).
    double *dominance;
    double *narrow;   // the same with the kernels of a thin piece  (elements)
    bool measured;    // both are up to date with the labels
    chip_cells chips; // empty unless they are used
    // Walls decide which fragment owns a point; without walls, kernels do.
    int wall_count;
    const sherd_weakness *const *walls;
    // Evaluations of the wall patterns at elements, bin order (walls x elements).
    sherd_pattern_point *pattern_point;
    cut_links links; // elements separated by walls, for cracks inside a fragment
} partition;

bool sherd_partition_create(partition *p, const sherd_vec3 *positions, const double *radius,
                            int32_t count, double smoothing);
void sherd_partition_release(partition *p);

// Makes small and thin pieces cells from the next update on; `margin` [m] is the distance from a
// cell up to which owners are queried. Returns false when out of memory.
bool sherd_partition_use_chips(partition *p, double margin);

// From now on walls alone separate fragments; borrowed. Returns false when out of memory.
bool sherd_partition_use_walls(partition *p, const sherd_weakness *const *walls, int count);

// Takes new labels (by source element), recomputes the weights near those that changed and marks
// the changes. Returns false when out of memory.
bool sherd_partition_update(partition *p, const sherd_fragment_id *element_label,
                            const sherd_parallel *parallel);

// Takes new labels and changes nothing else: only for finding a fragment's elements. `labels` are
// those of the body's elements.
void sherd_partition_relabel(partition *p, const sherd_fragment_id *element_label);

// Returns the owner of a point; the fragment of the nearest element if no kernel reaches the point;
// 0 if there is no element within twice the reach.
sherd_fragment_id sherd_partition_owner(const partition *p, sherd_vec3 x);
// Computes the densities of the fragments within reach of a point.
typedef struct densities {
    int count;
    sherd_fragment_id label[PARTITION_LABELS];
    double psi[PARTITION_LABELS];
} densities;

// `weight` NULL: uses m_e = 1 and kernels as wide as those of thick pieces.
void sherd_partition_densities(const partition *p, const double *weight, sherd_vec3 x,
                               densities *out);
// Returns the strongest fragments at a point, including chips, and the logarithms of their
// densities, in descending order; none if nothing reaches the point.
strongest_list sherd_partition_strongest(const partition *p, sherd_vec3 x);
// The same from all fragments' densities there, `stride` entries from one to the next.
int sherd_partition_rank(int count, const sherd_fragment_id *label, const double *psi,
                         size_t stride, sherd_fragment_id strongest[PARTITION_STRONGEST],
                         double value[PARTITION_STRONGEST]);
// Returns the fragment of the nearest element within the largest reach that no wall hides; 0 if
// there is none.
sherd_fragment_id sherd_partition_visible(const partition *p, sherd_vec3 x);
// Returns the nearest element of a fragment, in bin order, that no wall hides; -1 if there is none
// within the largest reach.
int32_t sherd_partition_anchor(const partition *p, sherd_fragment_id label, sherd_vec3 x);
// Returns whether a wall lies between two points.
bool sherd_partition_is_parted(const partition *p, sherd_vec3 a, sherd_vec3 b);
// Returns the fraction of the way at which the first wall is; a half if there is none.
double sherd_partition_wall_fraction(const partition *p, sherd_vec3 from, sherd_vec3 to);
// Returns the fragment of the nearest element within the largest reach; 0 if there is none.
sherd_fragment_id sherd_partition_nearest_within(const partition *p, sherd_vec3 x);
// Returns the fragment of the nearest element at any distance; 0 only without elements.
sherd_fragment_id sherd_partition_nearest(const partition *p, sherd_vec3 x);
// Returns whether x lies within this fraction of some element's reach.
bool sherd_partition_covers(const partition *p, sherd_vec3 x, double fraction);
// Returns the label of all elements within reach of a box, or 0 if there are several or none.
sherd_fragment_id sherd_partition_only_label(const partition *p, sherd_vec3 low, sherd_vec3 high);

// Computes ln psi and its gradient at x for up to four fragments; -infinity and 0 for fragments out
// of reach.
void sherd_partition_logs(const partition *p, sherd_vec3 x, const sherd_fragment_id *label,
                          int count, double value[4], sherd_vec3 gradient[4]);
