// What elements and free bodies beside points are to the grid (grid_coupling.h).
#pragma once

#include "models/mpm/coupling/mpm_coupling.h"
#include "stepping/grid/grid_edges.h"
#include "stepping/system.h"

// Radii that are cut into cubes, in cells of the grid: sherd_world_prepare refuses larger ones.
enum { SHERD_COUPLED_LARGEST_BODY = 64, SHERD_COUPLED_LARGEST_ELEMENT = 16 };

// Where a free body is, cut into cubes: centres in the frame of its principal axes.
typedef struct sherd_coupled_cloud {
    int obstacle; // of the system, and of the part where that has free bodies
    uint32_t body;
    size_t count, capacity;
    sherd_vec3 *at; // [m]
    double *volume; // [m^3]
    sherd_grid_edges edges;
} sherd_coupled_cloud;

// One that is near points, and what contact gave it in the last step.
typedef struct sherd_grid_coupled_body {
    int cloud;                   // that it is, -1: an element
    int rigid;                   // its number among free bodies that are near, -1: an element
    sherd_element_index element; // of the part
    sherd_vec3 push, twist; // of nodes: impulse, and its moment about the centre [N s], [N m s]
    sherd_vec3 sprung, sprung_twist; // of springs, so far in the step
    sherd_vec3 centre;               // where the step began [m]
    sherd_quat rotation;
} sherd_grid_coupled_body;

struct sherd_grid_coupling {
    sherd_mpm_coupling samples;
    int32_t *owner;  // of each sample, in `list`
    sherd_vec3 *arm; // from its centre [m]
    size_t room;     // of both
    sherd_grid_coupled_body *list;
    size_t count, capacity;
    bool listed;
    // Of elements of the system: volume of the solid that one stands for; without bonds its own, as fluids get in between [m^3].
    double *bulk;
    sherd_vec3 *gained; // by element of the part, in a step: scratch of grid_trend.h [m/s]
    size_t gained_room;
    double dt;              // of the step [s]
    sherd_half_kick *outer; // by element of the part, as springs and nodes push it now
    size_t outer_room;
    sherd_mpm_coupled_body *met; // as springs meet them, as many as `list`
    sherd_mpm_wall *surfaces;    // of clouds
    size_t met_room;
    sherd_coupled_cloud *clouds;
    sherd_mpm_rigid_body *rigids; // room for all clouds
    int cloud_count;
    sherd_mpm_coupled_block *blocks; // where any may be until points are sorted again
    size_t block_count, block_capacity;
};

// A rigid thing and its motion.
typedef struct sherd_coupled_carrier {
    sherd_vec3 centre, v, w;
    sherd_quat rotation; // of the samples' frame
    double mass;
    sherd_vec3 inertia; // about the frame's axes [kg m^2]
} sherd_coupled_carrier;
