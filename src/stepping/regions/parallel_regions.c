#include "stepping/regions/parallel_regions.h"
#include "base/assertion.h"
#include "stepping/control/step_control.h"
#include "stepping/sleep/rigid_sleep.h"
#include "stepping/stepper.h"

#include <math.h>

typedef struct team {
    sherd_regions *regions;
    int first, count;
    const sherd_method_settings *settings;
    double end;
    const double *reach;
    int order[SHERD_MAX_REGIONS]; // most work first
    int done;                     // number of finished ones
    sherd_status status[SHERD_MAX_REGIONS];
    sherd_error error[SHERD_MAX_REGIONS];
} team;

static void note_loads(void *context, double weight)
{
    sherd_system *part = context;
    if (part->contacts != NULL) sherd_contacts_note_loads(part->contacts, weight);
}

// Expected cost of a region, from the span before. If unknown, its number of elements.
static double work_of(const sherd_time_region *region)
{
    double awake = region->system.elements.count - sherd_sleep_count(&region->system);
    return awake * fmax(region->work, 1.0);
}

static void advance_one(team *t, int r)
{
    sherd_time_region *region = &t->regions->list[r];
    sherd_system *part = &region->system;
    double before = sherd_step_control_work(&part->control.counts);
    part->path = 0.0;
    part->path_limit = t->reach[r];
    const sherd_advance_goal goal = {t->end, INT64_MAX, note_loads, part};
    t->status[r] = t->settings->stepper->advance(part, t->settings, &goal, &t->error[r]);
    part->path_limit = INFINITY;
    region->work = sherd_step_control_work(&part->control.counts) - before;
}

static void advance_some(void *context, size_t begin, size_t end)
{
    team *t = context;
    for (size_t k = begin; k < end; ++k)
        advance_one(t, t->order[(size_t)t->done + k]);
}

// Sorts by work, most first; equal ones by index. Returns the sum.
static double sort_by_work(team *t)
{
    double work[SHERD_MAX_REGIONS], sum = 0.0;
    for (int k = 0; k < t->count; ++k) {
        int at = k, r = t->first + k;
        work[r] = work_of(&t->regions->list[r]);
        sum += work[r];
        for (; at > 0 && work[t->order[at - 1]] < work[r]; --at)
            t->order[at] = t->order[at - 1];
        t->order[at] = r;
    }
    return sum;
}

// True if its loops have work for several threads.
static bool is_shared(const sherd_system *part)
{
    int min_elements = part->control.implicit_now ? SHERD_BLOCK_ELEMENTS : SHERD_BLOCKS_SHARED;
    return part->elements.count >= min_elements;
}

// Regions that would occupy one thread after all others are done, and have enough work for several
// threads, come first, one after the other.
static void advance_large(team *t, const sherd_parallel *parallel)
{
    double remaining = sort_by_work(t);
    for (; t->done < t->count; ++t->done) {
        int r = t->order[t->done];
        double work = work_of(&t->regions->list[r]);
        bool large = work * sherd_parallel_threads(parallel) > remaining &&
                     is_shared(&t->regions->list[r].system);
        if (!large) return;
        remaining -= work;
        advance_one(t, r);
    }
}

static sherd_status first_failure(const team *t, sherd_error *error)
{
    for (int r = t->first; r < t->regions->count; ++r) {
        if (t->status[r] == SHERD_OK) continue;
        if (error != NULL) *error = t->error[r];
        return t->status[r];
    }
    return SHERD_OK;
}

sherd_status sherd_regions_step_parallel(sherd_system *whole, sherd_regions *regions,
                                         const sherd_method_settings *settings, double end,
                                         const double reach[SHERD_MAX_REGIONS], double *too_far,
                                         sherd_error *error)
{
    SHERD_ASSERT(end >= sherd_system_time(whole), "time advances");
    double begin = sherd_system_time(whole);
    team t = {.regions = regions,
              .first = sherd_regions_first_alone(whole),
              .settings = settings,
              .end = end,
              .reach = reach};
    t.count = regions->count - t.first;
    advance_large(&t, &whole->parallel);
    // Loops inside run on one thread, because all others are busy.
    sherd_parallel_for(&whole->parallel, (size_t)(t.count - t.done), 1, advance_some, &t);
    *too_far = 0.0;
    for (int r = t.first; r < regions->count; ++r) {
        const sherd_system *part = &regions->list[r].system;
        if (!(part->path > reach[r])) continue;
        double after = sherd_system_time(part) - begin;
        *too_far = *too_far > 0.0 ? fmin(*too_far, after) : after;
    }
    return first_failure(&t, error);
}
