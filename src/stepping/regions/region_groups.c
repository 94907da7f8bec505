// Choice of the parts of a world that become regions.
#include "base/error.h"
#include "base/memory.h"
#include "math/vec3.h"
#include "models/mpm/mpm_model.h"
#include "stepping/regions/component_boxes.h"
#include "stepping/regions/regions.h"
#include "stepping/sleep/rigid_sleep.h"

#include <math.h>
#include <string.h>

enum {
    MIN_AWAKE = 64,    // elements of a region; all smaller ones are in one
    MAX_PIECES = 4096, // components, above which everything stays together: grains, dust
    // Above SHERD_MAX_BODY_BOXES free rigid bodies everything stays together, too.
};

// Provisional numbers of groups: of the common group of small ones, and of the one near material
// points.
enum { SHARED = 0, NEAR_POINTS = -1 };

// Assumed growth of speeds.
static const double SAFETY = 1.5;

typedef struct grouping_job {
    const sherd_system *system;
    sherd_element_index *root; // of components (n)
    // Union-find forest over roots; then one entry for the free bodies and one for material points
    // (n + 2).
    sherd_element_index *group;
    const sherd_grouping_points *points; // NULL: there are none
    sherd_boxes boxes;
    int body_count;
} grouping_job;

static sherd_element_index root_of_bodies(const grouping_job *job)
{
    return job->system->elements.count;
}

static sherd_element_index root_of_points(const grouping_job *job)
{
    return job->system->elements.count + 1;
}

static void join(grouping_job *job, sherd_element_index a, sherd_element_index b)
{
    sherd_join_roots(job->group, a, b);
}

static void join_drivers(grouping_job *job)
{
    const sherd_drivers *drivers = &job->system->drivers;
    for (int d = 0; d < drivers->count; ++d)
        for (sherd_element_index k = 1; k < drivers->drivers[d].count; ++k) {
            const sherd_element_index *element = drivers->drivers[d].element;
            if (job->root[element[0]] < 0) break; // material points
            join(job, job->root[element[0]], job->root[element[k]]);
        }
}

static void join_sleepers(grouping_job *job)
{
    const sherd_sleepers *sleepers = &job->system->sleep.sleepers;
    for (int32_t s = 0; s < sleepers->count; ++s)
        for (sherd_element_index m = 1; m < sleepers->list[s].count; ++m)
            join(job, job->root[sleepers->list[s].member[0]],
                 job->root[sleepers->list[s].member[m]]);
}

static sherd_status join_listed(grouping_job *job, sherd_error *error)
{
    uint8_t *near_moving = sherd_alloc((size_t)job->system->elements.count, 1);
    if (near_moving == NULL) return sherd_fail_memory(error, "regions");
    sherd_contacts_join_islands(job->system->contacts, job->root, job->group, near_moving);
    sherd_free(near_moving);
    return SHERD_OK;
}

// Sleepers may tumble, and their elements may soon be faster than at present. Spans account for it
// (region_advance.c).
static sherd_status add_speeds_of_sleepers(grouping_job *job, sherd_error *error)
{
    const sherd_system *system = job->system;
    sherd_element_index n = system->elements.count;
    double *speed = sherd_alloc((size_t)n, sizeof *speed); // of components, at their roots
    if (speed == NULL) return sherd_fail_memory(error, "regions");
    for (sherd_element_index k = 0; k < n; ++k)
        speed[k] = 0.0;
    for (int32_t s = 0; s < system->sleep.sleepers.count; ++s) {
        const sherd_sleeper *at = &system->sleep.sleepers.list[s];
        double its = sherd_sleeper_speed(system, s);
        for (sherd_element_index m = 0; m < at->count; ++m) {
            sherd_element_index root = job->root[at->member[m]];
            if (root >= 0) speed[root] = fmax(speed[root], its);
        }
    }
    for (size_t k = 0; k < job->boxes.count; ++k) {
        sherd_box *box = &job->boxes.list[k];
        if (box->root < n) box->speed = fmax(box->speed, speed[box->root]);
    }
    sherd_free(speed);
    return SHERD_OK;
}

