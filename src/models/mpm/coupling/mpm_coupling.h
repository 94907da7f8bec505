// Coupling of bonded elements and free rigid bodies to the grid; they move by steps of their own.
// Each coupled body is a cloud of samples that fill it and move with it. Samples give nodes mass,
// momentum and moments of volume as points do, but no stress. At nodes coupled bodies are further
// bodies, which meet points (contact/mpm_node_contact.h) but neither each other nor walls.
// Contact's change of nodes comes back as an impulse on each sample, m sum w (u - v); the sum of
// these impulses is that of the nodes, to rounding.
//
// Coupled bodies have layers only in blocks where points have some.
#pragma once

#include "base/parallel.h"
#include "models/mpm/coupling/mpm_rigid_body.h"
#include "models/mpm/grid/mpm_grid.h"

#include <sherd/types.h>

// One of them as springs meet it (surface/mpm_penalty_contact.h): an element by its ball, a free
// body by its own surface.
typedef struct sherd_mpm_coupled_body {
    uint32_t id;                   // the same in every step; below SHERD_MPM_PARTNER_COUPLED
    uint32_t body;                 // number of its layers
    const sherd_mpm_wall *surface; // of a free body; NULL: a ball
    double centre[3], radius;      // of the ball, or of one about the free body [m]
    double mass;                   // [kg]
    // From the begin of the step to now: way of the centre, and rotation less identity.
    double way[3], turn[3][3];
    double push[3], twist[3]; // by springs: impulse, and its moment about the centre [N s], [N m s]
} sherd_mpm_coupled_body;

typedef struct sherd_mpm_coupling {
    size_t count, capacity; // samples
    double *x[3];           // [m]
    double *v[3];           // [m/s]
    double *mass;           // as nodes feel it [kg]
    double *volume;         // weight in the moments [m^3]
    uint32_t *body;         // number of its layers, from sherd_mpm_grid.first_coupled on
    double *impulse[3];     // of contact, in the last step [N s]
    // Gives samples the velocities that their impulses make of what they are part of; free
    // velocities where there are none.
    void (*carry)(void *context);
    void *context;
    sherd_mpm_rigid_body *rigids; // free bodies among them (rigid_count); not owned
    int rigid_count;
    sherd_mpm_coupled_body *list; // those that are near, by id (list_count); not owned
    size_t list_count;
    double way;     // bound of how far any surface moves in the step [m]
    double dt;      // of the longest steps of their own [s]
    double elapsed; // of the step, so far [s]
    // Takes them through the step, by what contact at nodes gave them and by springs
    // (sherd_mpm_penalty_push_coupled).
    sherd_status (*move)(void *mover, sherd_error *error);
    void *mover;
    // Set by sherd_mpm_coupling_scatter, for the step:
    int32_t (*layer)
        [SHERD_MPM_PARTS]; // that a sample reaches, by its blocks in order; -1: none there  (capacity)
    size_t *first;         // in `visitor`, of each layer  (layers + 1)
    uint32_t *reaching;    // samples that reach a layer, in their order  (first[layers])
    size_t layers;
} sherd_mpm_coupling;

void sherd_mpm_coupling_release(sherd_mpm_coupling *coupling);

// False, with coupled bodies as they were, when memory is short.
bool sherd_mpm_coupling_reserve(sherd_mpm_coupling *coupling, size_t count);

// Blocks of nodes that a sample at x may reach until it has moved half a spacing along each axis:
// at most SHERD_MPM_PARTS. Returns how many.
int sherd_mpm_find_coupled_blocks(const sherd_mpm_grid *grid, const double x[3],
                                  int32_t blocks[SHERD_MPM_PARTS][3]);

// Whether a sample at x reaches a layer of its body now, or may do so until it has moved that far.
bool sherd_mpm_is_coupled_sample_near(const sherd_mpm_grid *grid, const double x[3], uint32_t body,
                                      bool soon);

// Finds which layers samples reach, which what follows needs until samples move or points are
// sorted; their impulses become 0. Then adds mass and momentum to loads, layer by layer, each in
// the order of samples; rows of moments are to be cleared after it. False when memory is short.
bool sherd_mpm_coupling_scatter(sherd_mpm_coupling *coupling, sherd_mpm_grid *grid,
                                const sherd_parallel *parallel);
// Adds volumes to the moments.
void sherd_mpm_coupling_add_moments(const sherd_mpm_coupling *coupling, sherd_mpm_grid *grid,
                                    const sherd_parallel *parallel);
// Clears the coupled bodies' layers, and adds momentum to them as samples move now.
void sherd_mpm_coupling_scatter_again(const sherd_mpm_coupling *coupling, sherd_mpm_grid *grid,
                                      const sherd_parallel *parallel);
// Adds to impulses: what nodes' motion is beyond that which loads and gravity over dt gave. Returns
// the largest component of what was added [N s]. The coupled bodies' loads are of no use any more.
double sherd_mpm_coupling_gather(sherd_mpm_coupling *coupling, sherd_mpm_grid *grid,
                                 const sherd_parallel *parallel, sherd_vec3 fall);
