#include "models/mpm/transfer/mpm_unresolved_modes.h"

#include "base/memory.h"
#include "models/mpm/glue/mpm_node_groups.h"
#include "models/mpm/transfer/mpm_transfer.h"

#include <math.h>
#include <string.h>

enum { AXES = 3, LAYERS_PER_CHUNK = 16 };

// Fraction of the usual step below which the correction applies; default steps are hardly shorter
static const double SHORT = 0.9;

double sherd_mpm_unresolved_factor(double dt, double usual_dt)
{
    bool has_waves = usual_dt < HUGE_VAL;
    return has_waves && dt < SHORT * usual_dt ? usual_dt / dt - 1.0 : 0.0;
}

typedef struct job {
    sherd_mpm_grid *grid;
    const sherd_mpm_glues *glue;
    bool of_changes;      // groups share velocity changes; otherwise the added motion
    const double *factor; // by body
    double fall[AXES];
} job;

// Whether a node of a layer has no mass of points. Coupled bodies have no points.
static bool is_empty(const sherd_mpm_grid *g, size_t layer, int node)
{
    return sherd_mpm_is_coupled(g, layer) ||
           (g->layers[layer].rows >> node / SHERD_MPM_SIDE & 1) == 0 ||
           !(g->motion[layer].node[node][0][3] > 0.0);
}

static void set_range(void *context, size_t begin, size_t end)
{
    const job *j = context;
    for (size_t k = begin; k < end; ++k) {
        sherd_mpm_unresolved *u = &j->grid->unresolved[k];
        memset(u, 0, sizeof *u);
        for (int n = 0; n < SHERD_MPM_NODES; ++n) {
            if (is_empty(j->grid, k, n)) continue;
            const double *load = j->grid->loads[k].node[n][0];
            for (int i = 0; i < AXES; ++i)
                u->change[n][i] = j->grid->motion[k].node[n][0][i] - load[1 + i] / load[0];
        }
    }
}

static double *vector_of(const job *j, size_t layer, int node)
{
    sherd_mpm_unresolved *u = &j->grid->unresolved[layer];
    return j->of_changes ? u->change[node] : u->resolved[node];
}

enum { ALL = -2 }; // groups: all layers of the node

static bool is_of(const sherd_mpm_node_groups *m, int n, int group)
{
    return group == ALL || m->group_of[n] == group;
}

// Sets the vectors of a group's layers to their mean by mass.
static void share(const job *j, const sherd_mpm_node_groups *m, int node, int group)
{
    double sum[AXES] = {0.0}, mass = 0.0;
    for (int n = 0; n < m->layers; ++n) {
        const double *one = vector_of(j, m->layer[n], node);
        double of_layer = j->grid->loads[m->layer[n]].node[node][0][0];
        if (!is_of(m, n, group)) continue;
        mass += of_layer;
        for (int i = 0; i < AXES; ++i)
            sum[i] += of_layer * one[i];
    }
    for (int n = 0; n < m->layers; ++n)
        for (int i = 0; i < AXES && is_of(m, n, group); ++i)
            vector_of(j, m->layer[n], node)[i] = sum[i] / mass;
}

static bool is_pushed(const sherd_mpm_grid *g, size_t block, int node)
{
    for (size_t k = g->shared[block].begin; k < g->shared[block].end; ++k)
        if (g->motion[k].node[node][1][3] == SHERD_MPM_PUSHED) return true;
    return false;
}

// Bodies that push each other get one common vector, so unresolved motion neither closes nor slides
// the contact; pieces joined by glue do so, too.
static void share_node(const job *j, const sherd_mpm_node_groups *m, int node, bool pushed)
{
    if (pushed) share(j, m, node, ALL);
    for (int k = 0; k < m->groups && !pushed; ++k)
        if (m->group[k].members > 1) share(j, m, node, k);
}

static void share_range(void *context, size_t begin, size_t end)
{
    const job *j = context;
    sherd_mpm_node_groups m;
    for (size_t block = begin; block < end; ++block) {
        bool joins = j->glue != NULL && j->glue->of_block[block] < j->glue->of_block[block + 1];
        for (int node = 0; node < SHERD_MPM_NODES; ++node) {
            bool pushed = is_pushed(j->grid, block, node);
            if (!joins && !pushed) continue;
            if (sherd_mpm_find_groups(j->grid, j->glue, block, node, 2, &m))
                share_node(j, &m, node, pushed);
        }
    }
}

