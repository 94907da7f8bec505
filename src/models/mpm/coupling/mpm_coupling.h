// Coupling of bonded elements and free rigid bodies to the grid. These bodies have time steps of
// their own. Each coupled body is represented by a cloud of samples that fill it and move with it.
// Samples transfer mass, momentum and moments of volume to nodes as points do, but no stress. At
// nodes coupled bodies touch points (contact/mpm_node_contact.h), but neither each other nor walls.
// The nodal velocity change by contact is returned as an impulse on each sample, m sum w (u - v).
// The sum of these impulses equals that of the nodes, to rounding.
//
// Coupled bodies have layers only in blocks where points have some.
#pragma once

#include "base/parallel.h"
#include "models/mpm/coupling/mpm_rigid_body.h"
#include "models/mpm/grid/mpm_grid.h"

#include <sherd/types.h>

// A coupled body as seen by springs (surface/mpm_penalty_contact.h): an element is a ball, a free
// body has its own surface.
typedef struct sherd_mpm_coupled_body {
    uint32_t id;                   // the same in every step; below SHERD_MPM_PARTNER_COUPLED
    uint32_t body;                 // number of its layers
    const sherd_mpm_wall *surface; // of a free body; NULL: a ball
    double centre[3], radius;      // of the ball, or of the bounding ball of the free body [m]
    double mass;                   // [kg]
    // Motion since the beginning of the step: displacement of the centre, and rotation matrix less
    // identity.
    double displacement[3], rotation[3][3];
    double impulse[3],
        angular_impulse[3]; // by springs: impulse, and its moment about the centre [N s], [N m s]
} sherd_mpm_coupled_body;

typedef struct sherd_mpm_coupling {
    size_t count, capacity; // samples
    double *x[3];           // [m]
    double *v[3];           // [m/s]
    double *mass;           // effective mass at nodes [kg]
    double *volume;         // weight in the moments [m^3]
    uint32_t *body;         // number of its layers, from sherd_mpm_grid.first_coupled on
    double *impulse[3];     // by contact in the last step [N s]
    // Sets the samples' velocities from the impulses on the bodies that they belong to; free
    // velocities without impulses.
    void (*carry)(void *context);
    void *context;
    sherd_mpm_rigid_body *rigids; // free bodies among them (rigid_count); not owned
    int rigid_count;
    sherd_mpm_coupled_body *list; // those near points, sorted by id (list_count); not owned
    size_t list_count;
    double displacement; // upper bound of the displacement of any surface in the step [m]
    double dt;           // longest of the bodies' own time steps [s]
    double elapsed;      // elapsed time of the step [s]
    // Advances the bodies through the step, with the impulses of contact at nodes and of springs
    // (sherd_mpm_penalty_push_coupled).
    sherd_status (*move)(void *mover, sherd_error *error);
    void *mover;
    // Set by sherd_mpm_coupling_scatter, for the step:
    int32_t(*layer)
        // layers that a sample reaches, in the order of its blocks; -1: none (capacity)
        [SHERD_MPM_PARTS];
    size_t *first;      // in `visitor`, of each layer  (layers + 1)
    uint32_t *reaching; // samples that reach a layer, in ascending order (first[layers])
    size_t layers;
} sherd_mpm_coupling;

void sherd_mpm_coupling_release(sherd_mpm_coupling *coupling);

// False, with coupled bodies as they were, when memory is short.
bool sherd_mpm_coupling_reserve(sherd_mpm_coupling *coupling, size_t count);

// Finds the blocks of nodes that a sample at x may reach until it has moved half a spacing along
// each axis: at most SHERD_MPM_PARTS. Returns their number.
int sherd_mpm_find_coupled_blocks(const sherd_mpm_grid *grid, const double x[3],
                                  int32_t blocks[SHERD_MPM_PARTS][3]);

// Whether a sample at x reaches a layer of its body at present or, if `soon`, may do so until it
// has moved that far.
bool sherd_mpm_is_coupled_sample_near(const sherd_mpm_grid *grid, const double x[3], uint32_t body,
                                      bool soon);

// Finds which layers the samples reach. This is valid until samples move or points are sorted. Sets
// their impulses to 0. Then adds mass and momentum to the loads, layer by layer, each in the order
// of samples. Rows of moments must be cleared afterwards. False when memory is short.
bool sherd_mpm_coupling_scatter(sherd_mpm_coupling *coupling, sherd_mpm_grid *grid,
                                const sherd_parallel *parallel);
// Adds the samples' volumes to the moments.
void sherd_mpm_coupling_add_moments(const sherd_mpm_coupling *coupling, sherd_mpm_grid *grid,
                                    const sherd_parallel *parallel);
// Clears the layers of coupled bodies and adds the momentum of the samples' present velocities.
void sherd_mpm_coupling_scatter_again(const sherd_mpm_coupling *coupling, sherd_mpm_grid *grid,
                                      const sherd_parallel *parallel);
// Adds to the impulses the nodal momentum change beyond that by loads and gravity over dt. Returns
// the largest component of the added impulses [N s]. The loads of coupled bodies are invalid
// afterwards.
double sherd_mpm_coupling_gather(sherd_mpm_coupling *coupling, sherd_mpm_grid *grid,
                                 const sherd_parallel *parallel, sherd_vec3 fall);
