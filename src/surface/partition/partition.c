#include "surface/partition/partition.h"

#include "base/cpu.h"
#include "base/memory.h"
#include "math/vec3.h"
#include "surface/partition/surface_bins.h"

#include <string.h>

enum { LANES = 8 }; // of vectors of elements

bool sherd_partition_create(partition *p, const sherd_vec3 *positions, const double *radius,
                            int32_t count, double smoothing)
{
    *p = (partition){.radius = radius, .smoothing = smoothing};
    double scale = sqrt(8.0) * smoothing;
    for (int32_t e = 0; e < count; ++e)
        p->reach = fmax(p->reach, scale * radius[e]);
    if (!sherd_point_bins_build(&p->elements, sherd_point_of_array, positions, count,
                                surface_bins(0.5 * p->reach)))
        return false;
    // Padded: vector loads may read beyond the last element.
    p->x = sherd_alloc((size_t)count + LANES, sizeof *p->x);
    p->y = sherd_alloc((size_t)count + LANES, sizeof *p->y);
    p->z = sherd_alloc((size_t)count + LANES, sizeof *p->z);
    p->inverse_width2 = sherd_alloc((size_t)count, sizeof *p->inverse_width2);
    p->inverse_reach2 = sherd_alloc((size_t)count + LANES, sizeof *p->inverse_reach2);
    p->dominance = sherd_alloc((size_t)count, sizeof *p->dominance);
    p->narrow = sherd_alloc((size_t)count, sizeof *p->narrow);
    p->label = sherd_alloc((size_t)count + LANES, sizeof *p->label);
    p->weight = sherd_alloc((size_t)count + LANES, sizeof *p->weight);
    p->changed = sherd_alloc((size_t)count, sizeof *p->changed);
    if (p->x == NULL || p->y == NULL || p->z == NULL || p->inverse_reach2 == NULL ||
        p->label == NULL || p->weight == NULL || p->changed == NULL || p->inverse_width2 == NULL ||
        p->dominance == NULL || p->narrow == NULL)
        return false;
    for (int32_t k = 0; k < count; ++k) {
        double h = scale * radius[p->elements.source[k]];
        p->inverse_width2[k] = p->inverse_reach2[k] = 1.0 / (h * h);
        p->x[k] = p->elements.point[k].x;
        p->y[k] = p->elements.point[k].y;
        p->z[k] = p->elements.point[k].z;
    }
    return true;
}

void sherd_partition_release(partition *p)
{
    sherd_point_bins_release(&p->elements);
    sherd_free(p->x);
    sherd_free(p->y);
    sherd_free(p->z);
    sherd_free(p->inverse_width2);
    sherd_free(p->inverse_reach2);
    sherd_free(p->dominance);
    sherd_free(p->narrow);
    sherd_free(p->label);
    sherd_free(p->weight);
    sherd_free(p->changed);
    sherd_chip_cells_release(&p->chips);
    sherd_free(p->pattern_point);
    sherd_cut_links_release(&p->links);
    *p = (partition){0};
}

bool sherd_partition_use_chips(partition *p, double margin)
{
    return sherd_chip_cells_create(&p->chips, &p->elements, p->radius, margin);
}

static int find_label(densities *d, sherd_fragment_id label)
{
    for (int k = 0; k < d->count; ++k)
        if (d->label[k] == label) return k;
    if (d->count == PARTITION_LABELS) return -1;
    d->label[d->count] = label;
    d->psi[d->count] = 0.0;
    return d->count++;
}

static void sum_kernels(const partition *p, const double *weight, const uint8_t *excluded,
                        sherd_vec3 x, densities *out)
{
    const double *inverse_reach2 = weight != NULL ? p->inverse_reach2 : p->inverse_width2;
    out->count = 0;
    int32_t begin, end;
    int last = -1;
    sherd_bin_rows rows = sherd_point_bins_ball(&p->elements, x, p->reach);
    while (sherd_point_bins_next(&p->elements, &rows, &begin, &end))
        for (int32_t k = begin; k < end; ++k) {
            sherd_vec3 arm = vec3_sub(x, p->elements.point[k]);
            double u = 1.0 - vec3_dot(arm, arm) * inverse_reach2[k];
            if (u <= 0.0 || (excluded != NULL && excluded[k])) continue;
            if (last < 0 || out->label[last] != p->label[k]) last = find_label(out, p->label[k]);
            if (last < 0) continue;
            double square = u * u;
            out->psi[last] += (weight != NULL ? weight[k] : 1.0) * square * square;
        }
}

