// Contact between bodies of material points, at the nodes that they share [MPMG].
//
// What a body has at a node is known by its centroid there, c = sum w V (x_p - x_i) / sum w V. Normals point from one
// body's centroid to the other's: what limits both sideways limits them alike and drops out. The body behind a plane at
// depth s beyond the node has its centroid, along the normal, at
//
//   C(s) = int_-inf^s u N(u) du / int_-inf^s N(u) du,
//
// which rises with s; so the surfaces of both follow from their centroids, and from those the gap between them, whatever
// lies to the sides. Bodies may approach by the gap in a step and no more. So contact begins neither when kernels first
// overlap, at 2 h, nor at the jump of a threshold.
//
// By pairs, as in [MPMG]: bodies touch wherever they share a node; normals are those of mass, -grad m / |grad m| by central
// differences (5), of a pair their mean (6); pairs are resolved one after another, each once. Corrected: pairs that part
// are left alone, where (16) pulls on them; friction is limited in size, where (11) is not.
//
// Pieces that glue joins at a node (mpm_glue.h) are one body there: their outlines and masses are added up.
#pragma once

#include "base/parallel.h"
#include "laws/solid/solid_laws.h"
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
    bool
        springs; // bodies that have a skin touch by springs: they meet no other and no wall at nodes
    sherd_vec3 fall; // change of velocity by gravity in the step [m/s]
    bool
        softens; // some glue does: in short steps all nodes where bodies may touch are bound (mpm_grid.h)
    sherd_mpm_markers *markers;         // of each shared block
    const sherd_mpm_coupling *coupling; // NULL: none
    bool
        again; // nodes have been solved, coupled bodies' velocities have changed: theirs alone are solved
} sherd_mpm_contact_def;

// Sets which layers need outlines: sherd_mpm_layer.apart. Loads are set, and joints' nodes.
void sherd_mpm_find_contacts(sherd_mpm_grid *grid, const sherd_parallel *parallel,
                             const sherd_mpm_contact_def *def);
// Changes the motion of nodes that several bodies share; outlines and loads are set. Returns how many nodes' problems did
// not converge, or had more than SHERD_MPM_NODE_GROUPS bodies; below 0: memory is short.
double sherd_mpm_solve_contacts(sherd_mpm_grid *grid, const sherd_parallel *parallel,
                                const sherd_mpm_contact_def *def);
