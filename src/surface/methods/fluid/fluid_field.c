#include "surface/methods/fluid/fluid_field.h"

#include "base/cpu.h"
#include "base/memory.h"
#include "math/vec3.h"
#include "surface/methods/crack/node_densities.h"

#include <string.h>

// --- At a point ------------------------------------------------------------------------------------

typedef double lanes __attribute__((vector_size(FLUID_LANES * sizeof(double))));
typedef int64_t lane_mask __attribute__((vector_size(FLUID_LANES * sizeof(int64_t))));

enum { MAX_OWNERS = 4 };

// For each fragment, one lane per eighth kernel of a row: f_k and -1/8 of its gradient.
typedef struct field_sums {
    lanes value[MAX_OWNERS], x[MAX_OWNERS], y[MAX_OWNERS], z[MAX_OWNERS];
} field_sums;

#define MASKED(value, mask) ((lanes)((lane_mask)(value) & (mask)))

SHERD_WIDE(static, void, add_row,
           (const fluid_store *s, sherd_vec3 at, const sherd_fragment_id *label, int count,
            int32_t begin, int32_t end, field_sums *sums),
           (s, at, label, count, begin, end, sums))
{
    const lane_mask lane = {0, 1, 2, 3, 4, 5, 6, 7};
    for (int32_t k = begin; k < end; k += FLUID_LANES) {
        lanes c[FLUID_COLUMNS];
        for (int j = 0; j < FLUID_COLUMNS; ++j)
            memcpy(&c[j], s->column[j] + k, sizeof c[j]);
        lanes x = at.x - c[0], y = at.y - c[1], z = at.z - c[2];
        lanes xy = c[6], yz = c[7], zx = c[8]; // doubled
        lanes u = 1.0 - (c[3] * x * x + c[4] * y * y + c[5] * z * z + xy * x * y + yz * y * z +
                         zx * z * x);
        lane_mask reached = (u > 0.0) & (lane < (int64_t)(end - k)), own;
        for (int j = 0; j < FLUID_LANES; ++j)
            own[j] = s->label[k + j];
        lanes slope = MASKED(c[9] * u * u * u, reached);
        lanes gx = slope * (c[3] * x + 0.5 * (xy * y + zx * z));
        lanes gy = slope * (c[4] * y + 0.5 * (xy * x + yz * z));
        lanes gz = slope * (c[5] * z + 0.5 * (zx * x + yz * y));
        for (int j = 0; j < count; ++j) {
            lane_mask is_own = own == (int64_t)label[j];
            sums->value[j] += MASKED(slope * u, is_own);
            sums->x[j] += MASKED(gx, is_own);
            sums->y[j] += MASKED(gy, is_own);
            sums->z[j] += MASKED(gz, is_own);
        }
    }
}

static double sum_of(const lanes *l)
{
    return (((*l)[0] + (*l)[1]) + ((*l)[2] + (*l)[3])) +
           (((*l)[4] + (*l)[5]) + ((*l)[6] + (*l)[7]));
}

void sherd_fluid_fields(const fluid *f, sherd_vec3 x, const sherd_fragment_id *label, int count,
                        double value[], sherd_vec3 gradient[])
{
    field_sums sums;
    memset(&sums, 0, sizeof sums);
    int32_t begin, end;
    sherd_bin_rows rows = sherd_point_bins_ball(&f->store.centres, x, f->reach);
    while (sherd_point_bins_next(&f->store.centres, &rows, &begin, &end))
        add_row(&f->store, x, label, count, begin, end, &sums);
    for (int j = 0; j < count; ++j) {
        value[j] = sum_of(&sums.value[j]);
        gradient[j] =
            vec3_scale(-8.0, vec3(sum_of(&sums.x[j]), sum_of(&sums.y[j]), sum_of(&sums.z[j])));
    }
}

void sherd_fluid_owners(const fluid *f, sherd_vec3 x, const sherd_fragment_id *owner, int count,
                        double value[], sherd_vec3 gradient[])
{
    sherd_fluid_fields(f, x, owner, count, value, gradient);
    for (int j = 0; j < count; ++j)
        if (owner[j] == OWNER_OUTSIDE) value[j] = f->level;
}

// --- At a block's corners --------------------------------------------------------------------------

typedef double row_of_nodes __attribute__((vector_size(NODES_ALONG * sizeof(double))));
typedef int64_t row_mask __attribute__((vector_size(NODES_ALONG * sizeof(int64_t))));

typedef struct node_block {
    row_of_nodes x;
    double y[NODES_ALONG], z[NODES_ALONG];
    sherd_vec3 low, high;
} node_block;

