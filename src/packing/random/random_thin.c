#include "packing/random/random_thin.h"

#include "base/memory.h"
#include "base/sort.h"
#include "math/vec3.h"
#include "packing/random/random_list.h"
#include "packing/random/random_wall.h"

// Sum of a ball's overlaps with its neighbours [radii].
typedef struct load {
    double sum, most; // of its overlaps
} load;

typedef struct load_job {
    const sherd_rcp *rcp;
    load *load; // (n)
} load_job;

static void add_overlap(load *l, double overlap)
{
    l->sum += fmax(overlap, 0.0);
    l->most = fmax(l->most, overlap);
}

static void load_chunk(void *context, size_t begin, size_t end)
{
    const load_job *job = context;
    const sherd_rcp *rcp = job->rcp;
    const int32_t *number = rcp->list.chunks[begin / SHERD_RCP_CHUNK].number;
    for (size_t n = begin; n < end; ++n) {
        const sherd_rcp_ball *b = &rcp->ball[n];
        double r = rcp->scale * b->r;
        load l = {0};
        for (uint32_t k = rcp->list.start[n]; k < rcp->list.end[n]; ++k) {
            const sherd_rcp_ball *o = &rcp->ball[number[k]];
            double d = vec3_distance(sherd_rcp_centre(b), sherd_rcp_centre(o));
            add_overlap(&l, (r + rcp->scale * o->r - d) / r);
        }
        if (rcp->wall_of[n] >= 0)
            add_overlap(&l, 1.0 + sherd_shape_distance(rcp->shape, sherd_rcp_centre(b)) / r);
        job->load[n] = l;
    }
}

// The most pressed ball first.
static sherd_sort_pair *in_order(const load *loads, size_t count)
{
    sherd_sort_pair *order = sherd_alloc(count, sizeof *order);
    if (order == NULL) return NULL;
    for (size_t n = 0; n < count; ++n) {
        double units = fmin(loads[n].sum, 1e3) * 0x1p40;
        order[n] = (sherd_sort_pair){UINT64_MAX - (uint64_t)units, (uint32_t)n};
    }
    if (sherd_sort_pairs(order, count)) return order;
    sherd_free(order);
    return NULL;
}

static bool has_gone_nearby(const sherd_rcp *rcp, const uint8_t *gone, size_t n)
{
    const int32_t *number = rcp->list.chunks[n / SHERD_RCP_CHUNK].number;
    for (uint32_t k = rcp->list.start[n]; k < rcp->list.end[n]; ++k)
        if (gone[number[k]]) return true;
    return false;
}

static size_t take_out(sherd_rcp *rcp, const uint8_t *gone)
{
    size_t kept = 0, count = rcp->count;
    for (size_t n = 0; n < count; ++n)
        if (!gone[n]) rcp->ball[kept++] = rcp->ball[n];
    rcp->count = kept;
    return count - kept;
}

static bool choose(const load_job *job, size_t count, double least, uint8_t *gone)
{
    const sherd_rcp *rcp = job->rcp;
    sherd_sort_pair *order = in_order(job->load, rcp->count);
    size_t chosen = 0;
    for (size_t k = 0; order != NULL && k < rcp->count && chosen < count; ++k) {
        size_t n = order[k].value;
        if (!(job->load[n].most > least) || has_gone_nearby(rcp, gone, n)) continue;
        gone[n] = 1;
        ++chosen;
    }
    sherd_free(order);
    return order != NULL;
}

// The load of every ball; NULL when memory is short.
static load *find_loads(sherd_rcp *rcp)
{
    double skin = 0.1 * rcp->mean_radius;
    load_job job = {rcp, sherd_alloc(rcp->count, sizeof *job.load)};
    if (job.load != NULL && sherd_rcp_walls_make(rcp, skin) && sherd_rcp_list_make(rcp, skin)) {
        sherd_parallel_for(&rcp->parallel, rcp->count, SHERD_RCP_CHUNK, load_chunk, &job);
        return job.load;
    }
    sherd_free(job.load);
    return NULL;
}

bool sherd_rcp_largest_overlap(sherd_rcp *rcp, double *overlap)
{
    load *loads = find_loads(rcp);
    *overlap = 0.0;
    for (size_t n = 0; loads != NULL && n < rcp->count; ++n)
        *overlap = fmax(*overlap, loads[n].most);
    sherd_free(loads);
    return loads != NULL;
}

bool sherd_rcp_thin(sherd_rcp *rcp, size_t count, double least, size_t *taken)
{
    load_job job = {rcp, find_loads(rcp)};
    uint8_t *gone = sherd_alloc(rcp->count, sizeof *gone);
    bool done = job.load != NULL && gone != NULL && choose(&job, count, least, gone);
    *taken = done ? take_out(rcp, gone) : 0;
    sherd_free(job.load);
    sherd_free(gone);
    return done;
}
