#include "models/mpm/fluid/mpm_fluid_density.h"

#include "base/memory.h"
#include "models/mpm/fluid/mpm_fluids.h"
#include "models/mpm/grid/mpm_surface_reconstruction.h"
#include "models/mpm/grid/mpm_traversal.h"
#include "models/mpm/kernels/mpm_kernels.h"

#include <math.h>
#include <string.h>

enum { LAYERS_PER_CHUNK = 16 };

// Sample points of walls along an axis, two per cell, over the supports of a block's nodes.
enum { SAMPLES = 2 * (SHERD_MPM_SIDE - 1 + 4) };

typedef struct job {
    sherd_mpm_grid *grid;
    const sherd_solid *solids;
    const sherd_mpm_walls *walls;
    bool ask; // evaluate the walls anew
} job;

// ---------------------------------------------------------------- walls

// Weights of the samples in the means at a block's nodes, along an axis.
static void find_weights(sherd_mpm_kernel kernel, double w[SHERD_MPM_SIDE][SAMPLES])
{
    for (int n = 0; n < SHERD_MPM_SIDE; ++n) {
        double sum = 0.0;
        for (int k = 0; k < SAMPLES; ++k)
            sum += w[n][k] = sherd_mpm_kernel_at(kernel, 0.5 * (k + 0.5) - 2.0 - n);
        for (int k = 0; k < SAMPLES; ++k)
            w[n][k] /= sum;
    }
}

// Fraction of a cube of half a cell's edge at x that walls occupy.
static double solid_share(const job *j, const int *near, int count, const double x[3])
{
    double most = 0.0, normal[3];
    for (int k = 0; k < count; ++k) {
        const sherd_mpm_wall *wall = &j->walls->list[near[k]];
        double share = 0.5 - wall->distance(wall->context, x, normal) / (0.5 * j->grid->h);
        most = fmax(most, share);
    }
    return fmin(most, 1.0);
}

static void ask_walls(const job *j, const int32_t block[3], const int *near, int count,
                      double share[SHERD_MPM_NODES])
{
    double h = j->grid->h, w[SHERD_MPM_SIDE][SAMPLES];
    double rows[SAMPLES][SAMPLES][SHERD_MPM_SIDE], planes[SAMPLES][SHERD_MPM_SIDE][SHERD_MPM_SIDE];
    find_weights(j->grid->kernel, w);
    memset(rows, 0, sizeof rows), memset(planes, 0, sizeof planes);
    memset(share, 0, SHERD_MPM_NODES * sizeof *share);
    for (int z = 0; z < SAMPLES; ++z)
        for (int y = 0; y < SAMPLES; ++y)
            for (int x = 0; x < SAMPLES; ++x) {
                const int at[3] = {x, y, z};
                double place[3];
                for (int axis = 0; axis < 3; ++axis)
                    place[axis] =
                        h * (SHERD_MPM_SIDE * (double)block[axis] - 3.0 + 0.5 * (at[axis] + 0.5));
                double solid = solid_share(j, near, count, place);
                for (int n = 0; n < SHERD_MPM_SIDE; ++n)
                    rows[z][y][n] += w[n][x] * solid;
            }
    for (int z = 0; z < SAMPLES; ++z)
        for (int y = 0; y < SAMPLES; ++y)
            for (int m = 0; m < SHERD_MPM_SIDE; ++m)
                for (int n = 0; n < SHERD_MPM_SIDE; ++n)
                    planes[z][m][n] += w[m][y] * rows[z][y][n];
    for (int z = 0; z < SAMPLES; ++z)
        for (int l = 0; l < SHERD_MPM_SIDE; ++l)
            for (int n = 0; n < SHERD_MPM_SIDE * SHERD_MPM_SIDE; ++n)
                share[l * SHERD_MPM_SIDE * SHERD_MPM_SIDE + n] +=
                    w[l][z] * planes[z][n / SHERD_MPM_SIDE][n % SHERD_MPM_SIDE];
}

// ---------------------------------------------------------------- nodes

// Volume at a node [m^3].
static double volume_at(const job *j, size_t layer, int node)
{
    const sherd_mpm_layer *l = &j->grid->layers[layer];
    int row = node / SHERD_MPM_SIDE;
    if (!sherd_mpm_is_coupled(j->grid, layer))
        return l->rows >> row & 1
                   ? j->grid->loads[layer].node[node][0][0] / j->solids[l->body].density
                   : 0.0;
    return l->moments >= 0 && l->apart ? j->grid->moments[l->moments].node[node][0] : 0.0;
}

