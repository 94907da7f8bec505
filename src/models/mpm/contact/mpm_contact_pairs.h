// Contact between bodies of material points, at the nodes that they share [MPMG].
//
// A body at a node is described by its centroid there, c = sum w V (x_p - x_i) / sum w V. The
// normal of a pair points from one body's centroid to the other's: if both bodies are bounded
// sideways in the same way, the effect on the centroids cancels. A body that fills the half-space
// behind a plane, at distance s beyond the node, has its centroid, along the normal, at
//
//   C(s) = int_-inf^s u N(u) du / int_-inf^s N(u) du,
//
// which increases with s. The positions of both surfaces therefore follow from the centroids, and
// from these the gap, independently of what lies to the sides. Bodies may approach by at most this
// gap in a step. So contact begins neither as soon as kernels overlap, at 2 h, nor suddenly at a
// threshold.
//
// The alternative, by pairs as in [MPMG]: bodies touch wherever they share a node; normals are
// those of mass, -grad m / |grad m| by central differences (5), and their mean for a pair (6);
// pairs are resolved one after another, once each. Two corrections: separating pairs are left
// alone, where (16) would pull; friction is bounded, where (11) is not.
//
// Pieces that glue joins at a node (mpm_glue.h) are one body there: their moments of volume and
// their masses are added.
#pragma once

#include "base/parallel.h"
#include "laws/solid/solid_laws.h"
#include "models/mpm/contact/mpm_wall_contact.h"
#include "models/mpm/drivers/mpm_driven_nodes.h"
#include "models/mpm/fluid/mpm_immersed_boundary.h"
#include "models/mpm/glue/mpm_glue.h"
#include "models/mpm/transfer/mpm_node_update.h"

typedef enum sherd_mpm_contact_kind {
    SHERD_MPM_CONTACT_SURFACES = 0,
    SHERD_MPM_CONTACT_PAIRWISE,
} sherd_mpm_contact_kind;

typedef struct sherd_mpm_contact_def {
    sherd_mpm_contact_kind kind;
    double dt;                 // [s]
    double usual_dt;           // usual length of steps [s]
    const sherd_solid *solids; // by body
    const sherd_mpm_node_def *nodes;
    const sherd_mpm_glues *glue;          // NULL: none
    const sherd_mpm_walls *walls;         // NULL: none; reactions are added to theirs
    const sherd_mpm_driven_nodes *driven; // NULL: nothing
    sherd_mpm_losses *losses;             // this step's losses are added
    // Bodies that have a surface touch by springs. They have no contact with other bodies or walls
    // at nodes.
    bool springs;
    sherd_vec3 fall; // velocity change by gravity in the step [m/s]
    // Some glue softens. In short steps all nodes where bodies may touch are then BOUND
    // (mpm_grid.h).
    bool softens;
    sherd_mpm_markers *markers;         // of each shared block
    const sherd_mpm_coupling *coupling; // NULL: none
    // A further round: the velocities of coupled bodies have changed, and only their nodes are
    // solved again
    bool again;
} sherd_mpm_contact_def;

// Positions of two groups' centroids along the line between them [h].
typedef struct sherd_mpm_pair_line {
    double from_a, from_b;
} sherd_mpm_pair_line;

// A node whose contact problem is to be solved.
typedef struct sherd_mpm_contact_node {
    int node;
    sherd_mpm_node_groups node_groups;
    sherd_contact_problem problem;
    sherd_mpm_wall_contact walls;
} sherd_mpm_contact_node;

// Whether the body of a layer touches other such bodies by springs: it has a surface, or is
// coupled.
bool sherd_mpm_touches_by_springs(const sherd_mpm_grid *grid, const sherd_mpm_contact_def *def,
                                  size_t layer);

// Sets up a node's problem with its bodies and pairs, and the pairs' centroids. Pairs of a fluid
// and a body become markers instead. Returns whether any pair needs an impulse. `sprung`: some
// pairs touch by springs.
bool sherd_mpm_pose_by_surfaces(const sherd_mpm_grid *grid, const sherd_mpm_contact_def *def,
                                sherd_mpm_contact_node *at,
                                sherd_mpm_pair_line lines[SHERD_CONTACT_PAIRS], bool *sprung);
// Sets up all pairs that have a normal, as in [MPMG]. False if there are none.
bool sherd_mpm_pose_by_pairs(const sherd_mpm_grid *grid, const sherd_mpm_contact_def *def,
                             sherd_mpm_contact_node *at);

// Sets the allowed approach speeds of the first `pairs` pairs, those between bodies, as far as they
// were not needed before, because other bodies or walls may push these pairs together. Removes
// pairs that nothing can push so close. `closed`: no wall or coupled body adds energy.
void sherd_mpm_find_reaches(const sherd_mpm_grid *grid, const sherd_mpm_contact_def *def,
                            sherd_contact_problem *problem, int pairs,
                            const sherd_mpm_pair_line *lines, bool closed);
