// Weights and widths of elements' kernels: thin pieces get larger weights than their surroundings.
#include "surface/partition/partition.h"

#include "base/memory.h"
#include "math/vec3.h"

#include <string.h>

// An element of a thin piece must outweigh the strongest other fragment at its own centre by this
// factor, with a kernel at most this wide [radii]: a wide kernel would be flat where it ends and
// leave the piece's shape undefined. 1.5 gives an isolated element in a lattice the volume of its
// own lattice cell (within 10 %).
static const double OWN_MARGIN = 1.5, THIN_SMOOTHING = 1.5;
// The factor by which thick pieces outweigh others there, with kernels of any width.
static double thick_margin(const partition *p)
{
    double ratio = THIN_SMOOTHING / p->smoothing;
    return 1.0 + (OWN_MARGIN - 1.0) * ratio * ratio;
}
// Elements nearer than this many sums of radii are neighbours.
static const double NEIGHBOUR_DISTANCE = 1.25;

enum { MEASURE = 1, WEIGH = 2 };

typedef struct weight_job {
    partition *p;
    const uint8_t *stale; // MEASURE, WEIGH
} weight_job;

static const double FAR_FROM_OTHERS = 1e30;

// Density by a kernel whose squared width is smaller than the element's own by this factor.
static double narrowing(const partition *p)
{
    double ratio = p->smoothing / THIN_SMOOTHING;
    return ratio > 1.0 ? ratio * ratio : 1.0;
}

static double narrow_density(const partition *p, sherd_vec3 x, sherd_fragment_id label)
{
    double sum = 0.0, factor = narrowing(p);
    int32_t begin, end;
    sherd_bin_rows rows = sherd_point_bins_ball(&p->elements, x, p->reach / sqrt(factor));
    while (sherd_point_bins_next(&p->elements, &rows, &begin, &end))
        for (int32_t k = begin; k < end; ++k) {
            if (p->label[k] != label) continue;
            sherd_vec3 arm = vec3_sub(x, p->elements.point[k]);
            double u = fmax(0.0, 1.0 - vec3_dot(arm, arm) * p->inverse_width2[k] * factor);
            sum += u * u * u * u;
        }
    return sum;
}

static void measure_element(partition *p, size_t k, double margin)
{
    sherd_vec3 x = p->elements.point[k];
    sherd_fragment_id label = p->label[k];
    p->dominance[k] = p->narrow[k] = FAR_FROM_OTHERS;
    if (sherd_partition_only_label(p, x, x) != 0) return;
    densities d;
    sherd_partition_densities(p, NULL, x, &d);
    double own = 0.0, other = 0.0;
    for (int j = 0; j < d.count; ++j)
        if (d.label[j] == label)
            own = d.psi[j];
        else
            other = fmax(other, d.psi[j]);
    if (!(other > 0.0)) return;
    p->dominance[k] = own / other;
    if (own < margin * other) p->narrow[k] = narrow_density(p, x, label) / other;
}

static void measure_dominance(void *context, size_t begin, size_t end)
{
    const weight_job *job = context;
    double margin = thick_margin(job->p);
    for (size_t k = begin; k < end; ++k)
        if (job->stale[k] & MEASURE) measure_element(job->p, k, margin);
}

// An element that merely protrudes from a thick fragment has a dominant neighbour of the same
// fragment and retains m = 1: the crack is smoothed over it. If no neighbour dominates, the piece
// is thin here, and the weights of all its elements are raised equally.
static double weight_of(const partition *p, size_t k, double margin, double largest)
{
    double best = p->dominance[k], narrow = p->narrow[k];
    if (best >= margin) return 1.0;
    double r = p->radius[p->elements.source[k]];
    sherd_vec3 x = p->elements.point[k];
    int32_t first, last;
    sherd_bin_rows rows =
        sherd_point_bins_ball(&p->elements, x, NEIGHBOUR_DISTANCE * (r + largest));
    while (sherd_point_bins_next(&p->elements, &rows, &first, &last))
        for (int32_t j = first; j < last; ++j) {
            double limit = NEIGHBOUR_DISTANCE * (r + p->radius[p->elements.source[j]]);
            if (p->label[j] != p->label[k] || vec3_distance(x, p->elements.point[j]) > limit)
                continue;
            best = fmax(best, p->dominance[j]);
            narrow = fmax(narrow, p->narrow[j]);
        }
    return best < margin ? OWN_MARGIN / narrow : 1.0;
}

static double largest_radius(const partition *p)
{
    return p->reach / (sqrt(8.0) * p->smoothing);
}

static void weigh_elements(void *context, size_t begin, size_t end)
{
    const weight_job *job = context;
    partition *p = job->p;
    double margin = thick_margin(p), largest = largest_radius(p), factor = narrowing(p);
    for (size_t k = begin; k < end; ++k) {
        if (!(job->stale[k] & WEIGH)) continue;
        double weight = weight_of(p, k, margin, largest);
        p->changed[k] |= p->weight[k] != weight;
        p->weight[k] = weight;
        p->inverse_reach2[k] = weight != 1.0 ? factor * p->inverse_width2[k] : p->inverse_width2[k];
    }
}

// Returns the number of labels that changed.
static int32_t set_labels(partition *p, const sherd_fragment_id *element_label)
{
    int32_t count = 0;
    for (int32_t k = 0; k < p->elements.count; ++k) {
        sherd_fragment_id label = element_label[p->elements.source[k]];
        p->changed[k] = p->label[k] != label;
        count += p->changed[k];
        p->label[k] = label;
    }
    return count;
}

static void mark_within(const partition *p, sherd_vec3 x, double reach, uint8_t mark,
                        uint8_t *stale)
{
    int32_t begin, end;
    sherd_bin_rows rows = sherd_point_bins_ball(&p->elements, x, reach);
    while (sherd_point_bins_next(&p->elements, &rows, &begin, &end))
        for (int32_t k = begin; k < end; ++k)
            stale[k] |= mark;
}

// Elements change if others in reach of their kernels changed.
static void mark_stale(const partition *p, uint8_t *stale)
{
    double neighbours = 2.0 * NEIGHBOUR_DISTANCE * largest_radius(p);
    for (int32_t k = 0; k < p->elements.count; ++k) {
        if (!p->changed[k]) continue;
        mark_within(p, p->elements.point[k], p->reach, MEASURE, stale);
        mark_within(p, p->elements.point[k], p->reach + neighbours, WEIGH, stale);
    }
}

bool sherd_partition_update(partition *p, const sherd_fragment_id *element_label,
                            const sherd_parallel *parallel)
{
    size_t n = (size_t)p->elements.count;
    uint8_t *stale = sherd_alloc(n, 1);
    if (stale == NULL) return false;
    weight_job job = {p, stale};
    // With many changes, marking would cost more than it saves.
    bool many = (size_t)set_labels(p, element_label) > n / 16;
    if (many || !p->measured)
        memset(stale, MEASURE | WEIGH, n);
    else
        mark_stale(p, stale);
    sherd_parallel_for(parallel, n, 1024, measure_dominance, &job);
    sherd_parallel_for(parallel, n, 1024, weigh_elements, &job);
    p->measured = true;
    sherd_free(stale);
    const chip_cells *c = &p->chips;
    return !c->used ||
           sherd_chip_cells_update(&p->chips, p->elements.count, p->label, p->weight, p->changed);
}

void sherd_partition_relabel(partition *p, const sherd_fragment_id *element_label)
{
    set_labels(p, element_label);
    p->measured = false;
}
