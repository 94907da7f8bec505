// Elements and free bodies near material points, as the grid sees them (grid_coupling.h).
#pragma once

#include "models/mpm/coupling/mpm_coupling.h"
#include "stepping/grid/grid_edges.h"
#include "stepping/system.h"

// Largest radii cut into cubes, in cells of the grid: sherd_world_prepare refuses larger ones.
enum { SHERD_COUPLED_LARGEST_BODY = 64, SHERD_COUPLED_LARGEST_ELEMENT = 16 };

// The volume of a free body, cut into cubes: centres in the frame of its principal axes.
typedef struct sherd_coupled_cloud {
    int obstacle; // index in the system, and in the part if that has free bodies
    uint32_t body;
    size_t count, capacity;
    sherd_vec3 *at; // [m]
    double *volume; // [m^3]
    sherd_grid_edges edges;
} sherd_coupled_cloud;

// A coupled element or body near points, and the impulses it received by contact in the last step.
typedef struct sherd_grid_coupled_body {
    int cloud;                   // index of its cubes, -1: an element
    int rigid;                   // index among nearby free bodies, -1: an element
    sherd_element_index element; // index in the part
    sherd_vec3 impulse,
        angular_impulse; // by nodes: impulse, and its moment about the centre [N s], [N m s]
    sherd_vec3 sprung, sprung_twist; // by springs, accumulated over the step
    sherd_vec3 centre;               // at the start of the step [m]
    sherd_quat rotation;
} sherd_grid_coupled_body;

struct sherd_grid_coupling {
    sherd_mpm_coupling samples;
    int32_t *owner;        // index in `list` of each sample
    sherd_vec3 *arm;       // from its centre [m]
    size_t owner_capacity; // capacity of both
    sherd_grid_coupled_body *list;
    size_t count, capacity;
    bool listed;
    // For each element of the system: the solid volume that it represents; without bonds its own,
    // because fluids enter the pores [m^3].
    double *bulk;
    sherd_vec3 *gained; // by element of the part, within a step: scratch of grid_stepper.c [m/s]
    size_t gained_capacity;
    double dt;              // of the step [s]
    sherd_half_kick *outer; // by element of the part, by springs and nodes
    size_t outer_capacity;
    sherd_mpm_coupled_body *met; // states for contact springs, as many as `list`
    sherd_mpm_wall *surfaces;    // of free bodies
    size_t met_capacity;
    sherd_coupled_cloud *clouds;
    sherd_mpm_rigid_body *rigids; // capacity for all free bodies
    int cloud_count;
    sherd_mpm_coupled_block *blocks; // that any may reach until points are sorted again
    size_t block_count, block_capacity;
};

// A rigid object and its motion.
typedef struct sherd_coupled_carrier {
    sherd_vec3 centre, v, w;
    sherd_quat rotation; // of the samples' frame
    double mass;
    sherd_vec3 inertia; // about the frame's axes [kg m^2]
} sherd_coupled_carrier;
