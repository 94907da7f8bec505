#include "models/mpm/damage/mpm_phase_field.h"

#include "base/memory.h"
#include "base/pages/pages.h"
#include "models/mpm/grid/mpm_traversal.h"

#include <math.h>

enum { LAYERS_PER_CHUNK = 16, PAGES_PER_CHUNK = 1, MAX_ITERATIONS = 100 };

static const double TOLERANCE =
    1e-6; // of the residual over the right side, as in the released code

typedef struct job {
    const sherd_mpm_transfer *transfer;
    sherd_mpm_kernels kernels;
    double step, further; // of conjugate gradients: length, and share of the last direction
} job;

static bool has_phase(const sherd_mpm_transfer *t, uint32_t body)
{
    return t->solids[body].kind == SHERD_SOLID_PHASE_FIELD;
}

static bool is_spread(const sherd_mpm_transfer *t, uint32_t body)
{
    return has_phase(t, body) && t->solids[body].length > 0.0;
}

// ---------------------------------------------------------------- pages

static double drive_page(void *context, size_t page)
{
    const job *j = context;
    uint32_t body = j->transfer->grid->pages[page].body;
    if (!has_phase(j->transfer, body)) return 0.0;
    double grew = j->kernels.phase_drive(j->transfer, page);
    // with a relaxation time c goes on following
    return is_spread(j->transfer, body) && j->transfer->solids[body].relaxation > 0.0 ? 1.0 : grew;
}

static double lower_range(void *context, size_t begin, size_t end)
{
    const job *j = context;
    double sum = 0.0;
    for (size_t k = begin; k < end; ++k) {
        uint32_t body = j->transfer->grid->pages[k].body;
        if (!has_phase(j->transfer, body)) continue;
        sum += is_spread(j->transfer, body) ? j->kernels.phase_gather(j->transfer, k)
                                            : j->kernels.phase_local(j->transfer, k);
    }
    return sum;
}

static double local_range(void *context, size_t begin, size_t end)
{
    const job *j = context;
    double sum = 0.0;
    for (size_t k = begin; k < end; ++k) {
        uint32_t body = j->transfer->grid->pages[k].body;
        if (has_phase(j->transfer, body) && !is_spread(j->transfer, body))
            sum += j->kernels.phase_local(j->transfer, k);
    }
    return sum;
}

static double scatter_page(void *context, size_t page)
{
    const job *j = context;
    if (is_spread(j->transfer, j->transfer->grid->pages[page].body))
        j->kernels.phase_scatter(j->transfer, page);
    return 0.0;
}

static double spread_page(void *context, size_t page)
{
    const job *j = context;
    if (is_spread(j->transfer, j->transfer->grid->pages[page].body))
        j->kernels.phase_spread(j->transfer, page);
    return 0.0;
}

// ---------------------------------------------------------------- vectors

// The phase of a layer that takes part, or NULL.
static sherd_mpm_phase *phase_of(const job *j, size_t layer)
{
    sherd_mpm_grid *g = j->transfer->grid;
    bool part = !sherd_mpm_is_coupled(g, layer) && is_spread(j->transfer, g->layers[layer].body);
    return part ? &g->phase[layer] : NULL;
}

static void clear_range(void *context, size_t begin, size_t end)
{
    const job *j = context;
    for (size_t k = begin; k < end; ++k)
        if (phase_of(j, k) != NULL) *phase_of(j, k) = (sherd_mpm_phase){0};
}

// The mean of points as the first guess, also the direction, so that its product with the matrix is found.
static void guess_range(void *context, size_t begin, size_t end)
{
    const job *j = context;
    for (size_t k = begin; k < end; ++k) {
        sherd_mpm_phase *p = phase_of(j, k);
        for (int n = 0; p != NULL && n < SHERD_MPM_NODES; ++n) {
            double c = p->sum[n][0] > 0.0 ? p->sum[n][1] / p->sum[n][0] : 0.0;
            p->vector[SHERD_MPM_PHASE_C][n] = p->vector[SHERD_MPM_PHASE_WAY][n] = c;
            p->vector[SHERD_MPM_PHASE_PRODUCT][n] = 0.0;
        }
    }
}

static double sum_right(void *context, size_t begin, size_t end)
{
    const job *j = context;
    double sum = 0.0;
    for (size_t k = begin; k < end; ++k) {
        const sherd_mpm_phase *p = phase_of(j, k);
        if (p == NULL) continue;
        const sherd_solid *s = &j->transfer->solids[j->transfer->grid->layers[k].body];
        double rate = s->relaxation / j->transfer->dt;
        for (int n = 0; n < SHERD_MPM_NODES; ++n)
            if (p->sum[n][2] > 0.0) {
                double right = p->sum[n][0] + rate * p->sum[n][1];
                sum += right * right / p->sum[n][2];
            }
    }
    return sum;
}

// r = right side - A c, and the first direction r / diagonal. Returns r . r / diagonal.
static double begin_range(void *context, size_t begin, size_t end)
{
    const job *j = context;
    double sum = 0.0;
    for (size_t k = begin; k < end; ++k) {
        sherd_mpm_phase *p = phase_of(j, k);
        if (p == NULL) continue;
        const sherd_solid *s = &j->transfer->solids[j->transfer->grid->layers[k].body];
        double rate = s->relaxation / j->transfer->dt;
        for (int n = 0; n < SHERD_MPM_NODES; ++n) {
            const double *sums = p->sum[n];
            double rest = sums[0] + rate * sums[1] - sums[2] * p->vector[SHERD_MPM_PHASE_C][n] -
                          p->vector[SHERD_MPM_PHASE_PRODUCT][n];
            double way = sums[2] > 0.0 ? rest / sums[2] : 0.0;
            p->vector[SHERD_MPM_PHASE_REST][n] = rest, p->vector[SHERD_MPM_PHASE_WAY][n] = way;
            p->vector[SHERD_MPM_PHASE_PRODUCT][n] = 0.0;
            sum += way * rest;
        }
    }
    return sum;
}

