// Which parts of a world become regions.
#include "base/error.h"
#include "base/memory.h"
#include "math/vec3.h"
#include "stepping/regions/boxes.h"
#include "stepping/regions/regions.h"

#include <math.h>
#include <string.h>

enum {
    LEAST_AWAKE = 64,   // elements of a region; the rest share one
    MOST_PIECES = 4096, // components, or everything stays together: grains, dust
    MOST_BODIES = 64,   // free rigid bodies, or everything stays together
};

// Share by which speeds may grow.
static const double SAFETY = 1.5;

typedef struct grouping_job {
    const sherd_system *system;
    sherd_element_index *root;  // of components (n)
    sherd_element_index *group; // forest over roots; behind them one for the free bodies (n + 1)
    sherd_boxes boxes;
    int body_count;
} grouping_job;

static void join(grouping_job *job, sherd_element_index a, sherd_element_index b)
{
    sherd_join_roots(job->group, a, b);
}

static void join_drivers(grouping_job *job)
{
    const sherd_drivers *drivers = &job->system->drivers;
    for (int d = 0; d < drivers->count; ++d)
        for (sherd_element_index k = 1; k < drivers->drivers[d].count; ++k)
            join(job, job->root[drivers->drivers[d].element[0]],
                 job->root[drivers->drivers[d].element[k]]);
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

// Boxes of all components as groups of their own, and of the free bodies, which are one.
static sherd_status find_boxes(grouping_job *job, sherd_error *error)
{
    const sherd_system *s = job->system;
    sherd_status status =
        sherd_boxes_add_components(&job->boxes, &s->elements, job->root, 0, error);
    sherd_body_bound bounds[MOST_BODIES];
    job->body_count = sherd_contacts_bound_bodies(s->contacts, bounds, MOST_BODIES);
    for (int b = 0; b < job->body_count && status == SHERD_OK; ++b) {
        sherd_vec3 reach = vec3(bounds[b].radius, bounds[b].radius, bounds[b].radius);
        sherd_box box = {
            .bounds = {vec3_sub(bounds[b].centre, reach), vec3_add(bounds[b].centre, reach)},
            .speed = bounds[b].speed,
            .root = s->elements.count};
        status = sherd_boxes_add(&job->boxes, &box, error);
    }
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

// Components that may come near each other within `ahead` [s].
static void join_ahead(grouping_job *job, double ahead)
{
    for (size_t k = 0; k < job->boxes.count; ++k) {
        sherd_box *box = &job->boxes.list[k];
        box->group = box->root;
        set_reach(job, box, ahead, box->speed);
    }
    (void)sherd_boxes_sweep(&job->boxes, join_near, job);
}

static sherd_status join_all(grouping_job *job, double ahead, bool *too_many, sherd_error *error)
{
    join_drivers(job);
    join_sleepers(job);
    *too_many = false;
    if (job->system->contacts == NULL) return SHERD_OK;
    sherd_status status = join_listed(job, error);
    if (status == SHERD_OK) status = find_boxes(job, error);
    *too_many = job->boxes.count > MOST_PIECES || job->body_count == MOST_BODIES;
    if (status == SHERD_OK && !*too_many) join_ahead(job, ahead);
    return status;
}

// Numbers groups with enough elements that are awake, the largest if there are many; number[root] is 0 for all
// others. Returns how many.
static int number_groups(grouping_job *job, int32_t *awake, int32_t *number)
{
    const sherd_elements *e = &job->system->elements;
    for (sherd_element_index k = 0; k < e->count; ++k)
        awake[sherd_find_root(job->group, job->root[k])] += !e->asleep[k];
    int count = 0;
    while (count < SHERD_MOST_REGIONS - 1) {
        sherd_element_index largest = -1;
        for (sherd_element_index k = 0; k < e->count; ++k)
            if (number[k] == 0 && awake[k] >= LEAST_AWAKE &&
                (largest < 0 || awake[k] > awake[largest]))
                largest = k;
        if (largest < 0) break;
        number[largest] = ++count;
    }
    return count;
}

// Region 0 has all that is without a number, if there is anything.
static void assign(grouping_job *job, const int32_t *number, int count, sherd_grouping *out)
{
    sherd_element_index n = job->system->elements.count, rest = 0;
    for (sherd_element_index k = 0; k < n; ++k) {
        out->of[k] = number[sherd_find_root(job->group, job->root[k])];
        rest += out->of[k] == 0;
    }
    int first = rest == 0; // then numbers begin with 0
    for (sherd_element_index k = 0; k < n; ++k)
        out->of[k] -= first;
    sherd_element_index bodies = sherd_find_root(job->group, n);
    out->bodies = bodies == n ? 0 : number[bodies] - first;
    out->count = count + 1 - first;
    if (out->count < 2) out->count = 0;
}

static bool join_regions(void *context, const sherd_box *a, const sherd_box *b)
{
    join(context, a->root, b->root);
    return true;
}

// Whether regions stay apart for `least` [s] at their greatest speeds, as a span has it (region_advance.c). Two
// that don't are joined.
static bool stay_apart(grouping_job *job, const sherd_grouping *grouping, double least)
{
    double speed[SHERD_MOST_REGIONS] = {0.0};
    sherd_element_index n = job->system->elements.count;
    for (size_t k = 0; k < job->boxes.count; ++k) {
        sherd_box *box = &job->boxes.list[k];
        box->group = box->root == n ? grouping->bodies : grouping->of[box->root];
        speed[box->group] = fmax(speed[box->group], box->speed);
    }
    for (size_t k = 0; k < job->boxes.count; ++k)
        set_reach(job, &job->boxes.list[k], least, speed[job->boxes.list[k].group]);
    return !sherd_boxes_sweep(&job->boxes, join_regions, job);
}

static sherd_status find_groups(grouping_job *job, double ahead, double least, sherd_grouping *out,
                                sherd_error *error)
{
    sherd_element_index n = job->system->elements.count;
    sherd_find_components(&job->system->bonds, n, job->root);
    for (sherd_element_index k = 0; k <= n; ++k)
        job->group[k] = k;
    bool too_many;
    sherd_status status = join_all(job, ahead, &too_many, error);
    if (status != SHERD_OK || too_many) return status;
    int32_t *awake = sherd_alloc((size_t)n, sizeof *awake);
    int32_t *number = sherd_alloc((size_t)n, sizeof *number);
    if (awake == NULL || number == NULL) status = sherd_fail_memory(error, "regions");
    do {
        if (status != SHERD_OK) break;
        memset(awake, 0, (size_t)n * sizeof *awake);
        memset(number, 0, (size_t)n * sizeof *number);
        assign(job, number, number_groups(job, awake, number), out);
    } while (out->count > 0 && !stay_apart(job, out, least));
    sherd_free(awake);
    sherd_free(number);
    return status;
}

sherd_status sherd_find_groups(const sherd_system *system, double ahead, double least,
                               sherd_grouping *grouping, sherd_error *error)
{
    size_t n = (size_t)system->elements.count;
    grouping_job job = {.system = system,
                        .root = sherd_alloc(n, sizeof *job.root),
                        .group = sherd_alloc(n + 1, sizeof *job.group)};
    *grouping = (sherd_grouping){.of = sherd_alloc(n, sizeof *grouping->of)};
    sherd_status status = SHERD_OK;
    if (job.root == NULL || job.group == NULL || grouping->of == NULL)
        status = sherd_fail_memory(error, "regions");
    if (status == SHERD_OK) status = find_groups(&job, ahead, least, grouping, error);
    sherd_free(job.root);
    sherd_free(job.group);
    sherd_boxes_free(&job.boxes);
    return status;
}