// Boxes of all components as groups of their own; of the free bodies, which are one group; and of
// material points.
static sherd_status find_boxes(grouping_job *job, sherd_error *error)
{
    const sherd_system *s = job->system;
    sherd_status status =
        sherd_boxes_add_components(&job->boxes, &s->elements, job->root, 0, error);
    if (status == SHERD_OK) status = add_speeds_of_sleepers(job, error);
    const sherd_box body = {.root = root_of_bodies(job)}, point = {.root = root_of_points(job)};
    if (status == SHERD_OK)
        status = sherd_boxes_add_bodies(&job->boxes, s->contacts, &body, &job->body_count, error);
    if (status == SHERD_OK && job->points != NULL)
        status = sherd_boxes_add_points(&job->boxes, &job->points->extents, job->points->guard,
                                        &point, error);
    return status;
}

static bool join_near(void *context, const sherd_box *a, const sherd_box *b)
{
    join(context, a->root, b->root);
    return false;
}

static void set_reach(grouping_job *job, sherd_box *box, double ahead, double speed)
{
    double fall = 0.5 * ahead * ahead * vec3_length(job->system->gravity);
    box->reach = SAFETY * (ahead * speed + fall) + job->boxes.largest_radius;
}

// Joins components that may come near each other within `ahead` [s].
static void join_ahead(grouping_job *job, double ahead)
{
    for (size_t k = 0; k < job->boxes.count; ++k) {
        sherd_box *box = &job->boxes.list[k];
        box->group = box->root;
        set_reach(job, box, ahead, box->speed);
    }
    (void)sherd_boxes_sweep(&job->boxes, &job->system->parallel, join_near, job);
}

static sherd_status join_all(grouping_job *job, double ahead, bool *too_many, sherd_error *error)
{
    join_drivers(job);
    join_sleepers(job);
    *too_many = false;
    bool touch = job->system->contacts != NULL;
    if (!touch && job->points == NULL) return SHERD_OK;
    sherd_status status = touch ? join_listed(job, error) : SHERD_OK;
    if (status == SHERD_OK) status = find_boxes(job, error);
    *too_many = job->boxes.count > MAX_PIECES || job->body_count == SHERD_MAX_BODY_BOXES;
    if (status == SHERD_OK && !*too_many) join_ahead(job, ahead);
    return status;
}

// Sleeping groups in the common group get a group of their own if others in it are awake: these
// would wake all of them for an implicit step, or be held to explicit steps by them. Returns the
// new number of groups.
static int set_sleepers_apart(const grouping_job *job, const int32_t *awake, int32_t *number,
                              int count)
{
    sherd_element_index n = job->system->elements.count;
    bool some_awake = false, some_asleep = false;
    for (sherd_element_index k = 0; k < n; ++k) {
        sherd_element_index group =
            job->root[k] >= 0 ? sherd_find_root(job->group, job->root[k]) : -1;
        if (group < 0 || number[group] != SHARED) continue;
        some_awake |= awake[group] > 0;
        some_asleep |= awake[group] == 0;
    }
    if (!some_awake || !some_asleep) return count;
    for (sherd_element_index k = 0; k < n; ++k) {
        if (job->root[k] != k) continue;
        sherd_element_index group = sherd_find_root(job->group, k);
        if (number[group] == SHARED && awake[group] == 0) number[group] = count + 1;
    }
    return count + 1;
}

// Numbers groups with enough awake elements from 1 on, the largest if there are many; number[root]
// is SHARED for all others, but NEAR_POINTS for the one near points. Returns the number of groups.
static int number_groups(grouping_job *job, int32_t *awake, int32_t *number)
{
    const sherd_elements *e = &job->system->elements;
    for (sherd_element_index k = 0; k < e->count; ++k)
        if (job->root[k] >= 0) awake[sherd_find_root(job->group, job->root[k])] += !e->asleep[k];
    int count = 0, max_groups = SHERD_MAX_REGIONS - 2 - (job->points != NULL);
    if (job->points != NULL) number[sherd_find_root(job->group, root_of_points(job))] = NEAR_POINTS;
    while (count < max_groups) {
        sherd_element_index largest = -1;
        for (sherd_element_index k = 0; k < e->count; ++k)
            if (number[k] == SHARED && awake[k] >= MIN_AWAKE &&
                (largest < 0 || awake[k] > awake[largest]))
                largest = k;
        if (largest < 0) break;
        number[largest] = ++count;
    }
    return set_sleepers_apart(job, awake, number, count);
}

