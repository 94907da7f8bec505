#include "models/mpm/contact/mpm_mass_normal.h"

#include <math.h>

// Mass of a layer's body at the node beside this one, which may lie in the next block.
static double mass_beside(const sherd_mpm_grid *g, size_t layer, int node, int axis, int way)
{
    int at = (node >> (2 * axis) & 3) + way, step = 1 << (2 * axis);
    if (at >= 0 && at < SHERD_MPM_SIDE) return g->loads[layer].node[node + way * step][0][0];
    const sherd_mpm_layer *here = &g->layers[layer];
    int32_t block[3] = {here->block[0], here->block[1], here->block[2]};
    block[axis] += way;
    int32_t next = sherd_mpm_find_layer(g, block, here->body);
    int there = node - way * step * (SHERD_MPM_SIDE - 1);
    return next >= 0 ? g->loads[next].node[there][0][0] : 0.0;
}

bool sherd_mpm_mass_normal(const sherd_mpm_grid *grid, const sherd_mpm_contact_groups *node_groups,
                           int node, int k, double normal[3])
{
    double squares = 0.0;
    for (int axis = 0; axis < 3; ++axis) {
        double falls = 0.0;
        for (int n = 0; n < node_groups->layers; ++n)
            if (node_groups->group_of[n] == k)
                falls += mass_beside(grid, node_groups->layer[n], node, axis, -1) -
                         mass_beside(grid, node_groups->layer[n], node, axis, 1);
        normal[axis] = falls;
        squares += falls * falls;
    }
    for (int axis = 0; axis < 3 && squares > 0.0; ++axis)
        normal[axis] /= sqrt(squares);
    return squares > 0.0;
}
