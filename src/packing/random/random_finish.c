#include "packing/random/random_finish.h"

#include "base/memory.h"
#include "geometry/space_filling.h"
#include "math/vec3.h"
#include "packing/packing_alloc.h"
#include "packing/random/random_bonds.h"
#include "packing/random/random_list.h"
#include "packing/random/random_wall.h"

#include <string.h>

// ---------------------------------------------------------------- fitting

void sherd_rcp_forget(sherd_rcp *rcp)
{
    sherd_rcp_list_free(&rcp->list);
    sherd_rcp_walls_free(rcp);
    sherd_free(rcp->velocity);
    sherd_free(rcp->force);
    rcp->velocity = NULL, rcp->force = NULL;
}

typedef struct release_job {
    const sherd_rcp *rcp;
    double *scale; // by chunk: the largest without overlaps
} release_job;

static void release_chunk(void *context, size_t begin, size_t end)
{
    const release_job *job = context;
    const sherd_rcp *rcp = job->rcp;
    const int32_t *number = rcp->list.chunks[begin / SHERD_RCP_CHUNK].number;
    double scale = INFINITY;
    for (size_t n = begin; n < end; ++n) {
        const sherd_rcp_ball *b = &rcp->ball[n];
        for (uint32_t k = rcp->list.start[n]; k < rcp->list.end[n]; ++k) {
            const sherd_rcp_ball *o = &rcp->ball[number[k]];
            double d = vec3_distance(sherd_rcp_centre(b), sherd_rcp_centre(o));
            scale = fmin(scale, d / (b->r + o->r));
        }
        if (rcp->wall_of[n] >= 0)
            scale = fmin(scale, -sherd_shape_distance(rcp->shape, sherd_rcp_centre(b)) / b->r);
    }
    job->scale[begin / SHERD_RCP_CHUNK] = scale;
}

bool sherd_rcp_release(sherd_rcp *rcp)
{
    double skin = 0.1 * rcp->mean_radius;
    // A few loose balls may even grow.
    if (rcp->scale < 1.0) rcp->scale = fmin(fmin(1.04 * rcp->scale, 1.0), rcp->scale_most);
    size_t chunks = (rcp->count + SHERD_RCP_CHUNK - 1) / SHERD_RCP_CHUNK;
    release_job job = {rcp, sherd_alloc(chunks, sizeof(double))};
    bool done =
        job.scale != NULL && sherd_rcp_walls_make(rcp, skin) && sherd_rcp_list_make(rcp, skin);
    if (done) {
        sherd_parallel_for(&rcp->parallel, rcp->count, SHERD_RCP_CHUNK, release_chunk, &job);
        for (size_t c = 0; c < rcp->list.chunk_count; ++c)
            rcp->scale = fmin(rcp->scale, job.scale[c]);
    }
    sherd_free(job.scale);
    return done;
}

// ---------------------------------------------------------------- gaps at the surface

// Beyond this gap another element fits in [mean radii].
static const double WIDEST_GAP = 2.4;

typedef struct gap_job {
    const sherd_rcp *rcp;
    double *gap; // of each ball, -1 where it is not outermost [m] (n)
} gap_job;

// Whether another ball blocks this one's way to the surface. Balls behind pockets of the outer
// layer, which no ball fits into, are covered.
static bool is_covered(const sherd_rcp *rcp, size_t n, const int32_t *number, sherd_vec3 normal)
{
    const double across = 0.98; // a ball can move past one that it touches
    const sherd_rcp_ball *b = &rcp->ball[n];
    for (uint32_t k = rcp->list.start[n]; k < rcp->list.end[n]; ++k) {
        const sherd_rcp_ball *o = &rcp->ball[number[k]];
        sherd_vec3 way = vec3_sub(sherd_rcp_centre(o), sherd_rcp_centre(b));
        double up = vec3_dot(way, normal);
        sherd_vec3 aside = vec3_add_scaled(way, -up, normal);
        if (up > 0.0 && vec3_length(aside) < across * rcp->scale * (b->r + o->r)) return true;
    }
    return false;
}

static void gap_chunk(void *context, size_t begin, size_t end)
{
    const gap_job *job = context;
    const sherd_rcp *rcp = job->rcp;
    const int32_t *number = rcp->list.chunks[begin / SHERD_RCP_CHUNK].number;
    for (size_t n = begin; n < end; ++n) {
        sherd_vec3 p = sherd_rcp_centre(&rcp->ball[n]);
        double r = rcp->scale * rcp->ball[n].r;
        job->gap[n] = -1.0;
        if (rcp->deep[n] - r > WIDEST_GAP * rcp->scale * rcp->mean_radius) continue;
        if (is_covered(rcp, n, number, sherd_shape_normal(rcp->shape, p))) continue;
        job->gap[n] = fmax(-sherd_shape_distance(rcp->shape, p) - r, 0.0);
    }
}

