#include "surface/partition.h"

#include "base/memory.h"
#include "math/vec3.h"

#include <string.h>

// An element of a thin piece shall outweigh the strongest other fragment at its own centre by this
// factor. 1.5 gives a lone element in a lattice the volume of its own lattice cell (within 10 %).
static const double OWN_MARGIN = 1.5;
// Elements nearer than this many sums of radii are neighbours.
static const double NEIGHBOUR_DISTANCE = 1.25;

bool sherd_partition_create(partition *p, const sherd_vec3 *positions, const double *radius,
                            int32_t count, double smoothing)
{
    *p = (partition){.radius = radius, .smoothing = smoothing};
    double scale = sqrt(8.0) * smoothing;
    for (int32_t e = 0; e < count; ++e)
        p->reach = fmax(p->reach, scale * radius[e]);
    if (!sherd_bins_build(&p->elements, positions, count, 0.5 * p->reach)) return false;
    p->inverse_reach2 = sherd_alloc((size_t)count, sizeof *p->inverse_reach2);
    p->label = sherd_alloc((size_t)count, sizeof *p->label);
    p->weight = sherd_alloc((size_t)count, sizeof *p->weight);
    p->changed = sherd_alloc((size_t)count, sizeof *p->changed);
    if (p->inverse_reach2 == NULL || p->label == NULL || p->weight == NULL || p->changed == NULL)
        return false;
    for (int32_t k = 0; k < count; ++k) {
        double h = scale * radius[p->elements.source[k]];
        p->inverse_reach2[k] = 1.0 / (h * h);
    }
    return true;
}

void sherd_partition_release(partition *p)
{
    sherd_bins_release(&p->elements);
    sherd_free(p->inverse_reach2);
    sherd_free(p->label);
    sherd_free(p->weight);
    sherd_free(p->changed);
    *p = (partition){0};
}

static int find_label(densities *d, sherd_fragment_id label)
{
    for (int k = 0; k < d->count; ++k)
        if (d->label[k] == label) return k;
    if (d->count == PARTITION_LABELS) return -1;
    d->label[d->count] = label;
    d->psi[d->count] = 0.0;
    d->gradient[d->count] = vec3(0.0, 0.0, 0.0);
    return d->count++;
}

// `weight` may be NULL for m_e = 1.
static void add_densities(const partition *p, const double *weight, sherd_vec3 x, densities *out)
{
    out->count = 0;
    int32_t begin, end;
    int last = -1;
    bins_rows rows = sherd_bins_rows(&p->elements, x, x, p->reach);
    while (sherd_bins_next(&p->elements, &rows, &begin, &end))
        for (int32_t k = begin; k < end; ++k) {
            sherd_vec3 arm = vec3_sub(x, p->elements.point[k]);
            double u = 1.0 - vec3_dot(arm, arm) * p->inverse_reach2[k];
            if (u <= 0.0) continue;
            if (last < 0 || out->label[last] != p->label[k]) last = find_label(out, p->label[k]);
            if (last < 0) continue;
            double slope = (weight != NULL ? weight[k] : 1.0) * u * u * u;
            out->psi[last] += slope * u;
            out->gradient[last] =
                vec3_add_scaled(out->gradient[last], -8.0 * slope * p->inverse_reach2[k], arm);
        }
}

void sherd_partition_densities(const partition *p, sherd_vec3 x, densities *out)
{
    add_densities(p, p->weight, x, out);
}

sherd_fragment_id sherd_partition_only_label(const partition *p, sherd_vec3 low, sherd_vec3 high)
{
    sherd_fragment_id only = 0;
    int32_t begin, end;
    bins_rows rows = sherd_bins_rows(&p->elements, low, high, p->reach);
    while (sherd_bins_next(&p->elements, &rows, &begin, &end))
        for (int32_t k = begin; k < end; ++k) {
            if (only != 0 && p->label[k] != only) return 0;
            only = p->label[k];
        }
    return only;
}

static sherd_fragment_id nearest_label(const partition *p, sherd_vec3 x)
{
    double best = 4.0 * p->reach * p->reach;
    sherd_fragment_id label = 0;
    int32_t begin, end;
    bins_rows rows = sherd_bins_rows(&p->elements, x, x, 2.0 * p->reach);
    while (sherd_bins_next(&p->elements, &rows, &begin, &end))
        for (int32_t k = begin; k < end; ++k) {
            sherd_vec3 arm = vec3_sub(x, p->elements.point[k]);
            double distance2 = vec3_dot(arm, arm);
            if (distance2 >= best) continue;
            best = distance2;
            label = p->label[k];
        }
    return label;
}