// Least volume fraction left for fluids. A layer thinner than half a cell between a body and a wall
// is at most one point thick, and its thickness cannot be resolved: compressed by the excess
// volume, it would carry the body. So bodies beside walls leave at least half of the room that the
// walls leave.
static double least_room(double walls)
{
    return fmin(0.5, 2.0 * walls) * (1.0 - walls);
}

static void set_block(const job *j, size_t begin, size_t end)
{
    double inverse = 1.0 / (j->grid->h * j->grid->h * j->grid->h);
    sherd_mpm_volume_fractions *first = &j->grid->fractions[begin];
    if (j->ask) {
        int near[SHERD_MPM_NEAR_WALLS];
        double share[SHERD_MPM_NODES];
        int count = sherd_mpm_walls_near(j->walls, j->grid->layers[begin].block, j->grid->h, near);
        memset(share, 0, sizeof share);
        if (count > 0) ask_walls(j, j->grid->layers[begin].block, near, count, share);
        for (int n = 0; n < SHERD_MPM_NODES; ++n)
            first->node[n][2] = share[n];
    }
    for (int n = 0; n < SHERD_MPM_NODES; ++n) {
        double fluids = 0.0, others = first->node[n][2];
        for (size_t k = begin; k < end; ++k) {
            double volume = inverse * volume_at(j, k, n);
            if (sherd_mpm_is_fluid(j->grid, j->solids, j->grid->layers[k].body))
                fluids += volume;
            else
                others += volume;
        }
        for (size_t k = begin; k < end; ++k)
            j->grid->fractions[k].node[n][0] = fluids,
            j->grid->fractions[k].node[n][1] = fmax(1.0 - others, least_room(first->node[n][2])),
            j->grid->fractions[k].node[n][2] = first->node[n][2];
    }
}

static bool begins_block(const sherd_mpm_grid *g, size_t k)
{
    return k == 0 ||
           memcmp(g->layers[k].block, g->layers[k - 1].block, sizeof g->layers[k].block) != 0;
}

static void set_range(void *context, size_t begin, size_t end)
{
    const job *j = context;
    const sherd_mpm_grid *g = j->grid;
    for (size_t k = begin; k < end; ++k) {
        if (!begins_block(g, k)) continue;
        size_t last = k + 1;
        bool fluid = sherd_mpm_is_fluid(j->grid, j->solids, j->grid->layers[k].body);
        for (; last < g->layer_count && !begins_block(g, last); ++last)
            fluid = fluid || sherd_mpm_is_fluid(j->grid, j->solids, j->grid->layers[last].body);
        if (fluid) set_block(j, k, last);
    }
}

// Sets the grid's volume fractions from loads and moments; evaluates walls again if they moved.
// False: memory is short.
static bool find_fractions(sherd_mpm_grid *grid, const sherd_solid *solids,
                           const sherd_mpm_walls *walls, const sherd_parallel *parallel)
{
    job j = {grid, solids, walls, walls->moved > 0.0 || grid->fractions == NULL};
    if (grid->fractions == NULL)
        grid->fractions = sherd_alloc(grid->layer_count, sizeof *grid->fractions);
    if (grid->fractions == NULL) return false;
    sherd_parallel_for(parallel, grid->layer_count, LAYERS_PER_CHUNK, set_range, &j);
    return true;
}

// ---------------------------------------------------------------- density

typedef struct density_job {
    const sherd_mpm_transfer *transfer;
    sherd_mpm_kernels kernels;
} density_job;

static double correct_page(void *context, size_t page)
{
    const density_job *j = context;
    j->kernels.density(j->transfer, page);
    return 0.0;
}

bool sherd_mpm_correct_density(const sherd_mpm_transfer *t, const sherd_mpm_walls *walls,
                               const sherd_parallel *parallel, double *account)
{
    sherd_mpm_grid *g = t->grid;
    if (!sherd_mpm_has_fluids(g, t->solids)) return true;
    if (!find_fractions(g, t->solids, walls, parallel)) return false;
    density_job j = {t, sherd_mpm_choose_kernels()};
    sherd_mpm_traverse(g, parallel, correct_page, &j);
    for (size_t k = 0; k < g->page_count; ++k)
        *account -= g->pages[k].given;
    return true;
}
