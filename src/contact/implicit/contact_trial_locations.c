// Assigns the locations at which an element touches an obstacle (geometry/shape/shape_contact_points.h) to
// contacts.
//
// The direction of a record is constant during a step. A location in a trial state belongs to the
// record of the same element and obstacle with the nearest direction, within the angle that
// separates locations. A location without record gets one. So the assignment depends on the trial
// state and on the existing records, not on previous trial states.
#include "base/memory.h"
#include "contact/implicit/contact_trial_state.h"

bool sherd_trial_number_locations(sherd_contact_trial *t)
{
    int32_t count = 0;
    t->first_location = sherd_alloc((size_t)t->obstacle_count + 1, sizeof *t->first_location);
    if (t->first_location == NULL) return false;
    for (int o = 0; o < t->obstacle_count; ++o) {
        t->first_location[o] = count;
        count += t->obstacles[o].location_count;
    }
    t->first_location[t->obstacle_count] = count;
    t->obstacle_of = sherd_alloc((size_t)count, sizeof *t->obstacle_of);
    if (t->obstacle_of == NULL) return false;
    for (int o = 0; o < t->obstacle_count; ++o)
        for (int32_t n = t->first_location[o]; n < t->first_location[o + 1]; ++n)
            t->obstacle_of[n] = o;
    return true;
}

// The largest possible number.
static bool is_full(const sherd_contact_trial *t, int32_t ring)
{
    int count = 0;
    int32_t at = ring;
    do {
        ++count;
        at = t->records[at].next;
    } while (at != ring);
    return count == t->obstacles[t->records[ring].obstacle].location_count;
}

// The record of a ring with the direction nearest to that of a location, -1 if none is near enough.
// If the ring is full, a location that no direction is near gets the nearest one: around the axis
// of a funnel directions change with every state.
static int32_t record_for(const sherd_contact_trial *t, int32_t ring, sherd_vec3 normal)
{
    int32_t best = -1, at = ring;
    if (ring < 0) return -1;
    double best_cosine = is_full(t, ring) ? -1.0 : SHERD_NEAR_COSINE;
    do {
        const sherd_trial_record *r = &t->records[at];
        double alike = vec3_dot(r->facing, normal);
        bool first = alike == best_cosine && best >= 0 && r->other < t->records[best].other;
        if (alike > best_cosine || first) best_cosine = alike, best = at;
        at = r->next;
    } while (at != ring);
    return best;
}

sherd_near_point sherd_trial_location_of(const sherd_contact_trial *t, const sherd_obstacle *o,
                                         sherd_trial_record *record, sherd_vec3 p, double radius)
{
    sherd_near_point locations[SHERD_MAX_NEAR];
    int count = sherd_obstacle_near(o, p, radius, &record->patch, locations);
    int32_t self = (int32_t)(record - t->records);
    for (int n = 0; n < count; ++n)
        if (record_for(t, self, locations[n].normal) == self) return locations[n];
    return (sherd_near_point){fmax(radius, locations[0].distance), record->facing};
}

static bool same(const sherd_contact_trial *t, const sherd_trial_candidate *a,
                 const sherd_trial_candidate *b)
{
    return a->i == b->i && trial_obstacle_of(t, a->other) == trial_obstacle_of(t, b->other);
}

// Candidates of one element and obstacle are consecutive.
int32_t sherd_trial_sibling(const sherd_contact_trial *t, const sherd_trial_candidate *c)
{
    const sherd_trial_candidate *from = t->candidates;
    size_t self = (size_t)(c - from), first = self;
    while (first > 0 && same(t, &from[first - 1], c))
        --first;
    for (size_t k = first; k < t->candidate_count && same(t, &from[k], c); ++k)
        if (from[k].record >= 0) return from[k].record;
    return -1;
}

bool sherd_trial_is_deferred(const sherd_contact_trial *t, const sherd_trial_candidate *c)
{
    return c > t->candidates && same(t, c - 1, c) && c[-1].record < 0;
}

bool sherd_trial_new_location(const sherd_contact_trial *t, const sherd_points *e,
                              const sherd_trial_candidate *c, sherd_vec3 *facing)
{
    const sherd_obstacle *o = &t->obstacles[trial_obstacle_of(t, c->other)];
    sherd_near_point locations[SHERD_MAX_NEAR];
    double radius = sherd_point_radius(e, c->i);
    int32_t ring = sherd_trial_sibling(t, c);
    // Records are read by several threads at a time.
    sherd_smooth_patch patch = {.within = 0.0};
    if (ring >= 0) patch = t->records[ring].patch;
    int count = sherd_obstacle_near(o, sherd_point_position(e, c->i), radius, &patch, locations);
    for (int n = 0; n < count; ++n) {
        if (!(locations[n].distance < radius)) continue;
        if (record_for(t, ring, locations[n].normal) >= 0) continue;
        *facing = locations[n].normal;
        return true;
    }
    return false;
}
