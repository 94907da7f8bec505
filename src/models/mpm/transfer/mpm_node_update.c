#include "models/mpm/transfer/mpm_node_update.h"

enum { LAYERS_PER_CHUNK = 16 };

typedef struct job {
    sherd_mpm_grid *grid;
    const sherd_mpm_node_def *def;
    sherd_mpm_kernels f;
    bool all;
} job;

static job job_of(sherd_mpm_grid *grid, const sherd_mpm_node_def *def)
{
    return (job){grid, def, sherd_mpm_choose_kernels(), false};
}

// ---------------------------------------------------------------- motion

static void move_range(void *context, size_t begin, size_t end)
{
    const job *j = context;
    for (size_t k = begin; k < end; ++k)
        j->f.motion(j->grid, k, j->def);
}

// Sums layers in their order, so that the result does not depend on threads.
sherd_mpm_scattered_energy sherd_mpm_update_nodes(sherd_mpm_grid *grid,
                                                  const sherd_parallel *parallel,
                                                  const sherd_mpm_node_def *def)
{
    job j = job_of(grid, def);
    sherd_mpm_scattered_energy sum = {{0.0, 0.0}, 0.0};
    sherd_parallel_for(parallel, grid->layer_count, LAYERS_PER_CHUNK, move_range, &j);
    for (size_t k = 0; k < grid->layer_count; ++k) {
        const double *brought = grid->layers[k].brought;
        sum.v.kinetic += brought[0], sum.v.offset += brought[1], sum.offset += brought[2];
    }
    return sum;
}

typedef struct stress_job {
    const sherd_mpm_grid *grid;
    const sherd_solid *solids;
    bool has_unresolved;
} stress_job;

static double stress_work_at(const stress_job *j, const double load[2][4],
                             const double motion[2][4])
{
    double sum = 0.0, mass = load[0][0];
    bool kept = sherd_mpm_has_previous_velocity(motion[0][3], mass);
    for (int i = 0; i < 3; ++i) {
        double unresolved = j->has_unresolved ? motion[1][i] : 0.0;
        sum += load[1][i] * (kept ? motion[0][i] + unresolved : load[0][1 + i] / mass);
    }
    return sum;
}

static double stress_range(void *context, size_t begin, size_t end)
{
    const stress_job *j = context;
    double sum = 0.0;
    for (size_t k = begin; k < end; ++k) {
        const sherd_mpm_layer *layer = &j->grid->layers[k];
        double least = sherd_mpm_least_mass(j->grid, &j->solids[layer->body]);
        for (int n = 0; n < SHERD_MPM_NODES && !sherd_mpm_is_coupled(j->grid, k); ++n) {
            const double(*load)[4] = j->grid->loads[k].node[n];
            if ((layer->rows >> n / SHERD_MPM_SIDE & 1) != 0 && load[0][0] > least)
                sum += stress_work_at(j, load, j->grid->motion[k].node[n]);
        }
    }
    return sum;
}

double sherd_mpm_stress_work(const sherd_mpm_grid *grid, const sherd_parallel *parallel,
                             const sherd_solid *solids, bool has_unresolved)
{
    stress_job j = {grid, solids, has_unresolved};
    return sherd_parallel_sum(parallel, grid->layer_count, LAYERS_PER_CHUNK, stress_range, &j);
}

static void move_coupled_range(void *context, size_t begin, size_t end)
{
    const job *j = context;
    for (size_t k = begin; k < end; ++k)
        if (sherd_mpm_is_coupled(j->grid, k)) j->f.motion(j->grid, k, j->def);
}

void sherd_mpm_update_coupled_nodes(sherd_mpm_grid *grid, const sherd_parallel *parallel,
                                    const sherd_mpm_node_def *def)
{
    job j = job_of(grid, def);
    sherd_parallel_for(parallel, grid->layer_count, LAYERS_PER_CHUNK, move_coupled_range, &j);
}

// ---------------------------------------------------------------- energies

static void sum_range(void *context, size_t begin, size_t end)
{
    const job *j = context;
    for (size_t k = begin; k < end; ++k) {
        sherd_mpm_layer *layer = &j->grid->layers[k];
        if (j->all || layer->moved) j->f.motion_energy(j->grid, k, j->def);
        layer->moved = false;
    }
}

sherd_mpm_node_energy sherd_mpm_sum_nodes(sherd_mpm_grid *grid, const sherd_parallel *parallel,
                                          const sherd_mpm_node_def *def, bool all)
{
    job j = job_of(grid, def);
    sherd_mpm_node_energy sum = {0.0, 0.0};
    j.all = all;
    sherd_parallel_for(parallel, grid->layer_count, LAYERS_PER_CHUNK, sum_range, &j);
    for (size_t k = 0; k < grid->layer_count; ++k)
        sum.kinetic += grid->layers[k].after[0], sum.offset += grid->layers[k].after[1];
    return sum;
}
