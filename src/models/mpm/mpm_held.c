#include "models/mpm/mpm_held.h"

static const double LEAST_SHARE = 0.02; // of a node's mass: below, it is not held

bool sherd_mpm_holds(double held, double mass)
{
    return held > LEAST_SHARE * mass;
}

bool sherd_mpm_is_held_along(const sherd_mpm_held *held, const sherd_mpm_grid *grid,
                             const sherd_mpm_meeting *meeting, int node, int a,
                             const double normal[3])
{
    double mass = 0.0, of[3] = {0}, along = 0.0;
    for (int n = 0; n < meeting->layers; ++n) {
        size_t layer = meeting->layer[n];
        if (meeting->group_of[n] != a) continue;
        mass += grid->loads[layer].node[node][0][0];
        for (int k = 0; k < 3 && held->touched[layer]; ++k)
            of[k] += held->layers[layer].node[node].mass[k];
    }
    for (int k = 0; k < 3; ++k)
        if (sherd_mpm_holds(of[k], mass)) along += normal[k] * normal[k];
    return along > 0.5;
}
