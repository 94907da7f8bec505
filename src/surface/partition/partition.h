// Which fragment owns which point of a body: a smooth partition of space among fragments.
//
// Every element e spreads a Gaussian-like kernel over its neighbourhood. A fragment's density is the
// sum of its elements' kernels,
//
//     psi_k(X) = sum_{e in k} m_e (1 - |X - X_e|^2 / h_e^2)^4,      h_e = sqrt(8) s r_e,
//
// which is the Gaussian W of [BDEM21] eq. (19) of width s r_e with a finite reach. X belongs to the
// fragment of largest density, and the surface between two of them is  ln psi_a - ln psi_b = 0.
// Against eq. (19) itself, this has the same smooth level sets across a flat crack (the kernels of both
// sides' elements balance half way, as the broken bonds' mid-points do) but is defined everywhere, is
// antisymmetric in a and b, so both sides of a crack coincide, and partitions space also where many
// fragments meet or where no bond was broken between them. Eq. (19) serves where it is the only
// choice: cracks inside one fragment (slit.h).
//
// Small and thin pieces may be cells instead (chip_cells.h), whose elements then spread no kernel.
//
// Otherwise, with m_e = 1 debris of one element and sheets one element thick would be outvoted by their
// surroundings. Elements of such thin pieces get a larger m_e, and narrower kernels where these are wide:
// see partition_weight.c.
#pragma once

#include "base/parallel.h"
#include "math/point_bins.h"
#include "surface/partition/chip_cells.h"
#include "surface/partition/cut_links.h"

#include "weakness/pattern_point.h"

#include <sherd/fragments.h>

enum {
    PARTITION_LABELS = 1024, // fragments within reach of one point; further ones are ignored
    PARTITION_STRONGEST = 4, // that sherd_partition_strongest tells
};

typedef struct partition {
    sherd_point_bins elements; // rest positions
    const double *radius;      // by source element [m]
    double smoothing;          // s
    double reach;              // largest h_e [m]
    double *x, *y, *z;         // rest positions again, as whole vectors  (elements)
    double *inverse_width2;    // 1 / h_e^2, bin order  (elements)
    double *inverse_reach2;    // the same, thin pieces' larger  (elements)
    sherd_fragment_id *label;  // bin order  (elements)
    double *weight;            // m_e, bin order  (elements)
    uint8_t *changed;          // label, weight differ from the previous update  (elements)
    // By which weights are found, bin order:
    double *
        dominance; // own density over the strongest other one, at each element's centre  (elements)
    double *narrow;   // the same if its own kernels were those of a thin piece  (elements)
    bool measured;    // both are those of the labels
    chip_cells chips; // where they are used
    // What alone parts fragments, for whom is strongest; without walls kernels tell.
    int wall_count;
    const sherd_weakness *const *walls;
    sherd_pattern_point *place; // of elements, bin order, as each wall sees them (walls x elements)
    cut_links links;            // of elements that walls part, where cracks inside a fragment are
} partition;

bool sherd_partition_create(partition *p, const sherd_vec3 *positions, const double *radius,
                            int32_t count, double smoothing);
void sherd_partition_release(partition *p);

// Makes small and thin pieces cells from the next update on; `margin` [m] is how far from a cell it is asked
// whose a point is. False when memory is short.
bool sherd_partition_use_chips(partition *p, double margin);

// Walls alone part fragments from now on; borrowed. False when memory is short.
bool sherd_partition_use_walls(partition *p, const sherd_weakness *const *walls, int count);

// Takes new labels (by source element), recomputes the weights near those that changed and marks what
// changed. False when memory is short.
bool sherd_partition_update(partition *p, const sherd_fragment_id *element_label,
                            const sherd_parallel *parallel);

// Takes new labels and leaves the rest as it is: for looking up a fragment's elements only. `labels` are
// those of the body's elements.
void sherd_partition_relabel(partition *p, const sherd_fragment_id *element_label);

// The owner of a point; the fragment of the nearest element where no kernel reaches; 0 when there is no
// element within twice the reach.
sherd_fragment_id sherd_partition_owner(const partition *p, sherd_vec3 x);
// Densities of the fragments within reach of a point.
typedef struct densities {
    int count;
    sherd_fragment_id label[PARTITION_LABELS];
    double psi[PARTITION_LABELS];
} densities;

// `weight` NULL: with m_e = 1 and kernels as wide as those of thick pieces.
void sherd_partition_densities(const partition *p, const double *weight, sherd_vec3 x,
                               densities *out);
// The strongest fragments at a point and the logarithms of their densities, in descending order, chips among them;
// none where nothing reaches.
strongest_list sherd_partition_strongest(const partition *p, sherd_vec3 x);
// The same from all fragments' densities there, `stride` apart.
int sherd_partition_rank(int count, const sherd_fragment_id *label, const double *psi,
                         size_t stride, sherd_fragment_id strongest[PARTITION_STRONGEST],
                         double value[PARTITION_STRONGEST]);
// The fragment of the nearest element within the largest reach that no wall hides; 0 where there is none.
sherd_fragment_id sherd_partition_in_sight(const partition *p, sherd_vec3 x);
// The nearest element of a fragment, in bin order, that no wall hides; -1 where there is none within the largest reach.
int32_t sherd_partition_anchor(const partition *p, sherd_fragment_id label, sherd_vec3 x);
// Whether a wall lies between two places.
bool sherd_partition_is_parted(const partition *p, sherd_vec3 a, sherd_vec3 b);
// The share of the way at which the first wall is; a half where there is none.
double sherd_partition_wall_share(const partition *p, sherd_vec3 from, sherd_vec3 to);
// The fragment of the nearest element within the largest reach; 0 where there is none.
sherd_fragment_id sherd_partition_nearest_within(const partition *p, sherd_vec3 x);
// The fragment of the nearest element, however far; 0 only without elements.
sherd_fragment_id sherd_partition_nearest(const partition *p, sherd_vec3 x);
// Whether x lies within this share of some element's reach.
bool sherd_partition_covers(const partition *p, sherd_vec3 x, double share);
// The one label of all elements within reach of a box, or 0 when there are several or none.
sherd_fragment_id sherd_partition_only_label(const partition *p, sherd_vec3 low, sherd_vec3 high);

// ln psi and its gradient at x for up to four fragments; -infinity and 0 where one is out of reach.
void sherd_partition_logs(const partition *p, sherd_vec3 x, const sherd_fragment_id *label,
                          int count, double value[4], sherd_vec3 gradient[4]);