static bool set_changes(sherd_mpm_grid *grid, const sherd_mpm_glues *glue,
                        const sherd_parallel *parallel)
{
    job j = {.grid = grid, .glue = glue, .of_changes = true};
    if (grid->unresolved == NULL)
        grid->unresolved = sherd_alloc(grid->layer_count, sizeof *grid->unresolved);
    if (grid->unresolved == NULL) return false;
    sherd_parallel_for(parallel, grid->layer_count, LAYERS_PER_CHUNK, set_range, &j);
    sherd_parallel_for(parallel, grid->shared_count, 1, share_range, &j);
    return true;
}

// ---------------------------------------------------------------- motion

// `resolved` becomes the added motion, `change` becomes v+.
static void find_range(void *context, size_t begin, size_t end)
{
    const job *j = context;
    for (size_t k = begin; k < end; ++k) {
        sherd_mpm_unresolved *u = &j->grid->unresolved[k];
        double factor = j->factor[j->grid->layers[k].body];
        for (int n = 0; n < SHERD_MPM_NODES; ++n) {
            const double(*motion)[4] = j->grid->motion[k].node[n];
            bool moves =
                factor > 0.0 && !is_empty(j->grid, k, n) && motion[1][3] != SHERD_MPM_BOUND;
            for (int i = 0; i < AXES; ++i) {
                double rest = moves ? u->change[n][i] - u->resolved[n][i] / motion[0][3] : 0.0;
                u->resolved[n][i] = factor * rest, u->change[n][i] = motion[0][i];
            }
        }
    }
}

static void add_range(void *context, size_t begin, size_t end)
{
    const job *j = context;
    for (size_t k = begin; k < end; ++k)
        for (int n = 0; n < SHERD_MPM_NODES; ++n)
            for (int i = 0; i < AXES; ++i)
                j->grid->motion[k].node[n][0][i] += j->grid->unresolved[k].resolved[n][i];
}

static void add_unresolved(sherd_mpm_grid *grid, const sherd_mpm_glues *glue,
                           const sherd_parallel *parallel, const double *factor)
{
    job j = {.grid = grid, .glue = glue, .factor = factor};
    sherd_parallel_for(parallel, grid->layer_count, LAYERS_PER_CHUNK, find_range, &j);
    sherd_parallel_for(parallel, grid->shared_count, 1, share_range, &j);
    sherd_parallel_for(parallel, grid->layer_count, LAYERS_PER_CHUNK, add_range, &j);
}

static void end_range(void *context, size_t begin, size_t end)
{
    const job *j = context;
    for (size_t k = begin; k < end; ++k)
        for (int n = 0; n < SHERD_MPM_NODES; ++n)
            for (int i = 0; i < AXES; ++i) {
                j->grid->motion[k].node[n][0][i] = j->grid->unresolved[k].change[n][i];
                j->grid->motion[k].node[n][1][i] = j->grid->unresolved[k].resolved[n][i];
            }
}

void sherd_mpm_unresolved_end(sherd_mpm_grid *grid, const sherd_parallel *parallel)
{
    job j = {.grid = grid};
    sherd_parallel_for(parallel, grid->layer_count, LAYERS_PER_CHUNK, end_range, &j);
}

// ---------------------------------------------------------------- energy

static double work_range(void *context, size_t begin, size_t end)
{
    const job *j = context;
    double sum = 0.0;
    for (size_t k = begin; k < end; ++k)
        for (int n = 0; n < SHERD_MPM_NODES; ++n) {
            if (is_empty(j->grid, k, n)) continue;
            const double(*load)[4] = j->grid->loads[k].node[n];
            for (int i = 0; i < AXES; ++i)
                sum += 0.5 * (load[1][i] + load[0][0] * j->fall[i]) *
                       j->grid->unresolved[k].resolved[n][i];
        }
    return sum;
}

// Half of the work of this step's impulses of stress and gravity along the added motion: 1/2 sum (J
// + m kick g) . (u - v+). The other half is that of the next step's impulses, which use the stored
// motion (sherd_mpm_node_def.has_unresolved).
static double half_work(const sherd_mpm_grid *grid, const sherd_parallel *parallel,
                        const double fall[3])
{
    job j = {.grid = (sherd_mpm_grid *)(uintptr_t)grid, .fall = {fall[0], fall[1], fall[2]}};
    return sherd_parallel_sum(parallel, grid->layer_count, LAYERS_PER_CHUNK, work_range, &j);
}

bool sherd_mpm_unresolved_begin(const sherd_mpm_transfer *t, const sherd_mpm_glues *glue,
                                const sherd_parallel *parallel, const double *factor,
                                const double fall[3], double *work)
{
    if (!set_changes(t->grid, glue, parallel)) return false;
    sherd_mpm_find_resolved(t, factor, parallel);
    add_unresolved(t->grid, glue, parallel, factor);
    *work = half_work(t->grid, parallel, fall);
    return true;
}
