// Pairs across a crack (contact/crack_faces.h) in the inner loop, one at a time: compiled once, so
// that all kernels agree.
#pragma once

#include "contact/explicit/pair_kernel.h"

typedef struct sherd_pair_slide {
    bool slides;  // they touch by their faces, which the members below describe
    bool changed; // they touched otherwise before: the history restarts with `rest_overlap`
    double overlap, rest_overlap;
    // they no longer touch by faces: the stored energy is lost, `overlap` is that of the faces
    double lost_weight;
    // weight of the stiffness; force along `across` over the energy of the spring
    double weight, spread;
    double stretch; // factor of friction's spring, which keeps its energy as the weight changes
    sherd_vec3 normal, between, across, velocity;
    // rate of the overlap: rotation_i.w_i - rotation_j.w_j, as the faces turn [m]
    sherd_vec3 rotation_i, rotation_j;
} sherd_pair_slide;

typedef struct sherd_pair_ends {
    sherd_element_index i, j;
    const double *row_i, *row_j; // SHERD_PAIR_ROW
    sherd_touch before;
} sherd_pair_ends;

// Functions that are compiled once for every machine; kernels call them through this table.
struct sherd_pair_slides {
    const sherd_crack_faces *faces;
    const sherd_bond_adjacency *bonds; // of the points; NULL: unknown
    // Enlarges the radii of members at cracks.
    void (*widen)(const sherd_pair_slides *slides, const sherd_pair_block *block,
                  const sherd_points *points, const sherd_pair_scratch *scratch);
    // Removes pairs to evaluate that are near only because radii at cracks are enlarged in
    // scratch->radius, and those whose faces do not touch. Returns how many are left.
    int32_t (*leave_apart)(const sherd_pair_slides *slides, const sherd_pair_block *block,
                           const sherd_points *points, const sherd_pair_scratch *scratch,
                           int32_t count);
    // Evaluates one pair, `dt` after the last pass.
    sherd_pair_slide (*of)(const sherd_pair_slides *slides, const sherd_points *points,
                           const sherd_pair_ends *ends, double dt);
};

sherd_pair_slides sherd_pair_slides_of(const sherd_crack_faces *faces,
                                       const sherd_bond_adjacency *bonds);
