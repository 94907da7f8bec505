#include "models/mpm/fluid/mpm_fluids.h"

#include "base/assertion.h"

#include <math.h>
#include <string.h>

enum { PAGES_PER_CHUNK = 16 };

static const double CALM = 0.0003;

typedef struct job {
    sherd_mpm_grid *grid;
    const sherd_mpm_points *points;
    const sherd_solid *solids;
} job;

bool sherd_mpm_has_fluids(const sherd_mpm_grid *g, const sherd_solid *solids)
{
    for (size_t k = 0; k < g->page_count; ++k)
        if (solids[g->pages[k].body].kind == SHERD_SOLID_FLUID) return true;
    return false;
}

// ---------------------------------------------------------------- share of FLIP

static bool is_sand(const sherd_mpm_grid *g, const sherd_solid *solids, uint32_t body)
{
    bool coupled = g->first_coupled > 0 && body >= g->first_coupled;
    return !coupled && solids[body].kind == SHERD_SOLID_SAND;
}

static bool is_stirred(const sherd_mpm_grid *g, const sherd_solid *solids, uint32_t body)
{
    return sherd_mpm_is_fluid(g, solids, body) || is_sand(g, solids, body);
}

static void sum_range(void *context, size_t begin, size_t end)
{
    const job *j = context;
    const sherd_mpm_points *p = j->points;
    for (size_t k = begin; k < end; ++k) {
        sherd_mpm_page *page = &j->grid->pages[k];
        memset(page->stirred, 0, sizeof page->stirred);
        for (size_t n = page->begin; n < page->end && is_stirred(j->grid, j->solids, page->body);
             ++n) {
            page->stirred[0] += p->volume[n];
            for (int i = 0; i < 3; ++i) {
                page->stirred[1 + i] += p->volume[n] * p->v[i][n];
                page->stirred[4] += p->volume[n] * (p->v[i][n] * p->v[i][n]);
            }
        }
    }
}

// Variance of a body's velocities; below 0 if the body has no points.
static double velocity_variance(const sherd_mpm_grid *g, uint32_t body)
{
    double sum[SHERD_MPM_STIRRED] = {0.0};
    for (size_t k = 0; k < g->page_count; ++k)
        for (int i = 0; i < SHERD_MPM_STIRRED && g->pages[k].body == body; ++i)
            sum[i] += g->pages[k].stirred[i];
    if (!(sum[0] > 0.0)) return -1.0;
    double mean = (sum[1] * sum[1] + sum[2] * sum[2] + sum[3] * sum[3]) / (sum[0] * sum[0]);
    return fmax(sum[4] / sum[0] - mean, 0.0);
}

// Largest mean square of velocities on a page of the body's, about the body's mean; below 0 if the body has no points. Sand that
// flows anywhere is not at rest, however much of it lies still.
static double liveliest_page(const sherd_mpm_grid *g, uint32_t body)
{
    double sum[SHERD_MPM_STIRRED] = {0.0}, most = 0.0;
    for (size_t k = 0; k < g->page_count; ++k)
        for (int i = 0; i < SHERD_MPM_STIRRED && g->pages[k].body == body; ++i)
            sum[i] += g->pages[k].stirred[i];
    if (!(sum[0] > 0.0)) return -1.0;
    for (size_t k = 0; k < g->page_count; ++k) {
        const double *own = g->pages[k].stirred;
        if (g->pages[k].body != body || !(own[0] > 0.0)) continue;
        double square = own[4] / own[0];
        for (int i = 1; i < 4; ++i)
            square += sum[i] / sum[0] * (sum[i] / sum[0] - 2.0 * own[i] / own[0]);
        most = fmax(most, square);
    }
    return most;
}

// Marks fluids that share blocks with solids, as of the last sorting.
static void find_fluids_at_bodies(const sherd_mpm_grid *g, const sherd_solid *solids, double *part)
{
    for (size_t k = 0; k < g->shared_count; ++k) {
        bool meets = false;
        for (size_t n = g->shared[k].begin; n < g->shared[k].end; ++n)
            meets = meets || sherd_mpm_bears_shear(g, solids, g->layers[n].body);
        for (size_t n = g->shared[k].begin; n < g->shared[k].end && meets; ++n)
            if (sherd_mpm_is_fluid(g, solids, g->layers[n].body)) part[g->layers[n].body] = 1.0;
    }
}

static double measure(const sherd_mpm_grid *g, const sherd_solid *solids, uint32_t body,
                      double part)
{
    if (is_sand(g, solids, body)) return liveliest_page(g, body);
    return sherd_mpm_is_fluid(g, solids, body) && part > 0.0 ? velocity_variance(g, body) : -1.0;
}

void sherd_mpm_find_flow_flip(sherd_mpm_grid *grid, const sherd_mpm_points *points,
                              const sherd_solid *solids, sherd_vec3 gravity,
                              const sherd_parallel *parallel, size_t count, double *part)
{
    job j = {grid, points, solids};
    double pull = sqrt(gravity.x * gravity.x + gravity.y * gravity.y + gravity.z * gravity.z),
           calm = CALM * 2.0 * pull * grid->h;
    bool any = false;
    for (uint32_t body = 0; body < count; ++body)
        part[body] = sherd_mpm_is_fluid(grid, solids, body) ? 0.0 : 1.0,
        any = any || is_stirred(grid, solids, body);
    if (!any) return;
    find_fluids_at_bodies(grid, solids, part);
    sherd_parallel_for(parallel, grid->page_count, PAGES_PER_CHUNK, sum_range, &j);
    for (uint32_t body = 0; body < count; ++body) {
        double square = measure(grid, solids, body, part[body]);
        if (square >= 0.0 && square + calm > 0.0) part[body] = square / (square + calm);
        SHERD_ASSERT(part[body] >= 0.0 && part[body] <= 1.0, "what flows has a part of its FLIP");
    }
}
