#include "models/mpm/mpm_nodes.h"

#include <string.h>

enum { LAYERS_PER_CHUNK = 16 };

static const double LEAST_MASS =
    1e-60; // of a full cell's: below, quotients of weights lose their meaning

typedef struct job {
    sherd_mpm_grid *grid;
    const sherd_mpm_node_def *def;
    double given[3]; // velocity by gravity [m/s]
} job;

static void update_node(const job *j, double least, double load[2][4], double motion[2][4])
{
    double mass = load[0][0];
    if (!(mass > least)) {
        for (int k = 0; k < 4; ++k)
            motion[0][k] = motion[1][k] = 0.0;
        return;
    }
    double inverse = 1.0 / mass;
    for (int k = 0; k < 3; ++k) {
        double before = inverse * load[0][1 + k];
        double after = before + (inverse * load[1][k] + j->given[k]);
        motion[0][k] = after;
        motion[1][k] = after - j->def->flip * before;
    }
    motion[0][3] = motion[1][3] = 0.0;
}

static void update_layer(const job *j, sherd_mpm_grid *g, size_t k)
{
    sherd_mpm_layer *layer = &g->layers[k];
    double least = LEAST_MASS * j->def->solids[layer->body].density * g->h * g->h * g->h;
    for (int row = 0; row < SHERD_MPM_ROWS; ++row) {
        int first = row * SHERD_MPM_SIDE;
        if (layer->rows >> row & 1)
            for (int n = first; n < first + SHERD_MPM_SIDE; ++n)
                update_node(j, least, g->loads[k].node[n], g->motion[k].node[n]);
        else if (layer->rows_before >> row & 1)
            memset(g->motion[k].node[first], 0, SHERD_MPM_SIDE * sizeof g->motion[k].node[0]);
    }
    layer->rows_before = 0;
}

static void update_range(void *context, size_t begin, size_t end)
{
    const job *j = context;
    for (size_t k = begin; k < end; ++k)
        update_layer(j, j->grid, k);
}

void sherd_mpm_update_nodes(sherd_mpm_grid *grid, const sherd_parallel *parallel,
                            const sherd_mpm_node_def *def)
{
    job j = {
        grid, def, {def->dt * def->gravity.x, def->dt * def->gravity.y, def->dt * def->gravity.z}};
    sherd_parallel_for(parallel, grid->layer_count, LAYERS_PER_CHUNK, update_range, &j);
}

// ---------------------------------------------------------------- energies

typedef struct sum_job {
    const sherd_mpm_grid *grid;
    double given[3];
    int what; // which member of sherd_mpm_node_energy
} sum_job;

static double energy_of(const sum_job *j, const double load[2][4], const double motion[2][4])
{
    double mass = load[0][0], sum = 0.0;
    if (!(mass > 0.0)) return 0.0;
    for (int k = 0; k < 3; ++k) {
        double v = load[0][1 + k] / mass, u = motion[0][k],
               impulse = load[1][k] + mass * j->given[k];
        const double terms[4] = {mass * v * v, mass * u * u, impulse * v, impulse * u};
        sum += 0.5 * terms[j->what];
    }
    return sum;
}

static double sum_range(void *context, size_t begin, size_t end)
{
    const sum_job *j = context;
    double sum = 0.0;
    for (size_t k = begin; k < end; ++k)
        for (int n = 0; n < SHERD_MPM_NODES; ++n)
            sum += energy_of(j, j->grid->loads[k].node[n], j->grid->motion[k].node[n]);
    return sum;
}

sherd_mpm_node_energy sherd_mpm_sum_nodes(const sherd_mpm_grid *grid,
                                          const sherd_parallel *parallel,
                                          const sherd_mpm_node_def *def)
{
    sum_job j = {
        grid, {def->dt * def->gravity.x, def->dt * def->gravity.y, def->dt * def->gravity.z}, 0};
    double sums[4];
    for (j.what = 0; j.what < 4; ++j.what)
        sums[j.what] =
            sherd_parallel_sum(parallel, grid->layer_count, LAYERS_PER_CHUNK, sum_range, &j);
    return (sherd_mpm_node_energy){sums[0], sums[1], sums[2], sums[3]};
}
