// Springs between surfaces: their state and the inputs of a step (mpm_penalty_contact.h).
#pragma once

#include "laws/solid/solid_laws.h"
#include "models/mpm/glue/mpm_glue.h"
#include "models/mpm/grid/mpm_grid.h"
#include "models/mpm/surface/mpm_broad_phase.h"

// A loaded spring.
typedef struct sherd_mpm_spring {
    // Sample of a point: SHERD_MPM_SITE_SAMPLES times its number, plus the number of the sample.
    // With bit 62: edge of a wall; bit 63: a coupled body's id; both bits: edge of a coupled body
    // (mpm_edge_contact.c).
    uint64_t sample;
    // Body, or SHERD_MPM_PARTNER_WALL and the wall's number, or SHERD_MPM_PARTNER_COUPLED and the
    // coupled body's id
    uint32_t partner;
    int32_t face;     // for edges, the number of the point whose face it is on; else -1
    double normal[3]; // outward normal of the partner's face
    double overlap;   // e [m]
    double slip[3];   // tangential deformation [m]
    double stiffness; // [N/m]
    double energy;    // as in accounts (mpm_penalty_contact.c) [J]
} sherd_mpm_spring;

enum { SHERD_MPM_MAX_FACED_BODIES = 4 };

typedef struct sherd_mpm_penalty_contacts {
    sherd_mpm_body_surface surface;
    sherd_mpm_candidates candidates;
    sherd_mpm_spring *springs; // sorted by sample and partner (count)
    size_t count, room;
    double energy; // of all springs [J]
    // During a step:
    struct sherd_mpm_contact_point *list;
    size_t contact_count, contact_room;
    sherd_mpm_cube *cubes; // by index in candidates.list
    size_t cube_room;
    // By coupled body: the bodies whose faces its ball touches
    uint32_t (*faced)[SHERD_MPM_MAX_FACED_BODIES];
    size_t faced_room;
} sherd_mpm_penalty_contacts;

// Inputs of a step.
typedef struct sherd_mpm_penalty_def {
    const sherd_mpm_points *points;
    sherd_mpm_grid *grid;
    const sherd_solid *solids;    // by body
    const sherd_mpm_glues *glue;  // bodies joined at a node do not touch there; NULL: none
    sherd_mpm_coupling *coupling; // NULL: none
    const uint8_t *driven;        // driven axes by point; NULL: none
    double dt, kick;              // steps for positions and for velocities [s]
    // Upper bound of the displacement of walls and coupled bodies in the step [m]
    double walls;
    double speed; // largest component of any point's velocity [m/s]
    sherd_parallel parallel;
} sherd_mpm_penalty_def;

// Energy taken by springs in a step [J].
typedef struct sherd_mpm_penalty_losses {
    double contact;  // by springs that ended
    double friction; // by slipping
    double work;     // done by walls
    double coupling; // done by coupled bodies
    // by transfers, and by the order of coupled bodies' steps
    double transfer;
} sherd_mpm_penalty_losses;
