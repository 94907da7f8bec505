#include "contact/explicit/obstacle_distances.h"

#include "base/error.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

// WHOLE: number of obstacles with a bound for every element. EACH: number of elements with
// individual bounds on the other obstacles, per element and obstacle. FEWEST: minimum per obstacle,
// because the elements near one obstacle are all around it.
enum { WHOLE = 16, EACH = 16, FEWEST = 32, CHUNK = 2048 };

// The remaining elements are measured again before one of them is nearer than all individually
// bounded ones plus this many margins, so that their common bound rarely triggers a search.
static const double LEAD = 2.0;

// ---------------------------------------------------------------- elements of each obstacle

// Number of obstacles with higher priority: larger ones, and earlier ones of equal size.
static int rank_of(const sherd_obstacle *obstacles, int count, int o)
{
    int before = 0;
    for (int b = 0; b < count; ++b)
        before += obstacles[b].radius > obstacles[o].radius ||
                  (b < o && obstacles[b].radius == obstacles[o].radius);
    return before;
}

// Free bodies keep a bound for every element: their time steps depend on the number of elements
// that the bounds let be near, and a common bound would let more be near.
static size_t max_near_of(const sherd_obstacle *obstacles, int count, int o, size_t elements)
{
    if (count <= WHOLE || obstacles[o].kind == SHERD_OBSTACLE_FREE ||
        rank_of(obstacles, count, o) < WHOLE)
        return elements;
    size_t max_count = EACH * (elements + (size_t)count) / (size_t)count + FEWEST;
    return max_count < elements ? max_count : elements;
}

sherd_status sherd_obstacle_watch_all(sherd_obstacle_watch *watch, size_t elements,
                                      sherd_error *error)
{
    sherd_obstacle_watch_free(watch);
    watch->slack = sherd_alloc(elements, sizeof *watch->slack);
    if (watch->slack == NULL) return sherd_fail_memory(error, "obstacles");
    watch->count = elements;
    sherd_obstacle_watch_forget(watch, elements);
    return SHERD_OK;
}

sherd_status sherd_obstacle_watch_resize(sherd_obstacle_watch *watch, size_t count,
                                         sherd_error *error)
{
    sherd_obstacle_watch_free(watch);
    watch->element = sherd_alloc(count, sizeof *watch->element);
    watch->slack = sherd_alloc(count, sizeof *watch->slack);
    if (watch->element == NULL || watch->slack == NULL)
        return sherd_fail_memory(error, "obstacles");
    watch->count = watch->capacity = count;
    return SHERD_OK;
}

sherd_status sherd_obstacle_watches_begin(sherd_obstacle *obstacles, int count, size_t elements,
                                          sherd_error *error)
{
    sherd_status status = SHERD_OK;
    for (int o = 0; o < count && status == SHERD_OK; ++o) {
        sherd_obstacle_watch *watch = &obstacles[o].watch;
        watch->max_count = max_near_of(obstacles, count, o, elements);
        if (watch->max_count < elements) {
            status = sherd_obstacle_watch_resize(watch, 0, error);
            watch->beyond = -INFINITY;
        } else {
            status = sherd_obstacle_watch_all(watch, elements, error);
        }
    }
    return status;
}

void sherd_obstacle_watch_forget(sherd_obstacle_watch *watch, size_t elements)
{
    bool all = watch->element == NULL;
    if (all && watch->slack != NULL) memset(watch->slack, 0, elements * sizeof *watch->slack);
    if (!all) watch->count = 0;
    watch->beyond = all ? INFINITY : -INFINITY;
}

void sherd_obstacle_watch_free(sherd_obstacle_watch *watch)
{
    sherd_free(watch->element);
    sherd_free(watch->slack);
    *watch = (sherd_obstacle_watch){.max_count = watch->max_count};
}

size_t sherd_obstacle_watch_bytes(const sherd_obstacle_watch *watch)
{
    if (watch->element == NULL) return watch->count * sizeof *watch->slack;
    return watch->capacity * (sizeof *watch->slack + sizeof *watch->element);
}

// ---------------------------------------------------------------- queries