void sherd_partition_densities(const partition *p, const double *weight, sherd_vec3 x,
                               densities *out)
{
    sum_kernels(p, weight, NULL, x, out);
}

sherd_fragment_id sherd_partition_only_label(const partition *p, sherd_vec3 low, sherd_vec3 high)
{
    sherd_fragment_id only = 0;
    int32_t begin, end;
    sherd_bin_rows rows = sherd_point_bins_rows(&p->elements, low, high, p->reach);
    while (sherd_point_bins_next(&p->elements, &rows, &begin, &end))
        for (int32_t k = begin; k < end; ++k) {
            if (only != 0 && p->label[k] != only) return 0;
            only = p->label[k];
        }
    return only;
}

static sherd_fragment_id nearest_label(const partition *p, sherd_vec3 x, double within)
{
    double best = within * within;
    sherd_fragment_id label = 0;
    int32_t begin, end;
    sherd_bin_rows rows = sherd_point_bins_rows(&p->elements, x, x, within);
    while (sherd_point_bins_next(&p->elements, &rows, &begin, &end))
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
    sherd_fragment_id label = sherd_partition_only_label(p, x, x);
    if (label != 0) return label;
    densities d;
    sherd_partition_densities(p, p->weight, x, &d);
    double highest = 0.0;
    for (int k = 0; k < d.count; ++k)
        if (d.psi[k] > highest || (d.psi[k] == highest && d.label[k] < label)) {
            highest = d.psi[k];
            label = d.label[k];
        }
    return label != 0 ? label : nearest_label(p, x, 2.0 * p->reach);
}

int sherd_partition_rank(int count, const sherd_fragment_id *label, const double *psi,
                         size_t stride, sherd_fragment_id strongest[PARTITION_STRONGEST],
                         double value[PARTITION_STRONGEST])
{
    int kept = 0;
    for (int k = 0; k < count; ++k) {
        double own = psi[stride * (size_t)k];
        if (!(own > 0.0)) continue;
        int at = kept;
        while (at > 0 &&
               (value[at - 1] < own || (value[at - 1] == own && strongest[at - 1] > label[k])))
            --at;
        if (at == PARTITION_STRONGEST) continue;
        kept = kept < PARTITION_STRONGEST ? kept + 1 : kept;
        for (int j = kept - 1; j > at; --j) {
            value[j] = value[j - 1];
            strongest[j] = strongest[j - 1];
        }
        value[at] = own;
        strongest[at] = label[k];
    }
    for (int k = 0; k < kept; ++k)
        value[k] = log(value[k]);
    return kept;
}

strongest_list sherd_partition_strongest(const partition *p, sherd_vec3 x)
{
    densities d;
    strongest_list list = {0};
    if (p->wall_count > 0) {
        list.label[0] = sherd_partition_visible(p, x);
        list.count = list.label[0] != 0;
        return list;
    }
    sum_kernels(p, p->weight, p->chips.used ? p->chips.is_chip : NULL, x, &d);
    list.count = sherd_partition_rank(d.count, d.label, d.psi, 1, list.label, list.value);
    cells_near near = {0};
    cells_at_point at;
    const strongest_list others = list;
    if (p->chips.used && sherd_chip_cells_near(&p->chips, &p->elements, p->label, x, x, &near) &&
        sherd_chip_cells_at(&p->chips, &near, x, &at))
        sherd_chip_cells_join(&at, others.count, others.label, others.value, &list);
    sherd_cells_near_release(&near);
    return list;
}

sherd_fragment_id sherd_partition_nearest_within(const partition *p, sherd_vec3 x)
{
    return nearest_label(p, x, p->reach);
}

