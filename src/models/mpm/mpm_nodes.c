#include "models/mpm/mpm_nodes.h"

#include <string.h>

enum { LAYERS_PER_CHUNK = 16, LANES = 4 };

static const double LEAST_MASS =
    1e-60; // of a full cell's: below, quotients of weights lose their meaning

typedef struct job {
    sherd_mpm_grid *grid;
    const sherd_mpm_node_def *def;
    double given[LANES]; // velocity by gravity, and 0 [m/s]
} job;

static job job_of(sherd_mpm_grid *grid, const sherd_mpm_node_def *def)
{
    const sherd_vec3 *g = &def->gravity;
    return (job){grid, def, {def->dt * g->x, def->dt * g->y, def->dt * g->z, 0.0}};
}

// By components, the last of which is not of use; twice the energies.
typedef struct lanes {
    double kinetic[LANES], offset[LANES], offset_before[LANES];
} lanes;

static double half_sum(const double lane[LANES])
{
    return 0.5 * (lane[0] + lane[1] + lane[2]);
}

// Layers are summed in their order, however many threads there are.
static double sum_layers(const sherd_mpm_grid *grid, int what)
{
    double sum = 0.0;
    for (size_t k = 0; k < grid->layer_count; ++k)
        sum += grid->layers[k].energy[what];
    return sum;
}

// Guests keep accounts of their own.
static void note_energy(const sherd_mpm_grid *grid, size_t k, const lanes *sums)
{
    static const lanes NONE = {{0.0}, {0.0}, {0.0}};
    sherd_mpm_layer *layer = &grid->layers[k];
    if (sherd_mpm_is_guest(grid, k)) sums = &NONE;
    layer->energy[0] = half_sum(sums->kinetic);
    layer->energy[1] = half_sum(sums->offset);
    layer->energy[2] = half_sum(sums->offset_before);
}

// ---------------------------------------------------------------- motion

// Velocities of nodes with next to no mass are unbounded. That of the step before counts only where the node had at least
// this share of its present mass.
static const double LEAST_KEPT = 0.1;

static void update_node(const job *j, double least, double load[2][4], double motion[2][4],
                        lanes *sums)
{
    double mass = load[0][0], inverse = 1.0 / mass, flip = j->def->flip;
    if (!(mass > least)) {
        memset(motion, 0, 2 * sizeof *motion);
        return;
    }
    const double momentum[LANES] = {load[0][1], load[0][2], load[0][3], 0.0};
    bool kept = motion[0][3] >= LEAST_KEPT * mass;
    for (int k = 0; k < LANES; ++k) {
        double before = inverse * momentum[k], impulse = load[1][k] + mass * j->given[k];
        double after = before + (inverse * load[1][k] + j->given[k]);
        sums->kinetic[k] += momentum[k] * before;
        sums->offset[k] += impulse * before;
        sums->offset_before[k] += impulse * (kept ? motion[0][k] : before);
        motion[0][k] = after;
        motion[1][k] = after - flip * before;
    }
    motion[0][3] = mass;
}

static void update_layer(const job *j, sherd_mpm_grid *g, size_t k)
{
    sherd_mpm_layer *layer = &g->layers[k];
    double least = LEAST_MASS * j->def->solids[layer->body].density * g->h * g->h * g->h;
    lanes sums = {0};
    for (int row = 0; row < SHERD_MPM_ROWS; ++row) {
        int first = row * SHERD_MPM_SIDE;
        if (layer->rows >> row & 1)
            for (int n = first; n < first + SHERD_MPM_SIDE; ++n)
                update_node(j, least, g->loads[k].node[n], g->motion[k].node[n], &sums);
        else if (layer->rows_before >> row & 1)
            memset(g->motion[k].node[first], 0, SHERD_MPM_SIDE * sizeof g->motion[k].node[0]);
    }
    layer->rows_before = 0;
    note_energy(g, k, &sums);
}

static void update_range(void *context, size_t begin, size_t end)
{
    const job *j = context;
    for (size_t k = begin; k < end; ++k)
        update_layer(j, j->grid, k);
}

sherd_mpm_brought sherd_mpm_update_nodes(sherd_mpm_grid *grid, const sherd_parallel *parallel,
                                         const sherd_mpm_node_def *def)
{
    job j = job_of(grid, def);
    sherd_parallel_for(parallel, grid->layer_count, LAYERS_PER_CHUNK, update_range, &j);
    return (sherd_mpm_brought){{sum_layers(grid, 0), sum_layers(grid, 1)}, sum_layers(grid, 2)};
}

static void update_guest_range(void *context, size_t begin, size_t end)
{
    const job *j = context;
    for (size_t k = begin; k < end; ++k)
        if (sherd_mpm_is_guest(j->grid, k)) update_layer(j, j->grid, k);
}

void sherd_mpm_update_guest_nodes(sherd_mpm_grid *grid, const sherd_parallel *parallel,
                                  const sherd_mpm_node_def *def)
{
    job j = job_of(grid, def);
    sherd_parallel_for(parallel, grid->layer_count, LAYERS_PER_CHUNK, update_guest_range, &j);
}

// ---------------------------------------------------------------- energies

static void add_energy(const job *j, const double load[2][4], const double u[4], lanes *sums)
{
    double mass = load[0][0];
    for (int k = 0; k < LANES; ++k) {
        sums->kinetic[k] += mass * u[k] * u[k];
        sums->offset[k] += (load[1][k] + mass * j->given[k]) * u[k];
    }
}

// Elsewhere nothing moves.
static void sum_range(void *context, size_t begin, size_t end)
{
    const job *j = context;
    for (size_t k = begin; k < end; ++k) {
        sherd_mpm_layer *layer = &j->grid->layers[k];
        lanes sums = {0};
        for (int n = 0; n < SHERD_MPM_NODES; ++n)
            if (layer->rows >> n / SHERD_MPM_SIDE & 1)
                add_energy(j, j->grid->loads[k].node[n], j->grid->motion[k].node[n][0], &sums);
        note_energy(j->grid, k, &sums);
    }
}

sherd_mpm_node_energy sherd_mpm_sum_nodes(sherd_mpm_grid *grid, const sherd_parallel *parallel,
                                          const sherd_mpm_node_def *def)
{
    job j = job_of(grid, def);
    sherd_parallel_for(parallel, grid->layer_count, LAYERS_PER_CHUNK, sum_range, &j);
    return (sherd_mpm_node_energy){sum_layers(grid, 0), sum_layers(grid, 1)};
}
