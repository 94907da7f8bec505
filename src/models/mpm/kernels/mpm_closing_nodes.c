// Finds the nodes of a block at which two bodies may collide in this step, in lanes of nodes. The
// bounds have a margin far above rounding, so results do not depend on the number of lanes.
#include "math/lane_transpose.h"
#include "models/mpm/glue/mpm_node_groups.h"
#include "models/mpm/grid/mpm_surface_reconstruction.h"
#include "models/mpm/kernels/mpm_kernels.h"
#include "models/mpm/kernels/mpm_quad.h"

static const double SLACK = 1e-9; // margin of the bounds: [h], and relative

// One body at consecutive nodes, one per lane.
typedef struct moment_rows {
    lane centroid[3]; // relative to the nodes [h]
    lane velocity[3]; // displacement in a step [h]
    lane_mask there;  // whether it has enough mass and volume
} moment_rows;

// Loads the first four numbers of consecutive nodes, which are `stride` numbers apart.
LANE_INLINE void load_nodes(const double *from, int stride, lane out[4])
{
#if SHERD_LANES == 8
    quad low[4], r[4];
    for (int n = 0; n < 4; ++n)
        r[n] = quad_load(from + n * stride);
    LANE_ROUNDS4(quad)
    memcpy(low, r, sizeof low);
    for (int n = 0; n < 4; ++n)
        r[n] = quad_load(from + (4 + n) * stride);
    LANE_ROUNDS4(quad)
    for (int k = 0; k < 4; ++k)
        out[k] = __builtin_shufflevector(low[k], r[k], 0, 1, 2, 3, 4, 5, 6, 7);
#elif SHERD_LANES == 4
    quad r[4];
    for (int n = 0; n < 4; ++n)
        r[n] = quad_load(from + n * stride);
    LANE_ROUNDS4(quad)
    memcpy(out, r, sizeof r);
#else
    for (int k = 0; k < 4; ++k)
        for (int n = 0; n < SHERD_LANES; ++n)
            out[k] = lane_set(out[k], n, from[n * stride + k]);
#endif
}

// Loads a body at the nodes from `node` on. Moments of rows without points are outdated; those
// nodes have no mass.
LANE_INLINE void load_body(const sherd_mpm_grid *g, size_t layer, int node, double dt,
                           moment_rows *out)
{
    lane motion[4] = {{0}}, moments[4] = {{0}};
    double least = (1.0 - SLACK) * SHERD_MPM_MIN_FRACTION * g->h * g->h * g->h;
    load_nodes(g->motion[layer].node[node][0], 8, motion);
    load_nodes(g->moments[g->layers[layer].moments].node[node], 8, moments);
    out->there = lane_greater(motion[3], lane_of(0)) & lane_greater(moments[0], lane_of(least));
    lane inverse = lane_of(1.0 / g->h) / lane_select(out->there, moments[0], lane_of(1.0));
    for (int k = 0; k < 3; ++k) {
        out->centroid[k] = inverse * moments[1 + k];
        out->velocity[k] = motion[k] * (dt / g->h);
    }
}

LANE_INLINE lane highest_surface(sherd_mpm_kernel kernel, lane centroid)
{
    const sherd_mpm_chord *chords =
        kernel == SHERD_MPM_CUBIC ? SHERD_MPM_CUBIC_CHORDS : SHERD_MPM_QUADRATIC_CHORDS;
    lane s = lane_of(-sherd_mpm_reach(kernel));
    for (int k = 0; k < SHERD_MPM_CHORDS; ++k)
        s = lane_max(s, lane_fma(lane_of(chords[k].slope), centroid, lane_of(chords[k].at_node)));
    return lane_min(s, lane_of(sherd_mpm_deepest(kernel)));
}

// Lanes in which two bodies may collide: their approach in a step exceeds a lower bound of the gap.
LANE_INLINE lane_mask approach(const moment_rows *a, const moment_rows *b, sherd_mpm_kernel kernel)
{
    const double least = (1.0 - SLACK) * SHERD_MPM_MIN_SEPARATION * SHERD_MPM_MIN_SEPARATION;
    lane squares = lane_of(0), way = lane_of(0), from_a = lane_of(0), from_b = lane_of(0);
    for (int k = 0; k < 3; ++k) {
        lane line = b->centroid[k] - a->centroid[k];
        squares = lane_fma(line, line, squares);
        way = lane_fma(a->velocity[k] - b->velocity[k], line, way);
        from_a = lane_fma(a->centroid[k], line, from_a);
        from_b = lane_fnma(b->centroid[k], line, from_b);
    }
    lane_mask known = a->there & b->there & lane_greater(squares, lane_of(least));
    if (!lane_any(known)) return known;
    lane inverse = lane_of(1) / lane_sqrt(lane_select(known, squares, lane_of(1)));
    lane overlap =
        highest_surface(kernel, from_a * inverse) + highest_surface(kernel, from_b * inverse);
    lane least_gap = lane_max(-overlap, lane_of(0));
    return known & lane_greater(way * inverse, least_gap - SLACK);
}

LANE_INLINE uint64_t compare_bodies(const moment_rows *bodies, int count, sherd_mpm_kernel kernel)
{
    unsigned found = 0;
    for (int a = 0; a < count; ++a)
        for (int b = a + 1; b < count; ++b)
            found |= lane_mask_bits(approach(&bodies[a], &bodies[b], kernel));
    return found;
}

uint64_t SHERD_KERNEL(sherd_mpm_closing)(const sherd_mpm_grid *g,
                                         const sherd_mpm_shared_block *block, double dt)
{
    moment_rows bodies[SHERD_MPM_NODE_LAYERS];
    uint64_t nodes = 0;
    for (int node = 0; node < SHERD_MPM_NODES; node += SHERD_LANES) {
        int count = 0, rows = SHERD_LANES > SHERD_MPM_SIDE ? SHERD_LANES / SHERD_MPM_SIDE : 1;
        unsigned mask = ((1u << rows) - 1u) << node / SHERD_MPM_SIDE;
        for (size_t k = block->begin; k < block->end && count < SHERD_MPM_NODE_LAYERS; ++k)
            if ((g->layers[k].rows & mask) != 0) load_body(g, k, node, dt, &bodies[count++]);
        uint64_t found = g->kernel == SHERD_MPM_CUBIC
                             ? compare_bodies(bodies, count, SHERD_MPM_CUBIC)
                             : compare_bodies(bodies, count, SHERD_MPM_QUADRATIC);
        nodes |= found << node;
    }
    return nodes;
}
