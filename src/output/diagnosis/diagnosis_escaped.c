#include "output/diagnosis/diagnosis_escaped.h"

#include "output/diagnosis/diagnosis_overlaps.h"
#include "output/diagnosis/finding.h"

#include <math.h>
#include <stdlib.h>

static const double FAR = 10.0; // of the bodies' size
// A fragment this near to an obstacle moves along it [extent of the fragment].
static const double ALONG = 1.0;

static double length(double x, double y, double z)
{
    return sqrt(x * x + y * y + z * z);
}

typedef struct extent {
    sherd_vec3 low, high;
    double radius; // the largest
} extent;

static extent no_extent(void)
{
    return (extent){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}, 0.0};
}

static void extend(extent *e, const sherd_run_model *m, const sherd_run_frame *f,
                   sherd_element_index k)
{
    e->low =
        (sherd_vec3){fmin(e->low.x, f->x[k]), fmin(e->low.y, f->y[k]), fmin(e->low.z, f->z[k])};
    e->high =
        (sherd_vec3){fmax(e->high.x, f->x[k]), fmax(e->high.y, f->y[k]), fmax(e->high.z, f->z[k])};
    e->radius = fmax(e->radius, m->radius[k]);
}

static double size_of(const extent *e)
{
    return length(e->high.x - e->low.x, e->high.y - e->low.y, e->high.z - e->low.z) +
           2.0 * e->radius;
}

// ---------------------------------------------------------------- fragments, by their elements

// An element that is far away, and its fragment.
typedef struct lost {
    sherd_fragment_id fragment;
    sherd_element_index element;
} lost;

static int by_fragment(const void *a, const void *b)
{
    const lost *x = a, *y = b;
    if (x->fragment != y->fragment) return x->fragment < y->fragment ? -1 : 1;
    return (x->element > y->element) - (x->element < y->element);
}

static double gap_of(const sherd_run_model *m, const sherd_scene *scene, const sherd_run_frame *f,
                     sherd_element_index k)
{
    double gap = INFINITY;
    for (int o = 0; scene != NULL && o < m->obstacle_count && o < scene->obstacle_count; ++o) {
        const sherd_obstacle_def *def = &scene->obstacles[o].def;
        sherd_vec3 x = {f->x[k], f->y[k], f->z[k]};
        gap = fmin(gap, sherd_distance_to_obstacle(def, f->obstacles[o], x) - m->radius[k]);
    }
    return gap;
}

// Count and farthest element for one way of moving away.
typedef struct toll {
    sherd_element_index count, farthest;
    double most;
} toll;

static void add(toll *t, const lost *list, size_t count, const double *way)
{
    for (size_t k = 0; k < count; ++k) {
        ++t->count;
        if (way[list[k].element] > t->most)
            t->most = way[list[k].element], t->farthest = list[k].element;
    }
}

static void tell(sherd_diagnosis *d, const sherd_run_model *m, const sherd_run_frame *last,
                 const toll *t, double far, const char *how)
{
    if (t->count == 0) return;
    sherd_element_index k = t->farthest;
    sherd_finding_add(
        d, SHERD_REPORT_NOTE,
        "%d of %d elements %s away: they are more than %.3g m, ten times the bodies' size, from "
        "where these were at the start; the farthest is of body '%.60s', at (%.4g, %.4g, %.4g) m",
        t->count, m->element_count, how, far, sherd_finding_body(m, k), last->x[k], last->y[k],
        last->z[k]);
}

void sherd_diagnose_escaped(sherd_diagnosis *d, const sherd_run_model *m, const sherd_scene *scene,
                            const sherd_run_frame *start, const sherd_run_frame *last)
{
    size_t n = (size_t)m->element_count, away = 0;
    lost *list = malloc((n + 1) * sizeof *list);
    double *way = malloc((n + 1) * sizeof *way);
    extent all = no_extent();
    for (sherd_element_index k = 0; k < m->element_count; ++k)
        extend(&all, m, start, k);
    double far = FAR * size_of(&all);
    for (sherd_element_index k = 0; list != NULL && way != NULL && k < m->element_count; ++k) {
        way[k] = length(last->x[k] - 0.5 * (all.low.x + all.high.x),
                        last->y[k] - 0.5 * (all.low.y + all.high.y),
                        last->z[k] - 0.5 * (all.low.z + all.high.z));
        if (way[k] > far) list[away++] = (lost){last->element_fragment[k], k};
    }
    toll flew = {0}, went = {0};
    if (away > 0) qsort(list, away, sizeof *list, by_fragment);
    for (size_t first = 0, next; first < away; first = next) {
        extent own = no_extent();
        double gap = INFINITY;
        for (next = first; next < away && list[next].fragment == list[first].fragment; ++next) {
            extend(&own, m, last, list[next].element);
            gap = fmin(gap, gap_of(m, scene, last, list[next].element));
        }
        add(gap < ALONG * size_of(&own) ? &went : &flew, list + first, next - first, way);
    }
    tell(d, m, last, &flew, far, "flew");
    tell(d, m, last, &went, far, "rolled, slid or hopped");
    free(list);
    free(way);
}