static bool measure_gaps(const sherd_rcp *rcp, sherd_packing *packing)
{
    gap_job job = {rcp, sherd_alloc(rcp->count, sizeof(double))};
    if (job.gap == NULL) return false;
    sherd_parallel_for(&rcp->parallel, rcp->count, SHERD_RCP_CHUNK, gap_chunk, &job);
    size_t outermost = 0;
    for (size_t n = 0; n < rcp->count; ++n) {
        if (job.gap[n] < 0.0) continue;
        ++outermost;
        packing->surface_gap_mean += job.gap[n];
        packing->surface_gap_max = fmax(packing->surface_gap_max, job.gap[n]);
    }
    if (outermost > 0) packing->surface_gap_mean /= (double)outermost;
    sherd_free(job.gap);
    return true;
}

// ---------------------------------------------------------------- elements

static bool store_elements(const sherd_rcp *rcp, const uint32_t *order, sherd_packing *packing)
{
    size_t n = rcp->count;
    if (!sherd_packing_alloc(packing, n, true)) return false;
    for (size_t k = 0; k < n; ++k) {
        const sherd_rcp_ball *b = &rcp->ball[order[k]];
        packing->x[k] = b->x, packing->y[k] = b->y, packing->z[k] = b->z;
        packing->radius[k] = rcp->scale * b->r;
    }
    return true;
}

// Elements represent the whole solid, including pores, in proportion to their spheres.
static void share_volume(sherd_packing *packing)
{
    const double sphere = 4.0 / 3.0 * 3.14159265358979323846;
    for (int32_t k = 0; k < packing->count; ++k)
        packing->element_volume += sphere * pow(packing->radius[k], 3.0);
    packing->solid_fraction = packing->element_volume / packing->shape_volume;
    for (int32_t k = 0; k < packing->count; ++k)
        packing->volume[k] = sphere * pow(packing->radius[k], 3.0) / packing->solid_fraction;
    packing->cell_volume_match = 1.0;
}

static void count_sizes(sherd_packing *packing)
{
    double low = packing->radius[0], high = low;
    for (int32_t k = 1; k < packing->count; ++k) {
        low = fmin(low, packing->radius[k]);
        high = fmax(high, packing->radius[k]);
    }
    packing->radius_least = low, packing->radius_most = high;
    double classes = high > low ? SHERD_PACKING_SIZE_CLASSES / (high - low) : 0.0;
    for (int32_t k = 0; k < packing->count; ++k) {
        int c = (int)((packing->radius[k] - low) * classes);
        ++packing->size_count[c < SHERD_PACKING_SIZE_CLASSES ? c : SHERD_PACKING_SIZE_CLASSES - 1];
    }
}

static bool morton(const sherd_rcp *rcp, uint32_t *order)
{
    size_t n = rcp->count;
    double *column[3];
    for (int a = 0; a < 3; ++a)
        column[a] = sherd_alloc(n, sizeof(double));
    bool done = column[0] != NULL && column[1] != NULL && column[2] != NULL;
    for (size_t k = 0; done && k < n; ++k) {
        const sherd_rcp_ball *b = &rcp->ball[k];
        column[0][k] = b->x, column[1][k] = b->y, column[2][k] = b->z;
    }
    done = done && sherd_morton_order(column[0], column[1], column[2], n, order);
    for (int a = 0; a < 3; ++a)
        sherd_free(column[a]);
    return done;
}

// Returns false if memory runs short. Nothing is stored yet while elements are omitted.
static bool bond(sherd_rcp *rcp, const sherd_packing_def *def, uint32_t *order,
                 sherd_packing *packing, size_t *left_out)
{
    // Wide enough to bond near balls, and to find those that cover a ball up to WIDEST_GAP away
    // from the surface.
    double size = rcp->scale * rcp->mean_radius, largest = rcp->scale * rcp->largest;
    double skin = fmax(2.0 * (def->bond_range - 1.0) * largest, 0.75 * size);
    return sherd_rcp_walls_make(rcp, WIDEST_GAP * size) && sherd_rcp_list_make(rcp, skin) &&
           morton(rcp, order) && sherd_rcp_bond(rcp, def->bond_range, order, packing, left_out);
}

static bool fill(sherd_rcp *rcp, const sherd_packing_def *def, uint32_t *order,
                 sherd_packing *packing)
{
    size_t left_out;
    do {
        if (!bond(rcp, def, order, packing, &left_out)) return false;
        packing->left_out += (int32_t)left_out;
        if (left_out > 0) sherd_rcp_forget(rcp);
    } while (left_out > 0);
    if (!store_elements(rcp, order, packing)) return false;
    share_volume(packing);
    count_sizes(packing);
    return measure_gaps(rcp, packing);
}

sherd_packing *sherd_rcp_finish(sherd_rcp *rcp, const sherd_packing_def *def, double shape_volume)
{
    sherd_packing *packing = sherd_alloc(1, sizeof *packing);
    uint32_t *order = sherd_alloc(rcp->count, sizeof *order);
    bool done = packing != NULL && order != NULL;
    if (done) {
        packing->shape_volume = shape_volume;
        packing->lattice_radius = rcp->scale * def->radius;
        done = fill(rcp, def, order, packing);
    }
    sherd_free(order);
    if (done) return packing;
    sherd_packing_destroy(packing);
    return NULL;
}
