#include "models/mpm/mpm_stress.h"

#define SHERD_LANES 1 // one point at a time
#include "laws/solid/solid_lanes.h"

#include <math.h>

typedef void law_function(const sherd_solid *s, lane_symmetric *b, lane *state,
                          solid_response *out);

#define LAW_ENTRY(NAME, name, doc) [SHERD_SOLID_##NAME] = solid_##name,
static law_function *const LAWS[SHERD_SOLID_LAW_COUNT] = {SHERD_SOLID_LAWS(LAW_ENTRY)};

static sherd_stress stress_of(const sherd_mpm_points *p, const sherd_solid *s, size_t at)
{
    lane_symmetric b;
    solid_response out;
    lane state = p->state[at];
    for (int n = 0; n < SHERD_MPM_SYMMETRIC; ++n)
        b.a[n] = p->b[n][at];
    double j = sqrt(solid_determinant(&b)); // the law may change b
    LAWS[s->kind](s, &b, &state, &out);
    const lane *t = out.tau.a;
    return (sherd_stress){(float)(t[0] / j), (float)(t[1] / j), (float)(t[2] / j),
                          (float)(t[5] / j), (float)(t[3] / j), (float)(t[4] / j)};
}

typedef struct job {
    const sherd_mpm *m;
    sherd_stress *stress;
} job;

static void find_range(void *context, size_t begin, size_t end)
{
    const job *j = context;
    const sherd_mpm_points *p = &j->m->points;
    for (size_t at = begin; at < end; ++at)
        if (p->number[at] != SHERD_MPM_FILLER)
            j->stress[p->number[at]] = stress_of(p, &j->m->solids[p->body[at]], at);
}

void sherd_mpm_find_stresses(const sherd_mpm *m, sherd_stress *stress)
{
    enum { CHUNK = 1024 };
    job j = {m, stress};
    sherd_parallel_for(&m->def.parallel, m->points.count, CHUNK, find_range, &j);
}