static node_block nodes_of(const grid *g, const grid_block *block)
{
    sherd_bounds box = sherd_grid_block_bounds(g, block);
    node_block b = {.low = box.low, .high = box.high};
    for (int k = 0; k < NODES_ALONG; ++k) {
        int32_t corner[3] = {BLOCK_EDGE * block->at[0] + k, BLOCK_EDGE * block->at[1] + k,
                             BLOCK_EDGE * block->at[2] + k};
        sherd_vec3 x = sherd_grid_corner(g, corner);
        b.x[k] = x.x, b.y[k] = x.y, b.z[k] = x.z;
    }
    return b;
}

// Adds one kernel. Along a row q = xx x^2 + 2 (xy y + zx z) x + (yy y^2 + 2 yz y z + zz z^2).
SHERD_WIDE(static, void, add_kernel,
           (const node_block *b, const fluid_kernel *e, double psi[NODES]), (b, e, psi))
{
    row_of_nodes x = b->x - e->centre.x;
    row_of_nodes square = e->xx * x * x;
    for (int k = 0; k < NODES_ALONG; ++k) {
        double z = b->z[k] - e->centre.z;
        if (fabs(z) >= e->extent.z) continue;
        for (int j = 0; j < NODES_ALONG; ++j) {
            double y = b->y[j] - e->centre.y;
            if (fabs(y) >= e->extent.y) continue;
            double across = e->yy * y * y + 2.0 * e->yz * y * z + e->zz * z * z;
            row_of_nodes u = 1.0 - (square + 2.0 * (e->xy * y + e->zx * z) * x + across);
            row_of_nodes u2 = u * u, sum;
            row_of_nodes kernel = e->weight * u2 * u2;
            double *to = psi + (k * NODES_ALONG + j) * NODES_ALONG;
            memcpy(&sum, to, sizeof sum);
            sum += (row_of_nodes)((row_mask)kernel & (u > 0.0));
            memcpy(to, &sum, sizeof sum);
        }
    }
}

static bool touches(const node_block *b, const fluid_kernel *e)
{
    sherd_vec3 gap = vec3_sub(e->centre, vec3_max(b->low, vec3_min(b->high, e->centre)));
    return fabs(gap.x) < e->extent.x && fabs(gap.y) < e->extent.y && fabs(gap.z) < e->extent.z;
}

static bool find_densities(const fluid *f, const node_block *b, node_densities *d)
{
    const partition *p = f->p;
    d->count = 0;
    int32_t begin, end;
    int slot = -1;
    const sherd_point_bins *centres = &f->store.centres;
    sherd_bin_rows rows = sherd_point_bins_rows(centres, b->low, b->high, f->reach);
    while (sherd_point_bins_next(centres, &rows, &begin, &end))
        for (int32_t k = begin; k < end; ++k) {
            int32_t e = centres->source[k];
            if (!touches(b, &f->kernels[e])) continue;
            if (slot < 0 || d->label[slot] != p->label[e])
                slot = sherd_node_densities_slot(d, p->label[e]);
            if (slot < 0) return false;
            add_kernel(b, &f->kernels[e], d->psi[slot]);
        }
    return true;
}

static sherd_fragment_id strongest(const node_densities *d, int node, double level)
{
    sherd_fragment_id owner = OWNER_OUTSIDE;
    double highest = level;
    for (int j = 0; j < d->count; ++j) {
        double own = d->psi[j][node];
        if (own > highest || (own == highest && owner != OWNER_OUTSIDE && d->label[j] < owner)) {
            highest = own;
            owner = d->label[j];
        }
    }
    return owner;
}

bool sherd_fluid_assign(const fluid *f, const grid *g, grid_block *block, const slits *s,
                        double half_slit)
{
    node_block b = nodes_of(g, block);
    node_densities d = {0};
    bool ok = find_densities(f, &b, &d), slit_near = sherd_slits_near(s, b.low, b.high);
    for (int c = 0; ok && c < BLOCK_CORNERS; ++c) {
        bool inside = block->inside[c / 64] >> (c % 64) & 1;
        block->owner[c] = inside ? strongest(&d, c, f->level) : OWNER_OUTSIDE;
        if (!slit_near || block->owner[c] == OWNER_OUTSIDE) continue;
        double distance;
        sherd_vec3 x = vec3(b.x[c % 8], b.y[c / 8 % 8], b.z[c / 64]), direction;
        if (sherd_slits_distance(s, block->owner[c], x, &distance, &direction) &&
            fabs(distance) < half_slit)
            block->owner[c] = OWNER_SLIT;
    }
    sherd_node_densities_release(&d);
    return ok;
}

// --- The level -------------------------------------------------------------------------------------

enum { LEVELS = 40 }; // between the least and the most
static const double MIN_LEVEL = 0.1, MAX_LEVEL = 0.7;

