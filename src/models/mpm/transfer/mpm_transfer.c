#include "models/mpm/transfer/mpm_transfer.h"

#include "models/mpm/grid/mpm_traversal.h"

#include <string.h>

enum { PAGES_PER_CHUNK = 1, LAYERS_PER_CHUNK = 64 };

typedef struct job {
    const sherd_mpm_transfer *transfer;
    sherd_mpm_kernels kernels;
    const double *factor; // by body
} job;

static job job_of(const sherd_mpm_transfer *transfer)
{
    return (job){transfer, sherd_mpm_choose_kernels(), NULL};
}

// ---------------------------------------------------------------- points to nodes

// Prepares loads: pages overwrite the rows that they reach; loads of coupled bodies are added, so
// they start at 0.
static void begin_loads(void *context, size_t begin, size_t end)
{
    sherd_mpm_grid *g = context;
    for (size_t k = begin; k < end; ++k) {
        if (sherd_mpm_is_coupled(g, k)) memset(&g->loads[k], 0, sizeof g->loads[k]);
        g->layers[k].rows_before |= g->layers[k].rows;
        g->layers[k].rows = 0;
    }
}

static double scatter_page(void *context, size_t page)
{
    const job *j = context;
    return j->kernels.scatter(j->transfer, page);
}

double sherd_mpm_scatter_points(const sherd_mpm_transfer *t, const sherd_parallel *parallel)
{
    job j = job_of(t);
    sherd_parallel_for(parallel, t->grid->layer_count, LAYERS_PER_CHUNK, begin_loads, t->grid);
    return sherd_mpm_traverse(t->grid, parallel, scatter_page, &j);
}

static void begin_moments(void *context, size_t begin, size_t end)
{
    sherd_mpm_grid *g = context;
    for (size_t k = begin; k < end; ++k) {
        sherd_mpm_layer *layer = &g->layers[k];
        layer->moment_rows = 0;
        if (layer->moments >= 0 && sherd_mpm_is_coupled(g, k))
            memset(&g->moments[layer->moments], 0, sizeof g->moments[0]);
    }
}

static double moments_of_page(void *context, size_t page)
{
    const job *j = context;
    j->kernels.moments(j->transfer, page);
    return 0.0;
}

void sherd_mpm_add_moments(const sherd_mpm_transfer *t, const sherd_mpm_coupling *coupling,
                           const sherd_parallel *parallel)
{
    sherd_mpm_grid *g = t->grid;
    job j = job_of(t);
    sherd_parallel_for(parallel, g->layer_count, LAYERS_PER_CHUNK, begin_moments, g);
    if (g->shared_count > 0) sherd_mpm_traverse(g, parallel, moments_of_page, &j);
    if (coupling != NULL) sherd_mpm_coupling_add_moments(coupling, g, parallel);
}

static double stress_of_page(void *context, size_t page)
{
    const job *j = context;
    j->kernels.stress(j->transfer, page);
    return 0.0;
}

void sherd_mpm_scatter_stress(const sherd_mpm_transfer *t, const sherd_parallel *parallel)
{
    sherd_mpm_grid *g = t->grid;
    job j = job_of(t);
    memset(g->stresses, 0, g->stress_count * sizeof *g->stresses);
    sherd_mpm_traverse(g, parallel, stress_of_page, &j);
}

// ---------------------------------------------------------------- nodes to points

static double resolve_page(void *context, size_t page)
{
    const job *j = context;
    if (j->factor[j->transfer->grid->pages[page].body] > 0.0)
        j->kernels.resolved(j->transfer, page);
    return 0.0;
}

void sherd_mpm_find_resolved(const sherd_mpm_transfer *t, const double *factor,
                             const sherd_parallel *parallel)
{
    job j = job_of(t);
    j.factor = factor;
    sherd_mpm_traverse(t->grid, parallel, resolve_page, &j);
}

static double gather_page(void *context, size_t page)
{
    const job *j = context;
    return j->kernels.gather(j->transfer, page);
}

double sherd_mpm_gather_points(const sherd_mpm_transfer *t, const sherd_parallel *parallel)
{
    job j = job_of(t);
    return sherd_mpm_traverse(t->grid, parallel, gather_page, &j);
}

// ---------------------------------------------------------------- sums

static double energy_range(void *context, size_t begin, size_t end)
{
    const job *j = context;
    double sum = 0.0;
    for (size_t k = begin; k < end; ++k)
        sum += j->kernels.energy(j->transfer, k);
    return sum;
}

double sherd_mpm_stored_energy(const sherd_mpm_transfer *t, const sherd_parallel *parallel)
{
    job j = job_of(t);
    return sherd_parallel_sum(parallel, t->grid->page_count, PAGES_PER_CHUNK, energy_range, &j);
}

double sherd_mpm_plastic_work(const sherd_mpm_grid *grid)
{
    double sum = 0.0;
    for (size_t k = 0; k < grid->page_count; ++k)
        sum += grid->pages[k].dissipated;
    return sum;
}

double sherd_mpm_advected_stress_work(const sherd_mpm_grid *grid)
{
    double sum = 0.0;
    for (size_t k = 0; k < grid->page_count; ++k)
        sum += grid->pages[k].pressed;
    return sum;
}
