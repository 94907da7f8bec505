#include "models/mpm/drivers/mpm_driven_nodes.h"

static const double MIN_FRACTION =
    0.02; // fraction of a node's mass above which it counts as driven

bool sherd_mpm_is_driven(double driven, double mass)
{
    return driven > MIN_FRACTION * mass;
}

bool sherd_mpm_is_driven_along(const sherd_mpm_driven_nodes *driven, const sherd_mpm_grid *grid,
                               const sherd_mpm_node_groups *node_groups, int node, int a,
                               const double normal[3])
{
    double mass = 0.0, of[3] = {0}, along = 0.0;
    for (int n = 0; n < node_groups->layers; ++n) {
        size_t layer = node_groups->layer[n];
        if (node_groups->group_of[n] != a) continue;
        mass += grid->loads[layer].node[node][0][0];
        for (int k = 0; k < 3 && driven->is_reached[layer]; ++k)
            of[k] += driven->layers[layer].node[node].mass[k];
    }
    for (int k = 0; k < 3; ++k)
        if (sherd_mpm_is_driven(of[k], mass)) along += normal[k] * normal[k];
    return along > 0.5;
}
