#include "contact/neighbor_update.h"

#include "base/error.h"
#include "base/memory.h"
#include "contact/explicit/pair_build.h"

#include <string.h>

// LATE_CHUNK: elements checked at a time, of which MAX_LATE may be beyond their margins. MAX_LATE_DIVISOR,
// FEWEST: at most one in so many of all elements, or this number, is listed singly, which takes
// about ten times as long per element as a search for all.
enum { LATE_CHUNK = 4096, MAX_LATE = 1024, MAX_LATE_DIVISOR = 128, FEWEST = 8 };

// Elements that have used this fraction of their margins are listed again together with the first
// one beyond its own.
static const double LATE_FRACTION = 0.875;

// Steps after which pairs at outdated positions leave the list.
static const double MAX_STEPS = 256.0;

typedef struct late_chunk {
    int32_t count; // may exceed the capacity
    sherd_element_index element[MAX_LATE];
} late_chunk;

typedef struct late_job {
    const sherd_verlet_skin *margins;
    const sherd_points *points;
    late_chunk *chunks;
} late_job;

bool sherd_contacts_list_is_old(const sherd_contacts *c)
{
    return c->margins.renewed > 0 && c->margins.elapsed > MAX_STEPS * c->margins.dt;
}

// ---------------------------------------------------------------- elements beyond their margins

static bool is_late(const late_job *job, sherd_vec3 shift, size_t k)
{
    double far = LATE_FRACTION * job->margins->margin[k];
    return sherd_verlet_skin_moved2(job->margins, job->points, shift, k) > far * far;
}

static void find_late(void *context, size_t begin, size_t end)
{
    const late_job *job = context;
    const uint8_t *asleep = job->points->asleep;
    sherd_vec3 shift = sherd_verlet_skin_shift(job->margins);
    late_chunk *chunk = &job->chunks[begin / LATE_CHUNK];
    chunk->count = 0;
    for (size_t k = begin; k < end && chunk->count <= MAX_LATE; ++k) {
        if (asleep[k] || !is_late(job, shift, k)) continue;
        if (chunk->count < MAX_LATE) chunk->element[chunk->count] = (sherd_element_index)k;
        ++chunk->count;
    }
}

static size_t max_late(sherd_element_index points)
{
    size_t max_count = (size_t)points / MAX_LATE_DIVISOR;
    if (max_count > SHERD_GRID_MAX_MOVED) max_count = SHERD_GRID_MAX_MOVED;
    return max_count > FEWEST ? max_count : FEWEST;
}

// Collects them, ascending, in contacts->late; false if there are many.
static bool collect_late(sherd_contacts *c, const late_chunk *chunks, size_t chunk_count)
{
    size_t max_count = max_late(c->element_count);
    c->late_count = 0;
    for (size_t k = 0; k < chunk_count; ++k) {
        size_t count = (size_t)chunks[k].count;
        if (count > MAX_LATE || c->late_count + count > max_count) return false;
        memcpy(c->late + c->late_count, chunks[k].element, count * sizeof *c->late);
        c->late_count += count;
    }
    return true;
}

static sherd_status list_late(sherd_contacts *c, const sherd_points *points, bool *few,
                              sherd_error *error)
{
    size_t n = (size_t)points->count, chunk_count = (n + LATE_CHUNK - 1) / LATE_CHUNK;
    late_job job = {&c->margins, points, sherd_alloc(chunk_count, sizeof *job.chunks)};
    if (job.chunks == NULL || !sherd_grow((void **)&c->late, &c->late_capacity,
                                          max_late(c->element_count), sizeof *c->late)) {
        sherd_free(job.chunks);
        return sherd_fail_memory(error, "contact search");
    }
    sherd_parallel_for(&c->parallel, n, LATE_CHUNK, find_late, &job);
    *few = collect_late(c, job.chunks, chunk_count);
    sherd_free(job.chunks);
    return SHERD_OK;
}

// ---------------------------------------------------------------- search for few elements

// True if an element is within reach of a sleeper that was left out of the search.
static bool nears_isolated(const sherd_contacts *c, const sherd_points *points,
                           sherd_element_index k)
{
    const sherd_verlet_skin *m = &c->margins;
    sherd_vec3 at = vec3(m->x[k], m->y[k], m->z[k]);
    double reach = sherd_point_radius(points, k) + m->margin[k];
    for (int32_t s = 0; s < c->sleepers->count; ++s) {
        const sherd_sleeper *sleeper = &c->sleepers->list[s];
        double far = sleeper->radius + sleeper->isolation + reach;
        if (sleeper->isolation > 0.0 && vec3_distance(at, sleeper->isolated_at) < far) return true;
    }
    return false;
}

