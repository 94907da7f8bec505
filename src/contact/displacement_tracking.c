#include "contact/displacement_tracking.h"

#include "base/assertion.h"
#include "base/error.h"
#include "base/memory.h"
#include "contact/contact_system.h"

#include <string.h>

enum { PART = 4096 }; // elements, by default

// An element farther than this many skins from the origin is lost: cells are counted in 64-bit
// integers.
static const double FARTHEST_IN_SKINS = 1e15;

// Rounding is smaller than a millionth of the displacements.
static const double ROUNDING_FACTOR = 1.000001;

static const sherd_bounds NOTHING = {{INFINITY, INFINITY, INFINITY},
                                     {-INFINITY, -INFINITY, -INFINITY}};

void sherd_displacement_free(sherd_displacement_tracker *tracker)
{
    sherd_free(tracker->parts);
    sherd_free(tracker->due);
    *tracker = (sherd_displacement_tracker){0};
}

void sherd_displacement_forget(sherd_displacement_tracker *tracker)
{
    for (size_t p = 0; p < tracker->count; ++p)
        tracker->parts[p].remaining = -INFINITY;
}

void sherd_displacement_forget_element(sherd_displacement_tracker *tracker, sherd_element_index k)
{
    SHERD_ASSERT(tracker->length > 0 && (size_t)k / tracker->length < tracker->count,
                 "the element is in a part");
    tracker->parts[(size_t)k / tracker->length].remaining = -INFINITY;
}

// ---------------------------------------------------------------- bounds between measurements

sherd_status sherd_displacement_divide(sherd_displacement_tracker *d, size_t points, size_t length,
                                       sherd_error *error)
{
    SHERD_ASSERT(length > 0, "a part has at least one element");
    size_t count = (points + length - 1) / length;
    if (!sherd_grow((void **)&d->parts, &d->capacity, count, sizeof *d->parts) ||
        !sherd_grow((void **)&d->due, &d->due_capacity, count, sizeof *d->due))
        return sherd_fail_memory(error, "contact search");
    d->count = count;
    d->length = length;
    for (size_t p = 0; p < count; ++p)
        d->parts[p] = (sherd_displacement_part){.remaining = -INFINITY, .lost = -1};
    return SHERD_OK;
}

sherd_status sherd_displacement_advance(sherd_contacts *contacts, sherd_error *error)
{
    sherd_displacement_tracker *d = &contacts->tracker;
    const double *farthest = d->moves.farthest;
    size_t length = farthest != NULL ? d->moves.length : d->length > 0 ? d->length : PART;
    d->moves.farthest = NULL;
    if (length != d->length) {
        sherd_status status =
            sherd_displacement_divide(d, (size_t)contacts->element_count, length, error);
        if (status != SHERD_OK) return status;
    }
    double drift = contacts->margins.dt * vec3_length(contacts->margins.drift);
    for (size_t p = 0; p < d->count; ++p) {
        double far = farthest != NULL ? farthest[p] : INFINITY;
        d->parts[p].since += ROUNDING_FACTOR * far;
        d->parts[p].since_search += ROUNDING_FACTOR * (far + drift);
    }
    return SHERD_OK;
}

// ---------------------------------------------------------------- measurement

typedef struct measure_job {
    sherd_contacts *contacts;
    const sherd_points *points;
    double farthest;       // largest finite coordinate [m]
    bool sleepers_skipped; // their positions are not up to date: bounds replace them
} measure_job;

static inline void widen(double *low, double *high, double x)
{
    *low = x < *low ? x : *low;
    *high = x > *high ? x : *high;
}

static void measure_run(const measure_job *job, size_t begin, size_t end,
                        sherd_displacement_part *part)
{
    const sherd_points *e = job->points;
    const sherd_contacts *c = job->contacts;
    sherd_bounds p = part->positions, d = part->range;
    for (size_t k = begin; k < end; ++k) {
        double x = e->px[k], y = e->py[k], z = e->pz[k];
        if (!(fabs(x) + fabs(y) + fabs(z) < job->farthest)) part->lost = (int64_t)k;
        widen(&p.low.x, &p.high.x, x);
        widen(&p.low.y, &p.high.y, y);
        widen(&p.low.z, &p.high.z, z);
        widen(&d.low.x, &d.high.x, x - c->search_x[k]);
        widen(&d.low.y, &d.high.y, y - c->search_y[k]);
        widen(&d.low.z, &d.high.z, z - c->search_z[k]);
    }
    part->positions = p;
    part->range = d;
    part->remaining =
        fmin(part->remaining, sherd_verlet_skin_remaining(&c->margins, e, begin, end));
}

// First element from `at` on that is asleep, or awake; `end` if there is none.
static size_t next_with(const uint8_t *asleep, int state, size_t at, size_t end)
{
    const uint8_t *found = at < end ? memchr(asleep + at, state, end - at) : NULL;
    return found != NULL ? (size_t)(found - asleep) : end;
}

