// Pairs across a crack (contact/crack_faces.h) in the hot loop, one at a time: compiled once, so that all kernels agree.
#pragma once

#include "contact/explicit/pair_kernel.h"

typedef struct sherd_pair_slide {
    bool slides;  // they touch by their faces: what follows is theirs
    bool changed; // they did so otherwise before: the history begins anew with `rest`
    double overlap, rest;
    double
        lost_share; // where they touched by faces and do not any more: what was stored is lost, `overlap` is theirs
    double share, spread; // of stiffness; force along `across` over the energy of the spring
    double stretch;       // of friction's spring: it keeps its energy as the share changes
    sherd_vec3 normal, between, across, velocity;
    sherd_vec3 turn_i, turn_j; // the overlap grows by turn_i.w_i - turn_j.w_j as the sides turn [m]
} sherd_pair_slide;

typedef struct sherd_pair_ends {
    sherd_element_index i, j;
    const double *row_i, *row_j; // SHERD_PAIR_ROW
    sherd_touch before;
} sherd_pair_ends;

// Kernels call what is compiled for every machine through this table alone.
struct sherd_pair_slides {
    const sherd_crack_faces *faces;
    const sherd_bond_adjacency *bonds; // of the points; NULL: not known
    // Makes the radii of members at cracks larger.
    void (*widen)(const sherd_pair_slides *slides, const sherd_pair_block *block,
                  const sherd_points *points, const sherd_pair_scratch *scratch);
    // Of the pairs to evaluate leaves out those that are near only because radii of elements at cracks are larger in
    // scratch->radius, and those whose faces are apart. Returns how many are left.
    int32_t (*leave_apart)(const sherd_pair_slides *slides, const sherd_pair_block *block,
                           const sherd_points *points, const sherd_pair_scratch *scratch,
                           int32_t count);
    // Of a pair, `dt` after the last pass.
    sherd_pair_slide (*of)(const sherd_pair_slides *slides, const sherd_points *points,
                           const sherd_pair_ends *ends, double dt);
};

sherd_pair_slides sherd_pair_slides_of(const sherd_crack_faces *faces,
                                       const sherd_bond_adjacency *bonds);