static double level_of(int l)
{
    return MIN_LEVEL + (MAX_LEVEL - MIN_LEVEL) * l / LEVELS;
}

typedef struct level_job {
    const fluid *f;
    const grid *g;
    double (*filled)[LEVELS + 1]; // cells above each level, by block
    uint8_t *failed;
} level_job;

// Gradient across a cell, by differences within the block: one-sided at its faces.
static double change_across(const double *fill, int c)
{
    double sum = 0.0;
    for (int d = 0, stride = 1; d < 3; ++d, stride *= BLOCK_EDGE) {
        int at = c / stride % BLOCK_EDGE;
        int low = at > 0 ? c - stride : c, high = at + 1 < BLOCK_EDGE ? c + stride : c;
        sum += fabs(fill[high] - fill[low]) * stride / (high - low);
    }
    return sum;
}

// Fraction of each corner's cell that is above a level, if the field is linear across the cell.
static void add_filled(const double fill[NODES], double filled[LEVELS + 1])
{
    for (int c = 0; c < BLOCK_CORNERS; ++c) {
        double across = fmax(change_across(fill, c), 1e-6);
        if (fill[c] + 0.5 * across < MIN_LEVEL) continue;
        for (int l = 0; l <= LEVELS; ++l)
            filled[l] += fmax(0.0, fmin(1.0, 0.5 + (fill[c] - level_of(l)) / across));
    }
}

static void measure_blocks(void *context, size_t begin, size_t end)
{
    const level_job *job = context;
    node_densities d = {0};
    for (size_t k = begin; k < end; ++k) {
        node_block b = nodes_of(job->g, &job->g->blocks[k]);
        job->failed[k] = !find_densities(job->f, &b, &d);
        if (!job->failed[k] && d.count > 0)
            add_filled(d.psi[0], job->filled[k]); // there is only one fragment yet
    }
    sherd_node_densities_release(&d);
}

// Interpolates between the two levels that enclose the volume.
static double level_for(const double filled[LEVELS + 1], double volume)
{
    if (filled[0] <= volume) return MIN_LEVEL;
    int l = 0;
    while (l < LEVELS && filled[l + 1] > volume)
        ++l;
    if (l == LEVELS) return MAX_LEVEL;
    double fraction = (filled[l] - volume) / (filled[l] - filled[l + 1]);
    return level_of(l) + fraction * (level_of(1) - level_of(0));
}

bool sherd_fluid_level(fluid *f, const grid *g, const sherd_parallel *parallel)
{
    if (!(f->source.volume > 0.0) || f->source.blobs) return true;
    size_t n = (size_t)g->count;
    level_job job = {f, g, sherd_alloc(n, sizeof *job.filled), sherd_alloc(n, 1)};
    bool ok = job.filled != NULL && job.failed != NULL;
    double filled[LEVELS + 1] = {0.0}, cube = g->cell * g->cell * g->cell;
    if (ok) sherd_parallel_for(parallel, n, 8, measure_blocks, &job);
    for (size_t k = 0; ok && k < n; ++k) {
        ok = !job.failed[k];
        for (int l = 0; l <= LEVELS; ++l)
            filled[l] += cube * job.filled[k][l];
    }
    if (ok) f->level = level_for(filled, f->source.volume);
    sherd_free(job.filled);
    sherd_free(job.failed);
    return ok;
}

// --- Lost bonds ------------------------------------------------------------------------------------

// If the directions of broken bonds nearly cancel, as around a hole of one element, they define no
// normal.
static const double MIN_RESULTANT = 0.1;

double sherd_fluid_lost(const fluid *f, sherd_fragment_id label, sherd_vec3 x, sherd_vec3 n)
{
    const partition *p = f->p;
    // Two radii: the layer of elements below the surface, and their neighbours.
    double reach = 2.0 * p->reach / (sqrt(8.0) * p->smoothing), inverse = 1.0 / (reach * reach);
    sherd_vec3 sum = vec3(0.0, 0.0, 0.0);
    int32_t begin, end;
    sherd_bin_rows rows = sherd_point_bins_ball(&p->elements, x, reach);
    while (sherd_point_bins_next(&p->elements, &rows, &begin, &end))
        for (int32_t k = begin; k < end; ++k) {
            sherd_vec3 d = vec3_sub(x, p->elements.point[k]);
            double u = 1.0 - vec3_dot(d, d) * inverse;
            if (u > 0.0 && p->label[k] == label) sum = vec3_add_scaled(sum, u * u, f->lost[k]);
        }
    double length = vec3_length(sum);
    return length > MIN_RESULTANT ? vec3_dot(sum, n) / length : 0.0;
}
