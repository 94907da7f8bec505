// Contact between bodies of material points, at the nodes that they share [MPMG].
//
// What a body has at a node is known by its centroid there, c = sum w V (x_p - x_i) / sum w V.
// Normals point from one body's centroid to the other's: what limits both sideways limits them
// alike and drops out. The body behind a plane at depth s beyond the node has its centroid, along
// the normal, at
//
//   C(s) = int_-inf^s u N(u) du / int_-inf^s N(u) du,
//
// which rises with s; so the surfaces of both follow from their centroids, and from those the gap
// between them, whatever lies to the sides. Bodies may approach by the gap in a step and no more.
// So contact begins neither when kernels first overlap, at 2 h, nor at the jump of a threshold.
//
// By pairs, as in [MPMG]: bodies touch wherever they share a node; normals are those of mass, -grad
// m / |grad m| by central differences (5), of a pair their mean (6); pairs are resolved one after
// another, each once. Corrected: pairs that part are left alone, where (16) pulls on them; friction
// is limited in size, where (11) is not.
//
// Pieces that glue joins at a node (mpm_glue.h) are one body there: their moments of volume and
// masses are added up.
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
    SHERD_MPM_CONTACT_PAPER,
} sherd_mpm_contact_kind;

typedef struct sherd_mpm_contact_def {
    sherd_mpm_contact_kind kind;
    double dt;                 // [s]
    double usual_dt;           // of steps by default [s]
    const sherd_solid *solids; // by body
    const sherd_mpm_node_def *nodes;
    const sherd_mpm_glues *glue;          // NULL: none
    const sherd_mpm_walls *walls;         // NULL: none; their reactions are added to
    const sherd_mpm_driven_nodes *driven; // NULL: nothing
    sherd_mpm_losses *losses;             // what this step takes is added
    // Bodies that have a surface touch by springs: they meet no other and no wall at nodes
    bool springs;
    sherd_vec3 fall; // change of velocity by gravity in the step [m/s]
    // Some glue does: in short steps all nodes where bodies may touch are bound (mpm_grid.h)
    bool softens;
    sherd_mpm_markers *markers;         // of each shared block
    const sherd_mpm_coupling *coupling; // NULL: none
    // Nodes have been solved, coupled bodies' velocities have changed: theirs alone are solved
    bool again;
} sherd_mpm_contact_def;

// Two groups' centroids along the line between them [h].
typedef struct sherd_mpm_pair_line {
    double from_a, from_b;
} sherd_mpm_pair_line;

// A node whose problem waits to be solved.
typedef struct sherd_mpm_contact_node {
    int node;
    sherd_mpm_node_groups node_groups;
    sherd_contact_problem problem;
    sherd_mpm_wall_contact walls;
} sherd_mpm_contact_node;

// Whether the body of a layer meets others that do so by springs of surfaces: it has a surface, or
// is coupled.
bool sherd_mpm_touches_by_springs(const sherd_mpm_grid *grid, const sherd_mpm_contact_def *def,
                                  size_t layer);

// Poses a node's problem: its bodies and pairs, whose centroids it tells along their lines; pairs
// of fluids and bodies become markers instead. Returns whether a pair wants an impulse. `sprung`:
// some pairs touch by springs.
bool sherd_mpm_pose_by_surfaces(const sherd_mpm_grid *grid, const sherd_mpm_contact_def *def,
                                sherd_mpm_contact_node *at,
                                sherd_mpm_pair_line lines[SHERD_CONTACT_PAIRS], bool *sprung);
// All pairs that have a normal, as in [MPMG]. False without any.
bool sherd_mpm_pose_by_pairs(const sherd_mpm_grid *grid, const sherd_mpm_contact_def *def,
                             sherd_mpm_contact_node *at);

// Sets the speeds of approach of the first `pairs` pairs, those of bodies, which did not need them
// so far: others, or walls, may push them together. Drops pairs that nothing can bring so near;
// `closed`: no wall or coupled body brings energy in.
void sherd_mpm_find_reaches(const sherd_mpm_grid *grid, const sherd_mpm_contact_def *def,
                            sherd_contact_problem *problem, int pairs,
                            const sherd_mpm_pair_line *lines, bool closed);