static void measure_part(const measure_job *job, size_t p)
{
    sherd_displacement_tracker *d = &job->contacts->tracker;
    const uint8_t *asleep = job->points->asleep;
    size_t begin = p * d->length, end = begin + d->length, count = (size_t)job->points->count;
    if (end > count) end = count;
    sherd_displacement_part part = {
        .positions = NOTHING, .range = NOTHING, .remaining = INFINITY, .lost = -1};
    if (!job->sleepers_skipped) measure_run(job, begin, end, &part);
    for (size_t at = begin; at < end && job->sleepers_skipped;) {
        size_t awake = next_with(asleep, 0, at, end), until = next_with(asleep, 1, awake, end);
        if (awake < until) measure_run(job, awake, until, &part);
        at = until;
    }
    d->parts[p] = part;
}

static void measure_range(void *context, size_t begin, size_t end)
{
    const measure_job *job = context;
    for (size_t k = begin; k < end; ++k)
        measure_part(job, (size_t)job->contacts->tracker.due[k]);
}

static sherd_status report_lost(const sherd_points *points, sherd_element_index lost,
                                sherd_error *error)
{
    sherd_vec3 p = sherd_point_position(points, lost);
    return sherd_fail(error, SHERD_ERROR_UNSTABLE, "contact search",
                      "use a smaller time step, and place bodies near the origin",
                      "element %d is at (%g, %g, %g) m", sherd_point_number(points, lost), p.x, p.y,
                      p.z);
}

static sherd_status measure(sherd_contacts *contacts, const sherd_points *points, size_t due_count,
                            bool sleepers_skipped, sherd_error *error)
{
    const sherd_displacement_tracker *d = &contacts->tracker;
    measure_job job = {contacts, points, FARTHEST_IN_SKINS * contacts->skin, sleepers_skipped};
    sherd_parallel_for(&contacts->parallel, due_count, 1, measure_range, &job);
    for (size_t k = 0; k < due_count; ++k) {
        int64_t lost = d->parts[d->due[k]].lost;
        if (lost >= 0) return report_lost(points, (sherd_element_index)lost, error);
    }
    return SHERD_OK;
}

typedef enum which_parts { PARTS_DUE, PARTS_MOVED, PARTS_ALL } which_parts;

static bool is_wanted(const sherd_displacement_part *part, which_parts which)
{
    if (which == PARTS_DUE) return !(part->since < part->remaining);
    return which == PARTS_ALL || part->since_search > 0.0 || part->remaining == -INFINITY;
}

static sherd_status measure_some(sherd_contacts *contacts, const sherd_points *points,
                                 which_parts which, bool sleepers_skipped, sherd_error *error)
{
    sherd_displacement_tracker *d = &contacts->tracker;
    size_t count = 0;
    for (size_t p = 0; p < d->count; ++p)
        if (is_wanted(&d->parts[p], which)) d->due[count++] = (int32_t)p;
    return measure(contacts, points, count, sleepers_skipped, error);
}

sherd_status sherd_displacement_measure_due(sherd_contacts *contacts, const sherd_points *points,
                                            bool sleepers_skipped, sherd_error *error)
{
    return measure_some(contacts, points, PARTS_DUE, sleepers_skipped, error);
}

sherd_status sherd_displacement_measure_moved(sherd_contacts *contacts, const sherd_points *points,
                                              bool sleepers_skipped, sherd_error *error)
{
    return measure_some(contacts, points, PARTS_MOVED, sleepers_skipped, error);
}

sherd_status sherd_displacement_measure_all(sherd_contacts *contacts, const sherd_points *points,
                                            sherd_error *error)
{
    return measure_some(contacts, points, PARTS_ALL, false, error);
}

// ---------------------------------------------------------------- all parts

bool sherd_displacement_beyond(const sherd_displacement_tracker *tracker)
{
    for (size_t p = 0; p < tracker->count; ++p)
        if (tracker->parts[p].remaining < 0.0) return true;
    return false;
}

static const sherd_bounds NOWHERE = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};

sherd_bounds sherd_displacement_range(const sherd_displacement_tracker *tracker)
{
    sherd_bounds all = tracker->count > 0 ? NOTHING : NOWHERE;
    for (size_t p = 0; p < tracker->count; ++p) {
        const sherd_displacement_part *part = &tracker->parts[p];
        double far = part->since_search;
        if (!(part->range.low.x <= part->range.high.x)) continue; // all asleep
        all.low = vec3_min(all.low, vec3_sub(part->range.low, vec3(far, far, far)));
        all.high = vec3_max(all.high, vec3_add(part->range.high, vec3(far, far, far)));
    }
    return all;
}

sherd_bounds sherd_displacement_positions(const sherd_displacement_tracker *tracker)
{
    sherd_bounds all = tracker->count > 0 ? NOTHING : NOWHERE;
    for (size_t p = 0; p < tracker->count; ++p) {
        all.low = vec3_min(all.low, tracker->parts[p].positions.low);
        all.high = vec3_max(all.high, tracker->parts[p].positions.high);
    }
    return all;
}