// Completes the product by the diagonal, and returns way . product.
static double multiply_range(void *context, size_t begin, size_t end)
{
    const job *j = context;
    double sum = 0.0;
    for (size_t k = begin; k < end; ++k) {
        sherd_mpm_phase *p = phase_of(j, k);
        for (int n = 0; p != NULL && n < SHERD_MPM_NODES; ++n) {
            double way = p->vector[SHERD_MPM_PHASE_WAY][n];
            p->vector[SHERD_MPM_PHASE_PRODUCT][n] += p->sum[n][2] * way;
            sum += way * p->vector[SHERD_MPM_PHASE_PRODUCT][n];
        }
    }
    return sum;
}

// Steps along the direction. Returns r . r / diagonal.
static double step_range(void *context, size_t begin, size_t end)
{
    const job *j = context;
    double sum = 0.0;
    for (size_t k = begin; k < end; ++k) {
        sherd_mpm_phase *p = phase_of(j, k);
        for (int n = 0; p != NULL && n < SHERD_MPM_NODES; ++n) {
            double by = j->step * p->vector[SHERD_MPM_PHASE_WAY][n];
            p->vector[SHERD_MPM_PHASE_C][n] += by, p->vector[SHERD_MPM_PHASE_CHANGE][n] += by;
            double rest = p->vector[SHERD_MPM_PHASE_REST][n] -=
                j->step * p->vector[SHERD_MPM_PHASE_PRODUCT][n];
            if (p->sum[n][2] > 0.0) sum += rest * rest / p->sum[n][2];
        }
    }
    return sum;
}

static void turn_range(void *context, size_t begin, size_t end)
{
    const job *j = context;
    for (size_t k = begin; k < end; ++k) {
        sherd_mpm_phase *p = phase_of(j, k);
        for (int n = 0; p != NULL && n < SHERD_MPM_NODES; ++n) {
            double down =
                p->sum[n][2] > 0.0 ? p->vector[SHERD_MPM_PHASE_REST][n] / p->sum[n][2] : 0.0;
            p->vector[SHERD_MPM_PHASE_WAY][n] =
                down + j->further * p->vector[SHERD_MPM_PHASE_WAY][n];
            p->vector[SHERD_MPM_PHASE_PRODUCT][n] = 0.0;
        }
    }
}

// ---------------------------------------------------------------- the solution

static void solve(job *j, const sherd_parallel *parallel, sherd_mpm_phase_report *report)
{
    sherd_mpm_grid *g = j->transfer->grid;
    size_t count = g->layer_count;
    sherd_parallel_for(parallel, count, LAYERS_PER_CHUNK, clear_range, j);
    sherd_mpm_traverse(g, parallel, scatter_page, j);
    sherd_parallel_for(parallel, count, LAYERS_PER_CHUNK, guess_range, j);
    sherd_mpm_traverse(g, parallel, spread_page, j);
    double right = sherd_parallel_sum(parallel, count, LAYERS_PER_CHUNK, sum_right, j);
    double rest = sherd_parallel_sum(parallel, count, LAYERS_PER_CHUNK, begin_range, j);
    double goal = TOLERANCE * TOLERANCE * right;
    for (; report->iterations < MAX_ITERATIONS && rest > goal; ++report->iterations) {
        sherd_mpm_traverse(g, parallel, spread_page, j);
        double energy = sherd_parallel_sum(parallel, count, LAYERS_PER_CHUNK, multiply_range, j);
        j->step = rest / energy;
        double now = sherd_parallel_sum(parallel, count, LAYERS_PER_CHUNK, step_range, j);
        j->further = now / rest, rest = now;
        sherd_parallel_for(parallel, count, LAYERS_PER_CHUNK, turn_range, j);
    }
    report->residual = right > 0.0 ? sqrt(rest / right) : 0.0;
}

static bool any_is_spread(const sherd_mpm_transfer *t)
{
    for (size_t k = 0; k < t->grid->page_count; ++k)
        if (is_spread(t, t->grid->pages[k].body)) return true;
    return false;
}

bool sherd_mpm_phase_evolve(const sherd_mpm_transfer *t, const sherd_parallel *parallel,
                            sherd_mpm_phase_report *report)
{
    sherd_mpm_grid *g = t->grid;
    job j = {.transfer = t, .kernels = sherd_mpm_choose_kernels()};
    *report = (sherd_mpm_phase_report){0};
    bool grew = sherd_mpm_traverse(g, parallel, drive_page, &j) > 0.0;
    bool solves = grew && any_is_spread(t);
    if (solves && g->phase == NULL) g->phase = sherd_alloc(g->layer_count, sizeof *g->phase);
    if (solves && g->phase == NULL) return false;
    if (solves) solve(&j, parallel, report);
    report->released = sherd_parallel_sum(parallel, g->page_count, PAGES_PER_CHUNK,
                                          solves ? lower_range : local_range, &j);
    return true;
}
