// Groups of layers at a node. Layers with mass at the node form one group if intact glue joins them
// there, directly or through others; a layer that no glue joins is a group of its own. A group
// moves as one body, and contact acts between groups.
#pragma once

#include "models/mpm/glue/mpm_glue.h"

enum { SHERD_MPM_NODE_LAYERS = 64, SHERD_MPM_NODE_GROUPS = 16 };

typedef struct sherd_mpm_group {
    int members;
    size_t first;        // layer
    double mass;         // [kg]
    double motion[2][3]; // as in layers, of the common momentum [m/s]
    double moments[7];   // [m^3], [m^4], [m^3/s]
} sherd_mpm_group;

typedef struct sherd_mpm_node_groups {
    int layers, groups;
    bool crowded; // there are further layers or groups, which get no contact
    size_t layer[SHERD_MPM_NODE_LAYERS];
    int group_of[SHERD_MPM_NODE_LAYERS]; // -1: in no group, if there are too many
    sherd_mpm_group group[SHERD_MPM_NODE_GROUPS];
} sherd_mpm_node_groups;

// Finds the groups at a node of shared block `block`; `glue` is NULL without any. False if fewer
// than `least` layers have mass there.
bool sherd_mpm_find_groups(const sherd_mpm_grid *grid, const sherd_mpm_glues *glue, size_t block,
                           int node, int least, sherd_mpm_node_groups *out);

// The shared block that contains a layer, or the next one; shared_count if there is none.
size_t sherd_mpm_find_shared_block(const sherd_mpm_grid *grid, size_t layer);

// Finds only the layers that have mass at a node, and sets `group_of` to a common number for layers
// that glue joins.
void sherd_mpm_find_group_layers(const sherd_mpm_grid *grid, const sherd_mpm_glues *glue,
                                 size_t block, int node, sherd_mpm_node_groups *out);

// True if more than one group has mass at the node. Moments and motion need not be set yet.
bool sherd_mpm_has_several_groups(const sherd_mpm_grid *grid, const sherd_mpm_glues *glue,
                                  size_t block, int node);

// Adds to `slip` the difference between the velocity of a rotating group at a node and at its
// surface, which is `distance` below the node [m], along -normal (unit). This is spin x distance
// normal, which is tangential [m/s].
static inline void sherd_mpm_add_spin_slip(const sherd_mpm_group *group, const double normal[3],
                                           double distance, double slip[3])
{
    if (!(group->moments[0] > 0.0)) return;
    const double *spin = group->moments + 4, far = distance / group->moments[0];
    for (int k = 0; k < 3; ++k) {
        int next = (k + 1) % 3, last = (k + 2) % 3;
        slip[k] += far * (spin[next] * normal[last] - spin[last] * normal[next]);
    }
}

// Sets the velocity of group k, and changes both motions of its layers by the same amount.
// `velocity` may be the group's own.
void sherd_mpm_set_group_velocity(sherd_mpm_grid *grid, const sherd_mpm_node_groups *node_groups,
                                  int node, int k, const double velocity[3]);
