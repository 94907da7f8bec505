#include "contact/isolated_sleepers.h"

#include "base/error.h"
#include "base/memory.h"

enum {
    BOX_ELEMENTS = 512, // consecutive elements, which are near each other while bodies are whole
    FEWEST = 64,        // it does not pay to compare smaller bodies with all others
};

// Upper bound of margins, in radii of the largest element.
static const double MIN_RADII = 4.0;

typedef struct box_job {
    const sherd_contacts *contacts;
    const sherd_points *points;
    // of elements that are not candidates for isolation, with radii and margins
    sherd_bounds *boxes;
} box_job;

static bool is_candidate(const sherd_sleeper *s)
{
    return s->count >= FEWEST;
}

static void find_box(void *context, size_t begin, size_t end)
{
    const box_job *job = context;
    const sherd_sleepers *sleepers = job->contacts->sleepers;
    sherd_bounds box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (size_t k = begin; k < end; ++k) {
        int32_t of = sleepers->of[k];
        if (of >= 0 && is_candidate(&sleepers->list[of])) continue;
        sherd_vec3 p = sherd_point_position(job->points, (sherd_element_index)k);
        double reach = sherd_point_radius(job->points, k) + job->contacts->margins.margin[k];
        box.low = vec3_min(box.low, vec3_sub(p, vec3(reach, reach, reach)));
        box.high = vec3_max(box.high, vec3_add(p, vec3(reach, reach, reach)));
    }
    job->boxes[begin / BOX_ELEMENTS] = box;
}

static double largest_radius(const sherd_points *e)
{
    double largest = 0.0;
    for (sherd_element_index k = 0; k < e->count; ++k)
        largest = sherd_point_radius(e, k) > largest ? sherd_point_radius(e, k) : largest;
    return largest;
}

// Distance of a point from a box; infinite for the empty box.
static double box_distance(const sherd_bounds *box, sherd_vec3 p)
{
    sherd_vec3 outside = vec3_max(vec3_sub(box->low, p), vec3_sub(p, box->high));
    return vec3_length(vec3_max(outside, vec3(0.0, 0.0, 0.0)));
}

static double isolation_of(const box_job *job, size_t boxes, const sherd_sleeper *s)
{
    const sherd_sleepers *sleepers = job->contacts->sleepers;
    double distance = INFINITY;
    for (size_t b = 0; b < boxes; ++b)
        distance = fmin(distance, box_distance(&job->boxes[b], s->centre) - s->radius);
    for (int32_t t = 0; t < sleepers->count; ++t) {
        const sherd_sleeper *other = &sleepers->list[t];
        if (other == s || !is_candidate(other)) continue;
        double gap = vec3_distance(s->centre, other->centre) - s->radius - other->radius;
        distance = fmin(distance, 0.5 * gap);
    }
    return distance;
}

static void leave_out(sherd_contacts *contacts, const sherd_sleeper *s)
{
    for (sherd_element_index m = 0; m < s->count; ++m)
        contacts->margins.margin[s->member[m]] = INFINITY;
}

sherd_status sherd_isolate(sherd_contacts *contacts, const sherd_points *points, sherd_error *error)
{
    size_t n = (size_t)points->count, boxes = (n + BOX_ELEMENTS - 1) / BOX_ELEMENTS;
    box_job job = {contacts, points, sherd_alloc(boxes, sizeof *job.boxes)};
    if (job.boxes == NULL) return sherd_fail_memory(error, "contact search");
    sherd_parallel_for(&contacts->parallel, n, BOX_ELEMENTS, find_box, &job);
    double min_distance = MIN_RADII * largest_radius(points) + contacts->skin;
    for (int32_t k = 0; k < contacts->sleepers->count; ++k) {
        sherd_sleeper *s = &contacts->sleepers->list[k];
        double distance = is_candidate(s) ? isolation_of(&job, boxes, s) : 0.0;
        s->isolation = distance > min_distance ? distance : 0.0;
        s->isolated_at = s->centre;
        if (s->isolation > 0.0) leave_out(contacts, s);
    }
    sherd_free(job.boxes);
    return SHERD_OK;
}
