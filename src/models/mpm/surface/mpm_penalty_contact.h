// Contact of bodies of material points that stay together, with each other and with obstacles, by springs at samples of
// their surfaces (mpm_body_surface.h).
//
// A spring begins where a sample reaches a face, with an overlap e of 0, and e grows with the rate at which both sides
// approach each other, by the velocities that nodes have at places half a cell inside either side. Its force is given to
// nodes by the same weights, so that the work that it takes is the energy that it holds: nothing is lost where bodies touch, and
// nodes behind a body are pushed as those before it. Its stiffness is that of the material between both places, so that
// bodies between plates are as stiff as they should be. Friction is a spring along the face that slips where it bears more
// than Coulomb allows.
//
// Coupled bodies (mpm_coupling.h) touch likewise: samples their surfaces, and their balls faces (mpm_coupled_contact.c). They take steps of
// their own within one of the grid's: first they move against points that stand still, and then points against coupled bodies that do,
// with the impulses that springs gave, so that what a spring gives one side it takes from the other.
//
// Nodes' velocities at a place y = x_p + d beside a point are sum w (1 + q (x_i - x_p) . d) v_i, q = 3 / h^2 with the cubic
// kernel and 4 / h^2 with the quadratic one: exact for linear fields, so that forces keep angular momentum and what rolls
// does not slip. A point that bears a force is itself at the nodes that get it, so that none is too light for it.
#pragma once

#include "laws/solid/solid_laws.h"
#include "models/mpm/glue/mpm_glue.h"
#include "models/mpm/grid/mpm_grid.h"
#include "models/mpm/surface/mpm_broad_phase.h"

// A spring that is loaded.
typedef struct sherd_mpm_spring {
    // Of a point, SHERD_MPM_SITE_SAMPLES times its number and which of its samples. 2^62: a wall's edge, 2^63: a coupled body and its
    // id, both bits: a coupled body's edge (mpm_edge_contact.c).
    uint64_t sample;
    uint32_t
        partner; // body, or SHERD_MPM_PARTNER_WALL and the wall's number, or SHERD_MPM_PARTNER_COUPLED and the coupled body's id
    int32_t face;     // of an edge's spring, the number of the point on which it is; -1: of others
    double normal[3]; // of the partner's face, outwards
    double overlap;   // e [m]
    double slip[3];   // of the spring along the face [m]
    double stiffness; // [N/m]
    double energy;    // as accounts have it (mpm_penalty_contact.c) [J]
} sherd_mpm_spring;

enum { SHERD_MPM_MOST_FACED_BODIES = 4 };

typedef struct sherd_mpm_penalty_contacts {
    sherd_mpm_body_surface surface;
    sherd_mpm_candidates candidates;
    sherd_mpm_spring *springs; // by sample and partner  (count)
    size_t count, room;
    double energy; // of all [J]
    // Of a step:
    struct sherd_mpm_contact_point *list;
    size_t contact_count, contact_room;
    sherd_mpm_cube *cubes; // by place in near.list
    size_t cube_room;
    uint32_t (*faced)
        [SHERD_MPM_MOST_FACED_BODIES]; // bodies whose faces a coupled body's ball meets, by place in the list of coupled bodies
    size_t faced_room;
} sherd_mpm_penalty_contacts;

void sherd_mpm_penalty_free(sherd_mpm_penalty_contacts *penalty);
size_t sherd_mpm_penalty_bytes(const sherd_mpm_penalty_contacts *penalty);

// What springs have to know of a step.
typedef struct sherd_mpm_penalty_def {
    const sherd_mpm_points *points;
    sherd_mpm_grid *grid;
    const sherd_solid *solids;    // by body
    const sherd_mpm_glues *glue;  // what it joins at a node does not touch there; NULL: none
    sherd_mpm_coupling *coupling; // NULL: none
    const uint8_t *driven; // by place of a point, axes along which drivers hold it; NULL: none
    double dt, kick;       // of places, of velocities [s]
    double walls;          // how far any wall or coupled body may move in the step [m]
    double speed;          // no point has a larger component [m/s]
    sherd_parallel parallel;
} sherd_mpm_penalty_def;

// What springs took in a step [J].
typedef struct sherd_mpm_penalty_losses {
    double contact;  // of springs that were let go
    double friction; // by slipping
    double work;     // done by walls
    double coupling; // done by coupled bodies
    double
        transfer; // by transfers and in the order of steps, of what springs of coupled bodies give
} sherd_mpm_penalty_losses;

// Whether points of a solid stay together, so that its bodies have a lattice and a skin: grains, snow and fluids have none.
bool sherd_mpm_has_body_surface(const sherd_solid *solid);

// Points have been sorted.
void sherd_mpm_penalty_sort(sherd_mpm_penalty_contacts *penalty, const sherd_mpm_points *points);
// Before nodes move: finds what touches, and adds forces to loads. False: memory is short.
bool sherd_mpm_penalty_load(sherd_mpm_penalty_contacts *penalty, const sherd_mpm_penalty_def *def,
                            sherd_mpm_penalty_losses *losses);
// Coupled bodies, as they are now, are pushed over `dt` by springs whose other side has not moved yet.
void sherd_mpm_penalty_push_coupled(sherd_mpm_penalty_contacts *penalty,
                                    const sherd_mpm_penalty_def *def, double dt);
// Nodes get what springs gave coupled bodies.
void sherd_mpm_penalty_react(const sherd_mpm_penalty_contacts *penalty,
                             const sherd_mpm_penalty_def *def, sherd_mpm_penalty_losses *losses);
// After nodes moved: springs follow, and walls get their reactions.
bool sherd_mpm_penalty_advance(sherd_mpm_penalty_contacts *penalty,
                               const sherd_mpm_penalty_def *def, sherd_mpm_penalty_losses *losses);