// Converts group numbers to region indices. With points the first region is near them, or empty;
// then follows the common group, if there is any.
static void assign(grouping_job *job, const int32_t *number, int count, sherd_grouping *out)
{
    sherd_element_index n = job->system->elements.count, shared = 0, near = 0;
    for (sherd_element_index k = 0; k < n; ++k) {
        bool point = job->root[k] < 0;
        int32_t its = point ? NEAR_POINTS : number[sherd_find_root(job->group, job->root[k])];
        out->of[k] = its;
        shared += its == SHARED;
        near += its == NEAR_POINTS && !point;
    }
    int beside = job->points != NULL, first = (shared == 0) - beside; // first indices
    for (sherd_element_index k = 0; k < n; ++k)
        out->of[k] = job->root[k] < 0 ? -1 : out->of[k] == NEAR_POINTS ? 0 : out->of[k] - first;
    int32_t bodies = number[sherd_find_root(job->group, root_of_bodies(job))];
    out->bodies = bodies == NEAR_POINTS ? 0 : bodies - first;
    if (bodies == SHARED && shared == 0) out->bodies = 0;
    out->count = count + 1 - first;
    out->near = near;
    if (out->count < 2) out->count = 0;
}

static bool join_regions(void *context, const sherd_box *a, const sherd_box *b)
{
    join(context, a->root, b->root);
    return true;
}

static int32_t region_of(const grouping_job *job, const sherd_grouping *grouping,
                         sherd_element_index root)
{
    if (root == root_of_points(job)) return 0;
    return root == root_of_bodies(job) ? grouping->bodies : grouping->of[root];
}

// Tests whether regions stay separate for `min_time` [s] at their greatest speeds, as in a span
// (region_advance.c). Two that do not are joined.
static bool stay_apart(grouping_job *job, const sherd_grouping *grouping, double min_time)
{
    double speed[SHERD_MAX_REGIONS] = {0.0};
    for (size_t k = 0; k < job->boxes.count; ++k) {
        sherd_box *box = &job->boxes.list[k];
        box->group = region_of(job, grouping, box->root);
        speed[box->group] = fmax(speed[box->group], box->speed);
    }
    for (size_t k = 0; k < job->boxes.count; ++k)
        set_reach(job, &job->boxes.list[k], min_time, speed[job->boxes.list[k].group]);
    return !sherd_boxes_sweep(&job->boxes, &job->system->parallel, join_regions, job);
}

// Material points are not components.
static void find_roots(grouping_job *job)
{
    const sherd_system *s = job->system;
    sherd_find_components(&s->bonds, s->elements.count, job->root);
    const sherd_point_bodies *b = s->points;
    for (int body = 0; b != NULL && body < b->body_count; ++body)
        for (sherd_element_index k = b->first[body]; k < b->first[body + 1] && b->of_points[body];
             ++k)
            job->root[k] = -1;
}

static sherd_status find_groups(grouping_job *job, const sherd_grouping_times *times,
                                sherd_grouping *out, sherd_error *error)
{
    sherd_element_index n = job->system->elements.count;
    size_t groups = (size_t)n + 2;
    find_roots(job);
    for (sherd_element_index k = 0; k < n + 2; ++k)
        job->group[k] = k;
    bool too_many;
    sherd_status status = join_all(job, times->ahead, &too_many, error);
    if (status != SHERD_OK || too_many) return status;
    int32_t *awake = sherd_alloc(groups, sizeof *awake);
    int32_t *number = sherd_alloc(groups, sizeof *number);
    if (awake == NULL || number == NULL) status = sherd_fail_memory(error, "regions");
    do {
        if (status != SHERD_OK) break;
        memset(awake, 0, groups * sizeof *awake);
        memset(number, 0, groups * sizeof *number);
        assign(job, number, number_groups(job, awake, number), out);
    } while (out->count > 0 && !stay_apart(job, out, times->min_time));
    sherd_free(awake);
    sherd_free(number);
    return status;
}

sherd_status sherd_find_groups(const sherd_system *system, const sherd_grouping_points *points,
                               const sherd_grouping_times *times, sherd_grouping *grouping,
                               sherd_error *error)
{
    size_t n = (size_t)system->elements.count;
    grouping_job job = {.system = system,
                        .root = sherd_alloc(n, sizeof *job.root),
                        .group = sherd_alloc(n + 2, sizeof *job.group),
                        .points = points};
    *grouping = (sherd_grouping){.of = sherd_alloc(n, sizeof *grouping->of)};
    sherd_status status = SHERD_OK;
    if (job.root == NULL || job.group == NULL || grouping->of == NULL)
        status = sherd_fail_memory(error, "regions");
    if (status == SHERD_OK) status = find_groups(&job, times, grouping, error);
    sherd_free(job.root);
    sherd_free(job.group);
    sherd_boxes_free(&job.boxes);
    return status;
}
