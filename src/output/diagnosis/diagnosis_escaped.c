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

// What one looks at: a frame, and what surrounds the elements in it.
typedef struct view {
    const sherd_run_model *model;
    const sherd_scene *scene; // or NULL
    const sherd_run_frame *frame;
    sherd_vec3 down; // unit vector, 0 without gravity or scene
} view;

static double gap_at(const view *v, sherd_vec3 x)
{
    double gap = INFINITY;
    const sherd_run_model *m = v->model;
    for (int o = 0; v->scene != NULL && o < m->obstacle_count && o < v->scene->obstacle_count; ++o)
        gap = fmin(gap, sherd_distance_to_obstacle(&v->scene->obstacles[o].def,
                                                   v->frame->obstacles[o], x));
    return gap;
}

static sherd_vec3 centre_of(const view *v, sherd_element_index k)
{
    return (sherd_vec3){v->frame->x[k], v->frame->y[k], v->frame->z[k]};
}

static sherd_vec3 moved(sherd_vec3 x, sherd_vec3 way, double t)
{
    return (sherd_vec3){x.x + t * way.x, x.y + t * way.y, x.z + t * way.z};
}

// True if a sphere at x that falls straight down meets the obstacle (sphere tracing).
static bool falls_onto(const view *v, int obstacle, sherd_vec3 x, double radius)
{
    enum { MAX_STEPS = 100 };
    const sherd_obstacle_def *def = &v->scene->obstacles[obstacle].def;
    sherd_pose pose = v->frame->obstacles[obstacle];
    double gap = sherd_distance_to_obstacle(def, pose, x) - radius;
    if (gap <= 0.0) return true;
    if (def->is_plane)
        return sherd_distance_to_obstacle(def, pose, moved(x, v->down, gap)) < gap + radius;
    double reach = sherd_obstacle_reach(def) + radius;
    sherd_vec3 arm = moved(pose.position, x, -1.0); // from the sphere to the obstacle
    double below = arm.x * v->down.x + arm.y * v->down.y + arm.z * v->down.z;
    sherd_vec3 beside = moved(arm, v->down, -below);
    if (length(beside.x, beside.y, beside.z) > reach) return false;
    double fallen = 0.0;
    for (int k = 0; k < MAX_STEPS && gap > 1e-3 * radius && fallen < below + reach; ++k) {
        fallen += gap;
        gap = sherd_distance_to_obstacle(def, pose, moved(x, v->down, fallen)) - radius;
    }
    return gap <= 1e-3 * radius;
}

// True if an obstacle lies below the element, however far. What flies there comes back.
static bool is_above_obstacle(const view *v, sherd_element_index k)
{
    if (v->down.x == 0.0 && v->down.y == 0.0 && v->down.z == 0.0) return false;
    for (int o = 0; o < v->model->obstacle_count && o < v->scene->obstacle_count; ++o)
        if (falls_onto(v, o, centre_of(v, k), v->model->radius[k])) return true;
    return false;
}

// Distance of an element from where the bodies were at the start [m]. Of one that falls back to an
// obstacle, heights do not count: a ball that bounces stays.
static double distance_from(const view *v, sherd_vec3 start, double far, sherd_element_index k)
{
    sherd_vec3 x = centre_of(v, k), direction = {x.x - start.x, x.y - start.y, x.z - start.z};
    double distance = length(direction.x, direction.y, direction.z);
    if (!(distance > far) || !is_above_obstacle(v, k)) return distance;
    double height = direction.x * v->down.x + direction.y * v->down.y + direction.z * v->down.z;
    return sqrt(fmax(distance * distance - height * height, 0.0));
}

// True if the element belongs to a body of bonded elements that is one fragment.
static bool is_of_whole_body(const view *v, sherd_element_index k)
{
    const sherd_run_model *m = v->model;
    for (int b = 0; b < m->body_count; ++b) {
        sherd_element_index first = m->bodies[b].first, end = first + m->bodies[b].count;
        if (k < first || k >= end) continue;
        if (v->scene != NULL && b < v->scene->body_count &&
            sherd_scene_is_of_points(&v->scene->bodies[b]))
            return false;
        for (sherd_element_index e = first; e < end; ++e)
            if (v->frame->element_fragment[e] != v->frame->element_fragment[k]) return false;
        return true;
    }
    return false;
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

static void tell(sherd_diagnosis *d, const view *v, const toll *t, double far, const char *how)
{
    if (t->count == 0) return;
    sherd_element_index k = t->farthest;
    sherd_vec3 x = centre_of(v, k);
    bool falls =
        (v->down.x != 0.0 || v->down.y != 0.0 || v->down.z != 0.0) && !is_above_obstacle(v, k);
    sherd_finding_add(
        d, SHERD_REPORT_NOTE,
        "%d of %d elements %s away: they are more than %.3g m, ten times the bodies' size, from "
        "where these were at the start; the farthest is of body '%.60s', at (%.4g, %.4g, %.4g) m%s",
        t->count, v->model->element_count, how, far, sherd_finding_body(v->model, k), x.x, x.y, x.z,
        falls ? ", with no obstacle below it" : "");
}

// Adds the elements of one fragment, the first `count` of the list. A whole body that moves along
// an obstacle, or bounces on one, does what it should.
static void add_fragment(const view *v, const lost *list, size_t count, const double *way,
                         toll *flew, toll *went)
{
    extent own = no_extent();
    double gap = INFINITY;
    for (size_t k = 0; k < count; ++k) {
        sherd_element_index e = list[k].element;
        extend(&own, v->model, v->frame, e);
        gap = fmin(gap, gap_at(v, centre_of(v, e)) - v->model->radius[e]);
    }
    bool along = gap < ALONG * size_of(&own);
    sherd_element_index first = list[0].element;
    if ((along || is_above_obstacle(v, first)) && is_of_whole_body(v, first)) return;
    add(along ? went : flew, list, count, way);
}

void sherd_diagnose_escaped(sherd_diagnosis *d, const sherd_run_model *m, const sherd_scene *scene,
                            const sherd_run_frame *start, const sherd_run_frame *last)
{
    size_t n = (size_t)m->element_count, away = 0;
    lost *list = malloc((n + 1) * sizeof *list);
    double *way = malloc((n + 1) * sizeof *way);
    view v = {m, scene, last, {0.0, 0.0, 0.0}};
    sherd_vec3 g = scene != NULL ? scene->world.gravity : v.down;
    double weight = length(g.x, g.y, g.z);
    if (weight > 0.0) v.down = (sherd_vec3){g.x / weight, g.y / weight, g.z / weight};
    extent all = no_extent();
    for (sherd_element_index k = 0; k < m->element_count; ++k)
        extend(&all, m, start, k);
    double far = FAR * size_of(&all);
    sherd_vec3 middle = {0.5 * (all.low.x + all.high.x), 0.5 * (all.low.y + all.high.y),
                         0.5 * (all.low.z + all.high.z)};
    for (sherd_element_index k = 0; list != NULL && way != NULL && k < m->element_count; ++k) {
        way[k] = distance_from(&v, middle, far, k);
        if (way[k] > far) list[away++] = (lost){last->element_fragment[k], k};
    }
    toll flew = {0}, went = {0};
    if (away > 0) qsort(list, away, sizeof *list, by_fragment);
    for (size_t first = 0, next; first < away; first = next) {
        for (next = first; next < away && list[next].fragment == list[first].fragment;)
            ++next;
        add_fragment(&v, list + first, next - first, way, &flew, &went);
    }
    tell(d, &v, &flew, far, "flew");
    tell(d, &v, &went, far, "rolled, slid or hopped");
    free(list);
    free(way);
}
