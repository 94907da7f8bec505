#include "models/mpm/glue/mpm_node_groups.h"

#include "base/assertion.h"
#include "base/forest.h"

static bool list_layers(const sherd_mpm_grid *g, const sherd_mpm_shared_block *block, int node,
                        int least, sherd_mpm_node_groups *out)
{
    out->layers = out->groups = 0, out->crowded = false;
    for (size_t k = block->begin; k < block->end; ++k) {
        if (!(g->loads[k].node[node][0][0] > 0.0)) continue;
        out->crowded = out->layers == SHERD_MPM_NODE_LAYERS;
        if (out->crowded) break;
        out->layer[out->layers++] = k;
    }
    return out->layers >= least;
}

static int32_t member_of(const sherd_mpm_node_groups *m, int32_t layer)
{
    for (int k = 0; k < m->layers; ++k)
        if (m->layer[k] == (size_t)layer) return k;
    return -1;
}

static void join(const sherd_mpm_glues *glue, size_t block, int node,
                 const sherd_mpm_node_groups *m, int32_t root[SHERD_MPM_NODE_LAYERS])
{
    for (size_t k = glue->of_block[block]; k < glue->of_block[block + 1]; ++k) {
        const sherd_mpm_joint *joint = &glue->joints[k];
        if ((joint->nodes >> node & 1) == 0) continue;
        int32_t a = member_of(m, joint->layer[0]), b = member_of(m, joint->layer[1]);
        if (a >= 0 && b >= 0) sherd_join_roots(root, a, b);
    }
}

// Sums; `motion` is that of momentum until all are in.
static void add_layer(const sherd_mpm_grid *g, size_t layer, int node, sherd_mpm_group *to)
{
    const double(*motion)[4] = g->motion[layer].node[node];
    double mass = g->loads[layer].node[node][0][0];
    if (to->members++ == 0) to->first = layer;
    to->mass += mass;
    for (int row = 0; row < 2; ++row)
        for (int k = 0; k < 3; ++k)
            to->motion[row][k] += mass * motion[row][k];
    const double *moments = g->moments[g->layers[layer].moments].node[node];
    for (int k = 0; k < 7; ++k)
        to->moments[k] += moments[k];
}

// What is alone keeps its velocity to the last bit.
static void finish(const sherd_mpm_grid *g, int node, sherd_mpm_group *group)
{
    for (int row = 0; row < 2; ++row)
        for (int k = 0; k < 3; ++k)
            group->motion[row][k] = group->members == 1 ? g->motion[group->first].node[node][row][k]
                                                        : group->motion[row][k] / group->mass;
}

// Roots come before what hangs on them.
static void make_groups(const sherd_mpm_grid *g, int node, int32_t root[SHERD_MPM_NODE_LAYERS],
                        sherd_mpm_node_groups *out)
{
    for (int k = 0; k < out->layers; ++k) {
        int32_t top = sherd_find_root(root, k);
        bool is_new = top == k, full = is_new && out->groups == SHERD_MPM_NODE_GROUPS;
        out->crowded = out->crowded || full;
        if (is_new && !full) out->group[out->groups] = (sherd_mpm_group){0};
        out->group_of[k] = full ? -1 : is_new ? out->groups++ : out->group_of[top];
        if (out->group_of[k] >= 0) add_layer(g, out->layer[k], node, &out->group[out->group_of[k]]);
    }
    for (int k = 0; k < out->groups; ++k)
        finish(g, node, &out->group[k]);
}

size_t sherd_mpm_find_shared_block(const sherd_mpm_grid *g, size_t layer)
{
    size_t low = 0, high = g->shared_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (g->shared[middle].end <= layer)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool sherd_mpm_find_groups(const sherd_mpm_grid *grid, const sherd_mpm_glues *glue, size_t block,
                           int node, int least, sherd_mpm_node_groups *out)
{
    int32_t root[SHERD_MPM_NODE_LAYERS];
    if (!list_layers(grid, &grid->shared[block], node, least, out)) return false;
    for (int32_t k = 0; k < out->layers; ++k)
        root[k] = k;
    if (glue != NULL) join(glue, block, node, out, root);
    make_groups(grid, node, root, out);
    SHERD_ASSERT(out->groups > 0 && out->groups <= SHERD_MPM_NODE_GROUPS, "layers form groups");
    for (int k = 0; k < out->groups; ++k)
        SHERD_ASSERT(out->group[k].members > 0 && out->group[k].mass > 0.0, "groups have mass");
    return true;
}

void sherd_mpm_find_group_layers(const sherd_mpm_grid *grid, const sherd_mpm_glues *glue,
                                 size_t block, int node, sherd_mpm_node_groups *out)
{
    int32_t root[SHERD_MPM_NODE_LAYERS];
    list_layers(grid, &grid->shared[block], node, 0, out);
    for (int32_t k = 0; k < out->layers; ++k)
        root[k] = k;
    join(glue, block, node, out, root);
    for (int k = 0; k < out->layers; ++k)
        out->group_of[k] = sherd_find_root(root, k);
}

bool sherd_mpm_has_several_groups(const sherd_mpm_grid *grid, const sherd_mpm_glues *glue,
                                  size_t block, int node)
{
    int32_t root[SHERD_MPM_NODE_LAYERS];
    sherd_mpm_node_groups m;
    if (!list_layers(grid, &grid->shared[block], node, 2, &m)) return false;
    for (int32_t k = 0; k < m.layers; ++k)
        root[k] = k;
    join(glue, block, node, &m, root);
    for (int32_t k = 1; k < m.layers; ++k)
        if (sherd_find_root(root, k) != 0) return true;
    return m.crowded;
}

void sherd_mpm_set_group_velocity(sherd_mpm_grid *grid, const sherd_mpm_node_groups *node_groups,
                                  int node, int k, const double velocity[3])
{
    const sherd_mpm_group *group = &node_groups->group[k];
    for (int n = 0; n < node_groups->layers; ++n) {
        if (node_groups->group_of[n] != k) continue;
        double(*motion)[4] = grid->motion[node_groups->layer[n]].node[node];
        grid->layers[node_groups->layer[n]].moved = true;
        for (int i = 0; i < 3; ++i) {
            double change = velocity[i] - group->motion[0][i];
            motion[0][i] = group->motion[0][i] + change;
            motion[1][i] = group->motion[1][i] + change;
        }
    }
}
