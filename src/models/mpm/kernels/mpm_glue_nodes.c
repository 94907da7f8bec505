// Nodes to glue, and what glue makes of nodes: a node is a vector or two.
#include "models/mpm/kernels/mpm_kernels.h"
#include "models/mpm/kernels/mpm_quad.h"

LANE_INLINE void derivatives(const sherd_mpm_glue_weights *w, const sherd_mpm_reached *r,
                             double out[3])
{
    const double x = w->w[0][r->at[0]], y = w->w[1][r->at[1]], z = w->w[2][r->at[2]];
    out[0] = w->dw[0][r->at[0]] * y * z;
    out[1] = w->dw[1][r->at[1]] * x * z;
    out[2] = w->dw[2][r->at[2]] * x * y;
}

bool SHERD_KERNEL(sherd_mpm_glue_motion)(const sherd_mpm_grid *g, const sherd_mpm_glue_tile *place,
                                         const sherd_mpm_glue_weights *w, double v[3],
                                         double l[3][3])
{
    double total = 0.0, slope[3] = {0};
    quad mean = {0}, along[3] = {{0}};
    SHERD_MPM_FOR_EACH_REACHED(g->kernel, w, r)
    {
        double mass = 0.0, d[3];
        quad momentum = {0};
        for (int side = 0; side < 2; ++side) {
            int32_t layer = place->layer[side][r.part];
            if (layer < 0) continue;
            double m = g->loads[layer].node[r.node][0][0];
            mass += m, momentum += m * quad_load(g->motion[layer].node[r.node][0]);
        }
        if (!(mass > 0.0)) continue;
        quad u = momentum / mass;
        derivatives(w, &r, d);
        total += r.w, mean += r.w * u;
        for (int k = 0; k < 3; ++k)
            slope[k] += d[k], along[k] += d[k] * u;
    }
    if (!(total > 0.0)) return false;
    for (int i = 0; i < 3; ++i) {
        v[i] = mean[i] / total;
        for (int k = 0; k < 3; ++k)
            l[i][k] = (along[k][i] - v[i] * slope[k]) / total;
    }
    return true;
}

bool SHERD_KERNEL(sherd_mpm_glue_stress)(const sherd_mpm_grid *g, const sherd_mpm_glue_tile *place,
                                         const sherd_mpm_glue_weights *w,
                                         double stress[SHERD_MPM_SYMMETRIC])
{
    double total = 0.0;
    quad low = {0}, high = {0}; // volume first
    SHERD_MPM_FOR_EACH_REACHED(g->kernel, w, r)
    {
        quad sum[2] = {{0}, {0}};
        for (int side = 0; side < 2; ++side) {
            int32_t layer = place->layer[side][r.part];
            if (layer < 0) continue;
            const double *from = g->stresses[g->layers[layer].stress].node[r.node];
            sum[0] += quad_load(from), sum[1] += quad_load(from + 4);
        }
        double volume = sum[0][0];
        if (!(volume > 0.0)) continue;
        low += r.w * (sum[0] / volume), high += r.w * (sum[1] / volume);
        total += r.w;
    }
    for (int k = 0; k < SHERD_MPM_SYMMETRIC; ++k)
        stress[k] = k < 3 ? low[1 + k] : high[k - 3];
    for (int k = 0; k < SHERD_MPM_SYMMETRIC && total > 0.0; ++k)
        stress[k] /= total;
    return total > 0.0;
}

// What it takes to give a layer the common velocity (mpm_contact.c).
LANE_INLINE double joining_loss(const double load[2][4], quad motion, quad common, double sum)
{
    quad momentum = {load[0][1], load[0][2], load[0][3], 0.0};
    quad loss = 0.5 * load[0][0] * (motion - common) * (momentum / load[0][0] + common);
    for (int k = 0; k < 3; ++k)
        sum += loss[k];
    return sum;
}

LANE_INLINE double join_node(sherd_mpm_grid *g, const sherd_mpm_shared_block *block, int node)
{
    double mass = 0.0, sum = 0.0;
    quad common[2] = {{0}, {0}}, zero = {0};
    int members = 0;
    for (size_t k = block->begin; k < block->end; ++k) {
        double m = g->loads[k].node[node][0][0];
        if (!(m > 0.0)) continue;
        mass += m, ++members;
        for (int row = 0; row < 2; ++row)
            common[row] += m * quad_load(g->motion[k].node[node][row]);
    }
    if (members < 2) return 0.0;
    common[0] /= mass, common[1] /= mass;
    for (size_t k = block->begin; k < block->end; ++k) {
        double(*motion)[4] = g->motion[k].node[node], own = motion[0][3];
        if (!(g->loads[k].node[node][0][0] > 0.0)) continue;
        sum = joining_loss(g->loads[k].node[node], quad_load(motion[0]), common[0], sum);
        quad now = common[0] + zero, changed = common[1] + zero;
        now[3] = own, changed[3] = motion[1][3];
        quad_store(motion[0], now), quad_store(motion[1], changed);
        g->layers[k].moved = true;
    }
    return sum;
}

double SHERD_KERNEL(sherd_mpm_join_nodes)(sherd_mpm_grid *g, const sherd_mpm_shared_block *block,
                                          uint64_t nodes)
{
    double sum = 0.0;
    for (int node = 0; node < SHERD_MPM_NODES; ++node)
        if (nodes >> node & 1) sum += join_node(g, block, node);
    return sum;
}
