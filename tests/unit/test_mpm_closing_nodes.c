// Which nodes of a block need their contact solved: none is left out at which bodies come nearer than their gap.
#include "base/memory.h"
#include "base/random.h"
#include "models/mpm/grid/mpm_surface_reconstruction.h"
#include "models/mpm/kernels/mpm_kernels.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>

enum { BODIES = 5, BLOCKS = 200 };
static const double H = 0.1, DT = 1e-3;

static double uniform(uint64_t seed, uint64_t k)
{
    return 2.0 * sherd_random_uniform(seed, 11, k) - 1.0;
}

// A tenth of the nodes have no mass, another tenth next to none; centroids lie anywhere that a kernel reaches, and speeds of
// approach are as large as gaps.
static void fill_node(sherd_mpm_grid *g, size_t layer, int node, uint64_t seed)
{
    uint64_t k = 16 * (layer * SHERD_MPM_NODES + (uint64_t)node);
    double kind = uniform(seed, k), volume = kind > 0.8 ? 1e-10 : 0.6 + 0.4 * uniform(seed, k + 1);
    double(*motion)[4] = g->motion[layer].node[node], *moments = g->moments[layer].node[node];
    moments[0] = volume * H * H * H;
    motion[0][3] = kind < -0.8 ? 0.0 : 1000.0 * moments[0];
    for (int i = 0; i < 3; ++i) {
        double reach = sherd_mpm_reach(g->kernel);
        moments[1 + i] = moments[0] * reach * H * uniform(seed, k + 2 + (uint64_t)i);
        motion[0][i] = motion[0][3] > 0.0 ? 0.5 * H / DT * uniform(seed, k + 5 + (uint64_t)i) : 0.0;
    }
}

static sherd_mpm_grid make_grid(sherd_mpm_kernel kernel, uint64_t seed)
{
    sherd_mpm_grid g = {.h = H, .kernel = kernel, .layer_count = BODIES};
    g.layers = sherd_alloc(BODIES, sizeof *g.layers);
    g.motion = sherd_alloc(BODIES, sizeof *g.motion);
    g.moments = sherd_alloc(BODIES, sizeof *g.moments);
    for (size_t k = 0; k < BODIES; ++k) {
        g.layers[k].moments = (int32_t)k, g.layers[k].body = (uint32_t)k;
        g.layers[k].rows = (uint16_t)sherd_random_bits(seed, 12, k);
        for (int node = 0; node < SHERD_MPM_NODES; ++node)
            if (g.layers[k].rows >> node / SHERD_MPM_SIDE & 1) fill_node(&g, k, node, seed);
    }
    return g;
}

// As mpm_contact.h has it, by Newton's iterations.
static bool comes_near(const sherd_mpm_grid *g, size_t a, size_t b, int node)
{
    const double *one = g->moments[a].node[node], *other = g->moments[b].node[node],
                 *u = g->motion[a].node[node][0], *v = g->motion[b].node[node][0];
    double line[3], squares = 0.0, speed = 0.0, from_a = 0.0, from_b = 0.0;
    if (!(fmin(u[3], v[3]) > 0.0) || !(fmin(one[0], other[0]) > SHERD_MPM_MIN_FRACTION * H * H * H))
        return false;
    for (int k = 0; k < 3; ++k)
        line[k] = (other[1 + k] / other[0] - one[1 + k] / one[0]) / H, squares += line[k] * line[k];
    if (!(squares > SHERD_MPM_MIN_SEPARATION * SHERD_MPM_MIN_SEPARATION)) return false;
    for (int k = 0; k < 3; ++k) {
        double normal = line[k] / sqrt(squares);
        speed += (u[k] - v[k]) * normal;
        from_a += one[1 + k] / one[0] / H * normal, from_b -= other[1 + k] / other[0] / H * normal;
    }
    double gap = -sherd_mpm_surface(g->kernel, from_a) - sherd_mpm_surface(g->kernel, from_b);
    return speed > fmax(gap, 0.0) * H / DT;
}

static uint64_t nodes_that_come_near(const sherd_mpm_grid *g)
{
    uint64_t nodes = 0;
    for (int node = 0; node < SHERD_MPM_NODES; ++node)
        for (size_t a = 0; a < BODIES; ++a)
            for (size_t b = a + 1; b < BODIES; ++b)
                if (comes_near(g, a, b, node)) nodes |= (uint64_t)1 << node;
    return nodes;
}

static void check(sherd_mpm_kernel kernel, sherd_mpm_closing_function *approach)
{
    int near = 0, found = 0;
    for (uint64_t seed = 1; seed <= BLOCKS; ++seed) {
        sherd_mpm_grid g = make_grid(kernel, seed);
        const sherd_mpm_shared_block block = {0, BODIES};
        uint64_t expected = nodes_that_come_near(&g), given = approach(&g, &block, DT);
        cr_assert(eq(u64, expected & ~given, 0), "block %d", (int)seed);
        near += __builtin_popcountll(expected), found += __builtin_popcountll(given);
        sherd_free(g.layers), sherd_free(g.motion), sherd_free(g.moments);
    }
    cr_assert(ge(int, near, BLOCKS), "the test tests nothing");
    cr_assert(le(int, found, near + near / 20), "%d found, %d needed", found,
              near); // chords are a bit high
}

Test(mpm_approach, finds_all_nodes_where_bodies_come_near)
{
    sherd_mpm_kernels best = sherd_mpm_choose_kernels();
    check(SHERD_MPM_CUBIC, best.closing), check(SHERD_MPM_QUADRATIC, best.closing);
    check(SHERD_MPM_CUBIC, sherd_mpm_closing_baseline);
    check(SHERD_MPM_QUADRATIC, sherd_mpm_closing_baseline);
}
