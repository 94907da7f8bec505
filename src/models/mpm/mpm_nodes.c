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
