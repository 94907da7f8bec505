#include "models/mpm/fluid/mpm_marker_stencil.h"

#include "models/mpm/grid/mpm_surface_reconstruction.h"

#include <math.h>
#include <string.h>

enum { REACH = SHERD_MPM_STENCIL_REACH, REACHED = SHERD_MPM_STENCIL_NODES };

// Mass of a node, as a fraction of a full cell's, below which its velocity is meaningless
// (kernels/mpm_node_velocities.c).
static const double MIN_MASS = 1e-9;
// Nodes of sand have the weight N m / (m + m_0), m_0 = LIGHT times a full cell's mass, so that
// single grains at a node are not thrown. For bodies m_0 is LIGHT times the heaviest node's mass,
// because nodes beyond the surface have hardly any mass.
static const double LIGHT = 0.01;
// Added to the variance of the nodes' positions, so that it is invertible [h^2]
static const double MIN_SPREAD = 1e-3;

// Nodes that reach a point along an axis: their blocks, their numbers within these, weights and
// positions.
typedef struct axis_nodes {
    int block[REACH], within[REACH];
    double weight[REACH], at[REACH];
} axis_nodes;

static axis_nodes nodes_along(const sherd_mpm_grid *g, double x)
{
    axis_nodes out;
    double at = x / g->h;
    int first = (int)floor(g->kernel == SHERD_MPM_CUBIC ? at : at + 0.5) - 1;
    for (int k = 0; k < REACH; ++k) {
        int node = first + k;
        out.block[k] = (int)floor((double)(node + 1) / SHERD_MPM_SIDE);
        out.within[k] = node + 1 - SHERD_MPM_SIDE * out.block[k];
        out.weight[k] = sherd_mpm_kernel_at(g->kernel, at - node);
        out.at[k] = g->h * node;
    }
    return out;
}

static void add_node(const sherd_mpm_stencil_def *def, int32_t layer, int node, double weight,
                     const double at[3], sherd_mpm_stencil *p)
{
    const sherd_mpm_grid *g = def->grid;
    const sherd_mpm_layer *l = &g->layers[layer];
    double(*motion)[4] = g->motion[layer].node[node], h = g->h;
    const sherd_solid *s = &def->solids[l->body];
    double full = s->density * h * h * h, mass = motion[0][3];
    if ((l->rows >> node / SHERD_MPM_SIDE & 1) == 0 || !(mass > MIN_MASS * full)) return;
    const double(*load)[4] = g->loads[layer].node[node];
    if (s->kind == SHERD_SOLID_SAND) weight *= mass / (mass + LIGHT * full);
    sherd_mpm_stencil_node *n = &p->node[p->count++];
    *n = (sherd_mpm_stencil_node){.motion = motion,
                                  .load = load,
                                  .layer = layer,
                                  .at = {at[0], at[1], at[2]},
                                  .weight = weight,
                                  .give = 1.0 / mass};
    for (int i = 0; i < 3; ++i)
        n->touched[i] = motion[0][i] - ((load[0][1 + i] + load[1][i]) / load[0][0] + def->fall[i]);
}

static void find_nodes(const sherd_mpm_stencil_def *def, size_t of, const double q[3],
                       sherd_mpm_stencil *p)
{
    const sherd_mpm_grid *g = def->grid;
    axis_nodes along[3];
    int32_t last[3] = {INT32_MAX, 0, 0}, layer = -1;
    p->count = 0;
    for (int axis = 0; axis < 3; ++axis)
        along[axis] = nodes_along(g, q[axis]);
    for (int n = 0; n < REACHED; ++n) {
        const int at[3] = {n % REACH, n / REACH % REACH, n / REACH / REACH};
        int32_t block[3];
        double weight = 1.0, x[3];
        for (int axis = 0; axis < 3; ++axis) {
            block[axis] = along[axis].block[at[axis]], weight *= along[axis].weight[at[axis]];
            x[axis] = along[axis].at[at[axis]];
        }
        if (!(weight > 0.0)) continue;
        if (memcmp(block, last, sizeof last) != 0)
            layer = sherd_mpm_find_layer(g, block, g->layers[of].body);
        memcpy(last, block, sizeof last);
        int node =
            (along[2].within[at[2]] * SHERD_MPM_SIDE + along[1].within[at[1]]) * SHERD_MPM_SIDE +
            along[0].within[at[0]];
        if (layer >= 0) add_node(def, layer, node, weight, x, p);
    }
}