size_t sherd_obstacle_watch_near(const sherd_obstacle_watch *watch, double margin,
                                 double *min_distance)
{
    size_t near = 0;
    *min_distance = watch->beyond;
    for (size_t i = 0; i < watch->count; ++i) {
        if (watch->slack[i] <= margin)
            ++near;
        else if (watch->slack[i] < *min_distance)
            *min_distance = watch->slack[i];
    }
    return near;
}

size_t sherd_obstacle_watch_within(const sherd_obstacle_watch *watch, size_t elements, double far)
{
    size_t count = watch->beyond <= far ? elements - watch->count : 0;
    for (size_t i = 0; i < watch->count; ++i)
        count += watch->slack[i] <= far;
    return count;
}

sherd_status sherd_obstacle_watch_map_contacts(const sherd_obstacle_watch *watch,
                                               sherd_obstacle_contacts *contacts,
                                               sherd_error *error)
{
    if (watch->element == NULL) return SHERD_OK;
    sherd_free(contacts->watched);
    contacts->watched = sherd_alloc(contacts->count, sizeof *contacts->watched);
    if (contacts->watched == NULL) return sherd_fail_memory(error, "contacts with obstacles");
    for (size_t c = 0, i = 0; c < contacts->count; ++c) {
        while (i < watch->count && watch->element[i] < contacts->element[c])
            ++i;
        if (i == watch->count || watch->element[i] != contacts->element[c])
            return sherd_fail(error, SHERD_ERROR_INPUT, "contacts", NULL,
                              "element %d touches an obstacle that it is not near",
                              (int)contacts->element[c]);
        contacts->watched[c] = (int32_t)i;
    }
    return SHERD_OK;
}

// ---------------------------------------------------------------- update of bounds

static void renew_range(void *context, size_t begin, size_t end)
{
    const sherd_watch_search *search = context;
    const sherd_points *e = search->points;
    const sherd_obstacle_watch *watch = &search->obstacle->watch;
    double *slack = watch->slack;
    for (size_t i = begin; i < end; ++i) {
        sherd_element_index k = sherd_obstacle_watch_element(watch, i);
        sherd_vec3 p = sherd_point_position(e, k);
        sherd_vec3 was = vec3(search->since->x[k], search->since->y[k], search->since->z[k]);
        slack[i] -= vec3_distance(vec3_sub(p, was), search->shift) + search->rotation;
        if (!(slack[i] > search->margin))
            slack[i] = sherd_obstacle_distance(search->obstacle, p) - sherd_point_radius(e, k);
    }
}

// ---------------------------------------------------------------- measurement of all elements

// The shell around the obstacle in which all elements get individual bounds.
static double shell_of(const sherd_watch_search *search)
{
    return (1.0 + LEAD) * search->margin;
}

typedef struct bound_job {
    const sherd_watch_search *search;
    double *bound; // of each element [m]
} bound_job;

// Distance from the bounding sphere where that is far, because it is cheaper.
static void bound_range(void *context, size_t begin, size_t end)
{
    const bound_job *job = context;
    const sherd_watch_search *search = job->search;
    const sherd_obstacle *o = search->obstacle;
    for (size_t k = begin; k < end; ++k) {
        sherd_vec3 p = sherd_point_position(search->points, (sherd_element_index)k);
        double radius = sherd_point_radius(search->points, k),
               bound = vec3_distance(p, o->pose.position) - o->radius - radius;
        if (!(bound > shell_of(search))) bound = sherd_obstacle_distance(o, p) - radius;
        job->bound[k] = bound;
    }
}

static void exact_range(void *context, size_t begin, size_t end)
{
    const bound_job *job = context;
    const sherd_watch_search *search = job->search;
    const sherd_obstacle_watch *watch = &search->obstacle->watch;
    for (size_t i = begin; i < end; ++i) {
        sherd_element_index k = watch->element[i];
        if (!isnan(watch->slack[i])) continue;
        watch->slack[i] =
            sherd_obstacle_distance(search->obstacle, sherd_point_position(search->points, k)) -
            sherd_point_radius(search->points, k);
    }
}

// Max-heap.
static void sift(double *heap, size_t count, size_t at)
{
    for (size_t child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && heap[child + 1] > heap[child]) ++child;
        if (!(heap[child] > heap[at])) return;
        double keep = heap[at];
        heap[at] = heap[child], heap[child] = keep;
    }
}