sherd_fragment_id sherd_partition_nearest(const partition *p, sherd_vec3 x)
{
    sherd_fragment_id label = 0;
    for (double within = p->reach; label == 0 && p->elements.count > 0; within *= 2.0) {
        label = nearest_label(p, x, within);
        if (!isfinite(within)) break; // the whole space was searched
    }
    return label;
}

bool sherd_partition_covers(const partition *p, sherd_vec3 x, double fraction)
{
    int32_t begin, end;
    sherd_bin_rows rows = sherd_point_bins_ball(&p->elements, x, fraction * p->reach);
    while (sherd_point_bins_next(&p->elements, &rows, &begin, &end))
        for (int32_t k = begin; k < end; ++k) {
            sherd_vec3 arm = vec3_sub(x, p->elements.point[k]);
            if (vec3_dot(arm, arm) * p->inverse_reach2[k] < fraction * fraction) return true;
        }
    return false;
}

// --- Contrast --------------------------------------------------------------------------------------

// Sums of fragments' densities and gradients, one lane per eighth element of a row.
typedef double lanes __attribute__((vector_size(LANES * sizeof(double))));
typedef int64_t lane_mask __attribute__((vector_size(LANES * sizeof(int64_t))));
typedef struct contrast_sums {
    lanes psi[4], x[4], y[4], z[4];
} contrast_sums;

#define MASKED(value, mask) ((lanes)((lane_mask)(value) & (mask)))

SHERD_WIDE(static, void, add_row,
           (const partition *p, sherd_vec3 at, const sherd_fragment_id *label, int count,
            int32_t begin, int32_t end, contrast_sums *s),
           (p, at, label, count, begin, end, s))
{
    const lane_mask lane = {0, 1, 2, 3, 4, 5, 6, 7};
    for (int32_t k = begin; k < end; k += LANES) {
        lanes x, y, z, inverse, weight;
        lane_mask own;
        memcpy(&x, p->x + k, sizeof x);
        memcpy(&y, p->y + k, sizeof y);
        memcpy(&z, p->z + k, sizeof z);
        memcpy(&inverse, p->inverse_reach2 + k, sizeof inverse);
        memcpy(&weight, p->weight + k, sizeof weight);
        for (int j = 0; j < LANES; ++j)
            own[j] = p->label[k + j];
        x = at.x - x, y = at.y - y, z = at.z - z;
        lanes u = 1.0 - (x * x + y * y + z * z) * inverse;
        lane_mask reached = (u > 0.0) & (lane < (int64_t)(end - k));
        lanes slope = MASKED(weight * u * u * u, reached);
        lanes psi = slope * u;
        slope *= inverse;
        for (int f = 0; f < count; ++f) {
            lane_mask is_own = own == (int64_t)label[f];
            lanes fraction = MASKED(slope, is_own);
            s->psi[f] += MASKED(psi, is_own);
            s->x[f] += fraction * x;
            s->y[f] += fraction * y;
            s->z[f] += fraction * z;
        }
    }
}

static double sum_of(const lanes *l)
{
    return (((*l)[0] + (*l)[1]) + ((*l)[2] + (*l)[3])) +
           (((*l)[4] + (*l)[5]) + ((*l)[6] + (*l)[7]));
}

void sherd_partition_logs(const partition *p, sherd_vec3 x, const sherd_fragment_id *label,
                          int count, double value[4], sherd_vec3 gradient[4])
{
    contrast_sums s;
    memset(&s, 0, sizeof s);
    int32_t begin, end;
    sherd_bin_rows rows = sherd_point_bins_ball(&p->elements, x, p->reach);
    while (sherd_point_bins_next(&p->elements, &rows, &begin, &end))
        add_row(p, x, label, count, begin, end, &s);
    for (int f = 0; f < count; ++f) {
        double psi = sum_of(&s.psi[f]);
        sherd_vec3 sum = vec3(sum_of(&s.x[f]), sum_of(&s.y[f]), sum_of(&s.z[f]));
        value[f] = psi > 0.0 ? log(psi) : -INFINITY;
        gradient[f] = vec3_scale(psi > 0.0 ? -8.0 / psi : 0.0, sum);
    }
}
