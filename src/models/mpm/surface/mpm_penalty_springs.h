// Springs between surfaces: what there is of them, and what they have to know of a step
// (mpm_penalty_contact.h).
#pragma once

#include "laws/solid/solid_laws.h"
#include "models/mpm/glue/mpm_glue.h"
#include "models/mpm/grid/mpm_grid.h"
#include "models/mpm/surface/mpm_broad_phase.h"

// A spring that is loaded.
typedef struct sherd_mpm_spring {
    // Of a point, SHERD_MPM_SITE_SAMPLES times its number and which of its samples. 2^62: a wall's
    // edge, 2^63: a coupled body and its id, both bits: a coupled body's edge (mpm_edge_contact.c).
    uint64_t sample;
    // Body, or SHERD_MPM_PARTNER_WALL and the wall's number, or SHERD_MPM_PARTNER_COUPLED and the
    // coupled body's id
    uint32_t partner;
    int32_t face;     // of an edge's spring, the number of the point on which it is; -1: of others
    double normal[3]; // of the partner's face, outwards
    double overlap;   // e [m]
    double slip[3];   // of the spring along the face [m]
    double stiffness; // [N/m]
    double energy;    // as accounts have it (mpm_penalty_contact.c) [J]
} sherd_mpm_spring;

enum { SHERD_MPM_MAX_FACED_BODIES = 4 };

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
    // For each entry of the list of coupled bodies: the bodies whose faces its ball touches.
    uint32_t (*faced)[SHERD_MPM_MAX_FACED_BODIES];
    size_t faced_room;
} sherd_mpm_penalty_contacts;

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
    // By transfers and in the order of steps, of what springs of coupled bodies give
    double transfer;
} sherd_mpm_penalty_losses;