// The `max_count`-th smallest bound, most > 0; `heap` has room for as many. NAN counts as infinite.
static double nth_smallest(const double *all, size_t count, size_t max_count, double *heap)
{
    for (size_t k = 0; k < max_count; ++k)
        heap[k] = isnan(all[k]) ? INFINITY : all[k];
    for (size_t k = max_count / 2; k-- > 0;)
        sift(heap, max_count, k);
    for (size_t k = max_count; k < count; ++k) {
        if (!(all[k] < heap[0])) continue;
        heap[0] = all[k];
        sift(heap, max_count, 0);
    }
    return heap[0];
}

// An element gets an individual bound if its bound is below `far`, or in the shell.
static bool is_watched(double bound, double far, double shell)
{
    return !(bound >= far) || !(bound > shell);
}

// Writes into a watch with sufficient capacity. Elements with previous individual bounds keep them;
// the others get NAN.
static void watch_below(sherd_obstacle_watch *to, const sherd_obstacle_watch *from,
                        const double *bound, size_t elements, double far, double shell)
{
    size_t i = 0, old = 0;
    to->beyond = INFINITY;
    for (size_t k = 0; k < elements; ++k) {
        bool known = old < from->count && from->element[old] == (sherd_element_index)k;
        old += known;
        if (is_watched(bound[k], far, shell)) {
            to->element[i] = (sherd_element_index)k;
            to->slack[i++] = known ? bound[k] : NAN;
        } else if (bound[k] < to->beyond) {
            to->beyond = bound[k];
        }
    }
}

static sherd_status rebuild_watch(const sherd_watch_search *search, double *bound, double *heap,
                                  sherd_error *error)
{
    sherd_obstacle_watch *watch = &search->obstacle->watch, now = {.max_count = watch->max_count};
    size_t elements = (size_t)search->points->count, count = 0;
    double far = nth_smallest(bound, elements, watch->max_count, heap), shell = shell_of(search);
    for (size_t k = 0; k < elements; ++k)
        count += is_watched(bound[k], far, shell);
    sherd_status status = sherd_obstacle_watch_resize(&now, count, error);
    if (status == SHERD_OK) {
        watch_below(&now, watch, bound, elements, far, shell);
        sherd_obstacle_watch_free(watch);
        *watch = now;
        bound_job job = {search, bound};
        sherd_parallel_for(search->parallel, count, CHUNK, exact_range, &job);
    } else {
        sherd_obstacle_watch_free(&now);
    }
    return status;
}

static sherd_status measure_all(const sherd_watch_search *search, sherd_error *error)
{
    const sherd_obstacle_watch *watch = &search->obstacle->watch;
    size_t elements = (size_t)search->points->count;
    bound_job job = {search, sherd_alloc(elements, sizeof *job.bound)};
    double *heap = sherd_alloc(watch->max_count, sizeof *heap);
    sherd_status status = SHERD_OK;
    if (job.bound == NULL || heap == NULL) {
        status = sherd_fail_memory(error, "obstacles");
    } else {
        sherd_parallel_for(search->parallel, elements, CHUNK, bound_range, &job);
        for (size_t i = 0; i < watch->count; ++i)
            job.bound[watch->element[i]] = watch->slack[i];
        status = rebuild_watch(search, job.bound, heap, error);
    }
    sherd_free(job.bound);
    sherd_free(heap);
    return status;
}

sherd_status sherd_obstacle_watch_renew(const sherd_watch_search *search, sherd_error *error)
{
    sherd_obstacle_watch *watch = &search->obstacle->watch;
    // Only read.
    sherd_parallel_for(search->parallel, watch->count, CHUNK, renew_range,
                       (void *)(uintptr_t)search);
    if (watch->element == NULL) return SHERD_OK;
    double min_distance;
    watch->beyond -= search->moved;
    sherd_obstacle_watch_near(watch, search->margin, &min_distance);
    bool others_are_far = watch->beyond > min_distance + LEAD * search->margin;
    return others_are_far ? SHERD_OK : measure_all(search, error);
}