sherd_fragment_id sherd_partition_owner(const partition *p, sherd_vec3 x)
{
    densities d;
    sherd_partition_densities(p, x, &d);
    sherd_fragment_id label = 0;
    double most = 0.0;
    for (int k = 0; k < d.count; ++k)
        if (d.psi[k] > most || (d.psi[k] == most && d.label[k] < label)) {
            most = d.psi[k];
            label = d.label[k];
        }
    return label != 0 ? label : nearest_label(p, x);
}

bool sherd_partition_contrast(const densities *d, sherd_fragment_id a, sherd_fragment_id b,
                              double *value, sherd_vec3 *gradient)
{
    int ia = -1, ib = -1;
    for (int k = 0; k < d->count; ++k) {
        if (d->label[k] == a) ia = k;
        if (d->label[k] == b) ib = k;
    }
    if (ia < 0 || ib < 0 || !(d->psi[ia] > 0.0) || !(d->psi[ib] > 0.0)) return false;
    *value = log(d->psi[ia] / d->psi[ib]);
    *gradient = vec3_sub(vec3_scale(1.0 / d->psi[ia], d->gradient[ia]),
                         vec3_scale(1.0 / d->psi[ib], d->gradient[ib]));
    return true;
}

// --- Weights ---------------------------------------------------------------------------------------

typedef struct weight_job {
    partition *p;
    double *dominance; // own density over the strongest other one, at each element's centre
    double *weight;    // result
} weight_job;

static const double FAR_FROM_OTHERS = 1e30;

static void measure_dominance(void *context, size_t begin, size_t end)
{
    weight_job *job = context;
    densities d;
    for (size_t k = begin; k < end; ++k) {
        add_densities(job->p, NULL, job->p->elements.point[k], &d);
        double own = 0.0, other = 0.0;
        for (int j = 0; j < d.count; ++j)
            if (d.label[j] == job->p->label[k])
                own = d.psi[j];
            else
                other = fmax(other, d.psi[j]);
        job->dominance[k] = other > 0.0 ? own / other : FAR_FROM_OTHERS;
    }
}

// An element that merely sticks out of a thick fragment has a dominant neighbour of the same
// fragment and keeps m = 1: the crack is smoothed over it. Where no neighbour dominates, the piece is
// thin here, and all its elements are raised alike.
static void element_weights(void *context, size_t begin, size_t end)
{
    weight_job *job = context;
    const partition *p = job->p;
    for (size_t k = begin; k < end; ++k) {
        double best = job->dominance[k];
        job->weight[k] = 1.0;
        if (best >= OWN_MARGIN) continue;
        double r = p->radius[p->elements.source[k]];
        sherd_vec3 x = p->elements.point[k];
        int32_t first, last;
        bins_rows rows = sherd_bins_rows(&p->elements, x, x, p->reach);
        while (sherd_bins_next(&p->elements, &rows, &first, &last))
            for (int32_t j = first; j < last; ++j) {
                double limit = NEIGHBOUR_DISTANCE * (r + p->radius[p->elements.source[j]]);
                if (p->label[j] == p->label[k] && vec3_distance(x, p->elements.point[j]) <= limit)
                    best = fmax(best, job->dominance[j]);
            }
        if (best < OWN_MARGIN) job->weight[k] = OWN_MARGIN / best;
    }
}

bool sherd_partition_update(partition *p, const sherd_fragment_id *element_label,
                            const sherd_parallel *parallel)
{
    size_t n = (size_t)p->elements.count;
    weight_job job = {p, sherd_alloc(n, sizeof(double)), sherd_alloc(n, sizeof(double))};
    bool ok = job.dominance != NULL && job.weight != NULL;
    if (ok) {
        for (size_t k = 0; k < n; ++k) {
            sherd_fragment_id label = element_label[p->elements.source[k]];
            p->changed[k] = p->label[k] != label;
            p->label[k] = label;
        }
        sherd_parallel_for(parallel, n, 1024, measure_dominance, &job);
        sherd_parallel_for(parallel, n, 1024, element_weights, &job);
        for (size_t k = 0; k < n; ++k)
            p->changed[k] |= p->weight[k] != job.weight[k];
        memcpy(p->weight, job.weight, n * sizeof *p->weight);
    }
    sherd_free(job.dominance);
    sherd_free(job.weight);
    return ok;
}