// False where a sleeper may be within reach.
static bool renew_margins(sherd_contacts *c, const sherd_points *points)
{
    bool clear = true;
    for (size_t l = 0; l < c->late_count; ++l) {
        sherd_verlet_skin_renew_one(&c->margins, points, c->skin, c->late[l]);
        if (c->sleepers != NULL) clear &= !nears_isolated(c, points, c->late[l]);
    }
    c->margins.renewed += (int64_t)c->late_count;
    return clear;
}

static bool may_be_beyond(const sherd_contacts *c, const sherd_sleeper *sleeper)
{
    sherd_bounds unused = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    return sherd_contacts_bound_sleeper(c, sleeper, &unused);
}

// Adds the elements of sleepers that may be beyond their margins; false if there are too many, or
// one was left out of the search.
static bool add_sleepers(sherd_contacts *c)
{
    size_t max_count = max_late(c->element_count);
    bool updated = false;
    for (int32_t s = 0; c->sleepers != NULL && s < c->sleepers->count; ++s) {
        const sherd_sleeper *sleeper = &c->sleepers->list[s];
        if (!may_be_beyond(c, sleeper)) continue;
        if (sleeper->isolation > 0.0 || c->late_count + (size_t)sleeper->count > max_count)
            return false;
        if (!updated) c->sleepers->update_poses(c->sleepers->context);
        updated = true;
        memcpy(c->late + c->late_count, sleeper->member, (size_t)sleeper->count * sizeof *c->late);
        c->late_count += (size_t)sleeper->count;
    }
    return true;
}

// Renews the search positions of these elements.
static void update_sleeper_positions(sherd_contacts *c, const sherd_points *points)
{
    for (int32_t s = 0; c->sleepers != NULL && s < c->sleepers->count; ++s)
        if (may_be_beyond(c, &c->sleepers->list[s]))
            sherd_contacts_see_sleeper(c, points, &c->sleepers->list[s]);
}

// Elements at their positions at the last search. Read only.
static sherd_points as_listed(const sherd_contacts *c, const sherd_points *points)
{
    sherd_points listed = *points;
    listed.px = c->margins.x, listed.py = c->margins.y, listed.pz = c->margins.z;
    return listed;
}

static bool some_asleep(const sherd_points *points, const sherd_pair_found *pairs)
{
    for (size_t p = 0; p < pairs->count; ++p)
        if (points->asleep[pairs->pairs[p].i] || points->asleep[pairs->pairs[p].j]) return true;
    return false;
}

sherd_status sherd_contacts_renew_few(sherd_contacts *c, const sherd_points *points,
                                      const sherd_bond_adjacency *bonds, bool *done,
                                      sherd_error *error)
{
    bool few = false;
    *done = false;
    sherd_status status = list_late(c, points, &few, error);
    if (status != SHERD_OK || !few || !add_sleepers(c) || !renew_margins(c, points)) return status;
    update_sleeper_positions(c, points);
    sherd_points listed = as_listed(c, points);
    const double *margin = sherd_contacts_search_margins(c, points);
    if (margin == NULL) return sherd_fail_memory(error, "contact search");
    status = sherd_pair_search_few(&c->search, &listed, bonds, margin, c->skin, c->late,
                                   c->late_count, &c->parallel, error);
    sherd_pair_found *found = &c->search.few;
    if (status != SHERD_OK) return status;
    *done = true;
    if (found->count == 0) return SHERD_OK;
    if (some_asleep(points, found)) c->lists_changed = true;
    sherd_pair_source source = {c->element_count, points, c->margins.margin, false, &c->parallel};
    return sherd_pair_list_add(&c->list, found->pairs, found->count, &source, error);
}

// ---------------------------------------------------------------- isolated sleepers

enum {
    BOX_ELEMENTS = 512, // consecutive elements, which are near each other while bodies are whole
    SMALLEST = 64,      // it does not pay to compare smaller bodies with all others
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
    return s->count >= SMALLEST;
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