// Normalises the weights to a sum of 1.
static void share_out(sherd_mpm_stencil *p)
{
    double sum = 0.0;
    for (int k = 0; k < p->count; ++k)
        sum += p->node[k].weight;
    for (int k = 0; k < p->count; ++k)
        p->node[k].weight /= sum;
}

static void find_give(sherd_mpm_stencil *p)
{
    p->give = 0.0;
    for (int k = 0; k < p->count; ++k) {
        sherd_mpm_stencil_node *n = &p->node[k];
        n->give *= n->weight;
        p->give += n->weight * n->give;
    }
}

void sherd_mpm_stencil_of_flow(const sherd_mpm_stencil_def *def, size_t layer, const double q[3],
                               sherd_mpm_stencil *out)
{
    find_nodes(def, layer, q, out);
    share_out(out);
    find_give(out);
}

void sherd_mpm_stencil_centre(const sherd_mpm_stencil *place, double out[3])
{
    out[0] = out[1] = out[2] = 0.0;
    for (int k = 0; k < place->count; ++k)
        for (int i = 0; i < 3; ++i)
            out[i] += place->node[k].weight * place->node[k].at[i];
}

// Solves m x = b, m symmetric and positive definite, by cofactors.
static void solve(double m[3][3], const double b[3], double x[3])
{
    double cofactor[3][3], determinant = 0.0;
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) {
            int i1 = (i + 1) % 3, i2 = (i + 2) % 3, k1 = (k + 1) % 3, k2 = (k + 2) % 3;
            cofactor[i][k] = m[i1][k1] * m[i2][k2] - m[i1][k2] * m[i2][k1];
        }
    for (int k = 0; k < 3; ++k)
        determinant += m[0][k] * cofactor[0][k];
    for (int i = 0; i < 3; ++i)
        x[i] =
            (cofactor[i][0] * b[0] + cofactor[i][1] * b[1] + cofactor[i][2] * b[2]) / determinant;
}

// Corrects weights to w (1 + (q - c) . V^-1 (x - c)), with the nodes' mean position c and variance
// V, so that linear fields are interpolated exactly at q.
static void centre_on(double h, const double q[3], sherd_mpm_stencil *p)
{
    double mean[3], spread[3][3] = {{0.0}}, off[3], slope[3];
    sherd_mpm_stencil_centre(p, mean);
    for (int n = 0; n < p->count; ++n)
        for (int i = 0; i < 3; ++i)
            for (int k = 0; k < 3; ++k)
                spread[i][k] +=
                    p->node[n].weight * (p->node[n].at[i] - mean[i]) * (p->node[n].at[k] - mean[k]);
    for (int k = 0; k < 3; ++k)
        spread[k][k] += MIN_SPREAD * h * h, off[k] = q[k] - mean[k];
    solve(spread, off, slope);
    for (int n = 0; n < p->count; ++n) {
        double more = 1.0;
        for (int k = 0; k < 3; ++k)
            more += slope[k] * (p->node[n].at[k] - mean[k]);
        p->node[n].weight *= more;
    }
}

void sherd_mpm_stencil_of_body(const sherd_mpm_stencil_def *def, size_t layer, const double q[3],
                               sherd_mpm_stencil *out)
{
    double heaviest = 0.0;
    find_nodes(def, layer, q, out);
    for (int k = 0; k < out->count; ++k)
        heaviest = fmax(heaviest, out->node[k].motion[0][3]);
    for (int k = 0; k < out->count; ++k) {
        double mass = out->node[k].motion[0][3];
        out->node[k].weight *= mass / (mass + LIGHT * heaviest);
    }
    share_out(out);
    centre_on(def->grid->h, q, out);
    find_give(out);
}
